#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <bellwether/data/table.h>

namespace bellwether {

/// Where a log is: in a file, in standard input, or with the program itself, as a table that it has in memory or reads
/// from elsewhere. A path converts by itself, so that `learn({.files = {"log.csv"}})` will do. A table of your own:
///
///     LogSource::Open open = [&](const TableOptions& options) { return std::make_unique<MyTable>(my_rows, options); };
///     learn({.files = {LogSource("rows", open)}, .discount = {"0.99"}});
///
/// Learning reads a log several times: for its columns and their ranges, for the order of its rows, and for every pass.
/// Each time it asks for a reader at the first row, in any thread, after it has destroyed the one before: a source need
/// not be able to have two at once.
struct LogSource {
  /// Makes a reader that begins with the first row.
  using Open = std::function<std::unique_ptr<TableReader>(const TableOptions&)>;

  /// A file, a folder of Minari or a pipe; "-" is standard input.
  LogSource(std::string path) : name(std::move(path)) {}  // NOLINT(google-explicit-constructor): a path will do
  LogSource(const char* path) : name(path) {}             // NOLINT(google-explicit-constructor)

  /// A table that `open_it` opens. Messages call it `its_name`.
  LogSource(std::string its_name, Open open_it) : name(std::move(its_name)), open(std::move(open_it)) {}

  std::string name;                         // the path of a file
  Open open = {};                           // empty for a file
  bool once = false;                        // `open` can be called once only: the table is read as a stream is
  std::optional<std::uint64_t> bytes = {};  // size of a table; defaults of learners depend on it
  bool is_file() const { return !open; }    // or a stream that has a path
};

/// Whether a log can be read only once: standard input, a pipe, or a table that says so.
bool is_stream(const LogSource& source);

/// Opens a log as a table (data/table.h).
std::unique_ptr<TableReader> open_log_table(const LogSource& source, const TableOptions& options = {});

}  // namespace bellwether
