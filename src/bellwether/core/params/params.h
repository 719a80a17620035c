#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <bellwether/core/error.h>
#include <bellwether/core/params/field.h>
#include <bellwether/core/params/settings.h>

/// Parameters from text and to text: everything that follows from the fields a struct lists (core/params/field.h).
namespace bellwether {

/// The candidate that `word` begins, or else the closest by edit distance, in any case; nothing when none is near.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// "there is no learner 'tdd'; did you mean 'td'? (known: td, lstd)"
std::string no_such(std::string_view kind, std::string_view word, const std::vector<std::string>& known);

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
