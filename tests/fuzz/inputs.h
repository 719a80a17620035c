#pragma once

#include <string>

#include <bellwether/core/files/descriptor.h>
#include <bellwether/data/steps.h>
#include <bellwether/data/table.h>

/// What targets that read files share.
namespace bellwether::fuzz {

/// Writes the bytes to a file whose name has this ending, and returns its path. The file is overwritten by the next
/// call with the same ending. It is in the folder for temporary files, which should be memory (TMPDIR=/dev/shm).
const std::string& as_file(const std::string& bytes, const std::string& ending);

/// Bytes that arrive by a pipe, as a stream does: no thread reads ahead of it.
class Piped {
 public:
  static constexpr std::size_t most = 1 << 16;  // bytes, which a pipe holds without a reader

  explicit Piped(const std::string& bytes);

  const std::string& path() const { return path_; }

 private:
  Descriptor end_;
  std::string path_;
};

/// Options that depend on the bytes: bad rows are skipped for one half of the inputs.
TableOptions options_for(const std::string& bytes);

/// Reads all rows of the columns, of which each kind of cell has its turn, or all steps.
void read_rows(TableReader& table);
void read_steps(StepReader& steps);

}  // namespace bellwether::fuzz
