// Archives of NumPy arrays: as a table, and as steps where they have the arrays of steps.
#include <bellwether/data/numpy/npz_steps.h>
#include <bellwether/data/numpy/numpy_table.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered npz_target({.name = "npz", .run = [](const std::string& bytes) {
                               const std::string& file = as_file(bytes, ".npz");
                               const TableOptions options = options_for(bytes);
                               if (holds_steps(file)) read_steps(*open_npz_steps(file, options));
                               else read_rows(*open_numpy_table(file, options));
                             }});

}  // namespace bellwether::fuzz
