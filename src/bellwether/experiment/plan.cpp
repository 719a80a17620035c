#include <bellwether/experiment/plan.h>

#include <map>

#include <fmt/format.h>

#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

namespace bellwether {

namespace {

/// What a step costs depends on ranks and choices, and hardly on step sizes, trace decays and the like.
std::string cost_class(const StudySetting& setting) {
  std::string key = fmt::format("{} {}", setting.place, setting.learner);
  const auto& infos = find_entry(learners(), "learner", setting.learner).params;
  for (std::size_t i = 0; i < setting.parameters.size(); ++i) {
    if (infos[i].type != "number") key += fmt::format(" {}", setting.parameters[i].second);
  }
  return key;
}

}  // namespace

std::vector<SharingGroup> sharing_groups(const Study& study, bool sharing) {
  std::vector<SharingGroup> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < study.settings.size(); ++i) {
    const StudySetting& setting = study.settings[i];
    std::string key = fmt::format("{} {}", setting.place, sharing_key(setting.learner, setting.parameters));
    if (!sharing) key += fmt::format(" #{}", i);
    const auto [it, first] = known.try_emplace(key, groups.size());
    if (first) {
      groups.push_back({setting.place, cost_class(setting), {}});
    }
    groups[it->second].settings.push_back(i);
  }
  return groups;
}

}  // namespace bellwether
