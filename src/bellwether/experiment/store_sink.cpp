#include <bellwether/experiment/store_sink.h>

#include <algorithm>
#include <numeric>

#include <bellwether/core/version.h>

namespace bellwether {

namespace {

StudyRecord record_of(const PreparedStudy& prepared, const Provenance& provenance) {
  const Study& study = prepared.study();
  return {.name = study.name,
          .title = study.title,
          .scale = study.scale,
          .source = study.source,
          .protocol = study.protocol(),
          .seeds = study.seeds(),
          .metrics = prepared.metric_names(),
          .at = prepared.at(),
          .keeps_curves = study.run.curves,
          .version = version(),
          .machine = provenance.machine,
          .command = provenance.command};
}

RunRecord record_of(const Trial& trial, std::uint64_t seed, bool keep_curves) {
  RunRecord run;
  run.seed = seed;
  run.diverged_at = trial.diverged_at;
  run.seconds = trial.seconds;
  for (const auto& curve : trial.curves) {
    run.average.push_back(std::accumulate(curve.begin(), curve.end(), 0.0) / static_cast<double>(curve.size()));
    run.last.push_back(curve.back());
  }
  if (keep_curves) run.curves = trial.curves;
  return run;
}

}  // namespace

std::vector<SettingRecord> setting_records(const PreparedStudy& study) {
  std::vector<SettingRecord> records;
  records.reserve(study.study().settings.size());
  for (const StudySetting& setting : study.study().settings) {
    const PreparedStudy::Case& of = study.of_case(setting.case_index);
    records.push_back({.domain = std::string(of.domain->type()),
                       .domain_settings = of.domain->settings(),
                       .features = of.protocol.features,
                       .feature_settings = of.protocol.feature_settings,
                       .label = setting.label,
                       .learner = setting.learner,
                       .parameters = setting.parameters,
                       .dim = of.dim,
                       .max_active = of.max_active});
  }
  return records;
}

StoreSink::StoreSink(const PreparedStudy& study, StoreWriter& store, const Provenance& provenance)
    : study_(study), store_(store) {
  auto begun = store.begin(record_of(study, provenance), setting_records(study));
  ids_ = std::move(begun.settings);
  std::map<std::int64_t, std::size_t> index_of;
  for (std::size_t i = 0; i < ids_.size(); ++i) index_of[ids_[i]] = i;
  for (const DoneBlock& block : store.done(begun.study)) {
    const auto index = index_of.find(block.setting);
    if (index == index_of.end() || block.block * seeds_per_block >= study.study().seeds()) continue;
    if (block.runs < seeds_in(block.block)) continue;
    done_.emplace(index->second, block.block);
    runs_ += seeds_in(block.block);  // there may be more, from a time when the study had more seeds
    diverged_ += block.diverged;
  }
}

std::uint64_t StoreSink::seeds_in(std::uint64_t block) const {
  return std::min(seeds_per_block, study_.study().seeds() - block * seeds_per_block);
}

BlockResult StoreSink::joined(const BlockKey& key, const Partial& trials) const {
  BlockResult block;
  block.setting = ids_[key.first];
  block.block = key.second;
  for (const auto& [seed, trial] : trials) {
    block.runs.push_back(record_of(trial, seed, study_.study().run.curves));
    if (!trial.diverged_at) add(block.curves, trial.curves);
  }
  return block;
}

void StoreSink::take(const WorkUnit& work, UnitResult result) {
  const std::uint64_t block = work.first_seed / seeds_per_block;
  std::vector<BlockResult> whole;
  for (std::size_t i = 0; i < work.settings.size(); ++i) {
    const BlockKey key{work.settings[i], block};
    Partial& trials = partial_[key];
    for (std::uint64_t s = 0; s < work.seeds; ++s) trials.emplace(work.first_seed + s, std::move(result.trials[i][s]));
    if (trials.size() < seeds_in(block)) continue;
    whole.push_back(joined(key, trials));
    partial_.erase(key);
  }
  if (!whole.empty()) store_.commit(whole);
  for (const BlockResult& one : whole) {
    runs_ += one.runs.size();
    for (const RunRecord& run : one.runs) diverged_ += run.diverged_at ? 1 : 0;
  }
  for (std::size_t i = 0; i < result.seconds_alone.size(); ++i) {
    const std::size_t setting = work.settings[i];
    store_.measured_alone(ids_[setting], result.seconds_alone[i], bytes_.empty() ? std::nullopt : bytes_[setting]);
  }
}

}  // namespace bellwether
