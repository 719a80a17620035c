#include <bellwether/data/log/log_columns.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include <bellwether/core/params/params.h>
#include <bellwether/data/bytes/text_filter.h>

namespace bellwether {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& columns, const std::string& name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

/// Names to look up many times: tables have up to a hundred thousand columns.
class Lookup {
 public:
  explicit Lookup(const Names& names) : names_(names.begin(), names.end()) {}
  bool has(std::string_view name) const { return names_.contains(name); }

 private:
  std::unordered_set<std::string_view> names_;
};

Names group_in(const std::string& name, const Lookup& columns) {
  if (columns.has(name)) return {name};
  Names group;
  for (std::size_t i = 0; columns.has(fmt::format("{}.{}", name, i)); ++i) {
    group.push_back(fmt::format("{}.{}", name, i));
  }
  return group;
}

/// Replaces groups by their columns; a name that is neither a column nor a group is an error.
void spell_out(Names& names, const Names& columns, const std::string& file) {
  if (names.empty()) return;
  const Lookup known(columns);
  Names all;
  for (const std::string& name : names) {
    const Names group = group_in(name, known);
    if (group.empty()) reject_column(file, name, columns);
    all.insert(all.end(), group.begin(), group.end());
  }
  names = all;
}

/// The column of the next state that belongs to a column of the state; empty when there is none.
std::string next_of(const std::string& name, const Lookup& columns) {
  const std::size_t dot = name.find('.');
  const std::string base = name.substr(0, dot);
  const std::string rest = dot == std::string::npos ? "" : name.substr(dot);
  for (const std::string& word : {fmt::format("next_{}", name), fmt::format("{}_next{}", base, rest)}) {
    if (columns.has(word)) return word;
  }
  return {};
}

/// The columns of the next state, provided that every column has one.
Names next_of(const Names& names, const Lookup& columns) {
  Names after;
  for (const std::string& name : names) {
    after.push_back(next_of(name, columns));
    if (after.back().empty()) return {};
  }
  return after;
}

const Names usual_rewards{"reward", "rewards", "r"};

/// The usual names of the columns of which a log has at most one.
const Names& usual_names(Role role) {
  static const std::array<Names, log_roles.size()> all{{
      {"discount", "gamma"},
      {"done", "dones"},
      {"terminated", "terminations", "terminal", "terminals"},
      {"truncated", "truncations", "timeout", "timeouts"},
      {"episode", "episode_id", "episodes", "traj_id", "trajectory", "trajectory_id"},
      {"rho"},
      {"target"},
      {"behaviour", "behavior"},
      {"interest"},
      {"env", "env_id", "env_index", "environment"},
      {"t", "step", "time", "timestep", "time_step", "timestamp"},
  }};
  return all[static_cast<std::size_t>(role)];
}

/// Whether a column with a next one belongs to the state: not if it is an action, or has a role of its own.
bool may_be_state(const std::string& name, const LogColumns& given) {
  const std::string base = name.substr(0, name.find('.'));
  if (has({"action", "actions", "act", "a"}, base) || has(usual_rewards, base) || has(given.reward, name)) return false;
  for (const Role role : {Role::discount, Role::done, Role::terminated, Role::truncated, Role::episode, Role::env}) {
    if (has(usual_names(role), name) || given.*log_roles[static_cast<std::size_t>(role)].column == name) return false;
  }
  return true;
}

Names find_state(const Names& columns, const LogColumns& given) {
  Names with_next, usual;
  const Lookup known(columns);
  for (const std::string& name : columns) {
    if (may_be_state(name, given) && !next_of(name, known).empty()) with_next.push_back(name);
  }
  for (const char* name : {"x", "observations", "observation", "obs", "state", "s"}) {
    if (usual.empty()) usual = group_in(name, known);
  }
  // Several next columns say what the state is, but not in which order a group is.
  const auto sorted = [](Names names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  const bool same = sorted(usual) == sorted(with_next);
  return usual.empty() || (with_next.size() > 1 && !same) ? with_next : usual;
}

void reject_twice(const Names& names, const char* field, const std::string& file) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) continue;
    throw InvalidArgument(fmt::format("{}: column '{}' is named twice in `{}`", file, name, field));
  }
}

/// A column has one role. Time and the names of episodes may be part of the state nevertheless.
void reject_two_roles(const LogColumns& columns, const std::string& file) {
  reject_twice(columns.state, "state", file);
  reject_twice(columns.next, "next", file);
  reject_twice(columns.reward, "reward", file);
  const auto both = [&](const std::string& name, const char* one, const std::string& other, const std::string& rule) {
    throw InvalidArgument(fmt::format("{}: column '{}' is both {} and {}: {}", file, name, one, other, rule));
  };
  const Lookup next(columns.next), reward(columns.reward);
  for (const std::string& name : columns.state) {
    if (next.has(name)) both(name, "the state", "the next state", "`next=NAME` names another");
    if (reward.has(name)) both(name, "the state", "the reward", "`reward=NAME` names another");
  }
  std::unordered_map<std::string_view, const char*> taken;
  for (const Role role : {Role::discount, Role::done, Role::terminated, Role::truncated, Role::rho, Role::target,
                          Role::behaviour, Role::interest}) {
    const LogRole& one = log_roles[static_cast<std::size_t>(role)];
    const std::string& name = columns.*one.column;
    const std::string rule = fmt::format("`{}=none`, if it is not", one.name);
    if (name.empty()) continue;
    if (has(columns.state, name)) both(name, "the state", one.name, rule);
    if (has(columns.next, name)) both(name, "the next state", one.name, rule);
    if (has(columns.reward, name)) both(name, "the reward", one.name, rule);
    const auto [other, is_new] = taken.emplace(name, one.name);
    if (!is_new) both(name, other->second, one.name, fmt::format("`{}=none` or `{}=none`", other->second, one.name));
  }
}

/// Columns that mean something only beside others.
void check_pairs(const LogColumns& columns, const std::string& file) {
  if (!columns.next.empty() && columns.next.size() != columns.state.size()) {
    throw InvalidArgument(fmt::format("{}: the state has {} columns, the next state {}", file, columns.state.size(),
                                      columns.next.size()));
  }
  if (columns.rho.empty() && columns.target.empty() != columns.behaviour.empty()) {
    throw InvalidArgument(
        fmt::format("{}: there is '{}' but not the other probability; ratios need both `target` and `behaviour`", file,
                    columns.target + columns.behaviour));
  }
  if (columns.unordered && columns.next.empty()) {
    throw InvalidArgument(fmt::format("{}: `unordered` rows need columns of the next state, `next=a,b,...`", file));
  }
}

void reject_other_encodings(const LogColumns& columns, const std::string& file) {
  const auto check = [&](const std::string& name) {
    if (is_utf8(name)) return;
    throw InvalidArgument(
        fmt::format("{}: the name of column '{}' is not UTF-8, so that no model can keep it", file, as_utf8(name)));
  };
  for (const Names* names : {&columns.state, &columns.next, &columns.reward}) {
    std::for_each(names->begin(), names->end(), check);
  }
  for (const LogRole& role : log_roles) check(columns.*role.column);
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

Names group_of(const std::string& name, const Names& columns) { return group_in(name, Lookup(columns)); }

void check_columns(const LogColumns& columns, const std::string& owner) {
  check_pairs(columns, owner);
  reject_two_roles(columns, owner);
  reject_other_encodings(columns, owner);
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
    found.state = find_state(columns, given);
    if (!found.state.empty()) check_group(found.state, columns, file);
  }
  if (found.state.empty()) {
    throw InvalidArgument(fmt::format("{}: which columns are the state? Say so with `state=a,b,...` (columns: {})",
                                      file, listed(columns)));
  }
  spell_out(found.next, columns, file);
  if (found.next.empty()) found.next = next_of(found.state, Lookup(columns));
  spell_out(found.reward, columns, file);
  for (const std::string& name : usual_rewards) {
    if (found.reward.empty()) found.reward = group_of(name, columns);
  }
  if (found.reward.empty()) {
    throw InvalidArgument(
        fmt::format("{}: which column is the reward? Say so with `reward=NAME` (columns: {})", file, listed(columns)));
  }
  const auto find = [&](Role role) {
    find_one(found.*log_roles[static_cast<std::size_t>(role)].column, usual_names(role), columns, file);
  };
  // A name that says little of its own is no role where it is part of the state.
  const auto find_unless_state = [&](Role role) {
    std::string& column = found.*log_roles[static_cast<std::size_t>(role)].column;
    const bool given_by_name = !column.empty();
    find(role);
    if (!given_by_name && (has(found.state, column) || has(found.next, column))) column.clear();
  };
  for (const Role role : {Role::discount, Role::done, Role::terminated, Role::truncated}) find(role);
  // `terminated=done` says more of that column than its name.
  if (given.done.empty() && (found.done == given.terminated || found.done == given.truncated)) found.done.clear();
  find_unless_state(Role::rho);
  if (found.rho.empty()) {
    find_unless_state(Role::target);
    find_unless_state(Role::behaviour);
  } else {
    find_one(found.target, {"pi"}, columns, file);
  }
  find_unless_state(Role::interest);
  for (const Role role : {Role::episode, Role::env, Role::time}) find(role);
  const bool sorts = !(found.episode.empty() && found.env.empty());
  if (given.time.empty() && (!sorts || has(found.state, found.time) || has(found.reward, found.time))) {
    found.time.clear();  // a column that happens to have this name
  }
  check_columns(found, file);
  return found;
}

std::vector<std::string> unused(const LogColumns& columns, const Names& all) {
  Names used = columns.state;
  for (const Names* more : {&columns.next, &columns.reward}) used.insert(used.end(), more->begin(), more->end());
  for (const LogRole& role : log_roles) used.push_back(columns.*role.column);
  const Lookup known(used);
  Names rest;
  for (const std::string& name : all) {
    if (!name.empty() && !known.has(name)) rest.push_back(name);
  }
  return rest;
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
