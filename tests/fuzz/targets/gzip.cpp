// Compressed text, as the program opens it: the first bytes tell that it is compressed, and the first line what it is.
// Most come by a pipe, which costs no thread; some as a file, which a thread decompresses ahead of the reader.
#include <bellwether/data/text/text_table.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered gzip_target({.name = "gzip", .run = [](const std::string& bytes) {
                                const TableOptions options = options_for(bytes);
                                if (bytes.size() % 16 == 0 || bytes.size() > Piped::most) {
                                  read_rows(*open_table(as_file(bytes, ".gz"), options));
                                } else {
                                  const Piped input(bytes);
                                  read_rows(*open_text_table(Lines(input.path(), options, 64), options));
                                }
                              }});

}  // namespace bellwether::fuzz
