#include <bellwether/learners/least_squares/equations/prepared_log.h>

#include <algorithm>
#include <array>
#include <numeric>

#include <bellwether/learners/least_squares/equations/local_elimination.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether {
namespace {

using GroupOfNumbers = std::array<double, RunMatrix::largest_group>;

/// h_i = y_i (p_i - gn_i p_{i+1})
BELLWETHER_SIMD void differences(const double* __restrict p, const double* __restrict gn, const double* __restrict y,
                                 double* __restrict h, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) h[i] = y[i] * (p[i] - gn[i] * p[i + 1]);
}

/// Groups that a thread takes at once.
constexpr std::size_t groups_a_turn = 16;

/// Features also take time for themselves, in entries; rare ones are mostly not in the cache.
constexpr std::uint32_t work_a_feature = 2;

}  // namespace

PreparedLog::PreparedLog(const TransitionLog& log, Numbering numbering, ThreadTeam& team)
    : log_(log), team_(team), number_(log.features()), shared_(log.features()), x_(log.features()) {
  if (log.with_additions()) a_.emplace(log.features());
  find_rows();
  std::iota(number_.begin(), number_.end(), 0U);
  // The sorting below has room for 2^31 rows.
  if (numbering != Numbering::kept && x_.dense.empty() && own_.size() >> 31U == 0) number_features(numbering);
  fill();
  find_stretches();
  divide_features();
}

void PreparedLog::find_rows() {
  const std::size_t about = log_.size() + log_.size() / 8;
  own_.reserve(about);
  for (std::vector<double>* numbers : {&gn_, &f_, &y_}) numbers->reserve(about);
  log_.for_each_state([&](const TransitionLog::Numbers* numbers, const auto& x, const double* additions) {
    if constexpr (std::is_same_v<decltype(x), const DenseView&>) {
      x_.dense.resize(own_.size() + 1);
      x_.dense.back() = x.values;
      if (a_) a_->dense.resize(own_.size() + 1);
      if (a_) a_->dense.back() = additions;
    }
    own_.push_back(numbers == nullptr ? 0 : 1);
    gn_.push_back(numbers == nullptr ? 0 : numbers->gn);
    f_.push_back(numbers == nullptr ? 1 : numbers->f);
    y_.push_back(numbers == nullptr ? 0 : numbers->y);
    traces_ = traces_ || (numbers != nullptr && numbers->f != 0);
  });
  if (!x_.dense.empty()) x_.dense.resize(own_.size());
  if (a_ && !a_->dense.empty()) a_->dense.resize(own_.size());
  constexpr std::size_t most = RunMatrix::largest_group;
  for (std::size_t first = 0; first < own_.size();) {
    std::size_t last = std::min(own_.size(), first + most);
    for (std::size_t r = last; r > first + most / 2; --r) {
      if (!ends_in(r - 1)) continue;
      last = r;
      break;
    }
    groups_.push_back({first, last, shared_, shared_});
    first = last;
  }
}

bool PreparedLog::ends_in(std::size_t r) const { return gn_[r] == 0 && (r + 1 == own_.size() || f_[r + 1] == 0); }

void PreparedLog::number_features(Numbering numbering) {
  struct Seen {
    std::uint32_t group = 0;  // where it first occurs
    std::uint32_t last = 0;   // the last row in which it occurs
    std::uint32_t count = 0;
  };
  std::vector<Seen> seen(features());
  std::uint32_t row = 0;
  std::uint32_t group = 0;
  log_.for_each_state([&](const TransitionLog::Numbers*, const auto& x, const double*) {
    if (row == groups_[group].last) ++group;
    for (std::size_t k = 0; k < x.size; ++k) {
      Seen& s = seen[index_of(x, k)];
      if (s.count++ == 0) s.group = group;
      s.last = row;
    }
    ++row;
  });
  // Sorted as (key, feature) in one word.
  std::vector<std::uint64_t> shared;
  std::vector<std::uint64_t> local;
  const auto frequent_first = [&](std::uint64_t j) { return (std::uint64_t{~seen[j].count} << 32U) | j; };
  for (std::size_t j = 0; j < seen.size(); ++j) {
    const Seen& s = seen[j];
    if (numbering == Numbering::local_last && s.last < groups_[s.group].last)
      local.push_back((std::uint64_t{s.last} << 32U) | j);
    else shared.push_back(frequent_first(j));
  }
  std::sort(local.begin(), local.end());
  std::size_t kept = 0;
  std::vector<std::uint32_t> locals(groups_.size(), 0);
  for (const std::uint64_t each : local) {
    const std::uint64_t j = each & 0xffffffffU;
    if (locals[seen[j].group] < LocalElimination::largest_block) {
      ++locals[seen[j].group];
      local[kept++] = each;
    } else {
      shared.push_back(frequent_first(j));
    }
  }
  local.resize(kept);
  std::sort(shared.begin(), shared.end());
  std::uint32_t next = 0;
  for (const std::uint64_t each : shared) number_[each & 0xffffffffU] = next++;
  for (const std::uint64_t each : local) number_[each & 0xffffffffU] = next++;
  shared_ = shared.size();
  std::size_t at = shared_;
  const std::uint32_t* count = locals.data();
  for (Group& each : groups_) {
    each.first_local = at;
    each.last_local = at += *count++;
  }
}

void PreparedLog::fill() {
  std::size_t row = 0;
  std::size_t group = 0;
  const auto end_group = [&] {
    const std::size_t rows = groups_[group++].rows();
    for (States* states : {&x_, a_ ? &*a_ : nullptr}) {
      if (states == nullptr) continue;
      states->shared.end_group(rows);
      states->local.end_group(rows);
    }
  };
  log_.for_each_state([&](const TransitionLog::Numbers* numbers, const auto& x, const double* additions) {
    if (row == groups_[group].last) end_group();
    const std::size_t i = row++ - groups_[group].first;
    if constexpr (!std::is_same_v<decltype(x), const DenseView&>) {
      for (std::size_t k = 0; k < x.size; ++k) {
        const std::uint32_t j = number_[index_of(x, k)];
        (j < shared_ ? x_.shared : x_.local).add(i, j, value_of(x, k));
        if (a_ && numbers != nullptr) (j < shared_ ? a_->shared : a_->local).add(i, j, additions[k]);
      }
    }
  });
  if (!groups_.empty()) end_group();
  for (States* states : {&x_, a_ ? &*a_ : nullptr}) {
    if (states == nullptr) continue;
    states->shared.finish();
    states->local.finish();
  }
  const auto entries = [&](const States& states) {
    const auto dense =
        std::count_if(states.dense.begin(), states.dense.end(), [](const double* x) { return x != nullptr; });
    return static_cast<double>(states.shared.entries() + states.local.entries()) +
           static_cast<double>(dense) * static_cast<double>(features());
  };
  work_ = entries(x()) + entries(a());
}

void PreparedLog::find_stretches() {
  stretches_.push_back(0);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const bool whole = k + 1 - stretches_.back() >= groups_a_turn && ends_in(groups_[k].last - 1);
    if (whole || k + 1 == groups_.size()) stretches_.push_back(k + 1);
  }
  between_.resize(own_.size());
}

/// Parts of about equal work, as many as there are threads.
void PreparedLog::divide_features() {
  const auto dense = static_cast<std::uint32_t>(a().dense.size());
  std::vector<std::uint32_t> work(shared_, dense + work_a_feature);
  a().shared.for_each_column([&](std::uint32_t j) { ++work[j]; });
  const auto all = static_cast<double>(std::accumulate(work.begin(), work.end(), std::uint64_t{0}));
  const double parts = team_.size();
  bounds_.push_back(0);
  double sum = 0;
  for (std::uint32_t j = 0; j < shared_; ++j) {
    sum += work[j];
    while (sum * parts >= all * static_cast<double>(bounds_.size())) bounds_.push_back(j + 1);
  }
  bounds_.resize(team_.size());
  bounds_.push_back(static_cast<std::uint32_t>(shared_));
  (a_ ? *a_ : x_).shared.divide(bounds_);
}

PreparedLog::Carry PreparedLog::backward(std::size_t k, const double* p, double* h, Carry carry) const {
  const std::size_t first = groups_[k].first;
  const std::size_t count = groups_[k].rows();
  if (!traces_) {  // g_t does not depend on g_{t+1}, so rows need not wait for each other; y is 0 where no step begins
    differences(p, gn_.data() + first, y_.data() + first, h, count - 1);
    h[count - 1] = y_[first + count - 1] * (p[count - 1] - gn_[first + count - 1] * carry.p);
    return {p[0], 0};
  }
  for (std::size_t i = count; i-- > 0;) {
    const Row row = this->row(first + i);
    const double g = row.own * p[i] - row.gn * carry.p + carry.g;
    h[i] = row.y * g;
    carry = {p[i], row.f * g};
  }
  return carry;
}

void PreparedLog::multiply_shared(const States& states, std::size_t k, const double* v, double* p) const {
  const Group& group = groups_[k];
  std::fill_n(p, group.rows(), 0.0);
  states.shared.add_product(k, v, p);
  if (states.dense.empty()) return;
  for (std::size_t r = group.first; r < group.last; ++r) {
    if (states.dense[r] != nullptr) p[r - group.first] += kernels::dot(states.dense[r], v, features());
  }
}

void PreparedLog::pass(const double* v, double ridge, double* out, const Between& between) const {
  team_.run_ranges(groups_.size(), groups_a_turn, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) multiply_shared(x(), k, v, between_.data() + groups_[k].first);
  });
  team_.run(stretches_.size() - 1, [&](std::uint64_t i) {
    GroupOfNumbers p;
    Carry carry;
    for (std::size_t k = stretches_[i + 1]; k-- > stretches_[i];) {
      double* h = between_.data() + groups_[k].first;
      std::copy_n(h, groups_[k].rows(), p.data());
      carry = between(k, p.data(), h, carry);
    }
  });
  team_.run(team_.size(), [&](std::uint64_t part) {
    for (std::size_t j = bounds_[part]; j < bounds_[part + 1]; ++j) out[j] = ridge == 0 ? 0 : ridge * v[j];
    for (std::size_t k = groups_.size(); k-- > 0;) {
      const double* h = between_.data() + groups_[k].first;
      a().shared.add_transposed(k, part, h, out);
      add_dense(a(), k, h, out, bounds_[part], bounds_[part + 1]);
    }
  });
}

void PreparedLog::add_dense(const States& states, std::size_t k, const double* h, double* out, std::size_t first,
                            std::size_t last) const {
  if (states.dense.empty()) return;
  for (std::size_t r = groups_[k].first; r < groups_[k].last; ++r) {
    const double* x = states.dense[r];
    if (x != nullptr) kernels::axpy(h[r - groups_[k].first], x + first, out + first, last - first);
  }
}

void PreparedLog::multiply(const States& states, std::size_t k, const double* v, double* p) const {
  multiply_shared(states, k, v, p);
  states.local.add_product(k, v, p);
}

void PreparedLog::add_transposed(const States& states, std::size_t k, const double* h, double* out) const {
  states.shared.add_transposed(k, h, out);
  add_dense(states, k, h, out, 0, features());
  states.local.add_transposed(k, h, out);
}

void PreparedLog::product(const double* v, double* out) const {
  pass(v, 0, out, [&](std::size_t k, double* p, double* h, Carry carry) {
    x().local.add_product(k, v, p);
    carry = backward(k, p, h, carry);
    std::fill_n(out + groups_[k].first_local, groups_[k].locals(), 0.0);
    a().local.add_transposed(k, h, out);
    return carry;
  });
}

void PreparedLog::transposed_product(const double* v, double* out) const {
  std::fill_n(out, features(), 0.0);
  GroupOfNumbers q;
  GroupOfNumbers h;
  double s = 0;
  double next = 0;  // the factor of x_{t+1}: -gamma_{t+1} s_t
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    multiply(a(), k, v, q.data());
    for (std::size_t i = 0; i < groups_[k].rows(); ++i) {
      const Row row = this->row(groups_[k].first + i);
      s = row.f * s + row.y * q[i];
      h[i] = row.own * s + next;
      next = -row.gn * s;
    }
    add_transposed(x(), k, h.data(), out);
  }
}

void PreparedLog::right_side(double* out) const {
  std::fill_n(out, features(), 0.0);
  GroupOfNumbers h;
  double carry = 0;
  std::size_t t = log_.size();
  for (std::size_t k = groups_.size(); k-- > 0;) {
    for (std::size_t i = groups_[k].rows(); i-- > 0;) {
      const Row row = this->row(groups_[k].first + i);
      const double g = (row.own != 0 ? log_.numbers_of(--t).target : 0.0) + carry;
      h[i] = row.y * g;
      carry = row.f * g;
    }
    add_transposed(a(), k, h.data(), out);
  }
}

}  // namespace bellwether
