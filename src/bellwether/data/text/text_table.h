#pragma once

#include <memory>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// Opens a table that is text. The name of the file tells the format, or else the first line: JSON lines begin with a
/// brace, an array of JSON objects with a bracket; in anything else the separator is the first of tab, comma and
/// semicolon that the header has. Throws InvalidArgument when the file is empty or not text.
std::unique_ptr<TableReader> open_text_table(Lines lines, const TableOptions& options);

}  // namespace bellwether
