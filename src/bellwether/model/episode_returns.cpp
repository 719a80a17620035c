#include <bellwether/model/episode_returns.h>

#include <algorithm>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

EpisodeReturns::EpisodeReturns(std::size_t dim, std::size_t halves)
    : dim_(dim), sums_(halves + 1, 0.0), counts_(halves + 1, 0), tails_(halves + 1) {}

void EpisodeReturns::add(const Batch& steps, const std::vector<Segment>& segments, const Episodes& episodes) {
  for (const Segment& segment : segments) {
    if (segment.begins) {
      close(/*ended=*/false);
      open_ = !segment.jumps;
      halves_ = sums_.size() > 1 ? episodes.halves(segment.unit) : 0;
      weight_ = 1;
      sum_ = 0;
    }
    if (!open_) continue;
    double weight = weight_, sum = sum_;
    const std::size_t end = segment.first + segment.count;
    for (std::size_t t = segment.first; t < end; ++t) {
      sum += weight * steps.reward[t];
      weight *= steps.discount[t];
    }
    weight_ = weight;
    sum_ = sum;
    if (steps.discount[end - 1] == 0) close(/*ended=*/true);
    else keep_last(steps.x_next.row(end - 1));
  }
}

void EpisodeReturns::close(bool ended) {
  if (!open_) return;
  open_ = false;
  for (std::size_t h = 0; h < sums_.size(); ++h) {
    if (!in(h)) continue;
    ++counts_[h];
    sums_[h] += sum_;
    if (ended) continue;
    tails_[h].resize(dim_, 0.0);
    for (std::size_t i = 0; i < last_indices_.size(); ++i) tails_[h][last_indices_[i]] += weight_ * last_values_[i];
  }
}

void EpisodeReturns::keep_last(const Features& x) {
  last_indices_.clear();
  last_values_.clear();
  visit(x, [&](const auto& row) {
    row.for_each([&](std::size_t j, double value) {
      last_indices_.push_back(static_cast<std::uint32_t>(j));
      last_values_.push_back(value);
    });
  });
}

double EpisodeReturns::mean(std::size_t half, const std::vector<double>& w) const {
  double sum = sums_[half];
  if (!tails_[half].empty()) sum += kernels::dot(tails_[half].data(), w.data(), dim_);
  if (is_open_in(half)) {
    sum += sum_;
    for (std::size_t i = 0; i < last_indices_.size(); ++i) sum += weight_ * last_values_[i] * w[last_indices_[i]];
  }
  return sum / static_cast<double>(count(half));
}

void EpisodeReturns::absorb(const EpisodeReturns& other) {
  close(/*ended=*/false);
  for (std::size_t h = 0; h < sums_.size(); ++h) {
    sums_[h] += other.sums_[h];
    counts_[h] += other.counts_[h];
    if (other.tails_[h].empty()) continue;
    tails_[h].resize(dim_, 0.0);
    kernels::axpy(1.0, other.tails_[h].data(), tails_[h].data(), dim_);
  }
  open_ = other.open_;
  halves_ = other.halves_;
  weight_ = other.weight_;
  sum_ = other.sum_;
  last_indices_ = other.last_indices_;
  last_values_ = other.last_values_;
}

bool EpisodeReturns::fits() const {
  const auto fit = [&](const std::vector<double>& tail) { return tail.empty() || tail.size() == dim_; };
  const auto inside = [&](std::uint32_t j) { return j < dim_; };
  return tails_.size() == sums_.size() && std::all_of(tails_.begin(), tails_.end(), fit) &&
         last_values_.size() == last_indices_.size() && std::all_of(last_indices_.begin(), last_indices_.end(), inside);
}

}  // namespace bellwether
