#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <bellwether/core/params/params.h>
#include <bellwether/study/study.h>

/// Running a study from a terminal, with progress and messages: what `sweep` and `reproduce` have in common.
namespace bellwether::cli {

struct SweepParams {
  std::optional<std::int64_t> jobs = std::nullopt;

  static constexpr auto fields() {
    return std::tuple{Field("jobs", &SweepParams::jobs, between(1, 1024),
                            "threads, of each process if there are several; auto: one per core, or one per process; "
                            "the results do not depend on them")};
  }
};

struct SweepRequest {
  std::function<Study()> study;  // reads the study; called by each process
  std::string out;               // the file of results
  std::optional<std::int64_t> jobs;
  bool sharing = true;
};

/// Runs what the file of results does not have yet. Throws Stopped when interrupted.
void sweep(const SweepRequest& request);

/// Says how much time and memory that would take, and does nothing else.
void say_what_it_takes(const SweepRequest& request);

/// True for the one process, of those started together, that prints results.
bool first_of_all();

}  // namespace bellwether::cli
