// libFuzzer with the one target that this program was linked with.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "fuzz/target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t longest);

namespace {

using bellwether::fuzz::Target;

const Target& target() { return bellwether::fuzz::targets().front(); }

std::string text(const std::uint8_t* data, std::size_t size) { return {data, data + size}; }

/// What libFuzzer makes of a text.
std::string changed(std::string bytes, std::size_t longest) {
  const std::size_t size = std::min(bytes.size(), longest);
  bytes.resize(longest);
  auto* const data = reinterpret_cast<std::uint8_t*>(bytes.data());  // NOLINT: libFuzzer's idea of a byte
  bytes.resize(LLVMFuzzerMutate(data, size, longest));
  return bytes;
}

}  // namespace

// A gigabyte beyond what the sanitizer has reserved already: what asks first (core/support/memory.h) is told that there
// is no more, and what does not ask is a finding.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit addresses{};
  getrlimit(RLIMIT_AS, &addresses);
  addresses.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + (std::uint64_t{1} << 30U);
  setrlimit(RLIMIT_AS, &addresses);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bellwether::fuzz::accepts(target(), text(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t longest,
                                               unsigned seed) {
  if (!target().mutate) return LLVMFuzzerMutate(data, size, longest);
  const std::string bytes = target().mutate(text(data, size), longest, seed, changed);
  if (bytes.size() > longest) return LLVMFuzzerMutate(data, size, longest);
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}
