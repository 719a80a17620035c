#include "fuzz/inputs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "support/temporary_folder.h"

namespace bellwether::fuzz {

const std::string& as_file(const std::string& bytes, const std::string& ending) {
  struct Open {
    std::string path;
    int descriptor;
  };
  static const testing::TemporaryFolder folder;
  static std::map<std::string, Open> files;
  auto found = files.find(ending);
  if (found == files.end()) {
    const std::string path = folder.path("input" + ending);
    found = files.emplace(ending, Open{path, open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)}).first;
  }
  const int descriptor = found->second.descriptor;
  const auto size = static_cast<ssize_t>(bytes.size());
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, bytes.data(), bytes.size(), 0) != size) {
    throw std::runtime_error("cannot write " + found->second.path);
  }
  return found->second.path;
}

Piped::Piped(const std::string& bytes) {
  int ends[2];
  if (bytes.size() > most || pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  end_ = Descriptor(ends[0]);
  const Descriptor other(ends[1]);
  if (write(*other, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("cannot write to a pipe");
  }
  path_ = "/proc/self/fd/" + std::to_string(*end_);
}

TableOptions options_for(const std::string& bytes) {
  return {.bad_rows = bytes.size() % 2 == 0 ? BadRows::reject : BadRows::skip, .sort_memory = 1 << 16};
}

void read_rows(TableReader& table) {
  constexpr CellKind kinds[] = {CellKind::number, CellKind::flag, CellKind::label, CellKind::moment};
  constexpr std::size_t most_columns = 100;
  std::vector<ColumnRequest> wanted;
  for (const std::string& column : table.columns()) {
    const std::size_t i = wanted.size();
    if (i == most_columns) break;
    wanted.push_back({.name = column, .kind = kinds[i / 2 % 4], .may_be_empty = i % 3 == 1});
    if (i % 5 == 0) wanted.back().range = between(-10, 10);
  }
  table.select(wanted);
  TableBlock block;
  while (table.read(block, 7)) table.fraction();
  table.first_skipped();
}

void read_steps(StepReader& steps) {
  StepBlock block;
  while (steps.read(block, 7)) {
    for (std::size_t i = 0; i < block.rewards.size(); ++i) block.view(i);
  }
  steps.first_skipped();
}

}  // namespace bellwether::fuzz
