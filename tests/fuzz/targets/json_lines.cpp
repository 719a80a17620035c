// Tables of JSON objects, one on each line.
#include <bellwether/data/text/json_lines_reader.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered json_lines_target({.name = "json_lines", .run = [](const std::string& bytes) {
                                      const TableOptions options = options_for(bytes);
                                      JsonLinesReader table(Lines(as_file(bytes, ".jsonl"), options, 64), options);
                                      read_rows(table);
                                    }});

}  // namespace bellwether::fuzz
