#include "module.h"

#include <cstdlib>
#include <exception>

#include <bellwether/core/error.h>
#include <bellwether/core/version.h>
#include <bellwether/experiment/workers.h>

#include "arrays.h"

namespace bellwether::python {

Settings settings_of(const nb::dict& values) {
  Settings settings;
  for (const auto& [key, value] : values) {
    const auto name = nb::cast<std::string>(key);
    if (nb::isinstance<nb::bool_>(value)) settings.emplace_back(name, nb::cast<bool>(value));
    else if (nb::isinstance<nb::int_>(value)) settings.emplace_back(name, nb::cast<std::string>(nb::str(value)));
    else if (nb::isinstance<nb::str>(value)) settings.emplace_back(name, nb::cast<std::string>(value));
    else if (double number = 0; nb::try_cast(value, number)) settings.emplace_back(name, number);
    else reject(name.c_str(), value, "a number, a truth value or a word");
  }
  return settings;
}

nb::dict dict_of(const Settings& settings) {
  nb::dict result;
  for (const Setting& setting : settings) {
    const char* text = setting.second.c_str();
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    const bool whole = setting.second.find_first_not_of("-0123456789") == std::string::npos;
    if (setting.second == "true" || setting.second == "false") {
      result[setting.first.c_str()] = setting.second == "true";
    } else if (end == text || *end != '\0') {
      result[setting.first.c_str()] = setting.second;
    } else if (whole) {
      result[setting.first.c_str()] = nb::int_(nb::str(text));
    } else {
      result[setting.first.c_str()] = number;
    }
  }
  return result;
}

}  // namespace bellwether::python

NB_MODULE(_core, module) {
  namespace nb = nanobind;
  using namespace bellwether;
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InvalidArgument& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  module.attr("__version__") = version();
  python::bind_learners(module);
  python::bind_domains(module);
  python::bind_metrics(module);
  python::bind_studies(module);
  python::bind_results(module);
  python::bind_learning(module);
  python::bind_model(module);
}
