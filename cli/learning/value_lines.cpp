#include "learning/value_lines.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/error.h>
#include <bellwether/core/support/json_text.h>
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

bool is_pipe_or_device(const std::string& path) {
  std::error_code failed;
  return std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed);
}

}  // namespace

ValueLines::ValueLines(std::string path) : path_(std::move(path)) {
  if (is_pipe_or_device(path_)) {
    pipe_.emplace(path_);
    return;
  }
  file_.emplace(path_);
  if (ends_within_a_line(path_)) file_->append("\n");
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
      if (targets > 1) text += (k == 0 ? "{" : ", ") + json_text(nlohmann::json(model.recipe().name_of(k))) + ": ";
      text += known[k] ? fmt::format("{}", values[k][i]) : "null";
    }
    text += targets > 1 ? "}}\n" : "}\n";
  }
  lines_ += steps.size();
  if (pipe_) {
    pipe_->add(text);
    deliver(std::chrono::milliseconds(0));
    return;
  }
  try {
    file_->append(text);
  } catch (const IoError& error) {
    leave_out(steps.size(), error);
  }
}

void ValueLines::leave_out(std::uint64_t lines, const IoError& error) {
  if (missing_ == 0 && lines > 0) tell("{}: learning continues, values are left out\n", error.what());
  missing_ += lines;
  reason_ = error.what();
}

bool ValueLines::deliver(std::chrono::milliseconds wait) {
  if (!pipe_) return true;
  try {
    return pipe_->deliver(wait);
  } catch (const IoError& error) {
    leave_out(pipe_->given_up() - missing_, error);
    return true;
  }
}

void ValueLines::keep() {
  if (!file_) return;
  try {
    file_->synchronise();
  } catch (const IoError& error) {  // the system forgets what the disk did not take: it would not fail a second time
    unsafe_ = error.what();
  }
}

void ValueLines::finish() {
  keep();
  if (pipe_) {
    if (!deliver(std::chrono::milliseconds(500))) reason_ = fmt::format("cannot write {}: nobody reads it", path_);
    pipe_->abandon();
    missing_ = pipe_->given_up();
  }
  if (missing_ == 0 && unsafe_.empty()) return;
  if (missing_ == 0) throw IoError(unsafe_);
  throw IoError(fmt::format("{}: {} of {} values are missing", reason_, grouped(missing_), grouped(lines_)));
}

}  // namespace bellwether::cli
