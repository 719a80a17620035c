#include "learning/value_lines.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/error.h>

namespace bellwether::cli {

ValueLines::ValueLines(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "a")) {
  if (file_ == nullptr) throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
}

ValueLines::~ValueLines() { std::fclose(file_); }

void ValueLines::write(const Model& model, const StepBlock& steps) {
  const std::size_t targets = model.targets();
  std::vector<std::vector<double>> values(targets, std::vector<double>(steps.size()));
  for (std::size_t k = 0; k < targets; ++k) model.predict(k, steps.x.view(), values[k]);
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += fmt::format("{{\"step\": {}, \"value\": ", model.episodes().steps() + i);
    for (std::size_t k = 0; k < targets; ++k) {
      if (targets > 1) text += (k == 0 ? "{" : ", ") + nlohmann::json(model.recipe().name_of(k)).dump() + ": ";
      text += fmt::format("{}", values[k][i]);
    }
    text += targets > 1 ? "}}\n" : "}\n";
  }
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) {
    throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
  }
}

}  // namespace bellwether::cli
