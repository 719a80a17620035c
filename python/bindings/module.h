#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include <bellwether/core/params/settings.h>

namespace bellwether::python {

namespace nb = nanobind;

/// The parts of the module, each in a file of its own.
void bind_learners(nb::module_& module);
void bind_domains(nb::module_& module);
void bind_models(nb::module_& module);
void bind_studies(nb::module_& module);

/// Settings from a dictionary of numbers, truth values and words; a list stands for values that are swept, which only
/// studies have.
Settings settings_of(const nb::dict& values);

/// Settings as a dictionary: numbers as numbers, words as words.
nb::dict dict_of(const Settings& settings);

/// "td: alpha = -1 is outside (0, inf)": names of parameters as Python spells them.
std::string python_names(std::string message);

}  // namespace bellwether::python
