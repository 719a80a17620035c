#include <bellwether/learners/least_squares/equations/block_preconditioner.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <bellwether/traces/followed_trace.h>

namespace bellwether {
namespace {

/// Numbers that a thread takes at once.
constexpr std::size_t numbers_a_turn = std::size_t{1} << 14U;

constexpr std::uint32_t not_in_block = 0xffffffff;

/// Whatever the block may cost, at least so many steps are used for every feature in it: fewer would give mostly noise.
constexpr double steps_a_feature = 8;

/// At the start of a piece the trace is zero.
constexpr std::size_t steps_a_piece = 512;

/// The block counts as singular if the reciprocal of its condition number is below this.
constexpr double singular = 1e-15;

/// S_HH = sum_t e_t d_t^T, restricted to the features in H.
class BlockSum {
 public:
  BlockSum(std::size_t features, const std::vector<std::uint32_t>& head)
      : sum_(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(head.size()), static_cast<Eigen::Index>(head.size()))),
        index_(features, not_in_block),
        e_(head.size()),
        d_(head.size()),
        in_e_(head.size(), 0) {
    for (std::size_t i = 0; i < head.size(); ++i) index_[head[i]] = static_cast<std::uint32_t>(i);
  }

  /// About how many multiplications all steps would take.
  double cost(const TransitionLog& log, std::size_t count) const {
    std::size_t entries = 1;
    for (std::size_t t = 0; t < count; ++t) {
      log.with_x(t, [&](const auto& x) { in_head(x, [&](std::size_t, double) { ++entries; }); });
    }
    return static_cast<double>(entries * e_.size());
  }

  /// Adds steps first .. last-1, with a trace of zero before them.
  void add(const TransitionLog& log, std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      const TransitionLog::Numbers& numbers = log.numbers_of(t);
      decay(t == first ? 0 : numbers.f);
      log.with_addition(t,
                        [&](const auto& a) { in_head(a, [&](std::size_t i, double v) { raise(i, numbers.y * v); }); });
      entries_of_d_.clear();
      const auto add_to_d = [&](double factor) {
        return [&, factor](const auto& x) {
          in_head(x, [&](std::size_t i, double v) {
            entries_of_d_.push_back(static_cast<std::uint32_t>(i));
            d_[i] += factor * v;
          });
        };
      };
      log.with_x(t, add_to_d(1));
      log.with_next(t, add_to_d(-numbers.gn));
      for (const std::uint32_t i : entries_of_d_) {
        if (d_[i] != 0) add_column(d_[i], sum_.col(static_cast<Eigen::Index>(i)).data());
        d_[i] = 0;
      }
    }
  }

  Eigen::MatrixXd& sum() { return sum_; }

 private:
  template <class X, class F>
  void in_head(const X& x, F&& f) const {
    x.for_each([&](std::size_t j, double value) {
      if (index_[j] != not_in_block) f(std::size_t{index_[j]}, value);
    });
  }

  void decay(double f) {
    if (f != 0) return kernels::scale(f, e_.data(), e_.size());
    for (const std::uint32_t i : entries_of_e_) e_[i] = in_e_[i] = 0;
    entries_of_e_.clear();
  }

  void raise(std::size_t i, double change) {
    e_[i] += change;
    if (in_e_[i] == 0) entries_of_e_.push_back(static_cast<std::uint32_t>(i));
    in_e_[i] = 1;
  }

  void add_column(double d, double* column) const {
    if (8 * entries_of_e_.size() > e_.size()) return kernels::axpy(d, e_.data(), column, e_.size());
    for (const std::uint32_t i : entries_of_e_) column[i] += d * e_[i];
  }

  Eigen::MatrixXd sum_;
  std::vector<std::uint32_t> index_;  // of a feature in the block
  std::vector<double> e_, d_;
  std::vector<std::uint8_t> in_e_;
  std::vector<std::uint32_t> entries_of_e_, entries_of_d_;
};

}  // namespace

BlockPreconditioner::BlockPreconditioner(const TransitionLog& log, std::size_t count, double ridge)
    : ridge_(ridge), count_(count), diagonal_(log.features_of(count), 0.0) {
  sum_diagonal(log);
  choose_head();
}

void BlockPreconditioner::sum_diagonal(const TransitionLog& log) {
  FollowedTrace<0> e(diagonal_.size());
  for (std::size_t t = 0; t < count_; ++t) {
    const TransitionLog::Numbers& numbers = log.numbers_of(t);
    log.with_addition(t, [&](const auto& a) { e.move({numbers.f, numbers.y}, a); });
    const auto add = [&](double factor) {
      return [&, factor](const auto& x) {
        x.for_each([&](std::size_t j, double v) { diagonal_[j] += factor * v * e.trace_at(j); });
      };
    };
    log.with_x(t, add(1));
    log.with_next(t, add(-numbers.gn));
  }
  // Off-policy some entries may be negative; the equations of these features count no less.
  for (double& v : diagonal_) v = std::isfinite(v) ? std::abs(v) + ridge_ : ridge_;
}

void BlockPreconditioner::choose_head() {
  head_.resize(diagonal_.size());
  std::iota(head_.begin(), head_.end(), 0U);
  position_ = head_;
  if (head_.size() <= largest_block) return;
  const auto end = head_.begin() + static_cast<std::ptrdiff_t>(largest_block);
  std::nth_element(head_.begin(), end, head_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return diagonal_[a] != diagonal_[b] ? diagonal_[a] > diagonal_[b] : a < b;
  });
  head_.erase(end, head_.end());
  std::sort(head_.begin(), head_.end());
  position_ = head_;
}

void BlockPreconditioner::renumber(std::span<const std::uint32_t> number, std::size_t count) {
  std::vector<double> diagonal(count, ridge_);
  for (std::size_t j = 0; j < diagonal_.size(); ++j) {
    if (number[j] < count) diagonal[number[j]] = diagonal_[j];
  }
  diagonal_ = std::move(diagonal);
  std::erase_if(head_, [&](std::uint32_t j) { return number[j] >= count; });
  position_.clear();
  for (const std::uint32_t j : head_) position_.push_back(number[j]);
}

void BlockPreconditioner::add_block(const TransitionLog& log) {
  const std::size_t count = count_;
  BlockSum block(log.features(), head_);
  const double cost = block.cost(log, count);
  const double share =
      std::max(work / cost, steps_a_feature * static_cast<double>(head_.size()) / static_cast<double>(count));
  std::size_t used = count;
  if (share >= 1) {
    block.add(log, 0, count);
  } else {
    const std::size_t pieces = count / steps_a_piece + 1;
    const auto taken = static_cast<std::size_t>(share * static_cast<double>(pieces)) + 1;
    used = 0;
    for (std::size_t i = 0; i < std::min(taken, pieces); ++i) {
      const std::size_t first = i * pieces / taken * steps_a_piece;
      const std::size_t last = std::min(count, first + steps_a_piece);
      block.add(log, first, last);
      used += last - first;
    }
  }
  Eigen::MatrixXd& S = block.sum();
  S *= static_cast<double>(count) / static_cast<double>(used);
  S.diagonal().array() += ridge_;
  LuFactors factors(S);
  if (factors.reciprocal_condition() > singular) factors_ = std::move(factors);
}

void BlockPreconditioner::solve(const double* v, double* out, std::size_t n, ThreadTeam& team) const {
  const std::size_t known = std::min(n, diagonal_.size());
  team.run_ranges(known, numbers_a_turn, [&](std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < last; ++j) out[j] = v[j] / diagonal_[j];
  });
  for (std::size_t j = known; j < n; ++j) out[j] = v[j] / ridge_;
  if (!factors_) return;
  Eigen::VectorXd part(static_cast<Eigen::Index>(head_.size()));
  for (std::size_t i = 0; i < head_.size(); ++i) part[static_cast<Eigen::Index>(i)] = v[position_[i]];
  part = factors_->solve(part);
  for (std::size_t i = 0; i < head_.size(); ++i) out[position_[i]] = part[static_cast<Eigen::Index>(i)];
}

}  // namespace bellwether
