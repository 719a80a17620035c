#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <bellwether/core/error.h>

/// Parameters typed once.
///
/// A learner, domain or feature map lists its parameters in one place:
///
///     struct Params {
///       double alpha = 0.1;
///       static constexpr auto fields() { return std::tuple{Field("alpha", &Params::alpha, positive, "step size")}; }
///     };
///
/// The member's type and default, its range and its sentence serve the C++ user, the command line, the help pages, the
/// checks and the machine-readable listings alike. Members may be `double`, `std::int64_t`, `bool`, an enumeration with
/// `names(Enum)`, `std::string`, or `std::optional` of a number, whose empty value is written `auto`.
namespace bellwether {

/// An interval with open or closed ends.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = true;
  bool high_open = true;

  constexpr bool contains(double v) const {
    return (low_open ? v > low : v >= low) && (high_open ? v < high : v <= high);
  }
  std::string text() const;  // "(0, inf)"
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range finite{};
inline constexpr Range positive{0, infinity, true, true};
inline constexpr Range positive_or_infinite{0, infinity, true, false};
inline constexpr Range non_negative{0, infinity, false, true};
inline constexpr Range unit{0, 1, false, false};
constexpr Range between(double low, double high) { return {low, high, false, false}; }
constexpr Range at_least(double low) { return {low, infinity, false, true}; }

/// One parameter: its name, the member that holds it, the values it accepts, a sentence about it.
template <class P, class T>
struct Field {
  const char* name;
  T P::*member;
  Range range;
  const char* text;

  constexpr Field(const char* field_name, T P::*field_member, Range field_range, const char* sentence)
      : name(field_name), member(field_member), range(field_range), text(sentence) {}
  constexpr Field(const char* field_name, T P::*field_member, const char* sentence)
      : Field(field_name, field_member, Range{}, sentence) {}
};

/// A parameter as text, for help pages and listings.
struct ParamInfo {
  std::string name;
  std::string type;           // number, integer, boolean, choice, text
  std::string default_value;  // as the command line would accept it
  std::string accepts;        // "(0, inf)" or "accumulating | replacing"
  std::string text;
};

/// Names and values as text, in order, as given on a command line.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// The candidate that `word` begins, or else the closest by edit distance; nothing when none is near.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// "there is no learner 'tdd'; did you mean 'td'? (known: td, lstd)"
std::string no_such(std::string_view kind, std::string_view word, const std::vector<std::string>& known);

/// "alpha=0.1 lambda=0.9"
std::string text_of(const Settings& settings);

/// The shortest text that reads back as the same number.
std::string format_number(double value);

namespace detail {

double parse_number(std::string_view owner, std::string_view name, std::string_view text);
std::int64_t parse_integer(std::string_view owner, std::string_view name, std::string_view text);
[[noreturn]] void reject_choice(std::string_view owner, std::string_view name, std::string_view text,
                                const std::vector<std::string>& choices);
[[noreturn]] void reject_range(std::string_view owner, std::string_view name, const std::string& value, Range range);
[[noreturn]] void reject_name(std::string_view owner, std::string_view name, const std::vector<std::string>& known);
void reject_repeats(std::string_view owner, const Settings& settings);
std::string join(const std::vector<std::string>& words, std::string_view separator);

template <class T>
struct OptionalValue : std::false_type {
  using type = T;
};
template <class T>
struct OptionalValue<std::optional<T>> : std::true_type {
  using type = T;
};

template <class T>
std::vector<std::string> choices() {
  if constexpr (std::is_same_v<T, bool>) {
    return {"false", "true"};
  } else {
    std::vector<std::string> all;
    for (const char* name : names(T{})) all.emplace_back(name);
    return all;
  }
}

template <class T>
std::string format(const T& value) {
  if constexpr (OptionalValue<T>::value) {
    return value ? format(*value) : "auto";
  } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
    return choices<T>()[static_cast<std::size_t>(value)];
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    return format_number(value);
  }
}

template <class T>
T parse(std::string_view owner, std::string_view name, std::string_view text) {
  if constexpr (OptionalValue<T>::value) {
    if (text == "auto") return std::nullopt;
    return parse<typename OptionalValue<T>::type>(owner, name, text);
  } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
    const auto all = choices<T>();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == text) return static_cast<T>(i);
    }
    reject_choice(owner, name, text, all);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(text);
  } else if constexpr (std::is_integral_v<T>) {
    return parse_integer(owner, name, text);
  } else {
    return parse_number(owner, name, text);
  }
}

template <class T>
void check_range(std::string_view owner, const char* name, const T& value, Range range) {
  if constexpr (OptionalValue<T>::value) {
    if (value) check_range(owner, name, *value, range);
  } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    if (!range.contains(static_cast<double>(value))) reject_range(owner, name, format(value), range);
  }
}

template <class T>
std::string type_name() {
  using V = typename OptionalValue<T>::type;
  if constexpr (std::is_same_v<V, bool>) return "boolean";
  else if constexpr (std::is_enum_v<V>) return "choice";
  else if constexpr (std::is_same_v<V, std::string>) return "text";
  else if constexpr (std::is_integral_v<V>) return "integer";
  else return "number";
}

template <class T>
std::string accepts(Range range) {
  using V = typename OptionalValue<T>::type;
  std::string text;
  if constexpr (std::is_same_v<V, bool> || std::is_enum_v<V>) text = join(choices<V>(), " | ");
  else if constexpr (std::is_same_v<V, std::string>) text = "text";
  else text = range.text();
  return OptionalValue<T>::value ? "auto | " + text : text;
}

}  // namespace detail

/// Calls `f(field)` for every parameter of P.
template <class P, class F>
void for_each_field(F&& f) {
  std::apply([&](const auto&... field) { (f(field), ...); }, P::fields());
}

template <class P>
std::vector<ParamInfo> describe() {
  const P defaults{};
  std::vector<ParamInfo> all;
  for_each_field<P>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(defaults.*field.member)>;
    all.push_back({field.name, detail::type_name<T>(), detail::format(defaults.*field.member),
                   detail::accepts<T>(field.range), field.text});
  });
  return all;
}

/// Every parameter with its value, as text.
template <class P>
Settings values(const P& params) {
  Settings all;
  for_each_field<P>([&](const auto& field) { all.emplace_back(field.name, detail::format(params.*field.member)); });
  return all;
}

/// Throws InvalidArgument when a value lies outside its range.
template <class P>
const P& checked(std::string_view owner, const P& params) {
  for_each_field<P>(
      [&](const auto& field) { detail::check_range(owner, field.name, params.*field.member, field.range); });
  return params;
}

/// Parameters from text: unknown names, unreadable values, repeated names and values out of range are errors.
template <class P>
P parse_params(std::string_view owner, const Settings& settings) {
  detail::reject_repeats(owner, settings);
  P params{};
  for (const auto& setting : settings) {
    const std::string& key = setting.first;
    const std::string& text = setting.second;
    bool known = false;
    std::vector<std::string> names;
    for_each_field<P>([&](const auto& field) {
      names.emplace_back(field.name);
      if (key != field.name) return;
      using T = std::remove_cvref_t<decltype(params.*field.member)>;
      params.*field.member = detail::parse<T>(owner, field.name, text);
      known = true;
    });
    if (!known) detail::reject_name(owner, key, names);
  }
  return checked(owner, params);
}

}  // namespace bellwether
