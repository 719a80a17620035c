// Tables as text with separators: .csv, .tsv and others. The chunks in which they are read are so small that cells and
// rows are cut in all places.
#include <bellwether/data/text/csv_reader.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered csv_target({.name = "csv", .run = [](const std::string& bytes) {
                               const TableOptions options = options_for(bytes);
                               CsvReader table(Lines(as_file(bytes, ".csv"), options, 64), options, ",;\t");
                               read_rows(table);
                             }});

}  // namespace bellwether::fuzz
