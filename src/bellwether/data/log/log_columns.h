#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/data/table.h>

namespace bellwether {

/// Which columns of a log mean what. A row is one step: the state, the reward received on leaving it, and whether the
/// episode ended there.
///
///   state        columns of the state, or ready-made features; `x` stands for x.0, x.1, ...
///   next         the same columns of the next state; without them it is the state of the next row
///   reward       one or several: each is a target of its own
///   discount     gamma of the step, 0 where an episode ends
///   done         1 where an episode ended, for whatever reason unless `truncated` says more
///   terminated   1 where the episode ended for good: nothing comes after
///   truncated    1 where the episode was cut short: the value of the last observation stands for what would have come
///   episode      any text or number that differs from one episode to the next: rows with the same one are one episode
///   env          the environment, where several are logged in turn: together with `episode` it tells episodes apart
///   time         the order of the rows of an episode; without it, they are in the order of the log
///   rho          pi(a|s) / mu(a|s), or both of
///   target       pi(a|s), the probability of the action under the policy to be evaluated, and
///   behaviour    mu(a|s), its probability under the policy that acted
///   interest     how much the value of the state matters
///
/// Without next columns the last observation of an episode may be a row of its own whose reward is empty. Where it is
/// missing, nothing can be learned from the last step of an episode that was cut short: it is left out and counted.
/// Where `episode` is all that tells episodes apart, they are taken to end (terminated) where it changes.
///
/// Rows of an episode need not be together, nor in order, where `episode`, `env` or `time` tell: they are then sorted.
/// With `unordered` every row is a step on its own, which needs next columns: nothing is known of where episodes start.
/// The name "none" stands for a column that is not to be looked for.
///
/// Whoever fills this in names only what cannot be guessed:
///
///     learn({.files = {"log.csv"}, .columns = {.state = {"position", "velocity"}, .reward = {"fuel", "time"}}});
struct LogColumns {
  std::vector<std::string> state{}, next{}, reward{};                    // empty: to be found
  std::string discount{}, done{}, terminated{}, truncated{}, episode{};  // empty: to be found, or not there
  std::string rho{}, target{}, behaviour{}, interest{};
  std::string env{}, time{};
  bool unordered = false;  // rows are in no order

  /// Whether a column says where episodes end.
  bool tells_ends() const { return !(discount.empty() && done.empty() && terminated.empty() && truncated.empty()); }
};

/// The columns of which a log has at most one each, as indices of `log_roles`.
enum class Role : std::uint8_t {
  discount,
  done,
  terminated,
  truncated,
  episode,
  rho,
  target,
  behaviour,
  interest,
  env,
  time
};

/// What such a column is called and may hold.
struct LogRole {
  const char* name;                 // as in the list above
  std::string LogColumns::*column;  // the member that names the column
  CellKind kind;                    // what its cells are
  Range range;                      // and, for numbers, where they lie
};

/// All roles, in the order of `Role`. A probability of 0 under the policy that acted is refused: the action was taken.
inline constexpr std::array<LogRole, 11> log_roles{{
    {"discount", &LogColumns::discount, CellKind::number, unit},
    {"done", &LogColumns::done, CellKind::flag, finite},
    {"terminated", &LogColumns::terminated, CellKind::flag, finite},
    {"truncated", &LogColumns::truncated, CellKind::flag, finite},
    {"episode", &LogColumns::episode, CellKind::label, finite},
    {"rho", &LogColumns::rho, CellKind::number, non_negative},
    {"target", &LogColumns::target, CellKind::number, unit},
    {"behaviour", &LogColumns::behaviour, CellKind::number, {0, 1, true, false}},
    {"interest", &LogColumns::interest, CellKind::number, non_negative},
    {"env", &LogColumns::env, CellKind::label, finite},
    {"time", &LogColumns::time, CellKind::moment, finite},
}};

/// The given columns, completed by those a table has under their usual names (reward or rewards, done, terminated or
/// terminations, ...). The state is every column that has a `next_` column, if there are several; otherwise x.0, x.1,
/// ..., observations, ..., or the one column that has a `next_` column. Groups are spelled out. Throws InvalidArgument
/// when a given column does not exist, when the state or the reward cannot be found, when a list names a column twice,
/// and when a column has two roles.
LogColumns find_columns(const LogColumns& given, const std::vector<std::string>& columns, const std::string& file);

/// Throws InvalidArgument, beginning with `owner`, when the columns contradict one another: what `find_columns` makes
/// sure of, for columns that come from elsewhere. The next state has as many columns as the state, if any; `unordered`
/// rows have a next state; a probability comes with the other one, unless there are ratios; no column has two roles;
/// and names are UTF-8, as a model can keep no others.
void check_columns(const LogColumns& columns, const std::string& owner);

/// Throws InvalidArgument when the state is a whole group, say x.0 to x.7, of which this table has more members: values
/// learned from fewer would ignore them.
void check_group(const std::vector<std::string>& state, const std::vector<std::string>& columns,
                 const std::string& file);

/// The columns of a group: `x` itself, or x.0, x.1, ... in order; empty when there are none.
std::vector<std::string> group_of(const std::string& name, const std::vector<std::string>& columns);

/// Those of `all` columns of a table that have no role.
std::vector<std::string> unused(const LogColumns& columns, const std::vector<std::string>& all);

/// "state position, velocity; reward r; done done": every column that is used, with its role.
std::string text_of(const LogColumns& columns);

}  // namespace bellwether
