#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <bellwether/core/params.h>
#include <bellwether/study/study.h>

/// What `sweep` and `reproduce` share: running a study with everything that a person at a terminal expects.
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
  std::function<Study()> study;  // read when it is time to, and by each process for itself
  std::string name;              // for messages before that
  std::string out;               // the file of results
  std::optional<std::int64_t> jobs;
  bool sharing = true;
};

/// Runs what the file does not have yet, or nothing but says what it would take. Throws Stopped when interrupted.
void sweep(const SweepRequest& request);
void say_what_it_takes(const SweepRequest& request);

/// The processes started together must not all print results: true for the one that may.
bool first_of_all();

}  // namespace bellwether::cli
