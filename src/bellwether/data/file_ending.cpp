#include <bellwether/data/file_ending.h>

#include <algorithm>
#include <string>
#include <utility>

namespace bellwether {

FileEnding file_ending(std::string_view path) {
  constexpr std::pair<std::string_view, FileEnding> known[] = {
      {".csv", FileEnding::csv},           {".tsv", FileEnding::tsv},         {".jsonl", FileEnding::json_lines},
      {".ndjson", FileEnding::json_lines}, {".json", FileEnding::json_lines}, {".npy", FileEnding::numpy},
      {".npz", FileEnding::numpy},         {".hdf5", FileEnding::hdf5},       {".h5", FileEnding::hdf5},
      {".sparse", FileEnding::sparse},     {".parquet", FileEnding::arrow},   {".pq", FileEnding::arrow},
      {".feather", FileEnding::arrow},     {".arrow", FileEnding::arrow},     {".ipc", FileEnding::arrow},
  };
  std::string name(path);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const auto* const found =
      std::find_if(std::begin(known), std::end(known), [&](const auto& one) { return name.ends_with(one.first); });
  return found == std::end(known) ? FileEnding::unknown : found->second;
}

}  // namespace bellwether
