#pragma once

#include <nanobind/nanobind.h>

#include <bellwether/core/params/settings.h>

namespace bellwether::python {

namespace nb = nanobind;

/// Learners and the steps they learn from.
void bind_learners(nb::module_& module);

/// Domains, features and streams of their steps.
void bind_domains(nb::module_& module);

/// True values, and errors of values.
void bind_metrics(nb::module_& module);

/// Studies, and what runs them.
void bind_studies(nb::module_& module);

/// Files of results.
void bind_results(nb::module_& module);

/// Learning from data, and the models that it makes.
void bind_learning(nb::module_& module);
void bind_model(nb::module_& module);

/// Settings from a dictionary of numbers, truth values and words.
Settings settings_of(const nb::dict& values);

/// Settings as a dictionary: numbers as numbers, words as words.
nb::dict dict_of(const Settings& settings);

}  // namespace bellwether::python
