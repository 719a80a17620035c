#include <bellwether/model/learning/warnings.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/support/text.h>

namespace bellwether {
namespace {

using Warnings = std::vector<Warning>;

/// Whether the value of the policy is far from the returns observed, where nearly all episodes end: those that are cut
/// short are the long ones, so even a few of them change the mean.
bool contradicted(const Model& model, std::size_t k, const PolicyValue& value) {
  const StartReturns& seen = model.returns(k);
  constexpr std::uint64_t fewest = 20;
  if (!value.of_starts || seen.episodes() < fewest ||
      seen.episodes() < 99 * (model.episodes().begun() - seen.episodes()))
    return false;
  const double error = value.half_width.value_or(0) + seen.half_width();
  constexpr double negligible = 0.01;  // of the mean, where returns hardly vary
  return std::abs(value.learned - seen.mean()) > std::fmax(2 * error, negligible * std::abs(seen.mean()));
}

/// What a person could add so that the order of rows is known.
std::string what_would_tell(const LogColumns& columns) {
  return columns.episode.empty() ? "an `episode` or an `env` column would tell" : "a `time` column would tell";
}

void about_the_order(const Model& model, const LogNotes& notes, Warnings& all) {
  const Episodes& episodes = model.episodes();
  const LogColumns& columns = model.recipe().columns;
  const std::uint64_t jumps = episodes.jumps() > 0 ? episodes.jumps() : episodes.begun() - episodes.ended();
  if (columns.unordered) {
    all.emplace_back(
        "every row was taken for a step on its own: the trace of the learner has no effect, intervals treat rows as "
        "independent, and where episodes start is not known",
        "if rows are in order after all, leave out `unordered`");
  } else if (!model.starts_known()) {
    all.emplace_back(
        fmt::format("{} of {} steps do not continue the step before, as their state is not the next state of the row "
                    "before: each was taken for a step on its own, and where episodes start is not known, so the value "
                    "is the mean over all states",
                    grouped(jumps), grouped(episodes.steps())),
        what_would_tell(columns));
  } else if (episodes.jumps() > notes.skipped) {
    all.emplace_back(
        fmt::format("{} steps do not continue the step before, although nothing says that its episode was over: there "
                    "the episode was cut, and what follows does not count as a start",
                    grouped(episodes.jumps())),
        what_would_tell(columns));
  }
  if (notes.sorted && columns.time.empty() && columns.next.empty() && !columns.tells_ends()) {
    all.emplace_back(
        "rows of an episode were not together, and were joined in the order of the log: nothing in it confirms that",
        "`time=NAME` names the column of their order, `env=NAME` tells episodes apart whose names are used again");
  }
}

void about_the_log(const Model& model, const LogNotes& notes, Warnings& all) {
  if (notes.skipped > 0) {
    all.emplace_back(fmt::format("{} rows were left out because something was wrong with them; the first: {}",
                                 grouped(notes.skipped), notes.first_skipped),
                     "mend them if they are not a random few: what they would have said is missing");
  }
  if (notes.without_end > 1) {  // one is where the log ends
    all.emplace_back(
        fmt::format("the last steps of {} episodes were left out: the episodes were cut short, and the state they led "
                    "to is not in the log",
                    grouped(notes.without_end)),
        "next columns, or a last row with an empty reward, would hold it");
  }
  if (notes.outside > 0) {
    const auto share =
        static_cast<double>(notes.outside) / static_cast<double>(std::max<std::uint64_t>(1, notes.steps));
    const auto has = [&](const char* word) { return model.recipe().features.find(word) != std::string::npos; };
    all.emplace_back(
        fmt::format(
            "{} row{} ({:.2g} %) {} a state beyond the ranges that the features were made for; the first: {}. {}",
            grouped(notes.outside), notes.outside == 1 ? "" : "s", 100 * std::min(1.0, share),
            notes.outside == 1 ? "has" : "have", notes.first_outside,
            has("beyond=")       ? "There tiles are wide, and values coarse"
            : has("others=true") ? "All of them have the same value"
                                 : "Such states count as the ends of the ranges, and have the same value"),
        "is it a mistake in the log, or a stream that drifts? A larger `sample` of its first rows sets wider ranges");
  }
  about_the_order(model, notes, all);
}

void about_support(const Model& model, Warnings& all) {
  const LogStatistics& seen = model.statistics();
  const std::uint64_t steps = model.episodes().steps();
  if (seen.largest_ratio() == 0) return;  // there is no value, and its line says why
  if (const double worth = seen.effective_samples(); worth < 0.1 * static_cast<double>(steps)) {
    all.emplace_back(
        fmt::format("the importance ratios vary so much that {} steps are worth {} (the largest ratio is {:.4g}): the "
                    "two policies differ a lot, and values rest on few steps",
                    grouped(steps), grouped(static_cast<std::uint64_t>(worth)), seen.largest_ratio()),
        "check the columns of the ratios, or take more data, or the log of a policy that is closer");
  }
  // Tiles that no state falls into are usual; a column that is always zero is not.
  const std::size_t dim = model.recipe().dim, never = seen.never_active();
  if (never > (model.recipe().features == "none" ? 0 : dim * 9 / 10)) {
    all.emplace_back(
        fmt::format("{} of {} features ({:.3g} %) were zero in every {}: nothing was learned about them",
                    grouped(never), grouped(dim), 100 * static_cast<double>(never) / static_cast<double>(dim),
                    seen.largest_ratio() == 1 ? "state" : "step that the target policy may take"),
        "fewer or wider features would do");
  }
}

void about_the_learner(const Model& model, std::size_t k, Warnings& all) {
  const std::string name = model.recipe().name_of(k);
  const Learner& learner = model.learner(k);
  const double residual = number_in(learner.findings(), "residual").value_or(0);
  if (residual > number_in(model.recipe().settings, "tolerance").value_or(infinity)) {
    all.emplace_back(
        fmt::format("the equations of {} were solved only to a residual of {:.2g}: values are approximate, and so are "
                    "intervals",
                    name, residual),
        "fewer features, a smaller inverse_init or more iterations would help");
  }
}

void about_the_value(const Model& model, std::size_t k, Warnings& all) {
  const std::string name = model.recipe().name_of(k);
  const PolicyValue value = model.policy_value(k);
  if (!value.value) return;
  if (model.halves_diverged(k)) {
    all.emplace_back(
        fmt::format("no interval for {}, as the learner diverged on a half of the episodes: the value is fragile too",
                    name),
        "take a smaller step size or another learner");
  }
  if (value.beyond) {
    all.emplace_back(
        fmt::format(
            "the value of {} that was learned lies beyond what its rewards allow, and is not used as it is: the "
            "features or the step size do not suit the data",
            name),
        "take other `features` or another `learner`");
  }
  if (contradicted(model, k, value)) {
    all.emplace_back(
        fmt::format("the values of {} that were learned for start states, {:.5g} on average, are far from the returns "
                    "observed, {:.5g} +- {:.2g}: the features cannot tell states apart that differ in value, or there "
                    "is little data for so many features",
                    name, value.learned, model.returns(k).mean(), model.returns(k).half_width()),
        "trust the returns, or take other `features`");
  }
  if (model.returns(k).weighted() && value.half_width && !model.recipe().tabular() &&
      model.recipe().features != "none") {
    all.emplace_back(
        fmt::format("the interval of {} shows what another log of this size would change, not what states that share "
                    "features hide: off-policy no return of an episode could show that",
                    name),
        "learn once more with finer `features`: where the two values differ by more than the interval, trust neither");
  }
}

}  // namespace

Warnings warnings(const Model& model, const LogNotes& notes) {
  Warnings all;
  about_the_log(model, notes, all);
  about_support(model, all);
  for (std::size_t k = 0; k < model.targets(); ++k) {
    const std::size_t reward = model.recipe().reward_of(k);
    const double low = model.statistics().smallest_reward(reward);
    if (low == model.statistics().largest_reward(reward)) {
      all.emplace_back(fmt::format("{} is {} in every step: states differ in nothing but when their episode ends",
                                   model.recipe().name_of(k), low),
                       "nothing to do if that is so, as where a reward of 1 counts steps");
    }
    about_the_learner(model, k, all);
    about_the_value(model, k, all);
  }
  const Episodes& episodes = model.episodes();
  if (model.recipe().resamples > 0 && episodes.units() < 20) {
    all.emplace_back(fmt::format("intervals come from only {} {}: take them as rough", episodes.units(),
                                 episodes.begun() > 1 ? "episodes" : "stretches of steps"),
                     "more data makes them sound");
  }
  return all;
}

}  // namespace bellwether
