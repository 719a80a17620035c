// What learners promise that take over what others have learned (Learner::absorb).
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/domains/boyan_chain.h>
#include <bellwether/domains/random_walk.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/least_squares/ilstd.h>

#include "support/allocations.h"
#include "support/experience.h"
#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::max_difference;
using testing::max_size;
using testing::rejection;

constexpr std::size_t dim = 24;

/// A part of a log, whose states have features of their own and some in common: 0 .. 11, 4 .. 15, 8 .. 19 or 12 .. 23.
/// It begins with a restart and does not end with the end of an episode.
BatchBuffer shard(std::uint32_t number, Layout layout, std::size_t steps = 150) {
  BatchBuffer buffer(layout, dim);
  Rng rng(number + 1);
  const auto add_state = [&] {
    std::set<std::uint32_t> features;
    while (features.size() < 3) features.insert(4 * number + static_cast<std::uint32_t>(rng.below(12)));
    std::span<double> row;
    if (layout == Layout::dense) row = buffer.x().add_dense();
    for (const std::uint32_t j : features) {
      const double value = layout == Layout::binary ? 1 : 0.5 + rng.uniform();
      if (layout == Layout::dense) row[j] = value;
      else buffer.x().add(j, value);
    }
    if (layout != Layout::dense) buffer.x().end_row();
  };
  add_state();
  for (std::size_t t = 0; t < steps; ++t) {
    buffer.add({.reward = rng.uniform() + number,
                .discount = t + 1 < steps && rng.below(20) == 0 ? 0.0 : 0.9,
                .rho = 0.5 + 0.5 * static_cast<double>(rng.below(3)),
                .interest = 0.5 + rng.uniform(),
                .restart = t == 0});
    add_state();
  }
  return buffer;
}

/// A learner for which shards add up exactly, but for rounding.
struct Exact {
  const char* name;
  Settings settings;
  double tolerance;  // of the largest weight
};

const std::vector<Exact> exact{
    {"lstd", {{"lambda", "0.8"}}, 1e-11},
    {"lstd", {{"lambda", "0.8"}, {"inverse_init", "1e3"}}, 1e-9},
    {"lstd", {{"lambda", "0.8"}, {"trace", "replacing"}}, 1e-11},
    {"lstd", {{"lambda", "0.8"}, {"trace", "emphatic"}}, 1e-11},
    {"lstd", {{"lambda", "0.8"}, {"method", "direct"}}, 1e-12},
    {"lstd", {{"lambda", "0.8"}, {"method", "direct"}, {"trace", "emphatic"}}, 1e-12},
    {"lstd", {{"lambda", "0.8"}, {"damping", "0.01"}}, 1e-12},
    {"lstd_krylov", {{"lambda", "0.8"}}, 1e-12},
    {"lstd_krylov", {{"lambda", "0.8"}, {"trace", "replacing"}}, 1e-12},
    {"lstd_krylov", {{"lambda", "0.8"}, {"trace", "emphatic"}}, 1e-12},
    {"lstd_krylov", {{"lambda", "0.8"}, {"damping", "0.01"}, {"tolerance", "1e-13"}}, 1e-9},
    {"projected_lstd", {{"lambda", "0.8"}, {"rank", "6"}}, 1e-11},
    {"projected_lstd", {{"lambda", "0.8"}, {"rank", "6"}, {"sketch", "srht"}, {"trace", "emphatic"}}, 1e-11},
    {"tlstd", {{"lambda", "0.8"}, {"rank", "24"}, {"cutoff", "0"}}, 1e-9},
    {"tlstd", {{"lambda", "0.8"}, {"rank", "24"}, {"cutoff", "0"}, {"trace", "emphatic"}, {"block", "7"}}, 1e-9},
    {"atd_full", {{"lambda", "0.8"}, {"alpha0", "1"}, {"eta", "0"}}, 1e-11},
    {"atd_compensated", {{"lambda", "0.8"}, {"rank", "24"}, {"zeta", "1"}}, 1e-11},
    {"atd_compensated", {{"lambda", "0.8"}, {"rank", "24"}, {"zeta", "1"}, {"block", "5"}}, 1e-11},
};

std::unique_ptr<Learner> learned(const Exact& kind, const Batch& batch) {
  auto learner = make_learner(kind.name, dim, kind.settings);
  learner->learn(batch);
  return learner;
}

void expect_close(const Learner& a, const Learner& b, double tolerance) {
  EXPECT_EQ(a.steps(), b.steps());
  EXPECT_GT(max_size(b.weights()), 0.1);
  EXPECT_LE(max_difference(a.weights(), b.weights()), tolerance * max_size(b.weights()));
}

TEST(Absorb, EqualsLearningFromBothWhereMatricesAreWhole) {
  for (const Layout layout : {Layout::dense, Layout::sparse, Layout::binary}) {
    const auto first = shard(0, layout);
    const auto second = shard(2, layout);
    for (const Exact& kind : exact) {
      SCOPED_TRACE(std::string(kind.name) + " " + text_of(kind.settings));
      const auto whole = learned(kind, first.view());
      whole->learn(second.view());
      const auto merged = learned(kind, first.view());
      merged->absorb(*learned(kind, second.view()));
      expect_close(*merged, *whole, kind.tolerance);
      const auto reversed = learned(kind, second.view());
      reversed->absorb(*learned(kind, first.view()));
      expect_close(*reversed, *whole, kind.tolerance);
    }
  }
}

TEST(Absorb, GoesOnFromTheTraceOfTheOther) {
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto first = shard(0, layout);
    const auto second = shard(1, layout, 200);
    for (const Exact& kind : exact) {
      SCOPED_TRACE(std::string(kind.name) + " " + text_of(kind.settings));
      const auto whole = learned(kind, first.view());
      whole->learn(second.view());
      const auto merged = learned(kind, first.view());
      merged->absorb(*learned(kind, second.view().slice(0, 77)));
      const auto before = testing::allocations();
      merged->learn(second.view().slice(77, 123));
      EXPECT_EQ(testing::allocations(), before);
      expect_close(*merged, *whole, kind.tolerance);
    }
  }
}

TEST(Absorb, AddsUpManyShardsInAnyOrder) {
  for (const Exact& kind : exact) {
    SCOPED_TRACE(std::string(kind.name) + " " + text_of(kind.settings));
    const auto whole = make_learner(kind.name, dim, kind.settings);
    const auto merged = make_learner(kind.name, dim, kind.settings);
    for (const std::uint32_t i : {0U, 1U, 2U, 3U}) whole->learn(shard(i, Layout::sparse).view());
    for (const std::uint32_t i : {2U, 0U, 3U, 1U}) merged->absorb(*learned(kind, shard(i, Layout::sparse).view()));
    expect_close(*merged, *whole, kind.tolerance);
  }
}

TEST(Absorb, TakesUpWeightsThatLearningStartedFrom) {
  std::vector<double> start(dim);
  for (std::size_t j = 0; j < dim; ++j) start[j] = std::cos(static_cast<double>(j));
  const auto first = shard(0, Layout::sparse);
  const auto second = shard(2, Layout::sparse);
  for (const Exact& kind : exact) {
    SCOPED_TRACE(std::string(kind.name) + " " + text_of(kind.settings));
    const auto make = [&] {
      auto learner = make_learner(kind.name, dim, kind.settings);
      learner->start_from(start);
      return learner;
    };
    const auto whole = make();
    const auto merged = make();
    const auto other = make();
    for (Learner* each : {whole.get(), merged.get()}) each->learn(first.view());
    for (Learner* each : {whole.get(), other.get()}) each->learn(second.view());
    merged->absorb(*other);
    expect_close(*merged, *whole, kind.tolerance);
    EXPECT_NE(rejection([&] { merged->absorb(*learned(kind, first.view())); }).find("started from different weights"),
              std::string::npos);
  }
}

TEST(Absorb, OfNothingChangesNothing) {
  const auto steps = shard(0, Layout::sparse);
  for (const Exact& kind : exact) {
    const auto learner = learned(kind, steps.view());
    const auto before = learner->weights();
    learner->absorb(*make_learner(kind.name, dim, kind.settings));
    EXPECT_EQ(learner->weights(), before);
    EXPECT_EQ(learner->steps(), 150U);
  }
}

TEST(Absorb, OfItselfCountsEveryStepTwice) {
  const auto steps = shard(0, Layout::sparse);
  for (const Exact& kind : exact) {
    SCOPED_TRACE(std::string(kind.name) + " " + text_of(kind.settings));
    const auto twice = learned(kind, steps.view());
    twice->learn(steps.view());
    const auto learner = learned(kind, steps.view());
    learner->absorb(*learner);
    expect_close(*learner, *twice, kind.tolerance);
  }
}

TEST(Absorb, OfALowRankIsExactWhenTheRankSuffices) {
  // Features are the same four numbers each time in another place: a matrix of rank 4 with 24 features.
  const auto low_rank = [](std::uint64_t seed) {
    BatchBuffer buffer(Layout::dense, dim);
    Rng rng(seed);
    for (std::size_t t = 0; t <= 100; ++t) {
      const auto row = buffer.x().add_dense();
      const double u[] = {rng.uniform(), rng.uniform(), rng.uniform(), 1};
      for (std::size_t j = 0; j < dim; ++j) row[j] = u[j % 4] * (1 + static_cast<double>(j) / 10);
      if (t < 100) buffer.add({.reward = rng.uniform(), .discount = 0.9, .restart = t == 0});
    }
    return buffer;
  };
  const Exact kind{"tlstd", {{"lambda", "0.5"}, {"rank", "5"}, {"cutoff", "1e-8"}}, 1e-8};
  const auto first = low_rank(1);
  const auto second = low_rank(2);
  const auto whole = learned(kind, first.view());
  whole->learn(second.view());
  const auto merged = learned(kind, first.view());
  merged->absorb(*learned(kind, second.view()));
  expect_close(*merged, *whole, kind.tolerance);
}

/// The value of a finding as a number.
double finding(const Learner& learner, std::string_view name) {
  for (const auto& [key, value] : learner.findings()) {
    if (key == name) return std::stod(value);
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(Absorb, AddsTheMatricesOfAcceleratedLearners) {
  for (const char* batch : {"1", "5"}) {
    const Exact kind{"atd", {{"lambda", "0.8"}, {"rank", "24"}, {"cutoff", "0"}, {"eta", "0"}, {"batch", batch}}, 0};
    const auto whole = make_learner(kind.name, dim, kind.settings);
    const auto merged = make_learner(kind.name, dim, kind.settings);
    for (const std::uint32_t i : {0U, 3U}) {
      const auto steps = shard(i, Layout::sparse);
      whole->learn(steps.view());
      merged->absorb(*learned(kind, steps.view()));
    }
    const auto more = shard(1, Layout::sparse, 1);  // findings are about the last step
    for (Learner* each : {whole.get(), merged.get()}) each->learn(more.view());
    for (const char* name : {"largest_singular_value", "smallest_singular_value_inverted"}) {
      EXPECT_NEAR(finding(*merged, name), finding(*whole, name), 1e-9 * finding(*whole, name)) << name;
    }
    EXPECT_EQ(finding(*merged, "singular_values_inverted"), 24);
  }
}

TEST(Absorb, OfAcceleratedLearnersLeavesTheWeightsToTheOneThatKnowsThem) {
  // Shards 0 and 3 have no feature in common, so each has nothing to say about the weights of the other.
  for (const Exact& kind : {Exact{"atd", {{"rank", "24"}, {"cutoff", "0"}, {"eta", "0"}}, 1e-9},
                            Exact{"atd_full", {{"eta", "0.001"}, {"alpha0", "0.5"}}, 1e-9}}) {
    const auto merged = learned(kind, shard(0, Layout::sparse).view());
    const auto other = learned(kind, shard(3, Layout::sparse).view());
    auto expected = merged->weights();
    for (std::size_t j = 12; j < dim; ++j) expected[j] = other->weights()[j];
    merged->absorb(*other);
    EXPECT_LE(max_difference(merged->weights(), expected), kind.tolerance * max_size(expected)) << kind.name;
  }
}

TEST(Absorb, OfAcceleratedLearnersOfTheSameMindKeepsTheirWeights) {
  const auto steps = shard(1, Layout::sparse);
  for (const char* rank : {"3", "24"}) {
    const Exact kind{"atd", {{"lambda", "0.5"}, {"rank", rank}}, 0};
    const auto learner = learned(kind, steps.view());
    const auto before = learner->weights();
    learner->absorb(*learner);
    EXPECT_LE(max_difference(learner->weights(), before), 1e-12 * max_size(before));
  }
}

TEST(Absorb, OfCompensatedLearnersComesNearerToLeastSquaresThanTheParts) {
  constexpr std::uint64_t parts = 8;
  const RandomWalk walk({});
  const BoyanChain chain({});
  for (const Domain* domain : {static_cast<const Domain*>(&walk), static_cast<const Domain*>(&chain)}) {
    const std::shared_ptr<const FeatureMap> features = domain->features();
    for (const char* rank : {"2", "auto"}) {
      const Settings settings{{"lambda", "0.9"}, {"rank", rank}};
      const auto least_squares = make_learner("lstd", features->dim(), {{"lambda", "0.9"}});
      const auto merged = make_learner("atd_compensated", features->dim(), settings);
      std::vector<std::vector<double>> learned_by_parts;
      for (std::uint64_t seed = 0; seed < parts; ++seed) {
        Stream stream(*domain, features, seed);
        const Batch steps = stream.next(500);
        least_squares->learn(steps);
        const auto part = make_learner("atd_compensated", features->dim(), settings);
        part->learn(steps);
        learned_by_parts.push_back(part->weights());
        merged->absorb(*part);
      }
      const auto w = least_squares->weights();
      double error_of_parts = 0;
      for (const auto& part : learned_by_parts) error_of_parts += max_difference(part, w) / parts;
      EXPECT_LE(max_difference(merged->weights(), w), 0.6 * error_of_parts) << domain->type() << " rank " << rank;

      Stream stream(*domain, features, parts);
      const Batch more = stream.next(1000);
      merged->learn(more);
      least_squares->learn(more);
      EXPECT_LE(max_difference(merged->weights(), least_squares->weights()), 0.6 * error_of_parts) << domain->type();
    }
  }
}

TEST(Absorb, OfIncrementalLstdKeepsTheResidualOfTheWeights) {
  const ILSTD::Params params{.alpha = 0.02, .lambda = 0.0, .picks = 2};
  std::vector<double> s(dim);
  std::vector<double> S(dim * dim);
  std::vector<ILSTD> parts;
  for (const std::uint32_t number : {0U, 2U}) {
    const auto steps = shard(number, Layout::dense);
    const Batch batch = steps.view();
    parts.emplace_back(dim, params).learn(batch);
    for (std::size_t t = 0; t < batch.size; ++t) {
      const double* x = batch.x.as<DenseView>(t).values;
      const double* xn = batch.x_next.as<DenseView>(t).values;
      for (std::size_t i = 0; i < dim; ++i) {
        s[i] += batch.rho[t] * x[i] * batch.reward[t];
        for (std::size_t j = 0; j < dim; ++j)
          S[i * dim + j] += batch.rho[t] * x[i] * (x[j] - batch.discount[t] * xn[j]);
      }
    }
  }
  const auto w1 = parts[0].weights();
  const auto w2 = parts[1].weights();
  parts[0].absorb(parts[1]);
  const auto w = parts[0].weights();
  for (std::size_t i = 0; i < dim; ++i) {
    EXPECT_NEAR(w[i], (w1[i] + w2[i]) / 2, 1e-14);
    for (std::size_t j = 0; j < dim; ++j) s[i] -= S[i * dim + j] * w[j];
  }
  EXPECT_LE(max_difference(parts[0].state().head.mu, s), 1e-10 * max_size(s));
}

TEST(Absorb, IsRefusedByLearnersWhoseWeightsAreAllTheyKeep) {
  const std::set<std::string> merging{"lstd",           "lstd_krylov", "ilstd",    "tlstd",
                                      "projected_lstd", "atd",         "atd_full", "atd_compensated"};
  for (const LearnerEntry& entry : learners()) {
    const auto learner = make_learner(entry.name, dim);
    const std::string answer = rejection([&] { learner->absorb(*make_learner(entry.name, dim)); });
    const std::string refusal = entry.name + ": what two of them have learned does not add up";
    EXPECT_EQ(answer, merging.contains(entry.name) ? "accepted" : refusal);
  }
  const Exact td{"atd", {{"rank", "0"}}, 0};
  const auto steps = shard(0, Layout::sparse);
  EXPECT_NE(rejection([&] { learned(td, steps.view())->absorb(*learned(td, steps.view())); }), "accepted");
}

TEST(Absorb, IsRefusedWhereTheTwoDoNotFit) {
  const auto lstd = make_learner("lstd", 3);
  EXPECT_EQ(rejection([&] { lstd->absorb(*make_learner("lstd", 4)); }),
            "lstd with 3 features (lambda=0 inverse_init=1 damping=0 trace=accumulating method=sherman_morrison) "
            "cannot take over "
            "what lstd with 4 features (lambda=0 inverse_init=1 damping=0 trace=accumulating method=sherman_morrison) "
            "has learned");
  EXPECT_NE(rejection([&] { lstd->absorb(*make_learner("lstd", 3, {{"lambda", "0.5"}})); }), "accepted");
  EXPECT_NE(rejection([&] { lstd->absorb(*make_learner("tlstd", 3)); }), "accepted");
}

TEST(Absorb, IsRefusedOnceOneOfTheTwoHasDiverged) {
  const auto steps = shard(0, Layout::sparse);
  Batch batch = steps.view();
  std::vector<double> reward(batch.reward, batch.reward + batch.size);
  reward[100] = std::nan("");
  batch.reward = reward.data();
  const Exact kind{"lstd", {}, 0};
  const auto fine = learned(kind, steps.view());
  const auto diverged = learned(kind, batch);
  EXPECT_NE(rejection([&] { fine->absorb(*diverged); }).find("has diverged"), std::string::npos);
  EXPECT_NE(rejection([&] { diverged->absorb(*fine); }).find("has diverged"), std::string::npos);
}

}  // namespace
}  // namespace bellwether
