#include <bellwether/model/model_lock.h>

#include <filesystem>

namespace bellwether {

std::unique_ptr<FileLock> lock_model(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) return nullptr;
  return std::make_unique<FileLock>(path, "is being learned by another process");
}

}  // namespace bellwether
