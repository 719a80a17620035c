#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

/// Numbers that have names, each a list (of one, mostly).
using Constants = std::map<std::string, std::vector<double>, std::less<>>;

/// The numbers that a formula stands for.
///
///   0.1 * 2^j, j = -12..5          a value for every whole j from -12 to 5
///   10^j, j = -4..5 by 0.75        in steps of 0.75
///   alphas                         a list that has a name
///   alpha / 800                    with constants: a list of one, or a list, which gives a list
///
/// Operators are + - * / ^ with the usual precedence (^ first and from the right), signs and parentheses. A formula has
/// at most 10,000 characters. Throws InvalidArgument saying what is wrong and where.
std::vector<double> evaluate(std::string_view formula, const Constants& constants = {});

}  // namespace bellwether
