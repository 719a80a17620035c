#pragma once

#include <string>
#include <vector>

namespace bellwether {

/// Which columns of a log are what. A row is one step: the state, what was received on leaving it, and whether the
/// episode ended there.
///
///   state        columns of the state, or ready-made features; `x` stands for x.0, x.1, ...
///   next         the same columns of the state after; without them it is the state of the next row
///   reward       one or several: each is a target of its own
///   discount     gamma of the step, 0 where an episode ends
///   done         1 where an episode ended, for whatever reason unless `truncated` says more
///   terminated   1 where the policy came to an end: nothing comes after
///   truncated    1 where the episode was cut short: the value of the last observation stands for what would have come
///   rho          pi(a|s) / mu(a|s), or both of
///   target       pi(a|s), the probability of the action under the policy to be evaluated, and
///   behaviour    mu(a|s), its probability under the policy that acted
///   interest     how much the value of the state matters
///   episode      any text or number that differs from one episode to the next
///
/// Without next columns the last observation of an episode may be a row of its own whose reward is empty. Where it is
/// missing, nothing can be learned from the last step of an episode that was cut short: it is left out and counted.
/// Where `episode` is the only thing that tells episodes apart, they are taken to end (terminated) where it changes.
struct LogColumns {
  std::vector<std::string> state{}, next{}, reward{};
  std::string discount{}, done{}, terminated{}, truncated{};
  std::string rho{}, target{}, behaviour{}, interest{}, episode{};

  bool tells_ends() const { return !(discount.empty() && done.empty() && terminated.empty() && truncated.empty()); }
};

/// What was given, completed by what a table has: usual names (reward or rewards, done, terminated or terminations,
/// ...), x.0, x.1, ... as ready-made features, observations or every column that has a `next_` one as the state. Groups
/// are spelled out. Throws InvalidArgument when a column that was given is not there, and when state or reward can not
/// be told.
LogColumns find_columns(const LogColumns& given, const std::vector<std::string>& columns, const std::string& file);

/// Throws InvalidArgument when a state that is a whole group, x.0 to x.7, say, has more members in this table: what was
/// learned from fewer would ignore them.
void check_group(const std::vector<std::string>& state, const std::vector<std::string>& columns,
                 const std::string& file);

/// The columns of a group: `x` itself, or x.0, x.1, ... in order; empty when there are none.
std::vector<std::string> group_of(const std::string& name, const std::vector<std::string>& columns);

}  // namespace bellwether
