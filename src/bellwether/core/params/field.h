#pragma once

#include <limits>
#include <string>
#include <tuple>

/// Parameters typed once.
///
/// A learner, domain, feature map or table of a study file lists its parameters in one place:
///
///     struct Params {
///       double alpha = 0.1;
///       static constexpr auto fields() { return std::tuple{Field("alpha", &Params::alpha, positive, "step size")}; }
///     };
///
/// The member's type and default, its range and its sentence serve C++ users, the command line, the help pages, the
/// checks and the machine-readable listings alike. Members may be
///
///   double, std::int64_t     a number in the field's range
///   bool                     "true" or "false"
///   an enumeration           one of the words that its function `names(Enum)` returns, in the order of its values
///   std::string              any text; the owner checks it
///   std::optional of these   `auto` when empty: the owner decides, and the field's sentence says how
///
/// In structs that are installed, such as StudyParams and LearnParams, the sentence of a Field is the documentation of
/// the member with that name. Setting a member checks nothing. Text is checked when it is read, and functions that take
/// such a struct check it before they begin: InvalidArgument names the field, the value and the range.
namespace bellwether {

/// An interval with open or closed ends. An end at infinity is usually open: then infinity itself is refused. NaN lies
/// in no range.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = true;
  bool high_open = true;

  constexpr bool contains(double v) const {
    return (low_open ? v > low : v >= low) && (high_open ? v < high : v <= high);
  }
  std::string text() const;  // "(0, inf)", "[0, 1]": a bracket where the end belongs to the range
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range finite{};                                                        // (-inf, inf)
inline constexpr Range positive{0, infinity, true, true};                               // (0, inf)
inline constexpr Range positive_or_infinite{0, infinity, true, false};                  // (0, inf]
inline constexpr Range non_negative{0, infinity, false, true};                          // [0, inf)
inline constexpr Range unit{0, 1, false, false};                                        // [0, 1]
constexpr Range between(double low, double high) { return {low, high, false, false}; }  // [low, high]
constexpr Range at_least(double low) { return {low, infinity, false, true}; }           // [low, inf)

/// One parameter: its name, the member that holds it, the values it accepts, a sentence about it. Fields are constants
/// of the program, made by `fields()`. Choices, truth values and texts have no range.
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

}  // namespace bellwether
