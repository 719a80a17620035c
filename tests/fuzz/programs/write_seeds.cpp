// Writes the good inputs that targets make themselves: write_seeds FOLDER.
#include <filesystem>
#include <fstream>

#include "fuzz/target.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 2) return 2;
  for (const auto& target : bellwether::fuzz::targets()) {
    if (!target.seeds) continue;
    const fs::path folder = fs::path(argv[1]) / target.name;
    fs::create_directories(folder);
    for (const auto& [name, bytes] : target.seeds()) std::ofstream(folder / name, std::ios::binary) << bytes;
  }
}
