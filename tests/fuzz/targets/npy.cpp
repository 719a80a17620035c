// One array of NumPy.
#include <bellwether/data/numpy/numpy_table.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered npy_target({.name = "npy", .run = [](const std::string& bytes) {
                               read_rows(*open_numpy_table(as_file(bytes, ".npy"), options_for(bytes)));
                             }});

}  // namespace bellwether::fuzz
