#pragma once

#include <string>

#include "support/temporary_folder.h"

namespace bellwether::testing {

struct Finished {
  int code;         // exit code
  std::string out;  // standard output
  std::string err;  // standard error
};

/// Runs the real program through the shell, so that arguments are written as people type them. Standard output is read
/// back, or goes to `out_path`. What the program keeps from run to run, it keeps in a folder of this process.
Finished bellwether(const std::string& arguments, const std::string& out_path = "");

/// Whether the program was built with its pages.
inline constexpr bool has_page = BELLWETHER_HAS_PAGE != 0;

/// Whether the module that reads Parquet and Arrow files was built.
inline constexpr bool has_arrow = BELLWETHER_HAS_ARROW != 0;

std::string read_file(const std::string& path);

bool contains(const std::string& text, const std::string& part);

/// How many times a text has a part.
std::size_t times(const std::string& text, const std::string& part);

}  // namespace bellwether::testing
