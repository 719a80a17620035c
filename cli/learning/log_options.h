#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <bellwether/model/learning/learn_request.h>

namespace bellwether::cli {

/// The options that say which columns of a log mean what.
class LogOptions {
 public:
  explicit LogOptions(CLI::App& verb);

  /// A request with these columns; the verb adds the rest.
  LearnRequest request() const;

 private:
  std::vector<std::string> state_, next_, reward_, discount_;
  LogColumns columns_;
  bool skip_bad_ = false;
  std::size_t dim_ = 0;
};

}  // namespace bellwether::cli
