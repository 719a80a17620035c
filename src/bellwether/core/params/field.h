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

}  // namespace bellwether
