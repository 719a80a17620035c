// Steps with ready-made sparse features, one on each line.
#include <bellwether/data/text/sparse_text_reader.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered sparse_target({.name = "sparse", .run = [](const std::string& bytes) {
                                  const TableOptions options = options_for(bytes);
                                  Lines lines(as_file(bytes, ".sparse"), options, 64);
                                  is_sparse_text(lines);
                                  read_steps(*open_sparse(std::move(lines), options, 4096));
                                }});

}  // namespace bellwether::fuzz
