#pragma once

#include <cstdio>
#include <string>

namespace bellwether::bench {

/// Calls `run(file)` with the file of `--csv FILE`, or with null; says how to do it when there is anything else.
template <class Run>
int with_csv_option(int argc, char** argv, Run&& run) {
  const bool csv = argc == 3 && std::string(argv[1]) == "--csv";
  if (argc > 1 && !csv) {
    std::fprintf(stderr, "usage: %s [--csv FILE]\n", argv[0]);
    return 2;
  }
  return run(csv ? argv[2] : nullptr);
}

}  // namespace bellwether::bench
