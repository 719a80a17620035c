#include <bellwether/report/line_plot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

namespace bellwether {

namespace {

// Okabe and Ito's colours, which people with the common colour deficiencies can tell apart; black is left to the text.
constexpr std::array palette{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#a6761d", "#7f7f7f"};
constexpr std::array dashes{"", "6 3", "2 3"};

const char* colour(std::size_t series) { return palette[series % palette.size()]; }
const char* dash(std::size_t series) { return dashes[series / palette.size() % dashes.size()]; }

constexpr double width = 900;
constexpr double height = 520;  // more when the legend needs it
constexpr double label_height = 19;
constexpr double series_gap = 5;
constexpr double left = 70;
constexpr double right = 640;
constexpr double top = 50;
constexpr double bottom = 460;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

/// Maps values to the page: x linearly, y logarithmically within the range of the curves.
class Axes {
 public:
  explicit Axes(const LinePlot& plot) : x_low_(plot.x.front()), x_high_(plot.x.back()) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const PlotSeries& series : plot.series) {
      for (const double y : series.y) {
        if (!std::isfinite(y) || y <= 0) continue;
        low = std::min(low, y);
        high = std::max(high, y);
      }
    }
    if (high == 0) low = high = 1;
    y_low_ = std::log10(low) - 0.05;
    y_high_ = std::log10(high) + 0.05;
  }

  double x(double value) const {
    return x_high_ == x_low_ ? left : left + (right - left) * (value - x_low_) / (x_high_ - x_low_);
  }
  double y(double value) const {
    const double shown = std::log10(std::clamp(value, std::pow(10, y_low_), std::pow(10, y_high_)));
    return bottom - (bottom - top) * (shown - y_low_) / (y_high_ - y_low_);
  }

  std::vector<double> x_ticks() const {
    const double rough = (x_high_ - x_low_) / 5;
    const double power = rough > 0 ? std::pow(10, std::floor(std::log10(rough))) : 1;
    double step = power;
    for (const double factor : {2.0, 5.0, 10.0}) {
      if (step < rough) step = power * factor;
    }
    std::vector<double> ticks;
    for (long i = std::lround(std::ceil(x_low_ / step)); static_cast<double>(i) * step <= x_high_; ++i) {
      ticks.push_back(static_cast<double>(i) * step);
    }
    return ticks;
  }

  std::vector<double> y_ticks() const {
    std::vector<double> ticks;
    for (long decade = std::lround(std::floor(y_low_)); static_cast<double>(decade) <= y_high_; ++decade) {
      for (const double mantissa : {1.0, 2.0, 5.0}) {
        const double value = mantissa * std::pow(10, static_cast<double>(decade));
        if (std::log10(value) >= y_low_ && std::log10(value) <= y_high_) ticks.push_back(value);
      }
    }
    return ticks;
  }

 private:
  double x_low_, x_high_;
  double y_low_ = 0;
  double y_high_ = 0;
};

}  // namespace

std::string LinePlot::svg() const {
  std::string out;
  auto to = std::back_inserter(out);
  double legend_end = top + 8;
  for (const PlotSeries& s : series) legend_end += label_height * static_cast<double>(s.labels.size()) + series_gap;
  fmt::format_to(to, R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" aria-label="{}">
<style>
  svg {{ background: #fff; font: 13px system-ui, sans-serif; }}
  text {{ fill: #222; }} .rule {{ stroke: #ddd; }} .band {{ stroke: none; opacity: .15; }}
  .curve {{ fill: none; stroke-width: 1.8; }}
  @media (prefers-color-scheme: dark) {{
    svg {{ background: #16181d; }} text {{ fill: #e6e6e6; }} .rule {{ stroke: #3a3d45; }}
  }}
</style>
<text x="{}" y="28" font-size="17" font-weight="600">{}</text>
)",
                 width, std::max(height, legend_end), escaped(title), left, escaped(title));
  if (x.empty()) return out + "</svg>\n";

  const Axes axes(*this);
  for (const double tick : axes.y_ticks()) {
    fmt::format_to(to,
                   "<line class=\"rule\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
                   "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n",
                   left, right, axes.y(tick), axes.y(tick), left - 8, axes.y(tick) + 4, tick);
  }
  for (const double tick : axes.x_ticks()) {
    fmt::format_to(to, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n", axes.x(tick), bottom + 20,
                   tick);
  }
  fmt::format_to(to, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2, bottom + 44,
                 escaped(x_label));
  fmt::format_to(to, "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                 (top + bottom) / 2, escaped(y_label));

  double row = top + 8;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const PlotSeries& s = series[i];
    const std::string style = fmt::format("class=\"curve\" stroke=\"{}\" stroke-dasharray=\"{}\"", colour(i), dash(i));
    std::string line;
    std::string upper;
    std::string lower;
    for (std::size_t k = 0; k < s.y.size(); ++k) {
      const auto point = [&](double y) { return fmt::format("{:.1f},{:.1f} ", axes.x(x[k]), axes.y(y)); };
      const double spread = std::isfinite(s.half_width[k]) ? s.half_width[k] : 0;
      line += point(s.y[k]);
      upper += point(s.y[k] + spread);
      lower.insert(0, point(s.y[k] - spread));
    }
    fmt::format_to(to, "<polygon class=\"band\" fill=\"{}\" points=\"{}{}\"/>\n", colour(i), upper, lower);
    fmt::format_to(to, "<polyline {} points=\"{}\"/>\n", style, line);
    fmt::format_to(to, "<line {} x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\n", style, right + 16, right + 44, row, row);
    for (const std::string& label : s.labels) {
      fmt::format_to(to, "<text x=\"{}\" y=\"{}\">{}</text>\n", right + 52, row + 4, escaped(label));
      row += label_height;
    }
    row += series_gap;
  }
  return out + "</svg>\n";
}

}  // namespace bellwether
