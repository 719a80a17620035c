#pragma once

#include <filesystem>
#include <memory>
#include <utility>

namespace SQLite {
class Database;
}

/// What the writer and the reader of a file of results have in common: its format, and messages about what is wrong.
namespace bellwether::store_file {

/// The absolute path, with links resolved. Throws InvalidArgument when it is a directory or another thing that is not a
/// regular file.
std::filesystem::path located(const std::filesystem::path& file);

/// A connection to the file. For writing, the file is made if necessary.
std::unique_ptr<SQLite::Database> open_for_writing(const std::filesystem::path& file);
std::unique_ptr<SQLite::Database> open_for_reading(const std::filesystem::path& file);

/// Whether a file has checksums of settings and blocks, since format 2, and of studies, since format 3. A sweep that
/// writes to a file of an older format adds what is missing.
bool has_checksums(SQLite::Database& database);
bool has_study_checksums(SQLite::Database& database);

/// Throws the current exception again as IoError or InvalidArgument, in one line that names the file.
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
