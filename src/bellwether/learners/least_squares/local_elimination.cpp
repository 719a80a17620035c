#include <bellwether/learners/least_squares/local_elimination.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

using GroupOfNumbers = std::array<double, RunMatrix::largest_group>;

/// Where an envelope that ends at i begins, if its length is made a multiple of four: loops of few different lengths
/// are faster.
std::size_t rounded(std::size_t i, std::size_t begin) { return i - std::min(i, (i - begin + 3) / 4 * 4); }

/// A pivot that is the sum of larger numbers has lost their last digits. It may lose so many.
constexpr double largest_loss = 1e5;

struct LocalEntry {
  std::uint32_t feature;
  double value;
};

/// The entries of local features, row by row.
class LocalRows {
 public:
  LocalRows(const RunMatrix& matrix, std::size_t group, std::size_t first) {
    matrix.for_each(group, [&](std::size_t i, std::uint32_t j, double value) {
      rows_[i].push_back({static_cast<std::uint32_t>(j - first), value});
    });
  }
  const std::vector<LocalEntry>& operator[](std::size_t i) const { return rows_[i]; }

 private:
  std::array<std::vector<LocalEntry>, RunMatrix::largest_group + 1> rows_;  // the last one stays empty
};

}  // namespace

LocalElimination::LocalElimination(const PreparedLog& log, double ridge) : log_(log), ridge_(ridge) {
  envelopes_.reserve(log.features() - log.shared());
  std::vector<double> block;
  for (std::size_t k = 0; k < log.groups() && sound_; ++k) {
    if (log.group(k).locals() == 0) continue;
    form_block(k, block);
    factor(k, block);
  }
}

/// sum_t e_t d_t^T + ridge I of the local features, by columns.
void LocalElimination::form_block(std::size_t group, std::vector<double>& block) {
  const PreparedLog::Group& g = log_.group(group);
  const std::size_t m = g.locals();
  block.assign(m * m, 0.0);
  for (std::size_t j = 0; j < m; ++j) block[j * m + j] = ridge_;
  const LocalRows x(log_.x().local, group, g.first_local);
  const LocalRows a(log_.a().local, group, g.first_local);
  std::array<double, largest_block> e{};
  std::size_t begin = 0;  // e is zero before `begin` and from `end` on
  std::size_t end = 0;
  for (std::size_t i = 0; i < g.rows(); ++i) {
    const PreparedLog::Row& row = log_.row(g.first + i);
    if (row.f == 0) {
      std::fill(e.begin() + static_cast<std::ptrdiff_t>(begin), e.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
      begin = end = 0;
    } else {
      kernels::scale(row.f, e.data() + begin, end - begin);
    }
    for (const LocalEntry& entry : a[i]) {
      e[entry.feature] += row.y * entry.value;
      begin = end == 0 ? entry.feature : std::min<std::size_t>(begin, entry.feature);
      end = std::max<std::size_t>(end, entry.feature + 1);
    }
    const auto add = [&](double factor, const std::vector<LocalEntry>& entries) {
      for (const LocalEntry& entry : entries) {
        kernels::axpy(factor * entry.value, e.data() + begin, block.data() + entry.feature * m + begin, end - begin);
      }
    };
    if (end == 0) continue;
    if (row.own != 0) add(1, x[i]);
    if (row.gn != 0) add(-row.gn, x[i + 1]);
  }
}

/// L has ones on its diagonal. Entries follow from A_ij = sum_k L_ik U_kj in the order of their larger index.
void LocalElimination::factor(std::size_t group, const std::vector<double>& block) {
  const std::size_t m = log_.group(group).locals();
  const std::size_t first = envelopes_.size();
  const auto at = [&](std::size_t i, std::size_t j) { return block[j * m + i]; };
  for (std::size_t i = 0; i < m; ++i) {
    std::size_t lower = 0;
    std::size_t upper = 0;
    while (lower < i && at(i, lower) == 0) ++lower;
    while (upper < i && at(upper, i) == 0) ++upper;
    lower = rounded(i, lower);
    upper = rounded(i, upper);
    const std::size_t begin = factors_.size();
    factors_.append(i - lower + i - upper);
    envelopes_.push_back({begin, static_cast<std::uint16_t>(lower), static_cast<std::uint16_t>(upper), 0});
    double* l = factors_.data() + begin;  // L_ik is l[k - lower]
    double* u = l + (i - lower);          // U_ki is u[k - upper]
    for (std::size_t k = std::min(lower, upper); k < i; ++k) {
      const Envelope& e = envelopes_[first + k];
      const double* l_k = factors_.data() + e.begin;
      const double* u_k = l_k + (k - e.lower);
      if (k >= upper) {
        const std::size_t from = std::max<std::size_t>(e.lower, upper);
        const double sum = from < k ? kernels::dot(l_k + (from - e.lower), u + (from - upper), k - from) : 0;
        u[k - upper] = at(k, i) - sum;
      }
      if (k >= lower) {
        const std::size_t from = std::max<std::size_t>(e.upper, lower);
        const double sum = from < k ? kernels::dot(l + (from - lower), u_k + (from - e.upper), k - from) : 0;
        l[k - lower] = (at(i, k) - sum) * e.inverse_pivot;
      }
    }
    double pivot = at(i, i);
    double size = std::max(std::abs(pivot), ridge_);
    for (std::size_t k = std::max(lower, upper); k < i; ++k) {
      const double term = l[k - lower] * u[k - upper];
      pivot -= term;
      size += std::abs(term);
    }
    envelopes_.back().inverse_pivot = 1 / pivot;
    if (!(std::abs(pivot) * largest_loss >= size)) {
      sound_ = false;
      return;
    }
  }
}

void LocalElimination::solve(std::size_t group, double* z) const {
  const std::size_t m = log_.group(group).locals();
  const Envelope* envelopes = envelopes_.data() + (log_.group(group).first_local - log_.shared());
  for (std::size_t i = 0; i < m; ++i) {
    const Envelope& e = envelopes[i];
    const double* l = factors_.data() + e.begin;
    const double* known = z + e.lower;
    const std::size_t length = i - e.lower;
    std::array<double, 4> sums{};
    std::size_t k = 0;
    for (; k + 4 <= length; k += 4) {
      for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += l[k + lane] * known[k + lane];
    }
    for (; k < length; ++k) sums[0] += l[k] * known[k];
    z[i] -= (sums[0] + sums[2]) + (sums[1] + sums[3]);
  }
  for (std::size_t i = m; i-- > 0;) {
    const Envelope& e = envelopes[i];
    const double* u = factors_.data() + e.begin + (i - e.lower);
    const double x = z[i] *= e.inverse_pivot;
    for (std::size_t k = e.upper; k < i; ++k) z[k] -= u[k - e.upper] * x;
  }
}

void LocalElimination::complete(const double* b, double* v, double* out) const {
  for (std::size_t j = 0; j < log_.shared(); ++j) out[j] = ridge_ * v[j];
  GroupOfNumbers p;
  GroupOfNumbers h;
  PreparedLog::Carry carry;
  for (std::size_t k = log_.groups(); k-- > 0;) {
    const PreparedLog::Group& group = log_.group(k);
    log_.multiply_shared(log_.x(), k, v, p.data());
    if (group.locals() > 0) {
      // With local weights of zero, the pass would add -z to the local rows; weights that add b + z make up for it.
      double* z = v + group.first_local;
      std::fill_n(z, group.locals(), 0.0);
      log_.backward(k, p.data(), h.data(), carry);
      log_.a().local.add_transposed(k, h.data(), v);
      for (std::size_t j = 0; j < group.locals(); ++j) z[j] = (b == nullptr ? 0 : b[group.first_local + j]) - z[j];
      solve(k, z);
      log_.x().local.add_product(k, v, p.data());
    }
    carry = log_.backward(k, p.data(), h.data(), carry);
    log_.add_shared_transposed(log_.a(), k, h.data(), out);
  }
}

}  // namespace bellwether
