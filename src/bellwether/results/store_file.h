#pragma once

#include <filesystem>
#include <memory>
#include <utility>

namespace SQLite {
class Database;
}

/// What the writer and the reader of a file of results share: its format, and what may be wrong with it.
namespace bellwether::store_file {

/// Where links lead, absolute. Throws InvalidArgument when it is a directory or something else that is no file.
std::filesystem::path located(const std::filesystem::path& file);

/// A connection to the file, which is made when it is not there.
std::unique_ptr<SQLite::Database> open_for_writing(const std::filesystem::path& file);
std::unique_ptr<SQLite::Database> open_for_reading(const std::filesystem::path& file);

/// Throws what is being caught as IoError or InvalidArgument in one line that names the file.
[[noreturn]] void rethrow(const std::filesystem::path& file);

/// f(), with errors of the database named after the file.
template <class F>
decltype(auto) guarded(const std::filesystem::path& file, F&& f) {
  try {
    return std::forward<F>(f)();
  } catch (...) {
    rethrow(file);
  }
}

}  // namespace bellwether::store_file
