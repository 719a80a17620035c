#include <bellwether/data/log_columns.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/params/params.h>

namespace bellwether {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& columns, const std::string& name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

/// Replaces groups by their columns; a name that is neither a column nor a group is an error.
void spell_out(Names& names, const Names& columns, const std::string& file) {
  Names all;
  for (const std::string& name : names) {
    const Names group = group_of(name, columns);
    if (group.empty()) reject_column(file, name, columns);
    all.insert(all.end(), group.begin(), group.end());
  }
  names = all;
}

/// The column of the next state that belongs to a column of the state; empty when there is none.
std::string next_of(const std::string& name, const Names& columns) {
  const std::size_t dot = name.find('.');
  const std::string base = name.substr(0, dot);
  const std::string rest = dot == std::string::npos ? "" : name.substr(dot);
  for (const std::string& word : {fmt::format("next_{}", name), fmt::format("{}_next{}", base, rest)}) {
    if (has(columns, word)) return word;
  }
  return {};
}

/// The columns of the next state, provided that every column has one.
Names next_of(const Names& names, const Names& columns) {
  Names after;
  for (const std::string& name : names) {
    after.push_back(next_of(name, columns));
    if (after.back().empty()) return {};
  }
  return after;
}

Names find_state(const Names& columns) {
  for (const char* name : {"x", "observations", "observation", "obs", "state", "s"}) {
    if (Names group = group_of(name, columns); !group.empty()) return group;
  }
  Names with_next;
  for (const std::string& name : columns) {
    if (!next_of(name, columns).empty()) with_next.push_back(name);
  }
  return with_next;
}

void find_one(std::string& role, const Names& usual, const Names& columns, const std::string& file) {
  if (role == "none" && !has(columns, role)) {
    role.clear();
    return;
  }
  if (!role.empty()) {
    if (!has(columns, role)) reject_column(file, role, columns);
    return;
  }
  for (const std::string& name : usual) {
    if (has(columns, name)) {
      role = name;
      return;
    }
  }
}

}  // namespace

Names group_of(const std::string& name, const Names& columns) {
  if (has(columns, name)) return {name};
  Names group;
  for (std::size_t i = 0; has(columns, fmt::format("{}.{}", name, i)); ++i) {
    group.push_back(fmt::format("{}.{}", name, i));
  }
  return group;
}

void check_group(const Names& state, const Names& columns, const std::string& file) {
  const std::size_t dot = state.front().rfind(".0");
  if (dot == std::string::npos || dot + 2 != state.front().size()) return;
  const std::string base = state.front().substr(0, dot);
  const auto in_group = [&](const std::string& name) {
    return name.size() > base.size() + 1 && name.starts_with(base + ".") &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(base.size()) + 1, name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto used = std::count_if(state.begin(), state.end(), in_group);
  const auto all = std::count_if(columns.begin(), columns.end(), in_group);
  if (used == static_cast<std::ptrdiff_t>(state.size()) && all > used) {
    throw InvalidArgument(fmt::format("{}: has {} columns {}.0, {}.1, ..., of which {} are the state: mixed dimensions",
                                      file, all, base, base, used));
  }
}

LogColumns find_columns(const LogColumns& given, const Names& columns, const std::string& file) {
  LogColumns found = given;
  spell_out(found.state, columns, file);
  if (found.state.empty()) {
    found.state = find_state(columns);
    if (!found.state.empty()) check_group(found.state, columns, file);
  }
  if (found.state.empty()) {
    throw InvalidArgument(fmt::format("{}: which columns are the state? Say so with `state=a,b,...` (columns: {})",
                                      file, detail::join(columns, ", ")));
  }
  spell_out(found.next, columns, file);
  if (found.next.empty()) found.next = next_of(found.state, columns);
  if (!found.next.empty() && found.next.size() != found.state.size()) {
    throw InvalidArgument(
        fmt::format("{}: the state has {} columns, the next state {}", file, found.state.size(), found.next.size()));
  }
  spell_out(found.reward, columns, file);
  for (const char* name : {"reward", "rewards", "r"}) {
    if (found.reward.empty()) found.reward = group_of(name, columns);
  }
  if (found.reward.empty()) {
    throw InvalidArgument(fmt::format("{}: which column is the reward? Say so with `reward=NAME` (columns: {})", file,
                                      detail::join(columns, ", ")));
  }
  find_one(found.discount, {"discount", "gamma"}, columns, file);
  find_one(found.done, {"done", "dones"}, columns, file);
  find_one(found.terminated, {"terminated", "terminations", "terminal", "terminals"}, columns, file);
  find_one(found.truncated, {"truncated", "truncations", "timeout", "timeouts"}, columns, file);
  find_one(found.rho, {"rho"}, columns, file);
  if (found.rho.empty()) {
    find_one(found.target, {"target"}, columns, file);
    find_one(found.behaviour, {"behaviour", "behavior"}, columns, file);
    if (found.target.empty() != found.behaviour.empty()) {
      throw InvalidArgument(
          fmt::format("{}: there is '{}' but not the other probability; ratios need both `target` and `behaviour`",
                      file, found.target + found.behaviour));
    }
  } else {
    find_one(found.target, {"pi"}, columns, file);
  }
  find_one(found.interest, {"interest"}, columns, file);
  find_one(found.episode, {"episode", "episode_id", "episodes", "traj_id", "trajectory", "trajectory_id"}, columns,
           file);
  find_one(found.env, {"env", "env_id", "env_index", "environment"}, columns, file);
  find_one(found.time, {"t", "step", "time", "timestep", "time_step", "timestamp"}, columns, file);
  const bool sorts = !(found.episode.empty() && found.env.empty());
  if (given.time.empty() && (!sorts || has(found.state, found.time) || has(found.reward, found.time))) {
    found.time.clear();  // a column that happens to have this name
  }
  if (found.unordered && found.next.empty()) {
    throw InvalidArgument(fmt::format("{}: `unordered` rows need columns of the next state, `next=a,b,...`", file));
  }
  return found;
}

std::string text_of(const LogColumns& columns) {
  std::string text = fmt::format("state {}", detail::join(columns.state, ", "));
  const auto add = [&text](const char* role, const std::string& name) {
    if (!name.empty()) text += fmt::format("; {} {}", role, name);
  };
  add("reward", detail::join(columns.reward, ", "));
  add("next", detail::join(columns.next, ", "));
  for (const LogRole& role : log_roles) add(role.name, columns.*role.column);
  return text;
}

}  // namespace bellwether
