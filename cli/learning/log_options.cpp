#include "learning/log_options.h"

namespace bellwether::cli {

LogOptions::LogOptions(CLI::App& verb) {
  const std::string group = "Columns";
  const auto list = [&](const char* name, std::vector<std::string>& names, const char* help) {
    verb.add_option(name, names, help)->delimiter(',')->allow_extra_args(false)->type_name("NAME,...")->group(group);
  };
  const auto one = [&](const char* name, std::string& column, const char* help) {
    verb.add_option(name, column, help)->type_name("NAME")->group(group);
  };
  list("--state", state_,
       "the state; x stands for x.0, x.1, ... (x, observations, or every column that has a next_ one)");
  list("--next", next_, "the next state (next_NAME; without them, the state of the next row)");
  list("--reward", reward_, "the reward; several are several targets (reward)");
  verb.add_option("--discount", discount_, "a number, several numbers, or a column (discount)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NUMBER,...|NAME")
      ->group(group);
  one("--done", columns_.done, "1 where an episode ended (done)");
  one("--terminated", columns_.terminated, "1 where it ended for good and nothing comes after (terminated)");
  one("--truncated", columns_.truncated, "1 where it was cut short and would have gone on (truncated)");
  one("--episode", columns_.episode, "any text or number that differs from one episode to the next (episode)");
  one("--rho", columns_.rho, "importance ratio pi(a|s)/mu(a|s) (rho); or both of");
  one("--target", columns_.target, "probability of the action under the policy to be evaluated (target)");
  one("--behaviour,--behavior", columns_.behaviour, "probability under the policy that acted (behaviour)");
  one("--interest", columns_.interest, "how much the value of a state matters, for learners with emphasis (interest)");
  verb.add_flag("--skip-bad", skip_bad_, "leave out rows in which something is wrong, and count them")->group(group);
  verb.add_option("--dim", dim_, "number of features of sparse rows (the largest index + 1; needed for a stream)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{0xFFFFFFFF}))
      ->group(group);
}

LearnRequest LogOptions::request() const {
  LearnRequest request;
  request.columns = columns_;
  request.columns.state = state_;
  request.columns.next = next_;
  request.columns.reward = reward_;
  request.discount = discount_;
  if (dim_ > 0) request.dim = dim_;
  request.bad_rows = skip_bad_ ? BadRows::skip : BadRows::reject;
  return request;
}

}  // namespace bellwether::cli
