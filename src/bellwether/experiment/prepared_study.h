#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/support/parallel.h>
#include <bellwether/experiment/protocol.h>
#include <bellwether/study/study.h>

namespace bellwether {

/// How a study is prepared.
struct Preparation {
  unsigned jobs = 1;                   // threads that find true values
  std::filesystem::path cache = {};    // where true values are kept; empty: nowhere
  std::function<bool()> stopped = {};  // asked often; true: give up
  Progress finding_truth = {};         // told how far the true values are
};

/// A study that is ready to run: its domains are made, its true values found, its metrics chosen. It does not change
/// afterwards, and any number of threads may work with it.
///
///     Study study;
///     study.cases = {{.domain = "boyan_chain"}};
///     study.add("td", {{"alpha", "0.1"}});
///     const PreparedStudy prepared(study);
///     const std::vector<SettingSummary> summaries = compare(prepared);     // experiment/comparison.h
///
/// Preparing takes no time where true values are known, as in finite chains, and minutes where they are means of
/// rollouts; give a `cache` to pay for them once. The study is copied in, so yours may change or go.
class PreparedStudy {
 public:
  /// A domain and features, with everything that runs on them have in common.
  struct Case {
    std::shared_ptr<const Domain> domain;
    GroundTruth truth;           // the states to judge on; none when no metric needs them
    std::size_t dim = 0;         // number of features
    std::size_t max_active = 0;  // how many of them can be non-zero at a time
    Protocol protocol;
  };

  /// Throws InvalidArgument when the study makes no sense (no case, no setting, a metric twice or one that a domain
  /// does not allow), and Interrupted (experiment/workers.h) when stopped.
  explicit PreparedStudy(Study study, const Preparation& how = {});

  const Study& study() const { return study_; }
  const std::vector<Metric>& metrics() const { return metrics_; }  // at least one; the first ranks the settings
  std::vector<std::string> metric_names() const;
  const std::vector<std::uint64_t>& at() const { return at_; }  // steps learned when metrics are recorded
  std::size_t cases() const { return cases_.size(); }
  const Case& of_case(std::size_t index) const { return *cases_[index]; }

 private:
  std::unique_ptr<Case> prepared(const StudyCase& of, const Preparation& how) const;

  Study study_;
  std::vector<Metric> metrics_;
  std::vector<std::uint64_t> at_;
  std::vector<std::unique_ptr<Case>> cases_;  // protocols point into their case
};

}  // namespace bellwether
