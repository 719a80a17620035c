#pragma once

#include <string>

#include <bellwether/data/steps.h>
#include <bellwether/data/table.h>

/// What targets that read files share.
namespace bellwether::fuzz {

/// Writes the bytes to a file whose name has this ending, and returns its path. The file is overwritten by the next
/// call with the same ending. It is in the folder for temporary files, which should be memory (TMPDIR=/dev/shm).
const std::string& as_file(const std::string& bytes, const std::string& ending);

/// Options that depend on the bytes: bad rows are skipped for one half of the inputs.
TableOptions options_for(const std::string& bytes);

/// Reads all rows of the columns, of which each kind of cell has its turn, or all steps.
void read_rows(TableReader& table);
void read_steps(StepReader& steps);

}  // namespace bellwether::fuzz
