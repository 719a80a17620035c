#pragma once

#include <memory>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// The table that a text is, by the name of its file or else by its first line: JSON lines begin with a brace, anything
/// else is separated by the first of tab, comma and semicolon that the header has. Throws InvalidArgument when the text
/// is empty or none.
std::unique_ptr<TableReader> open_text_table(Lines lines, const TableOptions& options);

}  // namespace bellwether
