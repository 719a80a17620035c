#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <bellwether/data/arrow/arrow_abi.h>
#include <bellwether/data/table.h>

namespace bellwether {

/// Opens the table in a stream of Arrow arrays, which pyarrow, pandas, polars, DuckDB and many others can hand over.
/// Values are read where they are, batch by batch; nothing of Arrow is linked. The stream is taken over: it is released
/// with the table, or when this function throws.
///
///     integers, float16, float32, float64, decimals of up to 128 bits    numbers
///     booleans                                                           0 and 1
///     dates and timestamps                                               seconds since 1970
///     times of day and durations                                         seconds
///     utf8, large_utf8, utf8_view                                        texts, which are treated as those in CSV are
///     dictionary-encoded values                                          as the values
///     null                                                               missing
///     structs                                                            columns `name/field`
///     lists and lists of a fixed size                                    columns `name.0`, `name.1`, ...
///
/// A missing value is an empty cell. Lists have to be as long as the first one; a row with another is a bad row.
/// Integers beyond 2^53 lose their last digits, except as labels and texts. Selecting a column of another type is an
/// error that names the type.
///
/// What a producer says of its arrays is checked where it can be: numbers of buffers and children, lengths, places of
/// texts and lists, keys of dictionaries. The sizes of most buffers are not part of the interface, so a producer that
/// lies about them can crash the program.
///
/// `name` is what messages call it. `rows` is how many there are, for `fraction`; 0 when that is not known. Throws
/// InvalidArgument when the schema cannot be, IoError when the producer fails.
std::unique_ptr<TableReader> arrow_table(ArrowArrayStream& stream, std::string name, const TableOptions& options = {},
                                         std::uint64_t rows = 0);

}  // namespace bellwether
