#include "support/results.h"

#include <algorithm>

#include <bellwether/results/store_reader.h>

namespace bellwether::testing {

StudyRecord small_study(std::uint64_t seeds) {
  StudyRecord study;
  study.name = "boyan";
  study.title = "Boyan's chain, \"small\"";
  study.scale = "quick";
  study.source = "name = \"boyan\"  # gr\xc3\xbc\xc3\x9f\x65\n";
  study.protocol = {{"steps", "100"}, {"every", "50"}, {"seed", "1"}};
  study.seeds = seeds;
  study.metrics = {"relative", "rmse"};
  study.at = {0, 50, 100};
  study.version = "0.1.0";
  study.machine = "host, 2 threads";
  study.command = "bellwether sweep boyan.toml";
  return study;
}

std::vector<SettingRecord> small_settings() {
  const Settings chain{{"size", "13"}};
  return {
      {"boyan_chain", chain, "", {}, "td", "td", {{"alpha", "0.1"}, {"lambda", "0"}, {"trace", "accumulating"}}, 4, 2},
      {"boyan_chain", chain, "", {}, "td", "td", {{"alpha", "0.2"}, {"lambda", "0"}, {"trace", "accumulating"}}, 4, 2},
      {"boyan_chain", chain, "", {}, "lstd", "lstd", {{"eta", "1e-05"}, {"lambda", "0"}}, 4, 2}};
}

RunRecord small_run(std::size_t setting, std::uint64_t seed, bool keeps_curves) {
  RunRecord run;
  run.seed = seed;
  run.seconds = 0.25;
  if (setting == 2 && seed % 10 == 3) {
    run.diverged_at = 40 + seed;
    return run;
  }
  const double level = 1 / (1.0 + static_cast<double>(setting)) + 0.01 * static_cast<double>(seed % 7);
  const Curves curves{{1, level, level / 3}, {10, 2 * level, level / 7}};
  for (const auto& curve : curves) {
    run.average.push_back((curve[0] + curve[1] + curve[2]) / 3);
    run.last.push_back(curve[2]);
  }
  if (keeps_curves) run.curves = curves;
  return run;
}

BlockResult small_block(std::int64_t id, std::size_t index, std::uint64_t block, std::uint64_t seeds,
                        bool keeps_curves) {
  BlockResult result{id, block, {}, {}};
  for (std::uint64_t s = block * seeds_per_block; s < std::min(seeds, (block + 1) * seeds_per_block); ++s) {
    result.runs.push_back(small_run(index, s, keeps_curves));
    if (!result.runs.back().diverged_at) add(result.curves, small_run(index, s, true).curves);
  }
  return result;
}

void write_small_study(const std::string& file, std::uint64_t seeds, bool keeps_curves,
                       const std::function<void()>& committed) {
  StoreWriter store(file);
  StudyRecord study = small_study(seeds);
  study.keeps_curves = keeps_curves;
  const auto begun = store.begin(study, small_settings());
  const auto done = store.done(begun.study);
  for (std::size_t i = 0; i < begun.settings.size(); ++i) {
    for (std::uint64_t b = 0; b * seeds_per_block < seeds; ++b) {
      const BlockResult block = small_block(begun.settings[i], i, b, seeds, keeps_curves);
      const bool there = std::any_of(done.begin(), done.end(), [&](const DoneBlock& d) {
        return d.setting == block.setting && d.block == b && d.runs == block.runs.size();
      });
      if (there) continue;
      store.commit({&block, 1});
      if (committed) committed();
    }
  }
  store.close();
}

std::string content(const std::string& file) {
  const StoreReader reader(file);
  std::string all;
  for (const StoredStudy& study : reader.studies()) {
    reader.content(study, [&](std::string_view line) { all.append(line).append("\n"); });
  }
  return all;
}

}  // namespace bellwether::testing
