#include "studies.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bellwether/core/params/params.h>
#include <bellwether/core/support/this_machine.h>
#include <bellwether/experiment/comparison.h>
#include <bellwether/experiment/sweep.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>

#include "arrays.h"
#include "domains.h"
#include "module.h"
#include "watch.h"

namespace bellwether::python {
namespace {

unsigned jobs_of(const OwnedStudy& study, std::optional<unsigned> jobs) {
  if (study.in_python) return 1;
  return jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
}

PreparedStudy prepared(const OwnedStudy& study, unsigned jobs, Watch& watch) {
  watch.begin("true values");
  return PreparedStudy(
      study.study, {.jobs = jobs, .cache = cache_folder(), .stopped = watch.stopped(), .finding_truth = watch.told()});
}

/// A number that is not known is nan: no run finished, or only one.
double known(double value, const Estimate& e) {
  return e.runs > 0 && std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

nb::dict dict_of_estimate(const Estimate& e) {
  nb::dict result;
  result["mean"] = known(e.mean, e);
  result["half_width"] = known(e.half_width, e);
  result["runs"] = e.runs;
  return result;
}

nb::dict dict_of_summary(const SettingSummary& summary, const PreparedStudy& study) {
  nb::dict result;
  result["learner"] = summary.setting.learner;
  result["label"] = summary.setting.label;
  result["case"] = summary.setting.case_index;
  result["parameters"] = dict_of(summary.setting.parameters);
  result["diverged"] = summary.diverged;
  result["grown"] = summary.grown;
  result["seconds_per_step"] = summary.seconds_per_step;
  result["findings"] = dict_of(summary.findings);
  nb::dict curves;
  for (std::size_t m = 0; m < summary.curves.size(); ++m) {
    const Curve& curve = summary.curves[m];
    std::vector<double> mean;
    std::vector<double> half_width;
    for (const Estimate& e : curve.at) {
      mean.push_back(known(e.mean, e));
      half_width.push_back(known(e.half_width, e));
    }
    nb::dict one;
    one["mean"] = numpy_array(std::move(mean));
    one["half_width"] = numpy_array(std::move(half_width));
    one["average"] = dict_of_estimate(curve.average);
    one["last"] = dict_of_estimate(curve.last);
    curves[study.metric_names()[m].c_str()] = one;
  }
  result["curves"] = curves;
  return result;
}

nb::dict dict_of_case(const PreparedStudy::Case& one) {
  nb::dict result;
  result["domain"] = std::string(one.domain->type());
  result["domain_settings"] = dict_of(one.domain->settings());
  result["features"] = one.protocol.features.empty() ? "own" : one.protocol.features;
  result["dim"] = one.dim;
  result["max_active"] = one.max_active;
  result["states"] = one.truth.size();
  result["truth"] = detail::format(one.truth.truth);
  return result;
}

/// The study in memory.
nb::dict run(const OwnedStudy& study, std::optional<unsigned> jobs, nb::object progress) {
  Watch watch(std::move(progress));
  const unsigned threads = jobs_of(study, jobs);
  std::optional<PreparedStudy> ready;
  std::vector<SettingSummary> summaries;
  {
    const nb::gil_scoped_release released;
    ready.emplace(prepared(study, threads, watch));
    watch.begin("learning");
    summaries = compare(*ready, {.jobs = threads, .stopped = watch.stopped()}, watch.told());
  }
  nb::dict result;
  nb::list settings;
  for (const SettingSummary& summary : summaries) settings.append(dict_of_summary(summary, *ready));
  nb::list cases;
  for (std::size_t i = 0; i < ready->cases(); ++i) cases.append(dict_of_case(ready->of_case(i)));
  result["settings"] = settings;
  result["cases"] = cases;
  result["metrics"] = ready->metric_names();
  nb::dict titles;
  for (const Metric metric : ready->metrics()) titles[detail::format(metric).c_str()] = title(metric);
  result["titles"] = titles;
  result["steps"] = ready->at();
  return result;
}

/// The study into a file of results.
void sweep_study(const OwnedStudy& study, const std::string& out, std::optional<unsigned> jobs, nb::object progress) {
  Watch watch(std::move(progress));
  const unsigned threads = jobs_of(study, jobs);
  const nb::gil_scoped_release released;
  const PreparedStudy ready = prepared(study, threads, watch);
  StoreWriter store(out);
  SweepOptions options;
  options.workers = {.jobs = threads, .stopped = watch.stopped()};
  options.written = {machine_text(), "bellwether.sweep of the Python package"};
  watch.begin("learning");
  const auto told = watch.told();
  options.progress = [&](const SweepProgress& now) { told(now.share); };
  sweep(ready, store, options);
  store.close();
}

void add_case(OwnedStudy& self, const OwnedDomain& domain, const std::string& features) {
  make_features(features, *domain.domain);
  if (domain.in_python) {
    self.study.cases.push_back(StudyCase::of(domain.domain, features));
    self.in_python = true;
  } else {
    self.study.cases.push_back({std::string(domain.domain->type()), domain.domain->settings(), features});
  }
}

void add_setting(OwnedStudy& self, const std::string& learner, const nb::dict& parameters, const std::string& label,
                 std::size_t case_index) {
  self.study.add(learner, settings_of(parameters), case_index);
  StudySetting& added = self.study.settings.back();
  added.label = label;
  const auto end = self.study.settings.end() - 1;
  const bool twice = std::any_of(self.study.settings.begin(), end, [&](const StudySetting& other) {
    return other.case_index == case_index && other.label == label && other.parameters == added.parameters;
  });
  const bool other_learner = std::any_of(self.study.settings.begin(), end, [&](const StudySetting& other) {
    return other.label == label && other.learner != learner;
  });
  if (!twice && !other_learner) return;
  self.study.settings.pop_back();
  throw nb::value_error(
      (twice ? fmt::format("{} has the same setting twice; give one of them another label", label)
             : fmt::format("label {} stands for another learner already; give {} another", label, learner))
          .c_str());
}

template <class P>
P given(const char* owner, const nb::dict& values) {
  return parse_params<P>(owner, settings_of(values));
}

}  // namespace

void bind_studies(nb::module_& module) {
  nb::class_<OwnedStudy>(module, "Study")
      .def(nb::init<>())
      .def("_read", [](OwnedStudy& self, const std::string& file,
                       const std::string& scale) { self.study = read_study(file, scale); })
      .def("_parse", [](OwnedStudy& self, const std::string& text, const std::string& file,
                        const std::string& scale) { self.study = parse_study(text, file, scale); })
      .def("_add_case", &add_case)
      .def("_add", &add_setting)
      .def("_set_run",
           [](OwnedStudy& self, const nb::dict& values) { self.study.run = given<StudyParams>("study", values); })
      .def("_set_evaluation",
           [](OwnedStudy& self, const nb::dict& values) {
             self.study.evaluation = given<EvaluationParams>("evaluation", values);
           })
      .def("_set_bellman",
           [](OwnedStudy& self, const nb::dict& values) {
             self.study.bellman = given<BellmanParams>("evaluation", values);
           })
      .def("_set_metrics",
           [](OwnedStudy& self, const std::vector<std::string>& metrics) {
             self.study.metrics.clear();
             for (const std::string& metric : metrics) {
               self.study.metrics.push_back(detail::parse<Metric>("study", "metric", metric));
             }
           })
      .def("_set_texts",
           [](OwnedStudy& self, const std::string& name, const std::string& title, const std::string& about,
              const std::string& source) {
             self.study.name = name;
             self.study.title = title;
             self.study.about = about;
             self.study.source = source;
             self.study.scale = "paper";
           })
      .def_prop_ro(
          "name", [](const OwnedStudy& self) { return self.study.name; }, "What results files call it.")
      .def_prop_ro(
          "title", [](const OwnedStudy& self) { return self.study.title; }, "What pages call it.")
      .def_prop_ro(
          "scale", [](const OwnedStudy& self) { return self.study.scale; }, "The scale of the study file.")
      .def_prop_ro("_source", [](const OwnedStudy& self) { return self.study.source; })
      .def_prop_ro("_case_count", [](const OwnedStudy& self) { return self.study.cases.size(); })
      .def_prop_ro("_setting_count", [](const OwnedStudy& self) { return self.study.settings.size(); })
      .def_prop_ro(
          "runs", [](const OwnedStudy& self) { return self.study.runs(); }, "Runs of all settings.")
      .def_prop_ro("_run", [](const OwnedStudy& self) { return dict_of(values(self.study.run)); })
      .def_prop_ro("_in_python", [](const OwnedStudy& self) { return self.in_python; });
  module.def("run", &run);
  module.def("sweep", &sweep_study);
  nb::dict parameters;
  const auto names_of = [](const std::vector<ParamInfo>& infos) {
    nb::list names;
    for (const ParamInfo& info : infos) names.append(info.name);
    return names;
  };
  parameters["run"] = names_of(describe<StudyParams>());
  parameters["evaluation"] = names_of(describe<EvaluationParams>());
  parameters["bellman"] = names_of(describe<BellmanParams>());
  module.attr("STUDY_PARAMETERS") = parameters;
}

}  // namespace bellwether::python
