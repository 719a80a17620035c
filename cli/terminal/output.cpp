#include "terminal/output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <unistd.h>

#include <bellwether/core/error.h>

namespace bellwether::cli {

Output::Output(std::string path) : path_(std::move(path)), file_(stdout) {
  if (path_.empty() || path_ == "-") {
    path_ = "standard output";
    return;
  }
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path target = path_;
  for (int hops = 0; hops < 40 && fs::is_symlink(target, ignored); ++hops) {
    target = target.parent_path() / fs::read_symlink(target, ignored);
  }
  target_ = target.string();
  const bool in_place = fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored);
  if (!in_place) partial_ = fmt::format("{}.{}.partial", target_, getpid());
  file_ = in_place ? std::fopen(path_.c_str(), "w") : std::fopen(partial_.c_str(), "wx");
  if (file_ == nullptr) fail();
}

Output::~Output() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!partial_.empty()) std::remove(partial_.c_str());
}

void Output::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void Output::finish() {
  if (std::fflush(file_) != 0) fail();
  if (file_ == stdout) return;
  std::FILE* file = std::exchange(file_, nullptr);
  if (std::fclose(file) != 0) fail();
  if (partial_.empty()) return;
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail();
  partial_.clear();
}

void Output::fail() const { throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno))); }

}  // namespace bellwether::cli
