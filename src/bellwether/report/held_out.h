#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <bellwether/report/study_results.h>

/// Tuned learners, compared fairly.
///
/// The best of many settings looks better than it is on the runs that chose it: of 200 settings that are equally good,
/// the luckiest is chosen, and its luck is counted as skill. So one half of the seeds chooses and the other half
/// judges:
///
///   chosen    for each learner, its best setting on the seeds 0, 2, 4, ...
///   reported  the errors of that setting on the seeds 1, 3, 5, ..., which had no part in the choice
///
/// All settings see the same steps of a seed, so learners are compared seed by seed. Where a seed is hard for both, the
/// difference does not vary with it, and its interval is narrower than those of the two means suggest.
namespace bellwether {

/// The result of one seed.
struct SeedScore {
  std::uint64_t seed = 0;
  double value = 0;
};

/// An error on held-out seeds, and how it differs from that of a reference.
struct HeldOutError {
  Estimate value;                                           // over the seeds that the learner finished
  Estimate difference;                                      // learner - reference, over the seeds that both finished
  double ratio = std::numeric_limits<double>::quiet_NaN();  // of their means over these; NaN where there are none
};

/// Compares scores with those of a reference, both by increasing seed. With d_i the differences on the n seeds that
/// both have:
///
///   difference  mean(d) +- t_{.975, n-1} s_d / sqrt(n)            Student's paired t
///   ratio       mean(learner) / mean(reference)
HeldOutError compared(std::span<const SeedScore> learner, std::span<const SeedScore> reference);

/// A learner on one case at its chosen setting.
struct HeldOutLearner {
  std::size_t setting = 0;     // of StudyResults::settings
  std::string label;           // that of the study; with `per` also the value, "ATD, rank=20"
  std::uint64_t runs = 0;      // with held-out seeds
  std::uint64_t diverged = 0;  // of these; they take no part in errors, nor do their seeds in differences
  HeldOutError average;        // over the whole curve
  HeldOutError last;           // at the end
};

struct HeldOutCase {
  std::vector<HeldOutLearner> learners;  // best first, by their held-out runs
  std::optional<std::size_t> reference;  // of learners; none where no learner of the case has the label
};

/// The learners of one case, each at the setting that its even seeds choose by `ranking`, judged by odd seeds. The
/// reference is the learner of the label `against`; if that is empty, it is the best on the held-out seeds, which is
/// then a little lucky itself. With a parameter `per`, a learner that sweeps it is as many learners as it has values.
///
///     const StoreReader reader("untuned.db");
///     const StudyResults results = study_results(reader, reader.studies().front());
///     const HeldOutCase walk = held_out(reader, results, 0, {}, "default");
///
/// Reads every run of the case. Throws InvalidArgument when the study has a single seed.
HeldOutCase held_out(const StoreReader& reader, const StudyResults& results, std::size_t of_case,
                     const Ranking& ranking, const std::string& against = {}, const std::string& per = {});

/// The labels that `held_out` gives to a setting: that of the study, or with the value of the parameter `per`.
std::string held_out_label(const StudyResults& results, std::size_t setting, const std::string& per);

}  // namespace bellwether
