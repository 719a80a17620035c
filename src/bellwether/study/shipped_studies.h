#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

/// A file of studies/, as it was when the library was built.
struct ShippedStudy {
  std::string name;  // of the file, without its extension
  std::string text;
};

/// All of them, by name.
const std::vector<ShippedStudy>& shipped_studies();

/// The one of this name; null if there is none.
const ShippedStudy* shipped_study(std::string_view name);

}  // namespace bellwether
