#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Parameters by name: what `make_learner`, `make_domain` and `make_features` take, and what the things they make can
/// be asked for.
///
///     const auto learner = make_learner("td", 10, {{"alpha", 0.05}, {"trace", "replacing"}});
///     std::puts(text_of(learner->settings()).c_str());
///
/// prints every parameter: alpha=0.05 lambda=0 schedule=constant n0=100 trace=replacing. A list of settings decides
/// nothing by itself: whoever takes it knows which names and values there are, and throws InvalidArgument with the
/// nearest name for one that does not exist.
namespace bellwether {

/// The shortest text that reads back as the same number: 0.1, 1e-05, inf.
std::string format_number(double value);

/// The name of a parameter (`first`) and its value as text (`second`), as on a command line. Numbers and truth values
/// may be given as such:
///
///     {"alpha", 0.05}   {"trace", "replacing"}   {"cap_rank", true}   {"rank", 50}   {"behaviour", "auto"}
///
/// Numbers keep their bits on the way through text.
struct Setting : std::pair<std::string, std::string> {
  Setting() = default;
  Setting(std::string_view name, std::string_view value) : pair(name, value) {}

  template <class Number>
  requires std::is_arithmetic_v<Number> Setting(std::string_view name, Number value) : pair(name, text(value)) {}

 private:
  template <class Number>
  static std::string text(Number value) {
    if constexpr (std::same_as<Number, bool>) return value ? "true" : "false";
    else if constexpr (std::is_integral_v<Number>) return std::to_string(value);
    else return format_number(value);
  }
};

/// Settings in order, each name at most once. Parameters that are not named keep their defaults.
using Settings = std::vector<Setting>;

/// "alpha=0.1 lambda=0.9"
std::string text_of(const Settings& settings);

/// A parameter as help pages and listings show it.
struct ParamInfo {
  std::string name;
  std::string type;           // number, integer, boolean, choice, text
  std::string default_value;  // as the command line would accept it
  std::string accepts;        // "(0, inf)" or "accumulating | replacing"
  std::string text;           // one sentence
};

}  // namespace bellwether
