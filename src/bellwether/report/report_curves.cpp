#include <bellwether/report/report_curves.h>

#include <bit>
#include <map>
#include <set>
#include <string_view>

#include <bellwether/report/figure_rules.h>

namespace bellwether {

namespace {

std::string base64(const std::string& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      three = three << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? digits[three >> (18U - 6U * static_cast<unsigned>(k)) & 63U] : '=';
    }
  }
  return text;
}

void append(std::string& bytes, double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift & 255U);
}

/// The settings that are the best of their learner in their case by some metric; in a study whose figures of curves
/// have panels, also the best in each panel.
std::set<std::size_t> best_by_any_metric(const StudyResults& results) {
  std::set<std::size_t> best;
  const auto add = [&](const std::vector<std::size_t>& ranking) {
    const auto first = best_of_learners(results, ranking);
    best.insert(first.begin(), first.end());
  };
  for (std::size_t c = 0; c < results.cases.size(); ++c) {
    for (std::size_t metric = 0; metric < results.study.record.metrics.size(); ++metric) {
      for (const auto by : {&Summary::average, &Summary::last}) {
        const auto ranking = ranked(results, c, {metric, by});
        add(ranking);
        for (const Figure& figure : results.figures) {
          if (figure.shows != Shows::curves || figure.panels.empty()) continue;
          std::map<std::string, std::vector<std::size_t>> panels;
          for (const std::size_t i : ranking) {
            const std::string* value = value_of(results.settings[i].setting.record.parameters, figure.panels);
            if (value != nullptr) panels[*value].push_back(i);
          }
          for (const auto& panel : panels) add(panel.second);
        }
      }
    }
  }
  return best;
}

}  // namespace

ReportCurves report_curves(const StoreReader& reader, const StudyResults& results, CurvesKept kept) {
  const std::vector<std::string>& metrics = results.study.record.metrics;
  const std::set<std::size_t> best = kept == CurvesKept::best ? best_by_any_metric(results) : std::set<std::size_t>();
  ReportCurves curves;
  curves.exploding.resize(metrics.size());
  std::string bytes;
  std::size_t count = 0;
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    const bool wanted = kept == CurvesKept::all || best.contains(i);
    const std::size_t before = bytes.size();
    for (std::size_t m = 0; wanted && m < metrics.size(); ++m) {
      const auto curve = reader.curve(results.settings[i].setting.id, metrics[m]);
      for (const CurvePoint& point : curve) append(bytes, point.mean);
      for (const CurvePoint& point : curve) append(bytes, point.half_width());
      if (curve.empty()) continue;
      double at_first = curve.front().mean;
      if (larger_is_better(metrics[m])) at_first = infinity;
      if (explodes(at_first, curve.back().mean)) curves.exploding[m].push_back(i);
    }
    curves.index.push_back(bytes.size() > before ? std::optional(count++) : std::nullopt);
  }
  curves.base64 = base64(bytes);
  return curves;
}

}  // namespace bellwether
