#pragma once

#include <cstdio>
#include <string>

#include <bellwether/model/model.h>

namespace bellwether::cli {

/// Writes the values of states as they arrive, one JSON object per line, for programs that follow a stream. Lines are
/// appended to the file, and each block of them is written out at once.
class ValueLines {
 public:
  explicit ValueLines(std::string path);
  ~ValueLines();
  ValueLines(const ValueLines&) = delete;
  ValueLines& operator=(const ValueLines&) = delete;

  /// Writes the values of the states of steps that are about to be learned from: {"step": 17, "value": -3.2}, or with
  /// several targets {"step": 17, "value": {"a": 1.5, "b": 2}}.
  void write(const Model& model, const StepBlock& steps);

 private:
  std::string path_;
  std::FILE* file_;
};

}  // namespace bellwether::cli
