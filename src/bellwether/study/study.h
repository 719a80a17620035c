#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/domain.h>
#include <bellwether/core/params/field.h>
#include <bellwether/core/params/settings.h>
#include <bellwether/metrics/evaluation_params.h>
#include <bellwether/metrics/metric.h>

namespace bellwether {

/// The `[run]` table of a study file: how long a run is, how often it is judged and how often it is repeated. 30 seeds
/// give intervals that tell good settings from bad; a figure for a paper takes 100 or more. All settings see the same
/// runs, so settings can be compared with fewer.
struct StudyParams {
  std::int64_t steps = 1000;
  std::int64_t every = 50;
  std::int64_t seeds = 30;
  std::int64_t seed = 1;
  bool curves = false;

  static constexpr auto fields() {
    using P = StudyParams;
    return std::tuple{Field("steps", &P::steps, between(1, 1e12), "steps of a run"),
                      Field("every", &P::every, between(1, 1e12), "steps between two measurements"),
                      Field("seeds", &P::seeds, between(1, 1e6), "runs of every setting"),
                      Field("seed", &P::seed, at_least(0), "seed of all randomness"),
                      Field("curves", &P::curves, "whether the curve of every single run is kept")};
  }
};

/// A domain with its parameters, and features.
struct StudyCase {
  std::string domain;              // a name of `domains()`
  Settings domain_settings = {};   // as given
  std::string features = {};       // a description (features/feature_maps.h); empty: the domain's own
  Settings feature_settings = {};  // parameters that the description leaves out

  /// A domain of your own, which nobody can make by name; null: the library makes the one named above.
  std::shared_ptr<const Domain> made = nullptr;

  /// A case of a domain of your own. Results know it by its type and settings, so two that behave differently must
  /// differ in one of these.
  static StudyCase of(std::shared_ptr<const Domain> domain, std::string features = {}) {
    StudyCase result{std::string(domain->type()), domain->settings(), std::move(features)};
    result.made = std::move(domain);
    return result;
  }
};

/// A learner with its parameters, on a case.
struct StudySetting {
  std::size_t case_index = 0;  // of Study::cases
  std::string label;           // what figures and tables call the learner
  std::string learner;         // a name of `learners()`
  Settings parameters;         // fully resolved: every parameter of the learner
};

/// A study: learners with every combination of the values listed for their parameters, on one or more cases, each
/// for a number of seeds. It is the one description of work, made in memory
///
///     Study study;
///     study.cases = {{.domain = "boyan_chain"}};
///     study.run = {.steps = 1000, .seeds = 50};
///     study.add("td", {{"alpha", "0.1"}});
///
/// or read from a TOML file:
///
///     title = "Boyan's chain"
///     features = "own"                            # of all domains; a list: one case for each
///
///     [constants]
///     alphas = "0.1 * 2^j, j = -12..5"            # formulas: study/formula.h
///
///     [domain]
///     name = "boyan_chain"                        # its parameters; lists give cases; [[domain]]: several domains
///     feature_map = "own"                         # instead of `features` above
///     without = ["LSTD"]                          # labels of learners that do not run on it
///
///     [evaluation]                                # EvaluationParams and BellmanParams
///     weights = "visits"
///
///     [run]                                       # StudyParams, and
///     steps = 1000
///     seeds = 200
///     metrics = ["relative", "rmse"]              # the first ranks the settings
///
///     [[learner]]
///     name = "td"
///     label = "TD(lambda)"                        # the name, if left out
///     alpha = "alphas"                            # a constant
///     lambda = [0, 0.5, 0.9]                      # lists are swept, in every combination
///
///     [scale.quick.run]                           # --scale quick: these keys instead of those above
///     seeds = 20
///
/// The file as it stands is the scale "paper".
///
/// A study does nothing by itself: PreparedStudy finds its true values and `compare` runs it. The program keeps results
/// in a file instead and continues after an interruption (`bellwether sweep`, docs/studies.md).
struct Study {
  std::string name;    // of the file, without its extension
  std::string source;  // its text
  std::string title;   // the name, if the file has none
  std::string about;   // what it shows, in a sentence or two
  std::string scale;   // which of its scales was read
  StudyParams run;
  std::vector<Metric> metrics;  // empty: the error that suits the values
  EvaluationParams evaluation;
  BellmanParams bellman;
  std::vector<StudyCase> cases;
  std::vector<StudySetting> settings;  // case by case in a study that was read

  /// Adds a setting; parameters that are not given have their defaults. Throws InvalidArgument when there is no such
  /// learner, or it refuses a parameter.
  void add(const std::string& learner, const Settings& parameters = {}, std::size_t case_index = 0);

  std::uint64_t seeds() const { return static_cast<std::uint64_t>(run.seeds); }
  std::uint64_t runs() const { return settings.size() * seeds(); }  // of all settings

  /// What has to agree for results to belong together: steps, metrics, evaluation, as text.
  Settings protocol() const;
};

/// Reads a study file; where there is no such file, the study of this name that comes with the library, as in
/// `read_study("boyan")`. `scale` empty means paper. Unknown keys, wrong types and values out of range are
/// InvalidArgument with file, line and the nearest key there is; a file that cannot be read is an IoError.
Study read_study(const std::filesystem::path& file, std::string_view scale = {});

/// The same from text; `file` is for messages and gives the study its name.
Study parse_study(std::string_view text, const std::filesystem::path& file, std::string_view scale = {});

}  // namespace bellwether
