#include <bellwether/data/file_ending.h>

#include <algorithm>
#include <string>
#include <utility>

#include <bellwether/core/support/text.h>

namespace bellwether {

namespace {

constexpr std::pair<std::string_view, FileEnding> endings[] = {
    {".csv", FileEnding::csv},           {".tsv", FileEnding::tsv},         {".jsonl", FileEnding::json_lines},
    {".ndjson", FileEnding::json_lines}, {".json", FileEnding::json_lines}, {".npy", FileEnding::numpy},
    {".npz", FileEnding::numpy},         {".hdf5", FileEnding::hdf5},       {".h5", FileEnding::hdf5},
    {".sparse", FileEnding::sparse},     {".parquet", FileEnding::arrow},   {".pq", FileEnding::arrow},
    {".feather", FileEnding::arrow},     {".arrow", FileEnding::arrow},     {".ipc", FileEnding::arrow},
};

}  // namespace

FileEnding file_ending(std::string_view path) {
  std::string name = lower_case(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const auto* const found =
      std::find_if(std::begin(endings), std::end(endings), [&](const auto& one) { return name.ends_with(one.first); });
  return found == std::end(endings) ? FileEnding::unknown : found->second;
}

std::string known_endings() {
  std::string all;
  for (const auto& [ending, format] : endings) all.append(all.empty() ? "" : ", ").append(ending);
  return all;
}

}  // namespace bellwether
