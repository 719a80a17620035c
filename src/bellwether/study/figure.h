#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/params/params.h>

namespace bellwether {

/// What a figure shows of a study.
///
///   curves       error against steps or time, every learner at its best setting
///   sensitivity  error over the whole curve against a parameter, the best there is of the others
///   cost         error over the whole curve against time per step or memory
enum class Shows : std::uint8_t { curves, sensitivity, cost };
constexpr auto names(Shows) { return std::array{"curves", "sensitivity", "cost"}; }

/// The parameters that sensitivity calls a learner's own, step sizes before ridges. The first of these that the learner
/// sweeps is meant.
const std::vector<std::string>& own_parameters();

enum class Axis : std::uint8_t { log, linear };
constexpr auto names(Axis) { return std::array{"log", "linear"}; }

/// A figure of a study, as its file asks for it:
///
///     [[figure]]
///     title    = "Figure 1, right: decaying step sizes"
///     shows    = "sensitivity"
///     learners = ["TD, decaying", "ETD, decaying", "LSTD", "ATD"]
///     panels   = "n0"
///
/// It is drawn once for every case. Figures are no part of what is run: changing them changes no result.
struct Figure {
  std::string title;
  Shows shows = Shows::curves;
  std::vector<std::string> learners;  // by label; empty: all

  /// curves: "steps" or "time". cost: "time" or "memory". sensitivity: a parameter, or "own", each learner's own
  /// parameter from its smallest value to its largest. Empty: the first of these, or "own".
  std::string x;

  std::string panels;  // a parameter: one panel for each of its values; learners without it are in all of them
  Settings at;         // sensitivity: only settings with these values, of learners that sweep these parameters
  std::string metric;  // empty: the first of the study
  Axis y = Axis::log;
};

/// What a study file says besides what is run.
struct StudyText {
  std::string about;
  std::vector<Figure> figures;
};

/// Of the text of a study file; nothing when it cannot be read, as that of a newer version might not.
StudyText study_text(std::string_view source, std::string_view scale);

}  // namespace bellwether
