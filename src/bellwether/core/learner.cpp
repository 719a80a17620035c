#include <bellwether/core/learner.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/learner_checks.h>
#include <bellwether/core/state.h>

namespace bellwether {

std::size_t checked_dim(std::size_t dim) {
  if (dim == 0) throw InvalidArgument("a learner needs at least one feature, not 0");
  return dim;
}

Learner::Learner(std::size_t dim) : dim_(checked_dim(dim)) {}

void check_batch(std::string_view type, std::size_t dim, const Batch& batch) {
  if (batch.dim() != dim) {
    throw InvalidArgument(fmt::format("{}: the batch has {} features, the learner {}", type, batch.dim(), dim));
  }
  if (batch.x_next.dim != dim || batch.x_next.layout != batch.x.layout) {
    throw InvalidArgument(fmt::format("{}: x and x_next of a batch differ in layout or number of features", type));
  }
}

void check_start(std::string_view type, std::size_t dim, std::uint64_t steps, std::span<const double> w) {
  if (w.size() != dim) {
    throw InvalidArgument(fmt::format("{}: {} starting weights for {} features", type, w.size(), dim));
  }
  if (steps > 0) {
    throw InvalidArgument(fmt::format("{}: starting weights are given after {} steps of learning", type, steps));
  }
  for (const double v : w) {
    if (!std::isfinite(v)) throw InvalidArgument(fmt::format("{}: a starting weight is {}", type, v));
  }
}

void check_same_start(std::string_view type, std::span<const double> w, std::span<const double> other) {
  if (std::equal(w.begin(), w.end(), other.begin(), other.end())) return;
  throw InvalidArgument(
      fmt::format("{}: the two started from different weights, so what they have learned does not add up", type));
}

void Learner::learn(const Batch& batch) {
  check_batch(type(), dim_, batch);
  if (!diverged_at_) {
    const std::size_t learned = learn_steps(batch);
    if (learned < batch.size) diverged_at_ = steps_ + learned;
  }
  steps_ += batch.size;
}

void Learner::predict(const FeatureRows& rows, std::span<double> values) const {
  for (std::size_t i = 0; i < rows.rows; ++i) values[i] = predict(rows.row(i));
}

std::vector<double> Learner::weights() const {
  std::vector<double> w(dim_);
  weights(w);
  return w;
}

std::string Learner::identity() const {
  return fmt::format("{} with {} features ({})", type(), dim(), text_of(settings()));
}

void Learner::save(StateWriter& out) const {
  out(identity(), steps_, diverged_at_);
  write_state(out);
}

std::string Learner::save() const {
  StateWriter out;
  save(out);
  return out.take();
}

void Learner::load(std::string_view bytes) {
  StateReader in(bytes);
  load(in);
  in.finish();
}

void Learner::load(StateReader& in) {
  if (steps_ > 0)
    throw InvalidArgument(fmt::format("{}: a state is loaded after {} steps of learning", type(), steps_));
  std::string saved;
  in(saved);
  in.require(std::none_of(saved.begin(), saved.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }));
  if (saved != identity()) {
    throw InvalidArgument(fmt::format("{} cannot load what was learned by {}", identity(), saved));
  }
  in(steps_, diverged_at_);
  in.require(!diverged_at_ || *diverged_at_ < steps_);
  in.require_finite(!diverged_at_);  // one that has diverged never learns again
  read_state(in);
  in.require_finite(false);
}

void Learner::absorb(const Learner& other) {
  if (&other == this) return absorb(*clone());
  if (other.identity() != identity()) {
    throw InvalidArgument(fmt::format("{} cannot take over what {} has learned", identity(), other.identity()));
  }
  if (diverged_at_ || other.diverged_at_) {
    throw InvalidArgument(fmt::format("{}: one of the two has diverged, so there is nothing to add up", type()));
  }
  add_statistics(other);
  steps_ += other.steps_;
}

void Learner::add_statistics(const Learner&) {
  throw InvalidArgument(fmt::format("{}: what two of them have learned does not add up", type()));
}

void Learner::start_from(std::span<const double> w) {
  check_start(type(), dim_, steps_, w);
  assign_weights(w);
}

}  // namespace bellwether
