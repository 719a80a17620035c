#include "learning/log_options.h"

namespace bellwether::cli {

CLI::Option* add_decimal_option(CLI::App& verb, char& decimal) {
  return verb
      .add_option_function<std::string>(
          "--decimal", [&decimal](const std::string& mark) { decimal = mark.front(); },
          "the decimal mark of numbers in CSV, '.' or ',' (.); cells are then separated by semicolons or tabs")
      ->check(CLI::IsMember({".", ","}))
      ->type_name("MARK");
}

void add_log_options(CLI::App& verb, LearnRequest& request) {
  LogColumns& columns = request.columns;
  const std::string group = "Columns";
  const auto list = [&](const char* name, std::vector<std::string>& names, const char* help) {
    verb.add_option(name, names, help)->delimiter(',')->allow_extra_args(false)->type_name("NAME,...")->group(group);
  };
  const auto one = [&](const char* name, std::string& column, const char* help) {
    verb.add_option(name, column, help)->type_name("NAME")->group(group);
  };
  list("--state", columns.state,
       "the state; x stands for x.0, x.1, ... (every column that has a next_ one, or x, observations, ...)");
  list("--next", columns.next, "the next state (next_NAME; without them, the state of the next row)");
  list("--reward", columns.reward, "the reward; several are several targets (reward)");
  verb.add_option("--discount", request.discount, "a number, several numbers, or a column (discount)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NUMBER,...|NAME")
      ->group(group);
  one("--done", columns.done, "1 where an episode ended (done)");
  one("--terminated", columns.terminated, "1 where it ended for good and nothing comes after (terminated)");
  one("--truncated", columns.truncated, "1 where it was cut short and would have gone on (truncated)");
  one("--episode", columns.episode, "any text or number that differs from one episode to the next (episode)");
  one("--env", columns.env,
      "the environment, where several are logged in turn; with --episode it names an episode (env)");
  one("--time", columns.time, "the order of the rows of an episode (t, step, time; without it, that of the file)");
  verb.add_flag("--unordered", columns.unordered,
                "rows are in no order: each is a step on its own, with its next state")
      ->group(group);
  one("--rho", columns.rho, "importance ratio pi(a|s)/mu(a|s) (rho); or both of");
  one("--target", columns.target, "probability of the action under the policy to be evaluated (target)");
  one("--behaviour,--behavior", columns.behaviour, "probability under the policy that acted (behaviour)");
  one("--interest", columns.interest, "how much the value of a state matters, for learners with emphasis (interest)");
  verb.add_flag_callback(
          "--skip-bad", [&request] { request.bad_rows = BadRows::skip; },
          "leave out rows in which something is wrong, and count them")
      ->group(group);
  add_decimal_option(verb, request.decimal)->group(group);
  verb.add_option("--dim", request.dim,
                  "number of features of sparse rows (the largest index + 1; needed for a stream)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{0xFFFFFFFF}))
      ->group(group);
}

}  // namespace bellwether::cli
