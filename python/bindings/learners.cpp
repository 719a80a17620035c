#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bellwether/learners/learners.h>

#include "batch.h"
#include "entries.h"
#include "in_use.h"
#include "module.h"

namespace bellwether::python {
namespace {

/// A learner that Python owns. Learning releases Python's lock, and a second thread is refused.
class OwnedLearner {
 public:
  OwnedLearner(const std::string& name, std::size_t dim, const nb::dict& settings)
      : learner_(make_learner(name, dim, settings_of(settings))) {}
  explicit OwnedLearner(std::unique_ptr<Learner> learner) : learner_(std::move(learner)) {}

  Learner& operator*() const { return *learner_; }
  Learner* operator->() const { return learner_.get(); }

  /// Calls use(learner) while no other thread may, without Python's lock.
  template <class Use>
  void work(Use&& use) {
    const InUse::Hold hold(in_use_, "this learner");
    const nb::gil_scoped_release released;
    use(*learner_);
  }

  /// The same for what is short: Python's lock is kept.
  template <class Use>
  auto brief(Use&& use) {
    const InUse::Hold hold(in_use_, "this learner");
    return use(*learner_);
  }

 private:
  std::unique_ptr<Learner> learner_;
  InUse in_use_;
};

/// One state, given as a float64 array, as Active, or as a dictionary of features.
class OneState {
 public:
  OneState(const char* argument, nb::handle object, std::size_t dim) {
    Array array;
    if (nb::isinstance<Active>(object)) {
      const auto& active = nb::cast<const Active&>(object);
      if (!active.one || active.dim != dim) wrong(argument, object, dim);
      indices_ = active.indices;
      size_ = active.each;
      layout_ = Layout::binary;
      for (std::size_t i = 0; i < size_; ++i) check_index(argument, indices_[i], dim);
      if (const auto twice = index_twice({indices_, size_}, own_indices_)) {
        throw nb::value_error(fmt::format("{} has the index {} twice", argument, *twice).c_str());
      }
    } else if (nb::isinstance<nb::dict>(object)) {
      for (const auto& [index, value] : nb::cast<nb::dict>(object)) {
        if (!nb::try_cast(index, own_indices_.emplace_back()) || !nb::try_cast(value, own_values_.emplace_back())) {
          wrong(argument, object, dim);
        }
        check_index(argument, own_indices_.back(), dim);
      }
      indices_ = own_indices_.data();
      values_ = own_values_.data();
      size_ = own_indices_.size();
      layout_ = Layout::sparse;
    } else if (nb::try_cast(object, array, false) && array.ndim() == 1 && array.shape(0) == dim &&
               array.dtype() == nb::dtype<double>() && (array.stride(0) == 1 || dim == 1)) {
      values_ = static_cast<const double*>(array.data());
      size_ = dim;
      layout_ = Layout::dense;
    } else {
      wrong(argument, object, dim);
    }
    for (std::size_t i = 0; values_ != nullptr && i < size_; ++i) {
      if (!std::isfinite(values_[i])) throw nb::value_error(fmt::format("{} is not finite", argument).c_str());
    }
  }

  FeatureRows row() {
    offsets_[1] = size_;
    return {.layout = layout_, .dim = size_, .rows = 1, .values = values_, .indices = indices_, .offsets = offsets_};
  }
  Layout layout() const { return layout_; }

 private:
  [[noreturn]] static void wrong(const char* argument, nb::handle object, std::size_t dim) {
    reject(argument, object,
           fmt::format("a float64 array of shape ({0},), Active(indices, {0}) or a dictionary from indices to values",
                       dim));
  }
  static void check_index(const char* argument, std::uint32_t index, std::size_t dim) {
    if (index < dim) return;
    throw nb::value_error(
        fmt::format("{} has the index {}; there are {} features", argument, static_cast<std::int32_t>(index), dim)
            .c_str());
  }

  Layout layout_ = Layout::dense;
  const double* values_ = nullptr;
  const std::uint32_t* indices_ = nullptr;
  std::size_t size_ = 0;
  std::size_t offsets_[2] = {0, 0};
  std::vector<std::uint32_t> own_indices_;
  std::vector<double> own_values_;
};

void learn(OwnedLearner& self, const ArrayBatch& batch) {
  if (batch.dim() != self->dim()) {
    throw nb::value_error(fmt::format("x has {} features; this learner has {}", batch.dim(), self->dim()).c_str());
  }
  self.work([&](Learner& learner) { batch.for_each_part([&](const Batch& part) { learner.learn(part); }); });
}

void learn_one(OwnedLearner& self, nb::handle x, double reward, double discount, nb::handle x_next, double rho,
               double pi, double interest, double lambda, bool restart) {
  const std::size_t dim = self->dim();
  OneState state("x", x, dim);
  // Without a next state the episode ends here, or its features do not matter.
  std::optional<OneState> next;
  if (!x_next.is_none()) next.emplace("x_next", x_next, dim);
  else if (discount != 0) throw nb::value_error("x_next is None; it may be only where discount is 0");
  const auto in = [](const char* name, double value, double high) {
    if (!(value >= 0 && value <= high)) {
      throw nb::value_error(fmt::format("{} is {}, which is outside [0, {}]", name, value, high).c_str());
    }
  };
  in("discount", discount, 1);
  in("rho", rho, 1e308);
  in("pi", pi, 1);
  in("interest", interest, 1e308);
  in("lambda_", lambda, 1);
  if (!std::isfinite(reward)) throw nb::value_error("reward is not finite");
  const std::uint8_t restarts = restart ? 1 : 0;
  FeatureRows here = state.row();
  here.dim = dim;
  FeatureRows there = next ? next->row() : here;
  there.dim = dim;
  if (there.layout != here.layout) throw nb::value_error("x and x_next are of different kinds");
  const Batch batch{.size = 1,
                    .x = here,
                    .x_next = there,
                    .reward = &reward,
                    .discount = &discount,
                    .rho = &rho,
                    .pi = &pi,
                    .interest = &interest,
                    .lambda = &lambda,
                    .restart = &restarts};
  self.brief([&](Learner& learner) { learner.learn(batch); });
}

nb::object predict(OwnedLearner& self, nb::object x) {
  if (!nb::isinstance<Active>(x) && nb::hasattr(x, "ndim") && nb::cast<int>(x.attr("ndim")) == 1) {
    OneState state("x", x, self->dim());
    return nb::float_(self.brief([&](Learner& learner) { return learner.predict(state.row().row(0)); }));
  }
  const bool one = nb::isinstance<Active>(x) && nb::cast<const Active&>(x).one;
  const Rows rows("x", std::move(x));
  if (rows.dim() != self->dim()) {
    throw nb::value_error(fmt::format("x has {} features; this learner has {}", rows.dim(), self->dim()).c_str());
  }
  std::vector<double> values(rows.size());
  self.work([&](Learner& learner) {
    std::vector<double> space;
    for (std::size_t first = 0; first < rows.size(); first += rows.at_once()) {
      const std::size_t count = std::min(rows.at_once(), rows.size() - first);
      learner.predict(rows.view(first, count, space), std::span(values).subspan(first, count));
    }
  });
  if (one) return nb::float_(values[0]);
  return numpy_array(std::move(values));
}

double predict_one(OwnedLearner& self, nb::handle x) {
  OneState state("x", x, self->dim());
  return self.brief([&](Learner& learner) { return learner.predict(state.row().row(0)); });
}

nb::bytes save(OwnedLearner& self) {
  const std::string bytes = self.brief([](Learner& learner) { return learner.save(); });
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_learners(nb::module_& module) {
  module.def("learner_entries", [] { return list_of_entries(learners()); });

  nb::class_<Active>(module, "Active",
                     "Binary features, given by the indices of those that are 1: an array of integers with a row for\n"
                     "each state, or a single row. `dim` is the number of features.")
      .def(nb::init<nb::object, std::size_t>(), nb::arg("indices"), nb::arg("dim"))
      .def_ro("dim", &Active::dim)
      .def("__len__", [](const Active& self) { return self.rows; });

  nb::class_<ArrayBatch>(
      module, "Batch",
      "Consecutive steps of experience. Nothing is copied where x is a float64 array in C order, a SciPy CSR matrix\n"
      "of float64 with int64 indptr, or Active; float32 is converted while learning.\n\n"
      "x          features of the states; without x_next it has one state more than there are steps\n"
      "reward     of each step\n"
      "discount   of each step: 0 where an episode ends\n"
      "x_next     features of the next states\n"
      "rho        pi(a|s) / mu(a|s); 1 on-policy\n"
      "pi         the target policy's probability of the action\n"
      "interest   how much the value of a state matters\n"
      "lambda_    multiplies the learner's trace decay\n"
      "restart    true where a step does not continue the one before")
      .def(nb::init<nb::object, const nb::object&, const nb::object&, nb::object, const nb::object&, const nb::object&,
                    const nb::object&, const nb::object&, const nb::object&>(),
           nb::arg("x"), nb::arg("reward"), nb::arg("discount"), nb::arg("x_next") = nb::none(), nb::kw_only(),
           nb::arg("rho") = nb::none(), nb::arg("pi") = nb::none(), nb::arg("interest") = nb::none(),
           nb::arg("lambda_") = nb::none(), nb::arg("restart") = nb::none())
      .def("__len__", &ArrayBatch::size)
      .def_prop_ro("dim", &ArrayBatch::dim);

  nb::class_<OwnedLearner>(module, "Learner", nb::is_weak_referenceable(),
                           "Learns a linear value function from steps of experience.")
      .def(nb::init<const std::string&, std::size_t, const nb::dict&>(), nb::arg("name"), nb::arg("dim"),
           nb::arg("settings"))
      .def("learn", &learn, nb::arg("batch"), "Learns from consecutive steps that continue those seen before.")
      .def("learn_one", &learn_one, nb::arg("x"), nb::arg("reward"), nb::arg("discount"),
           nb::arg("x_next") = nb::none(), nb::kw_only(), nb::arg("rho") = 1.0, nb::arg("pi") = 1.0,
           nb::arg("interest") = 1.0, nb::arg("lambda_") = 1.0, nb::arg("restart") = false, "Learns from one step.")
      .def("predict", &predict, nb::arg("x"), nb::sig("def predict(self, x: object) -> typing.Any"),
           "The values of states: an array for many, a number for one.")
      .def("predict_one", &predict_one, nb::arg("x"), "The value of one state.")
      .def(
          "weights",
          [](OwnedLearner& self) {
            std::vector<double> w(self->dim());
            self.work([&](Learner& learner) { learner.weights(w); });
            return numpy_array(std::move(w));
          },
          nb::sig("def weights(self) -> numpy.typing.NDArray[numpy.float64]"), "The weights, as a new array.")
      .def(
          "start_from",
          [](OwnedLearner& self, const nb::object& weights) {
            const Column w("weights", weights, self->dim());
            self.brief([&](Learner& learner) { learner.start_from({w.data(), learner.dim()}); });
          },
          nb::arg("weights"), "Sets the weights that learning starts from, before the first step.")
      .def_prop_ro(
          "dim", [](const OwnedLearner& self) { return self->dim(); }, "The number of features.")
      .def_prop_ro(
          "steps", [](const OwnedLearner& self) { return self->steps(); }, "Steps seen.")
      .def_prop_ro(
          "diverged_at", [](const OwnedLearner& self) { return self->diverged_at(); },
          "The step at which it diverged, or None.")
      .def_prop_ro(
          "type", [](const OwnedLearner& self) { return std::string(self->type()); }, "Its registered name.")
      .def_prop_ro(
          "settings", [](const OwnedLearner& self) { return dict_of(self->settings()); },
          "Every parameter with its value.")
      .def_prop_ro(
          "findings",
          [](OwnedLearner& self) { return self.brief([](Learner& learner) { return dict_of(learner.findings()); }); },
          "What it chose or noticed on the way.")
      .def(
          "absorb",
          [](OwnedLearner& self, OwnedLearner& other) {
            if (&self == &other) throw nb::value_error("a learner cannot absorb itself");
            other.brief([&](Learner& theirs) { self.brief([&](Learner& mine) { mine.absorb(theirs); }); });
          },
          nb::arg("other"), "Takes over what another learner of the same kind has learned from other episodes.")
      .def("_save", &save)
      .def("_load", [](OwnedLearner& self, const nb::bytes& state) {
        self.brief([&](Learner& learner) { learner.load({state.c_str(), state.size()}); });
      });
}

}  // namespace bellwether::python
