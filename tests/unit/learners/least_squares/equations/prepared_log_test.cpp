#include <bellwether/learners/least_squares/equations/prepared_log.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/least_squares/equations/local_elimination.h>

#include "support/dense_algebra.h"
#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;

/// S and sum_t e_t target_t of a log by their definitions, by the log's numbers of features.
struct Definition {
  Eigen::MatrixXd S;
  Eigen::VectorXd b;

  explicit Definition(const TransitionLog& log) {
    const auto n = static_cast<Eigen::Index>(log.features());
    S = Eigen::MatrixXd::Zero(n, n);
    b = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd e = Eigen::VectorXd::Zero(n);
    for (std::size_t t = 0; t < log.size(); ++t) {
      const TransitionLog::Numbers& numbers = log.numbers_of(t);
      Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
      const auto add = [](Eigen::VectorXd& to, double factor) {
        return [&to, factor](const auto& x) {
          x.for_each([&](std::size_t j, double value) { to[static_cast<Eigen::Index>(j)] += factor * value; });
        };
      };
      e *= numbers.f;
      log.with_addition(t, add(e, numbers.y));
      log.with_x(t, add(d, 1));
      log.with_next(t, add(d, -numbers.gn));
      S += e * d.transpose();
      b += numbers.target * e;
    }
  }
};

/// Steps with off-policy ratios, ends, and states that do not continue the step before. With additions, a_t are any
/// numbers.
template <class X>
TransitionLog log_of(const Batch& batch, double lambda, bool additions) {
  TransitionLog log(batch.dim(), std::size_t{1} << 24U, additions);
  Rng rng(5);
  double g = 0;
  std::vector<double> a(std::is_same_v<X, DenseView> ? batch.dim() : 10);  // at least the entries of a state
  for (std::size_t t = 0; t < batch.size; ++t) {
    if (rng.below(10) == 0) continue;
    for (double& each : a) each = static_cast<double>(rng.below(3)) - 0.5;
    const double rho = batch.rho[t];
    log.append(batch.x.as<X>(t), batch.x_next.as<X>(t),
               {batch.reward[t], batch.discount[t], rho * g * lambda, additions ? 1 : rho},
               additions ? a.data() : nullptr);
    g = batch.discount[t];
  }
  return log;
}

TransitionLog log_of(Layout layout, const Experience& experience, double lambda, bool additions) {
  const auto buffer = experience.as(layout);
  if (layout == Layout::dense) return log_of<DenseView>(buffer.view(), lambda, additions);
  if (layout == Layout::sparse) return log_of<SparseView>(buffer.view(), lambda, additions);
  return log_of<BinaryView>(buffer.view(), lambda, additions);
}

template <class Use>
void with_logs(Use&& use) {
  // Many features for few steps, so that some occur in one group only; few, so that they stay; and dense rows.
  for (const Experience& experience :
       {Experience{.dim = 400, .steps = 300, .active = 3, .binary = true, .off_policy = true, .end_probability = 0.05},
        Experience{.dim = 9, .steps = 400, .active = 4, .binary = true, .off_policy = true, .end_probability = 0.02},
        Experience{.dim = 6, .steps = 300, .active = 6, .off_policy = true, .end_probability = 0.2}}) {
    for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
      if (layout == Layout::binary && !experience.binary) continue;
      for (const double lambda : {0.0, 0.8}) {
        for (const bool additions : {false, true}) use(log_of(layout, experience, lambda, additions));
      }
    }
  }
}

constexpr std::array numberings{PreparedLog::Numbering::kept, PreparedLog::Numbering::shared,
                                PreparedLog::Numbering::local_last};

Eigen::VectorXd random_vector(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  Eigen::VectorXd v(static_cast<Eigen::Index>(n));
  for (double& each : v) each = rng.uniform() - 0.5;
  return v;
}

/// By the new numbers.
Eigen::VectorXd renumbered(const PreparedLog& log, const Eigen::VectorXd& v) {
  Eigen::VectorXd out(v.size());
  for (Eigen::Index j = 0; j < v.size(); ++j) out[log.number(static_cast<std::size_t>(j))] = v[j];
  return out;
}

TEST(PreparedLog, MultipliesByTheMatrixOfTheStepsAndItsTranspose) {
  with_logs([](const TransitionLog& log) {
    const Definition definition(log);
    const Eigen::VectorXd v = random_vector(log.features(), 3);
    const double tolerance = 1e-13 * definition.S.cwiseAbs().rowwise().sum().maxCoeff();
    for (const auto numbering : numberings) {
      const PreparedLog prepared(log, numbering);
      const Eigen::VectorXd new_v = renumbered(prepared, v);
      Eigen::VectorXd out(v.size());
      prepared.product(new_v.data(), out.data());
      EXPECT_LE((out - renumbered(prepared, definition.S * v)).cwiseAbs().maxCoeff(), tolerance);
      prepared.transposed_product(new_v.data(), out.data());
      EXPECT_LE((out - renumbered(prepared, definition.S.transpose() * v)).cwiseAbs().maxCoeff(), 10 * tolerance);
      prepared.right_side(out.data());
      EXPECT_LE((out - renumbered(prepared, definition.b)).cwiseAbs().maxCoeff(), tolerance);
    }
  });
}

TEST(PreparedLog, HasTransposedProductsThatAreAdjoint) {
  with_logs([](const TransitionLog& log) {
    const PreparedLog prepared(log, PreparedLog::Numbering::local_last);
    const Eigen::VectorXd u = random_vector(log.features(), 4);
    const Eigen::VectorXd v = random_vector(log.features(), 5);
    Eigen::VectorXd Sv(v.size());
    Eigen::VectorXd Stu(v.size());
    prepared.product(v.data(), Sv.data());
    prepared.transposed_product(u.data(), Stu.data());
    EXPECT_NEAR(u.dot(Sv), v.dot(Stu), 1e-12 * (u.norm() * Sv.norm() + v.norm() * Stu.norm()));
  });
}

/// Long enough for several threads: with episodes, without, and with rows of which some are dense.
template <class Use>
void with_long_logs(Use&& use) {
  constexpr std::size_t steps = 5000;
  for (const Experience& experience :
       {Experience{.dim = 3000, .steps = steps, .active = 3, .binary = true, .off_policy = true},
        Experience{.dim = 3000, .steps = steps, .active = 3, .end_probability = 0},
        Experience{.dim = 12, .steps = steps, .active = 10, .off_policy = true}}) {
    for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
      if (layout == Layout::binary ? !experience.binary : layout == Layout::dense && experience.dim > 12) continue;
      for (const double lambda : {0.0, 0.8}) {
        for (const bool additions : {false, true}) use(log_of(layout, experience, lambda, additions));
      }
    }
  }
}

TEST(PreparedLog, GivesTheSameBitsWithAnyNumberOfThreads) {
  std::size_t eliminated = 0;
  with_long_logs([&](const TransitionLog& log) {
    const Eigen::VectorXd v = random_vector(log.features(), 3);
    const Eigen::VectorXd b = random_vector(log.features(), 4);
    for (const auto numbering : numberings) {
      std::vector<Eigen::VectorXd> alone;
      for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        ThreadTeam team(threads);
        const PreparedLog prepared(log, numbering, team);
        std::vector<Eigen::VectorXd> all(5, v);
        prepared.product(v.data(), all[0].data());
        prepared.transposed_product(v.data(), all[1].data());
        prepared.right_side(all[2].data());
        const LocalElimination elimination(prepared, 2000);
        ASSERT_TRUE(elimination.sound());
        eliminated += prepared.features() - prepared.shared();
        elimination.complete(b.data(), all[3].data(), all[4].data());
        if (threads == 1) alone = all;
        else ASSERT_EQ(all, alone) << threads;
      }
    }
  });
  EXPECT_GT(eliminated, 1000U);
}

TEST(PreparedLog, StoresAnEntryThatStaysOnce) {
  const std::uint32_t indices[] = {0, 1, 2};
  TransitionLog log(3, 10'000, false);
  // Feature 0 stays for 100 states, 1 and 2 take turns.
  for (std::uint32_t t = 0; t < 99; ++t) {
    const std::uint32_t x[] = {0, 1 + t % 2};
    const std::uint32_t next[] = {0, 1 + (t + 1) % 2};
    log.append(BinaryView{x, 2}, BinaryView{next, 2}, {1, 0.9, 0, 1}, nullptr);
  }
  log.append(BinaryView{indices, 1}, BinaryView{indices, 1}, {1, 0.0, 0, 1}, nullptr);
  const PreparedLog prepared(log, PreparedLog::Numbering::kept);
  // A state that does not continue the last one is stored as well.
  EXPECT_EQ(prepared.work() / 2, 1 + 100);
}

TEST(LocalElimination, GivesLocalWeightsThatSatisfyTheirEquations) {
  std::size_t eliminated = 0;
  with_logs([&](const TransitionLog& log) {
    constexpr double ridge = 20;  // so that off-policy blocks are far from singular
    const PreparedLog prepared(log, PreparedLog::Numbering::local_last);
    const LocalElimination elimination(prepared, ridge);
    ASSERT_TRUE(elimination.sound());
    const auto n = static_cast<Eigen::Index>(prepared.features());
    const auto shared = static_cast<Eigen::Index>(prepared.shared());
    eliminated += prepared.features() - prepared.shared();
    const Eigen::VectorXd b = random_vector(prepared.features(), 6);
    Eigen::VectorXd v = random_vector(prepared.features(), 7);
    const Eigen::VectorXd given = v.head(shared);
    Eigen::VectorXd out(shared);
    for (const double* right : {b.data(), static_cast<const double*>(nullptr)}) {
      elimination.complete(right, v.data(), out.data());
      EXPECT_EQ(v.head(shared), given);
      Eigen::VectorXd Av(n);
      prepared.product(v.data(), Av.data());
      Av += ridge * v;
      EXPECT_LE((out - Av.head(shared)).norm(), 1e-12 * Av.norm());
      const Eigen::VectorXd expected = right == nullptr ? Eigen::VectorXd::Zero(n).eval() : b;
      EXPECT_LE((Av - expected).tail(n - shared).norm(), 1e-11 * (Av.norm() + b.norm()));
    }
  });
  EXPECT_GT(eliminated, 100U);
}

TEST(LocalElimination, SaysWhenABlockIsSingular) {
  // S + ridge = 1 - 2 + 1 = 0: one state that leads to itself with a discount of 2.
  const std::uint32_t index = 0;
  TransitionLog log(1, 100, false);
  log.append(BinaryView{&index, 1}, BinaryView{&index, 1}, {1, 2, 0, 1}, nullptr);
  const PreparedLog prepared(log, PreparedLog::Numbering::local_last);
  EXPECT_FALSE(LocalElimination(prepared, 1).sound());
  EXPECT_TRUE(LocalElimination(prepared, 3).sound());
}

}  // namespace
}  // namespace bellwether
