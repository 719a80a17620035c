#include <bellwether/experiment/seed_run.h>

#include <algorithm>
#include <array>

#include <bellwether/experiment/cost/cpu_clock.h>
#include <bellwether/features/support/description.h>

namespace bellwether {

namespace {

constexpr std::uint64_t first_piece = 16;
constexpr std::uint64_t piece_size = 4096;  // so that memory does not grow with the distance between measurements

/// The domain's initial weights are for the features that come with it.
bool own_features(const std::string& description) {
  if (description.empty()) return true;
  const auto parts = parse_description(description);
  return parts.size() == 1 && parts.front().name == "own";
}

double bytes_of(const FeatureMap& features, std::uint64_t steps) {
  constexpr double of_a_step = 64;
  const double of_a_feature = features.layout() == Layout::sparse ? 12 : features.layout() == Layout::dense ? 8 : 4;
  return static_cast<double>(steps) * (of_a_feature * static_cast<double>(features.max_active()) + of_a_step);
}

}  // namespace

SeedRun::SeedRun(const Protocol& protocol, std::uint64_t run)
    : protocol_(protocol),
      run_(run),
      features_(protocol.features_of(run)),
      maker_(*protocol.domain, *features_, *protocol.truth, protocol.bellman, protocol.truth_seed, run) {
  for (const Metric metric : protocol.metrics) {
    const auto error = value_error_of(metric);
    measures_.push_back(error ? nullptr : maker_.make(metric));
    if (!error) continue;
    if (values_) values_->require(*error);
    else values_ = maker_.make(*error);
  }
  if (own_features(protocol.features)) initial_ = protocol.domain->initial_weights();
  if (initial_.size() != dim()) initial_.clear();
  if (bytes_of(*features_, protocol.at.back()) <= protocol.most_bytes) {
    begin();
    recorded_ = stream_->next(protocol.at.back());
  }
}

void SeedRun::begin() {
  if (!recorded_) stream_ = std::make_unique<Stream>(*protocol_.domain, features_, protocol_.seed, run_);
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    // The one measure that remembers the steps it has observed.
    if (protocol_.metrics[m] == Metric::effective_samples) measures_[m] = maker_.make(protocol_.metrics[m]);
  }
}

Batch SeedRun::piece(std::uint64_t t, std::uint64_t until) {
  const std::uint64_t n = std::min(until - t, piece_size);
  return recorded_ ? recorded_->slice(t, n) : stream_->next(n);
}

Batch SeedRun::sample(std::size_t n) {
  begin();
  return piece(0, std::min<std::uint64_t>(n, protocol_.at.back()));
}

void SeedRun::measure(Ensemble& ensemble, std::vector<Trial>& trials) {
  std::array<double, 8> room{};
  for (std::size_t first = 0; first < trials.size(); first += 8) {
    const std::size_t count = std::min<std::size_t>(8, trials.size() - first);
    const bool alone = count == 1;  // eight at once would take longer
    const std::span<double> weights = std::span(lanes_).first((alone ? 1 : 8) * dim());
    if (alone) ensemble.weights(first, weights);
    else ensemble.eight_weights(first, weights);
    if (values_ && alone) values_->estimate(weights);
    else if (values_) values_->estimate_eight(weights);
    for (std::size_t m = 0; m < measures_.size(); ++m) {
      const std::span<double> results = std::span(room).first(count);
      const auto error = value_error_of(protocol_.metrics[m]);
      if (error && alone) results[0] = values_->error(*error);
      else if (error) values_->errors_of_eight(*error, results);
      else if (alone) results[0] = (*measures_[m])(weights);
      else measures_[m]->eight(weights, results);
      for (std::size_t l = 0; l < count; ++l) trials[first + l].curves[m].push_back(results[l]);
    }
  }
}

std::vector<Trial> SeedRun::follow(Ensemble& ensemble, const Tick& tick) {
  begin();
  if (!initial_.empty()) ensemble.start_from(initial_);
  std::vector<Trial> trials(ensemble.size());
  for (Trial& trial : trials) {
    trial.curves.resize(measures_.size());
    for (auto& values : trial.curves) values.reserve(protocol_.at.size());
  }
  lanes_.resize(8 * dim());
  double seconds = 0;
  std::uint64_t t = 0;
  for (const std::uint64_t until : protocol_.at) {
    while (t < until) {
      // Short ones at first: a step may take a second, and the caller wants to know how long it takes, or to stop.
      const Batch batch = piece(t, std::min(until, t + std::max(t, first_piece)));
      const double begun = cpu_seconds();
      ensemble.learn(batch);
      seconds += cpu_seconds() - begun;
      for (const auto& measure : measures_) {
        if (measure) measure->observe(batch);
      }
      t += batch.size;
      if (tick) tick(batch.size);
    }
    measure(ensemble, trials);
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    trials[i].diverged_at = ensemble.diverged_at(i);
    trials[i].findings = ensemble.findings(i);
    trials[i].seconds = seconds / static_cast<double>(trials.size());
  }
  return trials;
}

}  // namespace bellwether
