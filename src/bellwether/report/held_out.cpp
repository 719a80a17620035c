#include <bellwether/report/held_out.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

enum class Half : std::uint8_t { choosing, judging };  // seeds 0, 2, 4, ... and 1, 3, 5, ...

std::vector<RunRecord> half_of(const std::vector<RunRecord>& runs, Half half) {
  std::vector<RunRecord> all;
  for (const RunRecord& run : runs) {
    if (run.seed % 2 == static_cast<std::uint64_t>(half)) all.push_back(run);
  }
  return all;
}

std::vector<SeedScore> scores_of(const std::vector<RunRecord>& runs, std::vector<double> RunRecord::*which,
                                 std::size_t metric) {
  std::vector<SeedScore> scores;
  for (const RunRecord& run : runs) {
    if (!run.diverged_at) scores.push_back({run.seed, (run.*which).at(metric)});
  }
  return scores;
}

Estimate estimate_of(std::span<const SeedScore> scores) {
  std::vector<double> values;
  for (const SeedScore& score : scores) values.push_back(score.value);
  return estimate(values);
}

/// What `better` asks for, of a single metric, which has index 0.
Summary summary_of(const std::vector<RunRecord>& runs, std::size_t metric) {
  Summary summary;
  summary.runs = runs.size();
  summary.average = {estimate_of(scores_of(runs, &RunRecord::average, metric))};
  summary.last = {estimate_of(scores_of(runs, &RunRecord::last, metric))};
  summary.diverged = summary.runs - summary.average[0].runs;
  return summary;
}

/// The best setting of a learner so far.
struct Chosen {
  std::size_t setting = 0;
  std::string label;
  Summary choosing;
  std::vector<RunRecord> judging;
  Summary judged = {};
};

}  // namespace

HeldOutError compared(std::span<const SeedScore> learner, std::span<const SeedScore> reference) {
  HeldOutError error;
  error.value = estimate_of(learner);
  std::vector<double> differences;
  double sum = 0;
  double reference_sum = 0;
  auto other = reference.begin();
  for (const SeedScore& score : learner) {
    while (other != reference.end() && other->seed < score.seed) ++other;
    if (other == reference.end() || other->seed != score.seed) continue;
    differences.push_back(score.value - other->value);
    sum += score.value;
    reference_sum += other->value;
  }
  error.difference = estimate(differences);
  if (!differences.empty()) error.ratio = sum / reference_sum;
  return error;
}

std::string held_out_label(const StudyResults& results, std::size_t setting, const std::string& per) {
  const SettingRecord& record = results.settings[setting].setting.record;
  if (!sweeps(results.learners[results.learner_of[setting]], per)) return record.label;
  return fmt::format("{}, {}={}", record.label, per, *value_of(record.parameters, per));
}

HeldOutCase held_out(const StoreReader& reader, const StudyResults& results, std::size_t of_case,
                     const Ranking& ranking, const std::string& against, const std::string& per) {
  const StudyRecord& study = results.study.record;
  if (study.seeds < 2) {
    throw InvalidArgument(fmt::format(
        "study {} ({}): `seeds={}` are too few to hold some out; even seeds choose settings, odd seeds judge them",
        study.name, study.scale, study.seeds));
  }
  const bool larger = larger_is_better(study.metrics[ranking.metric]);
  const auto is_better = [&](const Summary& a, const Summary& b) { return better(a, b, 0, ranking.by, larger); };

  std::map<std::pair<std::size_t, std::string>, Chosen> best;  // by learner and label
  for (std::size_t i = 0; i < results.settings.size(); ++i) {
    if (results.case_of[i] != of_case) continue;
    const std::vector<RunRecord> runs = reader.runs(results.settings[i].setting.id);
    Summary choosing = summary_of(half_of(runs, Half::choosing), ranking.metric);
    const std::pair key(results.learner_of[i], held_out_label(results, i, per));
    const auto found = best.find(key);
    if (found != best.end() && !is_better(choosing, found->second.choosing)) continue;
    best[key] = {i, key.second, std::move(choosing), half_of(runs, Half::judging)};
  }

  std::vector<Chosen> order;
  for (auto& [learner, chosen] : best) {
    chosen.judged = summary_of(chosen.judging, ranking.metric);
    order.push_back(std::move(chosen));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](const Chosen& a, const Chosen& b) { return is_better(a.judged, b.judged); });
  HeldOutCase all;
  for (std::size_t i = 0; i < order.size() && !all.reference; ++i) {
    if (against.empty() || order[i].label == against) all.reference = i;
  }
  for (const Chosen& chosen : order) {
    const auto error = [&](std::vector<double> RunRecord::*which) {
      const auto scores = [&](const Chosen& of) { return scores_of(of.judging, which, ranking.metric); };
      return compared(scores(chosen), all.reference ? scores(order[*all.reference]) : std::vector<SeedScore>());
    };
    all.learners.push_back({chosen.setting, chosen.label, chosen.judged.runs, chosen.judged.diverged,
                            error(&RunRecord::average), error(&RunRecord::last)});
  }
  return all;
}

}  // namespace bellwether
