#include <bellwether/experiment/plan.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>
#include <bellwether/results/store.h>

namespace bellwether {

namespace {

/// What a step costs depends on ranks and choices, and hardly on step sizes, trace decays and the like.
std::string cost_class(const StudySetting& setting) {
  std::string key = fmt::format("{} {}", setting.case_index, setting.learner);
  const auto& infos = find_entry(learners(), "learner", setting.learner).params;
  for (std::size_t i = 0; i < setting.parameters.size(); ++i) {
    if (infos[i].type != "number") key += fmt::format(" {}", setting.parameters[i].second);
  }
  return key;
}

/// Divides the seeds of a unit among several of about `seconds` each.
void add_cut_by_seeds(std::vector<WorkUnit>& units, const WorkUnit& whole, double seconds) {
  const double wanted = seconds > 0 ? whole.cost / seconds : static_cast<double>(whole.seeds);
  const auto pieces = static_cast<std::uint64_t>(std::clamp(wanted, 1.0, static_cast<double>(whole.seeds)));
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::uint64_t begin = whole.seeds * i / pieces;
    const std::uint64_t end = whole.seeds * (i + 1) / pieces;
    const double share = static_cast<double>(end - begin) / static_cast<double>(whole.seeds);
    units.push_back({whole.case_index, whole.first_seed + begin, end - begin, whole.settings, share * whole.cost});
  }
}

}  // namespace

std::vector<SharingGroup> sharing_groups(const Study& study, bool sharing) {
  std::vector<SharingGroup> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < study.settings.size(); ++i) {
    const StudySetting& setting = study.settings[i];
    std::string key = fmt::format("{} {}", setting.case_index, sharing_key(setting.learner, setting.parameters));
    if (!sharing) key += fmt::format(" #{}", i);
    const auto [it, first] = known.try_emplace(key, groups.size());
    if (first) groups.push_back({setting.case_index, cost_class(setting), {}});
    groups[it->second].settings.push_back(i);
  }
  return groups;
}

std::vector<WorkUnit> units_by_seed(const Study& study) {
  std::vector<std::vector<std::size_t>> of_case(study.cases.size());
  for (std::size_t i = 0; i < study.settings.size(); ++i) of_case[study.settings[i].case_index].push_back(i);
  std::vector<WorkUnit> units;
  for (std::uint64_t seed = 0; seed < study.seeds(); ++seed) {
    for (std::size_t c = 0; c < of_case.size(); ++c) {
      if (!of_case[c].empty()) units.push_back({c, seed, 1, of_case[c], static_cast<double>(of_case[c].size())});
    }
  }
  return units;
}

std::vector<WorkUnit> cut_into_units(const Study& study, const std::vector<SharingGroup>& groups, const WorkCost& cost,
                                     double seconds, const IsDone& is_done) {
  std::vector<WorkUnit> units;
  for (std::uint64_t first = 0; first < study.seeds(); first += seeds_per_block) {
    const std::uint64_t seeds = std::min(seeds_per_block, study.seeds() - first);
    WorkUnit open;
    const auto close = [&] {
      if (!open.settings.empty()) add_cut_by_seeds(units, open, seconds);
      open.settings.clear();
    };
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::vector<std::size_t> left;
      for (const std::size_t setting : groups[g].settings) {
        if (!is_done(setting, first / seeds_per_block)) left.push_back(setting);
      }
      if (left.empty()) continue;
      if (open.case_index != groups[g].case_index || open.cost >= seconds) close();
      if (open.settings.empty())
        open = {groups[g].case_index, first, seeds, {}, static_cast<double>(seeds) * cost.setup};
      open.settings.insert(open.settings.end(), left.begin(), left.end());
      open.cost += static_cast<double>(seeds) * cost.run[g];
    }
    close();
  }
  return units;
}

}  // namespace bellwether
