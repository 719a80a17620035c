#include "learning/value_lines.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/error.h>
#include <bellwether/core/support/text.h>

#include "terminal/output.h"

namespace bellwether::cli {

namespace {

bool ends_within_a_line(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) == 0) return false;
  std::ifstream file(path, std::ios::binary);
  file.seekg(-1, std::ios::end);
  const int last = file.get();
  return file.good() && last != '\n';
}

}  // namespace

ValueLines::ValueLines(std::string path) : path_(std::move(path)), file_(path_) {
  if (ends_within_a_line(path_)) file_.append("\n");
}

void ValueLines::write(const Model& model, const StepBlock& steps) {
  const std::size_t targets = model.targets();
  std::vector<std::vector<double>> values(targets, std::vector<double>(steps.size()));
  std::vector<bool> known(targets);
  for (std::size_t k = 0; k < targets; ++k) {
    model.predict(k, steps.x.view(), values[k]);
    known[k] = !model.learner(k).diverged_at();
  }
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += fmt::format("{{\"step\": {}, \"value\": ", model.episodes().steps() + i);
    for (std::size_t k = 0; k < targets; ++k) {
      if (targets > 1) text += (k == 0 ? "{" : ", ") + nlohmann::json(model.recipe().name_of(k)).dump() + ": ";
      text += known[k] ? fmt::format("{}", values[k][i]) : "null";
    }
    text += targets > 1 ? "}}\n" : "}\n";
  }
  lines_ += steps.size();
  try {
    file_.append(text);
  } catch (const IoError& error) {
    if (missing_ == 0) tell("{}: learning continues, values are left out\n", error.what());
    missing_ += steps.size();
    reason_ = error.what();
  }
}

void ValueLines::keep() {
  try {
    file_.synchronise();
  } catch (const IoError& error) {  // the system forgets what the disk did not take: it would not fail a second time
    unsafe_ = error.what();
  }
}

void ValueLines::finish() {
  keep();
  if (missing_ == 0 && unsafe_.empty()) return;
  if (missing_ == 0) throw IoError(unsafe_);
  throw IoError(fmt::format("{}: {} of {} values are missing", reason_, grouped(missing_), grouped(lines_)));
}

}  // namespace bellwether::cli
