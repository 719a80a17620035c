#include "domains.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bellwether/domains/domains.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/features/feature_maps.h>

#include "batch.h"
#include "entries.h"
#include "in_use.h"
#include "module.h"
#include "random_numbers.h"

namespace bellwether::python {

OwnedDomain::OwnedDomain(const std::string& name, const nb::dict& settings)
    : domain(make_domain(name, settings_of(settings))) {}

OwnedDomain::OwnedDomain(const nb::dict& parts) : domain(domain_of_python(parts)), in_python(true) {}

namespace {

/// States as a table of numbers, a row each; one state may be given without its row.
class States {
 public:
  States(const nb::object& object, std::size_t variables) {
    array_ = nb::module_::import_("numpy").attr("ascontiguousarray")(object, nb::arg("dtype") = "float64");
    const auto array = nb::cast<Array>(array_);
    const bool one_number_each = variables == 1 && array.ndim() == 1;
    if (!one_number_each && (array.ndim() != 2 || array.shape(1) != variables)) {
      reject("states", object, fmt::format("an array of shape (states, {})", variables));
    }
    numbers_ = {static_cast<const double*>(array.data()), array.size()};
    variables_ = variables;
    for (const double number : numbers_) {
      if (!std::isfinite(number)) throw nb::value_error("states has a number that is not finite");
    }
  }

  /// Throws ValueError unless these can be states of the domain, which trusts whoever calls it.
  void check(const OwnedDomain& domain) const {
    if (domain.in_python) return;
    const std::vector<Variable>& variables = domain.domain->variables();
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Variable& variable = variables[i % variables_];
      const double number = numbers_[i];
      if (number >= variable.low && number <= variable.high && (!variable.whole || number == std::floor(number)))
        continue;
      throw nb::value_error(fmt::format("states: {} of row {} is {}, which is outside {}[{}, {}]", variable.name,
                                        i / variables_, number, variable.whole ? "the whole numbers of " : "",
                                        variable.low, variable.high)
                                .c_str());
    }
  }

  std::span<const double> numbers() const { return numbers_; }
  std::size_t size() const { return numbers_.size() / variables_; }
  std::span<const double> row(std::size_t i) const { return numbers_.subspan(i * variables_, variables_); }

 private:
  nb::object array_;
  std::span<const double> numbers_;
  std::size_t variables_ = 1;
};

nb::object start(const OwnedDomain& self, RandomNumbers& rng) {
  std::vector<double> state(self.domain->variables().size());
  self.domain->start(*rng, state);
  return numpy_array(std::move(state));
}

nb::tuple step(const OwnedDomain& self, RandomNumbers& rng, const nb::object& state) {
  const States given(nb::module_::import_("numpy").attr("atleast_2d")(state), self.domain->variables().size());
  given.check(self);
  if (given.size() != 1) throw nb::value_error("state has several rows: step takes one");
  std::vector<double> next(given.numbers().begin(), given.numbers().end());
  const Outcome outcome = self.domain->step(*rng, next);
  return nb::make_tuple(numpy_array(std::move(next)), outcome.reward, outcome.discount, outcome.rho, outcome.pi,
                        outcome.action);
}

nb::object true_values(const OwnedDomain& self, const nb::object& states) {
  const States given(states, self.domain->variables().size());
  given.check(self);
  std::vector<double> values(given.size());
  bool known = false;
  {
    const nb::gil_scoped_release released;
    known = self.domain->true_values(given.numbers(), values);
  }
  if (!known) {
    throw nb::value_error(
        fmt::format("{} does not know its values; ground_truth finds them by Monte Carlo", self.domain->type())
            .c_str());
  }
  return numpy_array(std::move(values));
}

template <class T>
nb::object integers(const T* data, std::size_t size) {
  auto* const copy = new std::vector<T>(data, data + size);
  const nb::capsule owner(copy, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t shape[] = {copy->size()};
  return nb::cast(nb::ndarray<nb::numpy, T>(copy->data(), 1, shape, owner));
}

/// The features of many states: an array of them, or (values or None, indices, offsets) where most are zero.
nb::object mapped(const OwnedFeatures& self, const nb::object& states, std::size_t variables,
                  const OwnedDomain* domain) {
  const States given(states, variables);
  if (domain != nullptr) given.check(*domain);
  RowBuffer rows(self.map->layout(), self.map->dim());
  {
    const nb::gil_scoped_release released;
    for (std::size_t i = 0; i < given.size(); ++i) self.map->append(given.row(i), rows, Moment::of_evaluation(i));
  }
  const FeatureRows view = rows.view();
  const std::size_t dense = view.layout == Layout::dense ? view.rows * view.dim : 0;
  if (view.layout == Layout::dense) {
    return numpy_array({view.values, view.values + dense}).attr("reshape")(view.rows, view.dim);
  }
  const std::size_t stored = view.offsets[view.rows];
  nb::object values = nb::none();
  if (view.layout == Layout::sparse) values = numpy_array({view.values, view.values + stored});
  return nb::make_tuple(values, integers(view.indices, stored), integers(view.offsets, view.rows + 1));
}

/// A stream that Python holds, with the domain that it needs.
class OwnedStream {
 public:
  OwnedStream(const OwnedDomain& domain, const OwnedFeatures& features, std::uint64_t seed, std::uint64_t run)
      : domain_(domain.domain), stream_(*domain.domain, features.map, seed, run) {}

  ArrayBatch next(std::size_t n) {
    const InUse::Hold hold(in_use_, "this stream");
    const nb::gil_scoped_release released;
    return ArrayBatch(stream_.take(n));
  }
  std::size_t dim() const { return stream_.dim(); }

 private:
  std::shared_ptr<const Domain> domain_;
  Stream stream_;
  InUse in_use_;
};

void bind_random_numbers(nb::module_& module) {
  nb::class_<RandomNumbers>(module, "Rng",
                            "Random numbers that are a function of (seed, run), the same on every machine.")
      .def(nb::init<std::uint64_t, std::uint64_t>(), nb::arg("seed"), nb::arg("run") = 0)
      .def(
          "random", [](RandomNumbers& self) { return (*self).uniform(); }, "A number in [0, 1).")
      .def(
          "normal",
          [](RandomNumbers& self, double mean, double deviation) { return mean + deviation * (*self).normal(); },
          nb::arg("mean") = 0.0, nb::arg("deviation") = 1.0, "A normal number.")
      .def(
          "integers",
          [](RandomNumbers& self, std::int64_t low, std::optional<std::int64_t> high) {
            const std::int64_t from = high ? low : 0;
            const std::int64_t below = high.value_or(low);
            if (below <= from) throw nb::value_error(fmt::format("integers: [{}, {}) is empty", from, below).c_str());
            return from + static_cast<std::int64_t>((*self).below(static_cast<std::uint64_t>(below - from)));
          },
          nb::arg("low"), nb::arg("high") = nb::none(), "A whole number in [low, high), or in [0, low).")
      .def(
          "choice",
          [](RandomNumbers& self, const std::vector<double>& p) {
            double left = (*self).uniform();
            std::size_t last = p.size();
            for (std::size_t i = 0; i < p.size(); ++i) {
              if (!(p[i] >= 0)) throw nb::value_error("choice: a probability is negative");
              if (p[i] > 0) last = i;
              if (left < p[i]) return i;
              left -= p[i];
            }
            if (last == p.size() || left > 1e-6) throw nb::value_error("choice: the probabilities do not sum to 1");
            return last;
          },
          nb::arg("p"), "An index i with probability p[i].")
      .def(
          "numpy",
          [](RandomNumbers& self) {
            return nb::module_::import_("numpy").attr("random").attr("default_rng")(nb::int_((*self).bits()));
          },
          "A generator of NumPy, seeded with the next number.");
}

}  // namespace

void bind_domains(nb::module_& module) {
  module.def("domain_entries", [] { return list_of_entries(domains()); });
  module.def("feature_entries", [] { return list_of_entries(feature_maps()); });
  bind_random_numbers(module);

  nb::class_<OwnedFeatures>(module, "FeatureMap", "Turns states into features.")
      .def_prop_ro(
          "dim", [](const OwnedFeatures& self) { return self.map->dim(); }, "The number of features.")
      .def_prop_ro(
          "max_active", [](const OwnedFeatures& self) { return self.map->max_active(); },
          "The largest number of features of a state that are not zero.")
      .def_prop_ro("layout", [](const OwnedFeatures& self) { return static_cast<int>(self.map->layout()); })
      .def("mapped", &mapped, nb::arg("states"), nb::arg("variables"), nb::arg("domain").none());
  module.def("make_features",
             [](const std::string& description, const nb::list& variables, std::uint64_t seed, std::uint64_t run) {
               return OwnedFeatures{make_features(description, FeatureContext(variables_of(variables), seed, run))};
             });

  nb::class_<OwnedDomain>(module, "Domain", nb::is_weak_referenceable(), "A Markov chain with rewards.")
      .def(nb::init<const std::string&, const nb::dict&>(), nb::arg("name"), nb::arg("settings"))
      .def(nb::init<const nb::dict&>(), nb::arg("parts"))
      .def_prop_ro(
          "type", [](const OwnedDomain& self) { return std::string(self.domain->type()); }, "Its name.")
      .def_prop_ro(
          "settings", [](const OwnedDomain& self) { return dict_of(self.domain->settings()); },
          "Every parameter with its value.")
      .def_prop_ro("_variables", [](const OwnedDomain& self) { return list_of(self.domain->variables()); })
      .def_prop_ro(
          "actions", [](const OwnedDomain& self) { return self.domain->actions(); }, "Names of the actions.")
      .def_prop_ro("_in_python", [](const OwnedDomain& self) { return self.in_python; })
      .def_prop_ro(
          "initial_weights", [](const OwnedDomain& self) { return numpy_array(self.domain->initial_weights()); },
          "The usual initial weights for its own features; empty: zero.")
      .def("start", &start, nb::arg("rng"), "Draws the first state of an episode.")
      .def("step", &step, nb::arg("rng"), nb::arg("state"),
           "Acts with the behaviour policy: (next state, reward, discount, rho, pi, action). A discount of 0 ends the\n"
           "episode.")
      .def("true_values", &true_values, nb::arg("states"),
           "The exact values of the target policy for the rows of an array; ValueError where they are not known.")
      .def("_features",
           [](const OwnedDomain& self, const std::string& description, std::uint64_t seed, std::uint64_t run) {
             return OwnedFeatures{make_features(description, *self.domain, seed, run)};
           });

  nb::class_<OwnedStream>(module, "Stream")
      .def(nb::init<const OwnedDomain&, const OwnedFeatures&, std::uint64_t, std::uint64_t>())
      .def("next", &OwnedStream::next, nb::arg("n"),
           "The next n steps, as a Batch of its own. They do not depend on how they are cut into batches.")
      .def_prop_ro("dim", &OwnedStream::dim, "The number of features.");
}

}  // namespace bellwether::python
