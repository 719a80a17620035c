#pragma once

#include <cstdint>
#include <functional>

#include <bellwether/experiment/store_sink.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {

/// How far a sweep is.
struct SweepProgress {
  double share = 0;        // of the expected time
  std::uint64_t runs = 0;  // in the file, with those of earlier sweeps
  std::uint64_t of = 0;
  std::uint64_t diverged = 0;
};

struct SweepOptions {
  bool sharing = true;      // settings that can learn together do; the results are the same
  Workers workers = {};     // threads and processes
  Provenance written = {};  // what the file says about who wrote it
  std::function<void(const SweepProgress&)> progress = {};
};

/// Runs a study into a file of results: every setting for every seed that the file does not have yet. The content of
/// the file is a function of the study alone, bit for bit, except for times.
///
///     const PreparedStudy study(read_study("studies/boyan.toml"));
///     StoreWriter store("boyan.db");
///     sweep(study, store, {.workers = {.jobs = 2}});
///
/// Returns false when it was stopped before the end: what was finished is in the file, and the same call continues from
/// there. With several processes, those of rank > 0 call `serve_sweep` instead.
bool sweep(const PreparedStudy& study, StoreWriter& store, const SweepOptions& options = {});

/// Computes what rank 0 hands out until the sweep is finished. Throws Interrupted when stopped.
void serve_sweep(const PreparedStudy& study, const SweepOptions& options);

}  // namespace bellwether
