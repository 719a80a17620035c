#include <bellwether/linalg/low_rank/postponed_renewals.h>

#include <Eigen/LU>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/linalg/low_rank/sparse_samples.h>

#include "support/dense_algebra.h"

namespace bellwether {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::solve;

constexpr std::size_t rows = 60;
constexpr std::size_t rank = 4;
constexpr std::size_t block = 12;
constexpr double zeta = 0.5;

/// Absorbs sparse samples with most renewals postponed, and the same with dense matrices. The space of a renewal is
/// taken from the former; all else follows by definition.
struct Pair {
  explicit Pair(std::uint64_t seed) : S({rows, rank, block, 8}, true, false), samples(S), rng(seed) {
    S.start(zeta);
    samples.begin(S);
  }

  void learn() {
    // Most samples stay within a few rows for a while, so that other rows miss many renewals.
    if (rng.uniform() < 0.003) window = static_cast<std::uint32_t>(rng.uniform() * (rows - 10));
    const auto draw = [&](std::vector<std::uint32_t>& where, std::vector<double>& values) {
      where.clear();
      values.clear();
      for (std::uint32_t r = window; r < window + 10; ++r) {
        if (rng.uniform() > 0.25) continue;
        where.push_back(r);
        values.push_back(0.3 + rng.uniform());
      }
      for (const std::uint32_t r : where) {
        while (S.rows() <= r) {
          S.add_row();
          w.push_back(0);
        }
        S.bring(r, w[r]);
      }
    };
    std::vector<std::uint32_t> a_rows;
    std::vector<std::uint32_t> d_rows;
    std::vector<double> a_values;
    std::vector<double> d_values;
    draw(a_rows, a_values);
    draw(d_rows, d_values);
    const double c = rng.uniform() < 0.02 ? 0.0 : 0.9;
    const SparseRows a{a_rows.data(), a_values.data(), a_rows.size()};
    const SparseRows d{d_rows.data(), d_values.data(), d_rows.size()};
    samples.push(S, c, a, d);

    e *= c;
    VectorXd d_now = VectorXd::Zero(rows);
    for (std::size_t f = 0; f < a.size; ++f) e[a_rows[f]] += a_values[f];
    for (std::size_t f = 0; f < d.size; ++f) d_now[d_rows[f]] = d_values[f];
    for (const auto* list : {&a_rows, &d_rows}) {
      for (const std::uint32_t r : *list) touched[r] = 1;
    }
    std::vector<double> e_at_d;
    for (const std::uint32_t r : d_rows) e_at_d.push_back(e[r]);
    samples.keep(d, e_at_d.data());
    low += e * d_now.transpose();
    const double step = rng.uniform() - 0.5;
    samples.follow(step);
    weights += step * solve(MatrixXd(D.asDiagonal()) + low, e);
    if (samples.count() == block) renew();
  }

  struct Pass final : RowPass {
    Pass(Pair& owner, std::size_t old_rank) : pair(owner), columns(old_rank) {}
    void before(const RowTile& tile) override {
      visited += tile.count;
      pair.samples.add_change(pair.S, tile, columns, pair.w.data());
    }
    void trace(const RowTile& tile, double* e) override {
      for (std::size_t i = 0; i < tile.count; ++i) e[i] = pair.e[static_cast<Index>(tile.row(i))];
    }
    Pair& pair;
    std::size_t columns;
    std::size_t visited = 0;
  };

  void renew() {
    Pass pass(*this, S.padded_rank());
    S.absorb(samples, zeta, &pass, w.data(), false);
    samples.begin(S);
    if (pass.visited < S.rows()) ++postponed;

    DiagonalPlusLowRank all = S;
    std::vector<double> w_now = w;
    MatrixXd U = MatrixXd::Zero(rows, static_cast<Index>(S.rank()));
    MatrixXd V = U;
    VectorXd trace = VectorXd::Zero(rows);
    for (std::size_t r = 0; r < S.rows(); ++r) {
      all.bring(r, w_now[r]);
      for (std::size_t j = 0; j < S.rank(); ++j) {
        U(static_cast<Index>(r), static_cast<Index>(j)) = all.uv()[r * S.uv_stride() + j];
        V(static_cast<Index>(r), static_cast<Index>(j)) = all.uv()[r * S.uv_stride() + S.width() + j];
      }
      trace[static_cast<Index>(r)] = all.trace(r);
      EXPECT_NEAR(w[r] + S.change(r, std::vector<double>(S.width()).data(), 0), w_now[r], 1e-12);
    }
    // U V^T = U U^T low with orthonormal U, and D takes up the diagonal of the rest where samples touch it.
    const double scale = low.norm();
    EXPECT_LE((U.transpose() * U - MatrixXd::Identity(U.cols(), U.cols())).norm(), 1e-10);
    EXPECT_LE((U * V.transpose() - U * (U.transpose() * low)).norm(), 1e-10 * scale);
    const MatrixXd kept = U * V.transpose();
    owed += (low - kept).diagonal();
    for (Index r = 0; r < static_cast<Index>(rows); ++r) {
      if (touched[r] == 0 && pass.visited < S.rows()) continue;
      D[r] += std::max(0.0, owed[r]);
      owed[r] = 0;
    }
    low = kept;
    touched.setZero();
    const auto n = static_cast<Index>(S.rows());
    for (Index r = 0; r < n; ++r) {
      const auto row = static_cast<std::size_t>(r);
      EXPECT_NEAR(S.inverse_diagonal()[row] * D[r], 1, 1e-9);
      EXPECT_NEAR(w_now[row], weights[r], 1e-9 * (1 + weights.cwiseAbs().maxCoeff())) << "row " << r;
      EXPECT_NEAR(trace[r], e[r], 1e-12);
    }
    // Sums over all rows.
    const MatrixXd weighted = D.cwiseInverse().asDiagonal();
    const MatrixXd UDU = U.transpose() * weighted * U;
    const MatrixXd H = (MatrixXd::Identity(U.cols(), U.cols()) + V.transpose() * weighted * U).inverse();
    const VectorXd Ue = U.transpose() * e;
    const VectorXd Ue_weighted = U.transpose() * weighted * e;
    const VectorXd Ve_weighted = V.transpose() * weighted * e;
    const auto& products = S.with_trace();
    for (Index i = 0; i < U.cols(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (Index j = 0; j < U.cols(); ++j) {
        const auto other = static_cast<std::size_t>(j);
        EXPECT_NEAR(S.UDU()[at * S.width() + other], UDU(i, j), 1e-9 * UDU.norm());
        EXPECT_NEAR(S.H()[other * S.width() + at], H(i, j), 1e-8 * H.norm());
      }
      EXPECT_NEAR(products.Ue[at], Ue[i], 1e-9 * e.norm());
      EXPECT_NEAR(products.Ue_weighted[at], Ue_weighted[i], 1e-9 * e.norm());
      EXPECT_NEAR(products.Ve_weighted[at], Ve_weighted[i], 1e-9 * (weighted * e).norm() * V.norm());
    }
    EXPECT_NEAR(products.ee, e.squaredNorm(), 1e-9 * e.squaredNorm());
    EXPECT_NEAR(products.ee_weighted, e.dot(weighted * e), 1e-9 * e.squaredNorm());
  }

  DiagonalPlusLowRank S;
  SparseSamples samples;
  Rng rng;
  std::uint32_t window = 0;
  std::vector<double> w;
  VectorXd e = VectorXd::Zero(rows);
  VectorXd D = VectorXd::Constant(rows, zeta);
  VectorXd owed = VectorXd::Zero(rows);
  VectorXd weights = VectorXd::Zero(rows);
  VectorXd touched = VectorXd::Zero(rows);
  MatrixXd low = MatrixXd::Zero(rows, rows);
  std::size_t postponed = 0;
};

TEST(PostponedRenewals, FollowsTheDefinitionInRowsThatMissedManyRenewals) {
  for (const std::uint64_t seed : {1U, 2U}) {
    Pair pair(seed);
    for (int i = 0; i < 500 * static_cast<int>(block) && !::testing::Test::HasFailure(); ++i) pair.learn();
    EXPECT_GT(pair.postponed, 2 * PostponedRenewals::most) << "few renewals were postponed";
  }
}

}  // namespace
}  // namespace bellwether
