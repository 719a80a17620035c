#include <bellwether/report/plot/plot_axis.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

namespace bellwether {

namespace {

double power_of_ten(long exponent) { return std::pow(10.0, static_cast<double>(exponent)); }

/// Multiples of 1, 2 or 5 times a power of ten, as many as possible but at most about `most`.
std::vector<double> round_values(double low, double high, std::size_t most) {
  const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(most, 2));
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (step < rough) step = factor * power;
  }
  std::vector<double> values;
  const double slack = 1e-9 * step;
  const double first = std::ceil((low - slack) / step);
  for (std::size_t i = 0; i <= most; ++i) {
    const double value = (first + static_cast<double>(i)) * step;
    if (value <= high + slack) values.push_back(value);
  }
  return values;
}

/// The values m 10^e in the range, for these mantissas m and every `stride`-th exponent e.
std::vector<double> values_of_decades(double low, double high, std::initializer_list<double> mantissas,
                                      long stride = 1) {
  std::vector<double> values;
  const double slack = 1 + 1e-9;
  const long first = std::lround(std::floor(std::log10(low))) - 1;
  const long last = std::lround(std::ceil(std::log10(high)));
  for (long e = first; e <= last; ++e) {
    for (const double m : mantissas) {
      const double value = m * power_of_ten(e);
      if (e % stride == 0 && value * slack >= low && value <= high * slack) values.push_back(value);
    }
  }
  return values;
}

/// As many labels as there is room for; those of a linear axis when the range is less than a factor of 3.
std::vector<double> log_labels(double low, double high, std::size_t most) {
  if (high < 3 * low) return round_values(low, high, most);
  std::vector<double> values = values_of_decades(low, high, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  if (values.size() > most) values = values_of_decades(low, high, {1, 2, 5});
  for (long stride = 1; values.size() > most; ++stride) values = values_of_decades(low, high, {1}, stride);
  return values;
}

PlotTick as_power(double value) {
  const double exponent = std::floor(std::log10(std::abs(value)) + 1e-9);
  const double mantissa = value / std::pow(10.0, exponent);
  const std::string digits = fmt::format("{:.3g}", mantissa);
  return {value, digits == "1" ? "10" : fmt::format("{}\u00b710", digits), fmt::format("{:.0f}", exponent)};
}

/// The labels of an axis are all decimals, or all powers of ten if a decimal would need many digits.
std::vector<PlotTick> labelled(const std::vector<double>& values) {
  const bool powers = std::any_of(values.begin(), values.end(), [](double v) {
    return v != 0 && (std::abs(v) < 0.9999e-3 || std::abs(v) >= 0.9999e5);
  });
  std::vector<PlotTick> ticks;
  for (const double v : values) {
    ticks.push_back(powers && v != 0 ? as_power(v) : PlotTick{v, fmt::format("{:.6g}", v), {}});
  }
  return ticks;
}

}  // namespace

double PlotAxis::position(double value) const {
  if (kind == Axis::linear) return (value - low) / (high - low);
  return value > 0 ? std::log(value / low) / std::log(high / low) : -infinity;
}

PlotAxis linear_axis(double low, double high, std::size_t labels) {
  if (!(low < high)) {
    const double apart = low == 0 ? 1 : 0.1 * std::abs(low);
    low -= apart;
    high = low + 2 * apart;
  }
  return {Axis::linear, low, high, labelled(round_values(low, high, labels))};
}

PlotAxis log_axis(double low, double high, std::size_t labels) {
  if (!(low > 0)) low = high > 0 ? high / 10 : 1;
  if (!(low < high)) {
    high = 1.2 * low;
    low /= 1.2;
  }
  PlotAxis axis{Axis::log, low, high, labelled(log_labels(low, high, labels))};
  if (std::log10(high / low) > 6) return axis;
  for (const double v : values_of_decades(low, high, {1, 2, 3, 4, 5, 6, 7, 8, 9})) {
    const bool there = std::any_of(axis.ticks.begin(), axis.ticks.end(),
                                   [&](const PlotTick& t) { return std::abs(t.value - v) < 1e-6 * v; });
    if (!there) axis.ticks.push_back({v, {}, {}});
  }
  return axis;
}

PlotAxis named_axis(std::span<const std::string> names) {
  PlotAxis axis{Axis::linear, -0.5, static_cast<double>(names.size()) - 0.5, {}};
  if (names.empty()) axis.high = 0.5;
  for (const std::string& name : names) axis.ticks.push_back({static_cast<double>(axis.ticks.size()), name, {}});
  return axis;
}

}  // namespace bellwether
