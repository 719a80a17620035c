#pragma once

#include <nanobind/nanobind.h>

#include <bellwether/core/params/settings.h>

namespace bellwether::python {

namespace nb = nanobind;

/// What the registry says of a learner, a domain or a feature map.
template <class Entry>
nb::dict dict_of_entry(const Entry& entry) {
  nb::dict result;
  result["name"] = entry.name;
  result["summary"] = entry.doc.summary;
  result["detail"] = entry.doc.detail;
  result["reference"] = entry.doc.reference;
  result["note"] = entry.doc.note;
  nb::list params;
  for (const ParamInfo& param : entry.params) {
    nb::dict one;
    one["name"] = param.name;
    one["type"] = param.type;
    one["default"] = param.default_value;
    one["accepts"] = param.accepts;
    one["text"] = param.text;
    params.append(one);
  }
  result["params"] = params;
  return result;
}

/// The same of all that can be made by name.
template <class Entries>
nb::list list_of_entries(const Entries& entries) {
  nb::list all;
  for (const auto& entry : entries) all.append(dict_of_entry(entry));
  return all;
}

}  // namespace bellwether::python
