#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/features/feature_maps.h>

#include "arrays.h"
#include "domains.h"
#include "module.h"
#include "random_numbers.h"

namespace bellwether::python {
namespace {

/// What a domain of Python consists of. Domains share it, so that no copy needs Python's lock.
struct Parts {
  std::string name;
  Settings settings;
  std::vector<Variable> variables;
  std::vector<std::string> actions;
  nb::object features;
  std::size_t dim = 0;  // of features that are a function
  nb::object reset, step, true_values;
  std::shared_ptr<const Domain> target;
};

/// Deletes what holds objects of Python.
struct WithLock {
  template <class T>
  void operator()(const T* object) const {
    const nb::gil_scoped_acquire python;
    delete object;
  }
};

nb::object array_of(std::span<const double> numbers) { return numpy_array({numbers.begin(), numbers.end()}); }

/// Numbers that a function of Python gave: an array, a sequence, or a number where one is expected.
void read_numbers(const std::string& who, nb::handle from, std::span<double> to) {
  std::vector<double> numbers;
  Array array;
  const std::string expected = to.size() == 1 ? "one is" : fmt::format("{} are", to.size());
  if (nb::try_cast(from, array, false) && array.ndim() == 1 && array.dtype() == nb::dtype<double>() &&
      (array.shape(0) <= 1 || array.stride(0) == 1)) {
    const auto* data = static_cast<const double*>(array.data());
    numbers.assign(data, data + array.shape(0));
  } else if (double number = 0; to.size() == 1 && nb::try_cast(from, number)) {
    numbers = {number};
  } else if (!nb::try_cast(from, numbers)) {
    throw InvalidArgument(fmt::format("{} returned {}; of numbers {} expected", who, described(from), expected));
  }
  if (numbers.size() != to.size()) {
    throw InvalidArgument(fmt::format("{} returned {} numbers; {} expected", who, numbers.size(), expected));
  }
  for (const double number : numbers) {
    if (!std::isfinite(number)) throw InvalidArgument(fmt::format("{} returned {}, which is not finite", who, number));
  }
  std::copy(numbers.begin(), numbers.end(), to.begin());
}

/// Features that a function of Python computes.
class PythonFeatures final : public FeatureMap {
 public:
  explicit PythonFeatures(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::string_view type() const override { return parts_->name; }
  Layout layout() const override { return Layout::dense; }
  std::size_t dim() const override { return parts_->dim; }
  std::size_t max_active() const override { return parts_->dim; }
  void write(std::span<const double> state, Moment, RowBuffer& rows) const override {
    const nb::gil_scoped_acquire python;
    read_numbers(parts_->name + ".features", parts_->features(array_of(state)), rows.dense_part(dim()));
  }

 private:
  std::shared_ptr<const Parts> parts_;
};

class PythonDomain final : public Domain {
 public:
  explicit PythonDomain(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::string_view type() const override { return parts_->name; }
  Settings settings() const override { return parts_->settings; }
  const std::vector<Variable>& variables() const override { return parts_->variables; }
  const std::vector<std::string>& actions() const override { return parts_->actions; }

  void start(Rng& rng, std::span<double> state) const override {
    const nb::gil_scoped_acquire python;
    const LentNumbers numbers(rng);
    read_numbers(parts_->name + ".reset", parts_->reset(numbers.object()), state);
  }

  Outcome step(Rng& rng, std::span<double> state) const override {
    const nb::gil_scoped_acquire python;
    const LentNumbers numbers(rng);
    const std::string who = parts_->name + ".step";
    const nb::object result = parts_->step(numbers.object(), array_of(state));
    nb::tuple fields;
    if (!nb::try_cast(result, fields) || fields.size() < 3 || fields.size() > 5) {
      throw InvalidArgument(fmt::format(
          "{} returned {}; a tuple (next state, reward, discount), or with rho and pi after these, is expected", who,
          described(result)));
    }
    Outcome outcome;
    double* const numbers_of[] = {&outcome.reward, &outcome.discount, &outcome.rho, &outcome.pi};
    const char* const names[] = {"reward", "discount", "rho", "pi"};
    const double high[] = {1e308, 1, 1e308, 1};
    for (std::size_t i = 1; i < fields.size(); ++i) {
      double& number = *numbers_of[i - 1];
      if (!nb::try_cast(fields[i], number) || !(number >= (i == 1 ? -1e308 : 0) && number <= high[i - 1])) {
        throw InvalidArgument(fmt::format(
            "{} returned the {} {}; {} is expected", who, names[i - 1], nb::cast<std::string>(nb::repr(fields[i])),
            i == 1 ? "a finite number" : fmt::format("a number from 0{}", high[i - 1] == 1 ? " to 1" : "")));
      }
    }
    if (outcome.discount != 0) read_numbers(who, fields[0], state);
    return outcome;
  }

  std::unique_ptr<Domain> on_policy() const override {
    const auto* target = dynamic_cast<const PythonDomain*>(parts_->target.get());
    return target == nullptr ? nullptr : std::make_unique<PythonDomain>(*target);
  }

  bool true_values(std::span<const double> states, std::span<double> values) const override {
    const nb::gil_scoped_acquire python;
    if (parts_->true_values.is_none()) return false;
    const nb::object rows = array_of(states).attr("reshape")(values.size(), parts_->variables.size());
    read_numbers(parts_->name + ".true_values", parts_->true_values(rows), values);
    return true;
  }

  std::unique_ptr<FeatureMap> features(std::uint64_t seed, std::uint64_t run) const override {
    if (parts_->dim > 0) return std::make_unique<PythonFeatures>(parts_);
    std::string description;
    {
      const nb::gil_scoped_acquire python;
      description = nb::cast<std::string>(parts_->features);
    }
    return make_features(description, FeatureContext(parts_->variables, seed, run));
  }

 private:
  std::shared_ptr<const Parts> parts_;
};

}  // namespace

std::vector<Variable> variables_of(const nb::list& variables) {
  std::vector<Variable> all;
  for (const nb::handle one : variables) {
    const auto fields = nb::cast<nb::dict>(one);
    Variable variable{.name = nb::cast<std::string>(fields["name"]),
                      .low = nb::cast<double>(fields["low"]),
                      .high = nb::cast<double>(fields["high"])};
    variable.whole = nb::cast<bool>(fields["whole"]);
    variable.wraps = nb::cast<bool>(fields["wraps"]);
    variable.hidden = nb::cast<bool>(fields["hidden"]);
    if (!(variable.low < variable.high)) {
      throw InvalidArgument(fmt::format("variable {} ranges from {} to {}: low < high is needed", variable.name,
                                        variable.low, variable.high));
    }
    if (!all.empty() && all.back().hidden && !variable.hidden) {
      throw InvalidArgument(fmt::format("variable {} comes after hidden ones, which must be last", variable.name));
    }
    all.push_back(std::move(variable));
  }
  if (all.empty()) throw InvalidArgument("there are no variables: a state has at least one number");
  return all;
}

nb::list list_of(const std::vector<Variable>& variables) {
  nb::list all;
  for (const Variable& variable : variables) {
    nb::dict one;
    one["name"] = variable.name;
    one["low"] = variable.low;
    one["high"] = variable.high;
    one["whole"] = variable.whole;
    one["wraps"] = variable.wraps;
    one["hidden"] = variable.hidden;
    all.append(one);
  }
  return all;
}

std::shared_ptr<const Domain> domain_of_python(const nb::dict& parts) {
  auto* const made = new Parts;
  std::shared_ptr<const Parts> owned(made, WithLock());
  made->name = nb::cast<std::string>(parts["name"]);
  made->settings = settings_of(nb::cast<nb::dict>(parts["settings"]));
  made->variables = variables_of(nb::cast<nb::list>(parts["variables"]));
  made->actions = nb::cast<std::vector<std::string>>(parts["actions"]);
  made->features = parts["features"];
  made->dim = nb::cast<std::size_t>(parts["dim"]);
  made->reset = parts["reset"];
  made->step = parts["step"];
  made->true_values = parts["true_values"];
  if (nb::object target = parts["target"]; !target.is_none()) made->target = nb::cast<OwnedDomain&>(target).domain;
  auto domain = std::make_shared<const PythonDomain>(std::move(owned));
  domain->features(0, 0);  // a description that cannot be read is told now
  return domain;
}

}  // namespace bellwether::python
