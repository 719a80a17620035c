#include "learning/value_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/error.h>
#include <bellwether/core/support/text.h>

#include "terminal/output.h"

namespace bellwether::cli {

ValueLines::ValueLines(std::string path) : path_(std::move(path)), file_(path_) {}

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

void ValueLines::finish() const {
  if (missing_ == 0) return file_.synchronise();
  throw IoError(fmt::format("{}: {} of {} values are missing", reason_, grouped(missing_), grouped(lines_)));
}

}  // namespace bellwether::cli
