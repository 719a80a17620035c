#include <bellwether/experiment/stream.h>

#include <gtest/gtest.h>

#include <bellwether/domains/all.h>
#include <bellwether/features/feature_maps.h>

#include "support/allocations.h"

namespace bellwether {
namespace {

using testing::allocations;

/// Everything that a batch says, step after step, as one list of numbers.
void record(const Batch& batch, std::vector<double>& out) {
  const auto row = [&](const FeatureRows& rows, std::size_t i) {
    std::vector<double> x(rows.dim, 0.0);
    visit(rows.row(i), [&](auto view) { view.for_each([&](std::size_t j, double v) { x[j] = v; }); });
    out.insert(out.end(), x.begin(), x.end());
  };
  for (std::size_t t = 0; t < batch.size; ++t) {
    row(batch.x, t);
    row(batch.x_next, t);
    for (const double* array : {batch.reward, batch.discount, batch.rho, batch.pi, batch.interest, batch.lambda}) {
      out.push_back(array[t]);
    }
    out.push_back(batch.restart[t]);
  }
}

/// The state of every row, with tabular features.
std::uint32_t state(const FeatureRows& rows, std::size_t i) { return *rows.as<BinaryView>(i).indices; }

class StreamOfEveryDomain : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Domain> domain_ = make_domain(GetParam());
};

std::vector<std::string> domain_names() {
  std::vector<std::string> all;
  for (const auto& entry : domains()) all.push_back(entry.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Domains, StreamOfEveryDomain, ::testing::ValuesIn(domain_names()),
                         [](const auto& suite) { return suite.param; });

TEST_P(StreamOfEveryDomain, GivesTheSameStepsHoweverTheyAreCut) {
  Stream whole(*domain_, domain_->features(1, 2), 1, 2);
  std::vector<double> expected;
  record(whole.next(300), expected);

  Stream cut(*domain_, domain_->features(1, 2), 1, 2);
  std::vector<double> pieces;
  for (const std::size_t n : {1U, 0U, 7U, 92U, 200U}) record(cut.next(n), pieces);
  EXPECT_EQ(pieces, expected);
}

TEST_P(StreamOfEveryDomain, DiffersBetweenSeedsAndRuns) {
  const auto steps = [&](std::uint64_t seed, std::uint64_t run) {
    Stream stream(*domain_, domain_->features(), seed, run);
    std::vector<double> out;
    record(stream.next(200), out);
    return out;
  };
  EXPECT_EQ(steps(1, 2), steps(1, 2));
  EXPECT_NE(steps(1, 2), steps(1, 3));
  EXPECT_NE(steps(1, 2), steps(2, 2));
}

TEST_P(StreamOfEveryDomain, TheNextStateOfAStepIsTheStateOfTheFollowingOneAcrossBatches) {
  Stream stream(*domain_, domain_->features(), 1);
  std::vector<double> last;
  for (int i = 0; i < 20; ++i) {
    const Batch batch = stream.next(10);
    const auto dense = [&](const FeatureRows& rows, std::size_t t) {
      std::vector<double> x(rows.dim, 0.0);
      visit(rows.row(t), [&](auto view) { view.for_each([&](std::size_t j, double v) { x[j] = v; }); });
      return x;
    };
    if (i > 0) {
      EXPECT_EQ(dense(batch.x, 0), last);
    }
    for (std::size_t t = 0; t + 1 < batch.size; ++t) EXPECT_EQ(dense(batch.x_next, t), dense(batch.x, t + 1));
    last = dense(batch.x_next, 9);
  }
}

TEST_P(StreamOfEveryDomain, AllocatesNothingOnceItIsWarm) {
  Stream stream(*domain_, domain_->features(), 1);
  stream.next(200);
  stream.next(200);
  const std::size_t before = allocations();
  for (int i = 0; i < 20; ++i) stream.next(100);
  EXPECT_EQ(allocations(), before);
}

TEST(Stream, TheEndOfAnEpisodeLeadsToAStartState) {
  const BoyanChain chain({});
  Stream stream(chain, make_features("tabular", chain), 1);
  const Batch batch = stream.next(2000);
  EXPECT_EQ(state(batch.x, 0), 11U);
  int episodes = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    if (batch.discount[t] > 0) {
      EXPECT_LT(state(batch.x_next, t), state(batch.x, t)) << "the chain only goes down";
    } else {
      EXPECT_LE(state(batch.x, t), 1U);
      EXPECT_EQ(state(batch.x_next, t), 11U);
      ++episodes;
    }
  }
  EXPECT_NEAR(episodes, 2000 / 8.222, 20);
}

TEST(Stream, StartsEpisodesWhereTheDomainDoes) {
  const Collision collision({});
  Stream stream(collision, make_features("tabular", collision), 1);
  const Batch batch = stream.next(2000);
  std::vector<int> starts(8, 0);
  for (std::size_t t = 0; t < batch.size; ++t) {
    if (batch.discount[t] == 0) ++starts[state(batch.x_next, t)];
  }
  for (std::size_t s = 0; s < 8; ++s) EXPECT_EQ(starts[s] > 0, s < 4) << "state " << s + 1;
}

TEST(Stream, GivesAwayTheSameStepsThatItShowsAndKeepsNothingOfThem) {
  const BoyanChain chain({});
  Stream shown(chain, make_features("own + noise(redraw=step)", chain), 1);
  Stream given(chain, make_features("own + noise(redraw=step)", chain), 1);
  std::vector<double> expected;
  for (const std::size_t n : {1, 20, 300}) record(shown.next(n), expected);
  std::vector<BatchBuffer> taken;
  for (const std::size_t n : {1, 20, 300}) taken.push_back(given.take(n));
  std::vector<double> actual;
  for (const BatchBuffer& batch : taken) record(batch.view(), actual);
  EXPECT_EQ(actual, expected);
}

TEST(Stream, MarksNothingAsRestartedAndLeavesInterestAndLambdaAtOne) {
  const Baird baird({});
  Stream stream(baird, baird.features(), 1);
  const Batch batch = stream.next(100);
  for (std::size_t t = 0; t < batch.size; ++t) {
    EXPECT_EQ(batch.restart[t], 0);
    EXPECT_EQ(batch.interest[t], 1);
    EXPECT_EQ(batch.lambda[t], 1);
    EXPECT_TRUE(batch.rho[t] == 0 || batch.rho[t] == 7);
    EXPECT_EQ(batch.pi[t], batch.rho[t] / 7);
  }
}

}  // namespace
}  // namespace bellwether
