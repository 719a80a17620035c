#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <bellwether/core/params/params.h>
#include <bellwether/core/support/this_machine.h>
#include <bellwether/experiment/truth/ground_truth.h>
#include <bellwether/experiment/truth/measures.h>

#include "arrays.h"
#include "domains.h"
#include "in_use.h"
#include "module.h"
#include "watch.h"

namespace bellwether::python {
namespace {

std::shared_ptr<GroundTruth> find_truth(const OwnedDomain& domain, const nb::dict& evaluation, unsigned jobs,
                                        nb::object progress) {
  const auto params = parse_params<EvaluationParams>("evaluation", settings_of(evaluation));
  Watch watch(std::move(progress));
  watch.begin(fmt::format("true values of {}", domain.domain->type()));
  const nb::gil_scoped_release released;
  return std::make_shared<GroundTruth>(
      ground_truth(*domain.domain, params, domain.in_python ? 1 : jobs, cache_folder(), watch.told()));
}

/// A measure that Python holds, with everything that it is computed from.
class OwnedMeasure {
 public:
  OwnedMeasure(const std::string& metric, const OwnedDomain& domain, const OwnedFeatures& features,
               std::shared_ptr<GroundTruth> truth, const nb::dict& bellman, std::uint64_t seed)
      : domain_(domain.domain),
        features_(features.map),
        truth_(std::move(truth)),
        bellman_(parse_params<BellmanParams>("measure", settings_of(bellman))),
        maker_(*domain_, *features_, *truth_, bellman_, seed, 0) {
    const auto which = detail::parse<Metric>("measure", "metric", metric);
    check_metric(which, *domain_, features_->dim(), bellman_);
    const nb::gil_scoped_release released;
    measure_ = maker_.make(which);
  }

  double of(const nb::object& weights) {
    const Column w("weights", weights, features_->dim());
    const InUse::Hold hold(in_use_, "this measure");
    const nb::gil_scoped_release released;
    return (*measure_)(std::span(w.data(), features_->dim()));
  }

 private:
  std::shared_ptr<const Domain> domain_;
  std::shared_ptr<const FeatureMap> features_;
  std::shared_ptr<GroundTruth> truth_;
  BellmanParams bellman_;
  Measures maker_;
  std::unique_ptr<Measure> measure_;
  InUse in_use_;
};

double error_of(const std::string& metric, const nb::object& estimates, const nb::object& values,
                const nb::object& weights, std::size_t size) {
  const Column guessed("estimates", estimates, size);
  const Column truth("values", values, size);
  const std::vector<double> none(size, 0.0);
  EvaluationSet set(FeatureRows{.layout = Layout::dense, .dim = 1, .rows = size, .values = none.data()},
                    std::span(truth.data(), size));
  if (!weights.is_none()) {
    const Column of_states("weights", weights, size);
    set.weigh(std::span(of_states.data(), size));
  }
  const auto which = detail::parse<ValueError>("value_error", "metric", metric);
  if (!set.allows(which)) throw nb::value_error("value_error: a value is 0, so there is no relative error; use rmse");
  return value_error(which, set, std::span(guessed.data(), size));
}

}  // namespace

void bind_metrics(nb::module_& module) {
  nb::list names_of_metrics;
  for (const char* name : names(Metric{})) names_of_metrics.append(name);
  module.attr("METRICS") = nb::tuple(names_of_metrics);

  nb::class_<GroundTruth>(module, "GroundTruth", "States with their true values.")
      .def(nb::init<>())
      .def_prop_ro(
          "states",
          [](const GroundTruth& self) { return numpy_array(self.states).attr("reshape")(self.size(), self.variables); },
          "A row for each state, hidden variables included.")
      .def_prop_ro(
          "values", [](const GroundTruth& self) { return numpy_array(self.values); }, "Their true values.")
      .def_prop_ro(
          "standard_error", [](const GroundTruth& self) { return numpy_array(self.standard_error); },
          "Of each value; 0 where it is exact.")
      .def_prop_ro(
          "weights", [](const GroundTruth& self) { return numpy_array(self.weights); },
          "Of each state; empty: all count alike.")
      .def_prop_ro(
          "truth", [](const GroundTruth& self) { return detail::format(self.truth); },
          "Where the values come from: exact or mc.")
      .def("__len__", &GroundTruth::size)
      .def("__repr__", [](const GroundTruth& self) {
        return fmt::format("GroundTruth of {} states, {}", self.size(), detail::format(self.truth));
      });
  module.def("ground_truth", &find_truth);

  nb::class_<OwnedMeasure>(module, "Measure")
      .def(nb::init<const std::string&, const OwnedDomain&, const OwnedFeatures&, std::shared_ptr<GroundTruth>,
                    const nb::dict&, std::uint64_t>())
      .def("of_weights", &OwnedMeasure::of);
  module.def("value_error", &error_of, nb::arg("metric"), nb::arg("estimates"), nb::arg("values"),
             nb::arg("weights").none(), nb::arg("size"));
}

}  // namespace bellwether::python
