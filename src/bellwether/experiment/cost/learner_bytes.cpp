#include <functional>
#include <memory>

#include <bellwether/experiment/cost/cost.h>
#include <bellwether/experiment/cost/heap.h>
#include <bellwether/experiment/workers.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

namespace bellwether {

namespace {

/// The memory of one learner. The allocator keeps small blocks that were freed in a cache, up to seven of each size,
/// and counts them as in use; so many small learners are made, the first of which empty the cache.
std::optional<std::uint64_t> bytes_of(const std::function<std::unique_ptr<Learner>()>& make) {
  constexpr std::size_t first = 8;
  constexpr std::size_t many = 128;
  constexpr std::uint64_t large = 1U << 16U;
  std::vector<std::unique_ptr<Learner>> all;
  all.reserve(first + many);
  const auto grown_by = [&](std::size_t count) -> std::optional<std::uint64_t> {
    const auto before = heap_in_use();
    for (std::size_t i = 0; i < count; ++i) all.push_back(make());
    const auto after = heap_in_use();
    if (!before || !after || *after <= *before) return std::nullopt;
    return (*after - *before) / count;
  };
  const auto one = grown_by(1);
  if (one && *one >= large) return one;
  grown_by(first - 1);
  return grown_by(many);
}

}  // namespace

// A learner allocates when it is made and never again. How much depends on its cost class only.
std::vector<std::optional<std::uint64_t>> learner_bytes(const PreparedStudy& study,
                                                        const std::vector<SharingGroup>& groups,
                                                        const std::function<bool()>& stopped) {
  std::map<std::string, std::optional<std::uint64_t>> of_class;
  std::vector<std::optional<std::uint64_t>> bytes(study.study().settings.size());
  for (const SharingGroup& group : groups) {
    const auto [entry, first] = of_class.try_emplace(group.cost_class);
    if (first) {
      check_stopped(stopped);
      const StudySetting& setting = study.study().settings[group.settings.front()];
      const std::size_t dim = study.of_case(group.case_index).dim;
      entry->second = bytes_of([&] { return make_learner(setting.learner, dim, setting.parameters); });
    }
    for (const std::size_t i : group.settings) bytes[i] = entry->second;
  }
  return bytes;
}

}  // namespace bellwether
