#include <bellwether/core/support/files.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace fs = std::filesystem;

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
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

OutputFile::~OutputFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!partial_.empty()) std::remove(partial_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) fail();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  if (partial_.empty()) return;
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail();
  partial_.clear();
}

void OutputFile::fail() const { throw IoError(fmt::format("cannot write {}: {}", path_, std::strerror(errno))); }

std::string read_file(const std::string& path) {
  const auto fail = [&path](int reason) {
    throw IoError(fmt::format("cannot read {}: {}", path, std::strerror(reason)));
  };
  if (fs::is_directory(path)) fail(EISDIR);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) fail(errno);
  std::string bytes;
  std::array<char, 1 << 16> chunk{};
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    bytes.append(chunk.data(), count);
  }
  if (std::ferror(file.get()) != 0) fail(errno);
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

void reject_overwriting(std::string_view who, std::vector<std::string> inputs,
                        const std::vector<std::string>& outputs) {
  std::vector<std::string> taken = std::move(inputs);
  for (const std::string& path : outputs) {
    if (path.empty()) continue;
    std::error_code failed;
    const bool exists = fs::is_regular_file(path, failed);
    for (const std::string& other : taken) {
      if (other != "-" && (path == other || (exists && fs::equivalent(path, other, failed)))) {
        throw InvalidArgument(fmt::format("{}: {} would be overwritten", who, other));
      }
    }
    taken.push_back(path);
  }
}

}  // namespace bellwether
