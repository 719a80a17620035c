#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/files.h>
#include <bellwether/core/params/params.h>
#include <bellwether/report/figure_rules.h>
#include <bellwether/report/figures.h>
#include <bellwether/report/held_out.h>
#include <bellwether/report/page.h>
#include <bellwether/report/plot/palette.h>
#include <bellwether/report/report_files.h>
#include <bellwether/report/report_script.h>

#include "arrays.h"
#include "in_use.h"
#include "module.h"

namespace bellwether::python {
namespace {

double or_nan(double value, std::uint64_t runs) {
  return runs > 0 && std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

template <class T>
nb::object or_none(const std::optional<T>& value) {
  return value ? nb::cast(*value) : nb::none();
}

/// Texts as they are in the file.
nb::dict texts_of(const Settings& settings) {
  nb::dict result;
  for (const auto& [name, value] : settings) result[name.c_str()] = value;
  return result;
}

nb::dict dict_of_row(const Summary& row, const StudyResults& results, std::size_t index) {
  const SettingRecord& r = row.setting.record;
  nb::dict result;
  result["setting"] = row.setting.id;
  result["case"] = results.case_of[index];
  result["domain"] = r.domain;
  result["domain_settings"] = text_of(r.domain_settings);
  result["features"] = r.features.empty() ? "own" : r.features;
  result["feature_settings"] = text_of(r.feature_settings);
  result["label"] = r.label;
  result["learner"] = r.learner;
  nb::list scores;
  for (std::size_t m = 0; m < row.average.size(); ++m) {
    scores.append(nb::make_tuple(
        or_nan(row.average[m].mean, row.average[m].runs), or_nan(row.average[m].half_width, row.average[m].runs),
        or_nan(row.last[m].mean, row.last[m].runs), or_nan(row.last[m].half_width, row.last[m].runs)));
  }
  result["scores"] = scores;
  result["runs"] = row.runs;
  result["diverged"] = row.diverged;
  result["microseconds"] = or_none(row.setting.microseconds);
  result["bytes"] = or_none(row.setting.bytes);
  result["dim"] = r.dim;
  result["max_active"] = r.max_active;
  result["parameters"] = dict_of(r.parameters);
  return result;
}

/// A file of results that Python holds. What is read of a study is kept until `refresh`.
class OwnedResults {
 public:
  explicit OwnedResults(const std::string& file) : reader_(file) { refresh(); }

  void refresh() {
    const InUse::Hold hold(in_use_, name);
    read_.clear();
    for (const StoredStudy& study : reader_.studies()) read_.push_back(study_results(reader_, study));
  }

  std::size_t size() const { return read_.size(); }

  nb::dict study(std::size_t index) const {
    const StudyResults& results = at(index);
    const StudyRecord& record = results.study.record;
    nb::dict result;
    result["name"] = record.name;
    result["scale"] = record.scale;
    result["title"] = record.title.empty() ? record.name : record.title;
    result["about"] = results.about;
    result["seeds"] = record.seeds;
    result["metrics"] = record.metrics;
    nb::list titles;
    for (const std::string& metric : record.metrics) titles.append(title_of_metric(metric));
    result["titles"] = titles;
    result["steps"] = record.at;
    result["protocol"] = texts_of(record.protocol);
    result["version"] = record.version;
    result["machine"] = record.machine;
    result["command"] = record.command;
    result["created"] = results.study.created;
    nb::list cases;
    for (const ResultsCase& one : results.cases) cases.append(text_of(one));
    result["cases"] = cases;
    nb::dict learners;
    for (const ResultsLearner& learner : results.learners) {
      nb::dict one;
      one["learner"] = learner.learner;
      one["swept"] = learner.swept;
      one["own"] = learner.own;
      one["colour"] = palette_colour(learner.colour);
      one["dash"] = palette_dash(learner.dash);
      learners[learner.label.c_str()] = one;
    }
    result["learners"] = learners;
    return result;
  }

  nb::list rows(std::size_t index) const {
    const StudyResults& results = at(index);
    nb::list all;
    for (std::size_t i = 0; i < results.settings.size(); ++i) {
      all.append(dict_of_row(results.settings[i], results, i));
    }
    return all;
  }

  /// The settings of a case as indices, best first; of each learner all of them, or the best.
  std::vector<std::size_t> ranked_settings(std::size_t index, std::size_t of_case, std::size_t metric, bool last,
                                           bool best) const {
    const StudyResults& results = at(index);
    auto all = ranked(results, of_case, {metric, last ? &Summary::last : &Summary::average});
    return best ? best_of_learners(results, std::move(all)) : all;
  }

  nb::tuple curve(std::int64_t setting, const std::string& metric) {
    const InUse::Hold hold(in_use_, name);
    std::vector<double> mean;
    std::vector<double> half_width;
    std::uint64_t runs = 0;
    for (const CurvePoint& point : reader_.curve(setting, metric)) {
      mean.push_back(point.mean);
      half_width.push_back(or_nan(point.half_width(), point.runs));
      runs = point.runs;
    }
    return nb::make_tuple(numpy_array(std::move(mean)), numpy_array(std::move(half_width)), runs);
  }

  /// The largest error worth showing of a case, given those of the learners at their best.
  double ceiling_of(std::size_t index, std::size_t of_case, std::size_t metric, std::vector<double> best) {
    const InUse::Hold hold(in_use_, name);
    std::sort(best.begin(), best.end());
    return ceiling(error_before_learning(reader_, at(index), of_case, metric), best);
  }

  /// The figures of the study as SVG: (title, picture) of each that can be drawn.
  nb::list pictures(std::size_t index, std::size_t of_case) {
    const InUse::Hold hold(in_use_, name);
    const StudyResults& results = at(index);
    nb::list all;
    for (const Figure& figure : figures_of(results)) {
      const std::string svg = draw(reader_, results, of_case, figure);
      if (!svg.empty()) all.append(nb::make_tuple(figure.title, svg));
    }
    return all;
  }

  nb::list held_out_rows(std::size_t index, std::size_t of_case, std::size_t metric, const std::string& against,
                         const std::string& per) {
    const InUse::Hold hold(in_use_, name);
    const StudyResults& results = at(index);
    const HeldOutCase judged = held_out(reader_, results, of_case, {metric, &Summary::average}, against, per);
    nb::list all;
    for (std::size_t i = 0; i < judged.learners.size(); ++i) {
      const HeldOutLearner& learner = judged.learners[i];
      const auto number = [](const Estimate& e, double value) { return or_nan(value, e.runs); };
      nb::dict one;
      one["label"] = learner.label;
      one["setting"] = results.settings[learner.setting].setting.id;
      one["runs"] = learner.runs;
      one["diverged"] = learner.diverged;
      const HeldOutError& error = learner.average;
      one["average"] = number(error.value, error.value.mean);
      one["average_half_width"] = number(error.value, error.value.half_width);
      one["difference"] = number(error.difference, error.difference.mean);
      one["difference_half_width"] = number(error.difference, error.difference.half_width);
      one["ratio"] = error.ratio;
      one["reference"] = judged.reference == i;
      all.append(one);
    }
    return all;
  }

  std::string digest(std::size_t index) {
    const InUse::Hold hold(in_use_, name);
    return reader_.digest(at(index).study);
  }

  std::string file() const { return reader_.file().string(); }

 private:
  static constexpr const char* name = "this file of results";

  const StudyResults& at(std::size_t index) const {
    if (index < read_.size()) return read_[index];
    throw InvalidArgument(fmt::format("{} has {} studies", file(), read_.size()));
  }

  StoreReader reader_;
  std::vector<StudyResults> read_;
  InUse in_use_;
};

/// The page of a report as text.
std::string page_of(const std::vector<std::string>& files, const std::string& study, const std::string& curves,
                    const std::string& path) {
  const auto kept = detail::parse<CurvesKept>("report", "curves", curves);
  const nb::gil_scoped_release released;
  const PageScript script{report_script(), report_script_hash()};
  if (script.text.empty()) {
    throw InvalidArgument("this package was built without its pages, because Node.js was missing");
  }
  const ReportFiles read(files, study);
  if (!path.empty()) read.check_output(path);
  std::string page = page_of_script("Bellwether report", script, report_data(read.studies(), kept));
  if (path.empty()) return page;
  write_file(path, page);
  return "";
}

}  // namespace

void bind_results(nb::module_& module) {
  nb::class_<OwnedResults>(module, "Results")
      .def(nb::init<const std::string&>())
      .def("_refresh", &OwnedResults::refresh)
      .def("_size", &OwnedResults::size)
      .def("_study", &OwnedResults::study)
      .def("_rows", &OwnedResults::rows)
      .def("_ranked", &OwnedResults::ranked_settings)
      .def("_curve", &OwnedResults::curve)
      .def("_ceiling", &OwnedResults::ceiling_of)
      .def("_pictures", &OwnedResults::pictures)
      .def("_held_out", &OwnedResults::held_out_rows)
      .def("_digest", &OwnedResults::digest)
      .def_prop_ro("file", &OwnedResults::file, "The file that is read.");
  module.def("report_page", &page_of);
}

}  // namespace bellwether::python
