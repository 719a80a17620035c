#pragma once

#include <cstddef>
#include <cstdint>

#include <bellwether/data/arrow/arrow_abi.h>

/// What the module that is built with Arrow gives to the library, which is not: one function.
extern "C" {

/// Opens a file or the folder of a dataset as a stream of batches. `rows` becomes their number, or 0 when that is not
/// known. Returns 0; EINVAL when the file is not of its format, or another number of errno.h, and then writes why, in
/// `size` bytes at most.
using bellwether_arrow_opener = int(const char* path, struct ArrowArrayStream* stream, std::uint64_t* rows, char* why,
                                    std::size_t size);
bellwether_arrow_opener bellwether_arrow_open;

}  // extern "C"
