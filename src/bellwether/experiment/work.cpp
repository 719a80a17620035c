#include <bellwether/experiment/work.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/experiment/cost/cpu_clock.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

namespace bellwether {

namespace {

/// Processor time that a learner takes for a step, over the first 4096 of a run or as many as it learns in a quarter of
/// a second; not a number when it diverges too soon to tell.
double seconds_per_step_alone(SeedRun& run, Learner& learner) {
  constexpr std::size_t sample = 4096;
  constexpr std::size_t piece = 256;
  constexpr double enough = 0.25;
  const Batch batch = run.sample(sample);
  const double begun = cpu_seconds();
  double took = 0;
  std::size_t done = 0;
  while (done < batch.size && took < enough && !learner.diverged_at()) {
    const std::size_t n = std::min(piece, batch.size - done);
    learner.learn(batch.slice(done, n));
    done += n;
    took = cpu_seconds() - begun;
  }
  const double learned = static_cast<double>(learner.diverged_at().value_or(done));
  return learner.diverged_at() && learned < piece ? std::nan("") : took / learned;
}

/// Settings of a unit that learn together.
struct Group {
  std::string learner;
  std::vector<std::size_t> indices;  // into the settings of the unit
  std::vector<Settings> members;     // their parameters
};

std::vector<Group> groups_of(const Study& study, const WorkUnit& work, bool sharing) {
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < work.settings.size(); ++i) {
    const StudySetting& setting = study.settings[work.settings[i]];
    Group& group = groups[sharing ? sharing_key(setting.learner, setting.parameters) : std::to_string(i)];
    group.learner = setting.learner;
    group.indices.push_back(i);
    group.members.push_back(setting.parameters);
  }
  std::vector<Group> all;
  for (auto& group : groups) all.push_back(std::move(group.second));
  return all;
}

/// The time of the first member that does not diverge at once stands for the group.
double seconds_alone(SeedRun& run, const Group& group) {
  double each = std::nan("");
  for (std::size_t m = 0; m < group.members.size() && std::isnan(each); ++m) {
    each = seconds_per_step_alone(run, *make_learner(group.learner, run.dim(), group.members[m]));
  }
  return each;
}

}  // namespace

UnitResult execute(const PreparedStudy& study, const WorkUnit& work, const WorkOptions& options) {
  const auto groups = groups_of(study.study(), work, options.sharing);
  UnitResult result;
  result.trials.resize(work.settings.size());
  const bool timed = options.time_alone && work.first_seed == 0;
  if (timed) result.seconds_alone.resize(work.settings.size());
  for (std::uint64_t seed = work.first_seed; seed < work.first_seed + work.seeds; ++seed) {
    SeedRun run(study.of_case(work.case_index).protocol, seed);
    for (const Group& group : groups) {
      if (timed && seed == 0) {
        const double each = seconds_alone(run, group);
        for (const std::size_t i : group.indices) result.seconds_alone[i] = each;
      }
      const auto ensemble = make_ensemble(group.learner, run.dim(), group.members, Sharing(options.sharing));
      auto trials = run.follow(*ensemble, [&](std::uint64_t steps) {
        if (options.learned) options.learned(steps * group.members.size());
      });
      for (std::size_t m = 0; m < trials.size(); ++m) result.trials[group.indices[m]].push_back(std::move(trials[m]));
    }
  }
  return result;
}

Trial run_one(const PreparedStudy& study, std::size_t setting, std::uint64_t seed, const SeedRun::Tick& tick) {
  const Study& whole = study.study();
  if (setting >= whole.settings.size() || seed >= whole.seeds()) {
    throw InvalidArgument(fmt::format("run: seed {} of setting {} is outside a study of {} settings and {} seeds", seed,
                                      setting, whole.settings.size(), whole.seeds()));
  }
  const StudySetting& of = whole.settings[setting];
  SeedRun run(study.of_case(of.case_index).protocol, seed);
  const auto alone = make_ensemble(of.learner, run.dim(), {of.parameters}, Sharing::off);
  return std::move(run.follow(*alone, tick).front());
}

}  // namespace bellwether
