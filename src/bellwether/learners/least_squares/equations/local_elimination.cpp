#include <bellwether/learners/least_squares/equations/local_elimination.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

/// Lengths of envelopes are multiples of four, with zeros in front: loops of few different lengths are faster.
std::size_t rounded(std::size_t length) { return (length + 3) / 4 * 4; }

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
    const PreparedLog::Row row = log_.row(g.first + i);
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

/// L and U have ones on their diagonals, A = L D U. Entries follow from A_ij = sum_k L_ik (D U)_kj in the order of
/// their larger index; rows of D U are divided by D at the end.
void LocalElimination::factor(std::size_t group, const std::vector<double>& block) {
  const std::size_t m = log_.group(group).locals();
  const std::size_t first = envelopes_.size();
  const auto at = [&](std::size_t i, std::size_t j) { return block[j * m + i]; };
  const auto begin_of = [](std::size_t i, std::size_t length) { return i - std::min(i, length); };
  // Row i of L and column i of U end behind their envelopes' numbers; pointers are to L_ik and U_ki.
  const auto row_of_l = [&](const Envelope& e, std::size_t i, std::size_t k) {
    return factors_.data() + (e.begin + e.row + k - i);
  };
  const auto column_of_u = [&](const Envelope& e, std::size_t i, std::size_t k) {
    return factors_.data() + (e.begin + e.row + e.column + k - i);
  };
  for (std::size_t i = 0; i < m; ++i) {
    std::size_t lower = 0;
    std::size_t upper = 0;
    while (lower < i && at(i, lower) == 0) ++lower;
    while (upper < i && at(upper, i) == 0) ++upper;
    const std::size_t row = rounded(i - lower);
    const std::size_t column = rounded(i - upper);
    const std::size_t begin = factors_.size();
    std::fill_n(factors_.append(row + column), row + column, 0.0);
    envelopes_.push_back({begin, static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(column), 0});
    lower = begin_of(i, row);
    upper = begin_of(i, column);
    const auto l = [&](std::size_t k) { return row_of_l(envelopes_.back(), i, k); };
    const auto u = [&](std::size_t k) { return column_of_u(envelopes_.back(), i, k); };
    for (std::size_t k = std::min(lower, upper); k < i; ++k) {
      const Envelope& e = envelopes_[first + k];
      if (k >= upper) {
        const std::size_t from = std::max(begin_of(k, e.row), upper);
        const double sum = from < k ? kernels::dot(row_of_l(e, k, from), u(from), k - from) : 0;
        *u(k) = at(k, i) - sum;
      }
      if (k >= lower) {
        const std::size_t from = std::max(begin_of(k, e.column), lower);
        const double sum = from < k ? kernels::dot(l(from), column_of_u(e, k, from), k - from) : 0;
        *l(k) = (at(i, k) - sum) * e.inverse_pivot;
      }
    }
    double pivot = at(i, i);
    double size = std::max(std::abs(pivot), ridge_);
    for (std::size_t k = std::max(lower, upper); k < i; ++k) {
      const double term = *l(k) * *u(k);
      pivot -= term;
      size += std::abs(term);
    }
    envelopes_.back().inverse_pivot = 1 / pivot;
    if (!(std::abs(pivot) * largest_loss >= size)) {
      sound_ = false;
      return;
    }
  }
  for (std::size_t i = 0; i < m; ++i) {
    const Envelope& e = envelopes_[first + i];
    for (std::size_t k = begin_of(i, e.column); k < i; ++k) {
      *column_of_u(e, i, k) *= envelopes_[first + k].inverse_pivot;
    }
  }
}

/// Every number waits for the one before. The four nearest are therefore kept in variables: one of them is all that a
/// number waits for, and only for a multiplication and a subtraction.
void LocalElimination::solve(std::size_t group, double* out) const {
  constexpr std::size_t margin = 8;  // zeros, which the zeros in front of envelopes meet
  std::array<double, margin + largest_block> numbers;
  std::fill_n(numbers.begin(), margin, 0.0);
  double* z = numbers.data() + margin;
  const std::size_t m = log_.group(group).locals();
  const Envelope* envelopes = envelopes_.data() + (log_.group(group).first_local - log_.shared());
  double z1 = 0;  // z_{i-1}, ..., z_{i-4}
  double z2 = 0;
  double z3 = 0;
  double z4 = 0;
  for (std::size_t i = 0; i < m; ++i) {
    const Envelope& e = envelopes[i];
    double now = out[i];
    if (e.row > 0) {
      const double* l = factors_.data() + e.begin;
      const double* known = z + i - e.row;
      for (std::size_t k = 4; k < e.row; k += 4, l += 4, known += 4) {
        now -= (l[0] * known[0] + l[2] * known[2]) + (l[1] * known[1] + l[3] * known[3]);
      }
      now -= (l[0] * z4 + l[1] * z3) + l[2] * z2;
      now -= l[3] * z1;
    }
    z[i] = now;
    z4 = z3;
    z3 = z2;
    z2 = z1;
    z1 = now;
  }
  for (std::size_t i = 0; i < m; ++i) z[i] *= envelopes[i].inverse_pivot;
  double now = z[m - 1];
  z1 = z[static_cast<std::ptrdiff_t>(m) - 2];
  z2 = z[static_cast<std::ptrdiff_t>(m) - 3];
  z3 = z[static_cast<std::ptrdiff_t>(m) - 4];
  z4 = z[static_cast<std::ptrdiff_t>(m) - 5];
  for (std::size_t i = m; i-- > 0;) {
    const Envelope& e = envelopes[i];
    out[i] = now;
    if (e.column > 0) {
      const double* u = factors_.data() + e.begin + e.row;
      double* waiting = z + i - e.column;
      for (std::size_t k = 4; k < e.column; k += 4, u += 4, waiting += 4) {
        for (std::size_t lane = 0; lane < 4; ++lane) waiting[lane] -= u[lane] * now;
      }
      z4 -= u[0] * now;
      z3 -= u[1] * now;
      z2 -= u[2] * now;
      z1 -= u[3] * now;
    }
    now = z1;
    z1 = z2;
    z2 = z3;
    z3 = z4;
    z4 = z[static_cast<std::ptrdiff_t>(i) - 5];
  }
}

void LocalElimination::complete(const double* b, double* v, double* out) const {
  log_.pass(v, ridge_, out, [&](std::size_t k, double* p, double* h, PreparedLog::Carry carry) {
    const PreparedLog::Group& group = log_.group(k);
    if (group.locals() > 0) {
      // With local weights of zero, the pass would add -z to the local rows; weights that add b + z make up for it.
      double* z = v + group.first_local;
      std::fill_n(z, group.locals(), 0.0);
      log_.backward(k, p, h, carry);
      log_.a().local.add_transposed(k, h, v);
      for (std::size_t j = 0; j < group.locals(); ++j) z[j] = (b == nullptr ? 0 : b[group.first_local + j]) - z[j];
      solve(k, z);
      log_.x().local.add_product(k, v, p);
    }
    return log_.backward(k, p, h, carry);
  });
}

}  // namespace bellwether
