#include "support/learner_modes.h"

#include <algorithm>
#include <string>
#include <utility>

namespace bellwether::testing {

namespace {

/// Settings that a mode of a learner needs beside its choices.
const std::vector<std::pair<std::string, Settings>> more_modes{
    {"atd", {{"batch", "4"}}},
    {"atd", {{"kept", "9"}}},
    {"atd", {{"cutoff", "0"}}},
    {"atd", {{"rank", "0"}}},
    {"tlstd", {{"block", "3"}}},
    {"tlstd", {{"kept", "9"}}},
    {"ilstd", {{"picks", "3"}}},
    {"fast_lstd", {{"capacity", "20"}, {"updates", "3"}, {"c", "50"}, {"averaging", "true"}}},
    {"fast_lstd", {{"source", "window"}, {"window", "30"}}},
    {"atd_compensated", {{"zeta", "auto"}}},
    {"atd_compensated", {{"zeta", "auto"}, {"rank", "auto"}}},
    {"atd_compensated", {{"replay", "0"}}},
    {"atd_compensated", {{"replay", "50"}, {"block", "3"}}},
    {"atd_compensated", {{"rank", "40"}}},
    {"projected_lstd", {{"projections", "2"}}},
    {"lstd", {{"damping", "0.01"}}},
    {"lstd_stream", {{"lambda", "auto"}}},
    {"lstd_stream", {{"half_life", "20"}, {"storage", "matrix"}}},
    {"lstd_stream", {{"half_life", "20"}, {"storage", "steps"}}},
};

}  // namespace

std::vector<Settings> modes_of(const LearnerEntry& entry) {
  Settings plain;
  for (const auto& setting : Settings{{"alpha", "0.01"}, {"lambda", "0.9"}, {"zeta", "0.4"}, {"rank", "5"}}) {
    for (const ParamInfo& p : entry.params) {
      if (p.name == setting.first) plain.push_back(setting);
    }
  }
  const auto with = [&](const Settings& changes) {
    Settings all = changes;
    for (const auto& setting : plain) {
      if (std::none_of(all.begin(), all.end(), [&](const auto& s) { return s.first == setting.first; })) {
        all.push_back(setting);
      }
    }
    return all;
  };
  std::vector<Settings> all{plain};
  for (const ParamInfo& p : entry.params) {
    if (p.type != "choice" && p.type != "boolean") continue;
    for (std::size_t first = 0; first < p.accepts.size();) {
      const std::size_t end = std::min(p.accepts.find(" | ", first), p.accepts.size());
      all.push_back(with({{p.name, p.accepts.substr(first, end - first)}}));
      first = end + 3;
    }
  }
  for (const auto& [name, changes] : more_modes) {
    if (name == entry.name) all.push_back(with(changes));
  }
  return all;
}

}  // namespace bellwether::testing
