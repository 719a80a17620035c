// Compressed text, as the program opens it: the first bytes tell that it is compressed, and the first line what it is.
#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered gzip_target({.name = "gzip", .run = [](const std::string& bytes) {
                                read_rows(*open_table(as_file(bytes, ".gz"), options_for(bytes)));
                              }});

}  // namespace bellwether::fuzz
