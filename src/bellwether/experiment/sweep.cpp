#include <bellwether/experiment/sweep.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/version.h>
#include <bellwether/domains/domains.h>
#include <bellwether/experiment/cpu_clock.h>
#include <bellwether/experiment/wire.h>
#include <bellwether/experiment/worker_pool.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

namespace bellwether {

namespace {

double mean_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

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

RunRecord record_of(const Trial& trial, std::uint64_t seed, bool keep_curves) {
  RunRecord run;
  run.seed = seed;
  run.diverged_at = trial.diverged_at;
  run.seconds = trial.seconds;
  for (const auto& values : trial.metrics) {
    run.average.push_back(mean_of(values));
    run.last.push_back(values.back());
  }
  if (keep_curves) run.curves = trial.metrics;
  return run;
}

/// Has the threads of a pool give up what they are doing, before the pool waits for them.
struct GivingUp {
  std::atomic<bool>& flag;
  explicit GivingUp(std::atomic<bool>& f) : flag(f) { flag = false; }
  ~GivingUp() { flag = true; }
  GivingUp(const GivingUp&) = delete;
  GivingUp& operator=(const GivingUp&) = delete;
};

}  // namespace

Sweep::Sweep(Study study, Options options)
    : study_(std::move(study)),
      options_(std::move(options)),
      metrics_(study_.metrics),
      at_(measuring_steps(static_cast<std::uint64_t>(study_.run.steps), static_cast<std::uint64_t>(study_.run.every))),
      groups_(sharing_groups(study_, options_.sharing)) {
  const auto told = [this](double share) {
    check_stopped();
    if (options_.finding_truth) options_.finding_truth(share);
  };
  bool relative = true;  // suits the values of every case
  for (const StudyCase& of : study_.cases) {
    check_stopped();
    auto prepared = std::make_unique<Case>();
    prepared->domain = make_domain(of.domain, of.domain_settings);
    prepared->features = of.features;
    const auto features = protocol(*prepared).features_of(0);
    prepared->dim = features->dim();
    prepared->max_active = features->max_active();
    for (const Metric metric : metrics_) check_metric(metric, *prepared->domain, prepared->dim, study_.bellman);
    if (needs_truth(metrics_)) {
      prepared->truth = ground_truth(*prepared->domain, study_.evaluation, options_.jobs, options_.cache, told);
    }
    if (metrics_.empty()) {
      relative = relative && prepared->truth.evaluation_set(*features).suitable_error() == ValueError::relative;
    }
    cases_.push_back(std::move(prepared));
  }
  if (metrics_.empty()) metrics_ = {relative ? Metric::relative : Metric::rmse};
  for (const Metric metric : metrics_) metric_names_.push_back(detail::format(metric));
}

void Sweep::check_stopped() const {
  if (given_up_ || (options_.stopped && options_.stopped())) throw Interrupted();
}

Protocol Sweep::protocol(const Case& of) const {
  return {.domain = of.domain.get(),
          .features = of.features,
          .feature_settings = {},
          .truth = &of.truth,
          .metrics = metrics_,
          .bellman = study_.bellman,
          .truth_seed = static_cast<std::uint64_t>(study_.evaluation.truth_seed),
          .seed = static_cast<std::uint64_t>(study_.run.seed),
          .at = at_};
}

StudyRecord Sweep::record() const {
  return {.name = study_.name,
          .title = study_.title,
          .scale = study_.scale,
          .source = study_.source,
          .protocol = study_.protocol(),
          .seeds = study_.seeds(),
          .metrics = metric_names_,
          .at = at_,
          .keeps_curves = study_.run.curves,
          .version = version(),
          .machine = options_.machine,
          .command = options_.command};
}

std::vector<SettingRecord> Sweep::setting_records() const {
  std::vector<SettingRecord> records;
  records.reserve(study_.settings.size());
  for (const StudySetting& setting : study_.settings) {
    const Case& of = *cases_[setting.place];
    records.push_back({.domain = std::string(of.domain->type()),
                       .domain_settings = of.domain->settings(),
                       .features = of.features,
                       .feature_settings = {},
                       .label = setting.label,
                       .learner = setting.learner,
                       .parameters = setting.parameters,
                       .dim = of.dim,
                       .max_active = of.max_active});
  }
  return records;
}

Trial Sweep::run_one(std::uint64_t run) const {
  if (run >= study_.runs()) {
    throw InvalidArgument(fmt::format("sweep: run {} is outside [0, {}): {} settings of {} seeds", run, study_.runs(),
                                      study_.settings.size(), study_.seeds()));
  }
  const StudySetting& setting = study_.settings[run / study_.seeds()];
  const Protocol steps = protocol(*cases_[setting.place]);
  SeedRun of_seed(steps, run % study_.seeds());
  const auto alone = make_ensemble(setting.learner, of_seed.dim(), {setting.parameters}, Sharing::off);
  return std::move(of_seed.follow(*alone, [this](std::uint64_t) { check_stopped(); }).front());
}

WorkResult Sweep::run_work(const WorkUnit& work) const {
  const Protocol steps = protocol(*cases_[work.place]);
  // The groups of a study, as far as they are in this unit.
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < work.settings.size(); ++i) {
    const StudySetting& setting = study_.settings[work.settings[i]];
    std::string key = sharing_key(setting.learner, setting.parameters);
    if (!options_.sharing) key = std::to_string(i);
    groups[key].push_back(i);
  }

  WorkResult result;
  result.blocks.resize(work.settings.size());
  for (std::size_t i = 0; i < work.settings.size(); ++i) {
    result.blocks[i].setting = static_cast<std::int64_t>(work.settings[i]);
    result.blocks[i].block = work.block;
  }
  const std::uint64_t first = work.block * seeds_per_block;
  const std::uint64_t end = std::min(first + seeds_per_block, study_.seeds());
  for (std::uint64_t seed = first; seed < end; ++seed) {
    SeedRun of_seed(steps, seed);
    for (const auto& group : groups) {
      std::vector<Settings> members;
      for (const std::size_t i : group.second) members.push_back(study_.settings[work.settings[i]].parameters);
      const std::string& learner = study_.settings[work.settings[group.second.front()]].learner;
      if (seed == 0) {
        double each = std::nan("");  // of the first that does not diverge at once
        for (std::size_t m = 0; m < members.size() && std::isnan(each); ++m) {
          each = seconds_per_step_alone(of_seed, *make_learner(learner, of_seed.dim(), members[m]));
        }
        for (const std::size_t i : group.second) result.alone.push_back({result.blocks[i].setting, each});
      }
      const auto ensemble = make_ensemble(learner, of_seed.dim(), members, Sharing(options_.sharing));
      const auto trials = of_seed.follow(*ensemble, [this](std::uint64_t) { check_stopped(); });
      for (std::size_t m = 0; m < trials.size(); ++m) {
        BlockResult& block = result.blocks[group.second[m]];
        block.runs.push_back(record_of(trials[m], seed, study_.run.curves));
        if (!trials[m].diverged_at) add(block.curves, trials[m].metrics);
      }
    }
  }
  return result;
}

bool Sweep::run(StoreWriter& store) {
  try {
    do_what_is_left(store);
    return true;
  } catch (const Interrupted&) {
    return false;
  }
}

void Sweep::do_what_is_left(StoreWriter& store) {
  const auto begun = store.begin(record(), setting_records());
  std::map<std::int64_t, std::size_t> place_of;
  for (std::size_t i = 0; i < begun.settings.size(); ++i) place_of[begun.settings[i]] = i;
  SweepProgress progress{.of = study_.runs()};
  std::set<std::pair<std::size_t, std::uint64_t>> done;
  for (const DoneBlock& block : store.done(begun.study)) {
    const auto place = place_of.find(block.setting);
    const std::uint64_t first = block.block * seeds_per_block;
    if (place == place_of.end() || first >= study_.seeds()) continue;
    const std::uint64_t wanted = std::min(seeds_per_block, study_.seeds() - first);
    if (block.runs < wanted) continue;
    done.emplace(place->second, block.block);
    progress.runs += wanted;  // there may be more, of a time when the study had more seeds
    progress.diverged += block.diverged;
  }
  const double already = static_cast<double>(progress.runs) / static_cast<double>(progress.of);
  const auto report = [&](double share) {
    progress.share = already + (1 - already) * share;
    if (options_.progress) options_.progress(progress);
  };
  report(0);

  const unsigned workers = options_.ranks == nullptr ? 1 : static_cast<unsigned>(options_.ranks->size());
  constexpr double sample = 0.05;
  const bool all_done = progress.runs == progress.of;
  const auto cost = all_done ? std::vector<double>(groups_.size()) : costs(sample, nullptr);
  const auto bytes = all_done ? std::vector<std::optional<std::uint64_t>>() : memory();
  double total = 0;
  for (const double each : cost) total += each * static_cast<double>(study_.seeds());
  constexpr double shares_each = 8;  // so that nobody waits long for the last one
  const double seconds = std::clamp(total / (shares_each * options_.jobs * workers), 0.05, 5.0);
  std::vector<WorkUnit> units =
      cut_into_units(study_, groups_, cost, setup_, seconds, [&](std::size_t s, std::uint64_t b) {
        return done.contains({s, b});
      });
  total = 0;
  for (const WorkUnit& work : units) total += work.cost;

  std::size_t next = 0;
  std::size_t finished = 0;
  std::size_t in_pool = 0;
  double spent = 0;
  const auto commit = [&](WorkResult& result) {
    for (BlockResult& block : result.blocks) {
      progress.runs += block.runs.size();
      for (const RunRecord& run : block.runs) progress.diverged += run.diverged_at ? 1 : 0;
      block.setting = begun.settings[static_cast<std::size_t>(block.setting)];
    }
    store.commit(result.blocks);
    for (const MeasuredAlone& alone : result.alone) {
      const auto place = static_cast<std::size_t>(alone.setting);
      store.measured_alone(begun.settings[place], alone.seconds_per_step, bytes[place]);
    }
    ++finished;
  };
  WorkerPool pool(options_.jobs, [this](const WorkUnit& work) { return run_work(work); });
  const GivingUp in_the_end(given_up_);
  std::map<int, std::deque<double>> assigned;  // expected seconds of what other processes are doing
  // Every thread of another process asks for more until it is told that there is none.
  unsigned waiting_for = (workers - 1) * options_.jobs;
  while (finished < units.size() || waiting_for > 0) {
    check_stopped();
    while (next < units.size() && in_pool < options_.jobs) {
      pool.submit(units[next++]);
      ++in_pool;
    }
    using namespace std::chrono_literals;
    for (auto& one : pool.collect(workers > 1 ? 2ms : 50ms)) {
      --in_pool;
      spent += one.work.cost;
      commit(one.result);
    }
    while (options_.ranks != nullptr) {
      auto message = options_.ranks->poll();
      if (!message) break;
      // A message without a result asks for a first unit.
      if (!message->bytes.empty()) {
        WorkResult result = result_from(message->bytes);
        spent += assigned[message->from].front();
        assigned[message->from].pop_front();
        commit(result);
      }
      Ranks::Bytes answer;
      if (next < units.size()) {
        assigned[message->from].push_back(units[next].cost);
        answer = to_bytes(units[next++]);
      } else {
        --waiting_for;
      }
      options_.ranks->send(message->from, answer);
    }
    report(total > 0 ? spent / total : 1);
  }
}

void Sweep::serve() {
  // Each thread has one unit at a time: what it did goes back as the request for the next.
  WorkerPool pool(options_.jobs, [this](const WorkUnit& work) { return run_work(work); });
  const GivingUp in_the_end(given_up_);
  for (unsigned i = 0; i < options_.jobs; ++i) options_.ranks->send(0, {});
  unsigned idle = 0;
  while (idle < options_.jobs) {
    check_stopped();
    while (auto message = options_.ranks->poll()) {
      if (message->bytes.empty()) ++idle;
      else pool.submit(work_from(message->bytes));
    }
    for (const auto& one : pool.collect(std::chrono::milliseconds(2))) {
      options_.ranks->send(0, to_bytes(one.result));
    }
  }
}

}  // namespace bellwether
