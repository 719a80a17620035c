#pragma once

#include <string>
#include <vector>

namespace bellwether::cli {

/// A file of studies/, as it was when the program was built.
struct ShippedStudy {
  std::string name;  // of the file, without its extension
  std::string text;
};

/// All of them, by name.
const std::vector<ShippedStudy>& shipped_studies();

}  // namespace bellwether::cli
