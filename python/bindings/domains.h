#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include <bellwether/core/domain.h>

namespace bellwether::python {

namespace nb = nanobind;

/// A domain that Python holds: one of the library, or one whose `reset` and `step` are functions of Python.
struct OwnedDomain {
  OwnedDomain(const std::string& name, const nb::dict& settings);
  explicit OwnedDomain(const nb::dict& parts);

  std::shared_ptr<const Domain> domain;
  bool in_python = false;  // one thread at a time can run it
};

/// Features that Python holds.
struct OwnedFeatures {
  std::shared_ptr<const FeatureMap> map;
};

/// A domain from functions of Python. `parts` has
///
///   name, settings, actions    what the domain says of itself
///   variables                  a list of dictionaries with the fields of core/variable.h
///   features                   a description, or a function from a state to `dim` numbers
///   reset(rng)                 the first state of an episode
///   step(rng, state)           (next state, reward, discount), and off-policy also rho and pi
///   true_values(states)        the values of the rows of an array; or None
///   target                     the domain in which the target policy acts; or None
///
/// Its functions take Python's lock, so any thread may call them.
std::shared_ptr<const Domain> domain_of_python(const nb::dict& parts);

/// Variables from a list of dictionaries, and back.
std::vector<Variable> variables_of(const nb::list& variables);
nb::list list_of(const std::vector<Variable>& variables);

}  // namespace bellwether::python
