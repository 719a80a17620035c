#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <bellwether/results/store_writer.h>

namespace bellwether::testing {

/// A study of three settings and two metrics.
StudyRecord small_study(std::uint64_t seeds = 20);
std::vector<SettingRecord> small_settings();

/// A run whose numbers are functions of the setting's index and the seed. Seeds 3, 13, 23, ... of the last setting
/// diverge.
RunRecord small_run(std::size_t setting, std::uint64_t seed, bool keeps_curves = false);

/// A block of such runs of setting `index`, whose id is `id`; as many as the study has seeds.
BlockResult small_block(std::int64_t id, std::size_t index, std::uint64_t block, std::uint64_t seeds,
                        bool keeps_curves = false);

/// Commits every missing block of the study, one at a time; `committed` is called after each.
void write_small_study(const std::string& file, std::uint64_t seeds = 20, bool keeps_curves = false,
                       const std::function<void()>& committed = {});

/// The content of a file, equal for two files with the same results (StoreReader::content).
std::string content(const std::string& file);

}  // namespace bellwether::testing
