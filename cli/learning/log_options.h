#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <bellwether/model/log_source.h>

namespace bellwether::cli {

/// The options that say which columns of a log are what, for every verb that reads one.
class LogOptions {
 public:
  explicit LogOptions(CLI::App& verb);

  /// Columns and options of reading as they were given; the files are the verb's own.
  LogRequest request() const;

 private:
  std::vector<std::string> state_, next_, reward_, discount_;
  LogColumns columns_;
  bool skip_bad_ = false;
  std::size_t dim_ = 0;
};

}  // namespace bellwether::cli
