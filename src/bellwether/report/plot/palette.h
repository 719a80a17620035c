#pragma once

#include <array>
#include <cstddef>

/// How curves are told apart wherever a study is drawn: learners differ in colour, labels of one learner in dash and
/// mark. Colours, dashes and marks repeat when there are more learners or labels.
namespace bellwether {

/// Ink first, then Okabe and Ito's colours, which people with the common colour deficiencies can tell apart, then three
/// more.
inline constexpr std::array palette{"#000000", "#E69F00", "#0072B2", "#D55E00", "#009E73",
                                    "#CC79A7", "#56B4E9", "#A6761D", "#7F7F7F", "#882255"};
inline constexpr std::size_t ink = 0;

/// Learners that have the first colours in all studies, so that a reader of several knows them again: accelerated TD
/// and least squares.
inline constexpr std::array own_colours{"atd", "lstd"};

/// Values of SVG's stroke-dasharray; the first is solid.
inline constexpr std::array dashes{"", "6 3", "2 3", "8 3 2 3"};

constexpr const char* palette_colour(std::size_t index) { return palette[index % palette.size()]; }
constexpr const char* palette_dash(std::size_t index) { return dashes[index % dashes.size()]; }

}  // namespace bellwether
