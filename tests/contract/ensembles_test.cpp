// What every ensemble that shares something promises (learners/sharing/ensemble.h): a member is the learner alone, bit
// for bit.
#include <bellwether/learners/sharing/ensemble.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <bellwether/core/params/field.h>
#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/sharing/ensembles.h>

#include "support/allocations.h"
#include "support/experience.h"

namespace bellwether {
namespace {

using testing::Experience;

constexpr std::size_t dim = 12;
constexpr Layout layouts[] = {Layout::dense, Layout::sparse, Layout::binary};

/// Some value that the parameter accepts. Step sizes reach from harmless to disastrous.
std::string random_value(const ParamInfo& p, Rng& rng) {
  if (p.type == "choice" || p.type == "boolean") {
    std::vector<std::string> choices;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 3) {
      end = p.accepts.find(" | ", begin);
      choices.push_back(p.accepts.substr(begin, end - begin));
    }
    return choices[rng.below(choices.size())];
  }
  if (p.type == "integer") {
    const bool of_memory = p.default_value != "auto" && std::stod(p.default_value) > 1e6;  // a limit, not a choice
    return of_memory ? p.default_value : std::to_string(1 + rng.below(8));
  }
  if (p.default_value == "auto") return rng.below(2) == 0 ? "auto" : format_number(rng.uniform());
  if (p.accepts.starts_with("[0, 1")) return format_number(rng.below(3) == 0 ? 0 : rng.uniform());
  const double size = std::abs(std::stod(p.default_value));
  return format_number((size == 0 ? 1 : size) * std::pow(10, 5 * rng.uniform() - 3));
}

bool makes_sense(const LearnerEntry& entry, const Settings& settings) {
  try {
    entry.make(settings, dim);
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

Settings random_settings(const LearnerEntry& entry, Rng& rng) {
  Settings settings;
  do {
    settings.clear();
    for (const ParamInfo& p : entry.params) settings.emplace_back(p.name, random_value(p, rng));
  } while (!makes_sense(entry, settings));
  return settings;
}

/// The settings with other values wherever a learner with them may learn together with one as it was.
Settings varied(const LearnerEntry& entry, const Settings& settings, Rng& rng) {
  Settings all = settings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Settings other = all;
    other[i].second = random_value(entry.params[i], rng);
    if (makes_sense(entry, other) && sharing_key(entry.name, other) == sharing_key(entry.name, settings)) all = other;
  }
  return all;
}

/// Whether there are settings that differ and may learn together. Asked whenever the test program starts.
bool shares(const LearnerEntry& entry) {
  Rng rng(9);
  for (int i = 0; i < 5; ++i) {
    const Settings settings = random_settings(entry, rng);
    if (varied(entry, settings, rng) != settings) return true;
  }
  return false;
}

class EveryEnsemble : public ::testing::TestWithParam<std::string> {
 protected:
  const LearnerEntry& entry() const { return find_entry(learners(), "learner", GetParam()); }

  /// Settings that may learn together.
  std::vector<Settings> members(std::size_t count, Rng& rng) const {
    std::vector<Settings> all{random_settings(entry(), rng)};
    while (all.size() < count) all.push_back(varied(entry(), all.front(), rng));
    return all;
  }

  std::vector<std::unique_ptr<Learner>> alone(const std::vector<Settings>& members) const {
    std::vector<std::unique_ptr<Learner>> all;
    for (const Settings& settings : members) all.push_back(make_learner(GetParam(), dim, settings));
    return all;
  }

  static void expect_equal(Ensemble& together, const std::vector<std::unique_ptr<Learner>>& alone) {
    ASSERT_EQ(together.size(), alone.size());
    std::vector<double> w(dim);
    for (std::size_t m = 0; m < alone.size(); ++m) {
      together.weights(m, w);
      ASSERT_EQ(w, alone[m]->weights()) << "member " << m << "\n" << text(*alone[m]);
      ASSERT_EQ(together.diverged_at(m), alone[m]->diverged_at()) << "member " << m << "\n" << text(*alone[m]);
      ASSERT_EQ(together.findings(m), alone[m]->findings()) << "member " << m;
    }
  }

  static std::string text(const Learner& learner) {
    std::string all(learner.type());
    for (const auto& [name, value] : learner.settings()) all.append(" ").append(name).append("=").append(value);
    return all;
  }

  /// Both learn the batch in pieces, and are compared after every piece.
  void expect_equal_learning(const std::vector<Settings>& settings, const std::vector<Batch>& batches,
                             const std::vector<double>& start = {}) const {
    const auto together = make_ensemble(GetParam(), dim, settings);
    const auto separate = alone(settings);
    if (!start.empty()) {
      together->start_from(start);
      for (const auto& learner : separate) learner->start_from(start);
    }
    for (const Batch& batch : batches) {
      for (std::size_t first = 0, size = 1; first < batch.size; first += size, size = size * 3 % 61) {
        const Batch piece = batch.slice(first, std::min(size, batch.size - first));
        together->learn(piece);
        for (const auto& learner : separate) learner->learn(piece);
        ASSERT_NO_FATAL_FAILURE(expect_equal(*together, separate)) << "after " << first + piece.size << " steps";
      }
    }
  }
};

TEST_P(EveryEnsemble, LearnsWhatItsMembersLearnAlone) {
  Rng rng(1);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Experience steps{.dim = dim,
                           .steps = 300,
                           .active = 4,
                           .binary = true,
                           .off_policy = seed % 2 == 0,
                           .state_dependent = seed % 3 == 0,
                           .random_discount = seed % 5 == 0,
                           .end_probability = seed % 4 == 0 ? 0.0 : 0.05,
                           .restart_probability = seed % 3 == 1 ? 0.05 : 0.0,
                           .seed = seed};
    const auto settings = members(1 + rng.below(18), rng);
    for (const Layout layout : layouts) {
      const auto buffer = steps.as(layout);
      ASSERT_NO_FATAL_FAILURE(expect_equal_learning(settings, {buffer.view()})) << "seed " << seed;
    }
  }
}

TEST_P(EveryEnsemble, LearnsTheSameFromRealFeaturesAndFromGivenWeights) {
  Rng rng(2);
  std::vector<double> start(dim);
  for (double& w : start) w = rng.uniform() - 0.5;
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto buffer = Experience{.dim = dim, .steps = 300, .active = 5, .off_policy = true}.as(layout);
    ASSERT_NO_FATAL_FAILURE(expect_equal_learning(members(13, rng), {buffer.view()}, start));
  }
}

TEST_P(EveryEnsemble, LearnsTheSameWhenTheLayoutChanges) {
  Rng rng(3);
  const Experience steps{.dim = dim, .steps = 60, .active = 4, .binary = true, .off_policy = true};
  const auto dense = steps.as(Layout::dense);
  const auto sparse = steps.as(Layout::sparse);
  const auto binary = steps.as(Layout::binary);
  for (int i = 0; i < 4; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_equal_learning(
        members(9, rng), {sparse.view(), dense.view(), binary.view(), dense.view(), sparse.view()}));
  }
}

TEST_P(EveryEnsemble, EndsWhereItsMembersEndWhenANumberIsStrange) {
  Rng rng(4);
  const double* Batch::*const columns[] = {&Batch::reward, &Batch::discount, &Batch::rho,
                                           &Batch::pi,     &Batch::interest, &Batch::lambda};
  for (const Layout layout : {Layout::dense, Layout::sparse}) {
    const auto buffer = Experience{.dim = dim, .steps = 60, .active = 5, .off_policy = true}.as(layout);
    for (const auto column : columns) {
      for (const double strange : {std::nan(""), infinity, -1e308, 1e51, 1e48, 5e-324}) {
        Batch batch = buffer.view();
        std::vector<double> values(batch.*column, batch.*column + batch.size);
        values[20] = strange;
        batch.*column = values.data();
        ASSERT_NO_FATAL_FAILURE(expect_equal_learning(members(8, rng), {batch})) << strange;
      }
    }
  }
}

TEST_P(EveryEnsemble, LearnsTheSameWhenRowsHaveNoFeatures) {
  Rng rng(5);
  BatchBuffer buffer(Layout::binary, dim);
  for (std::uint32_t t = 0; t <= 200; ++t) {
    if (t % 3 != 0) buffer.x().add(t % 7);
    buffer.x().end_row();
    if (t < 200) buffer.add({.reward = 1.0 + t % 5, .discount = t % 40 == 39 ? 0.0 : 0.9});
  }
  for (int i = 0; i < 4; ++i) ASSERT_NO_FATAL_FAILURE(expect_equal_learning(members(8, rng), {buffer.view()}));
}

TEST_P(EveryEnsemble, GivesTheWeightsOfEightMembersSideBySide) {
  Rng rng(6);
  const auto together = make_ensemble(GetParam(), dim, members(13, rng));
  together->learn(Experience{.dim = dim, .steps = 200, .active = 4}.as(Layout::sparse).view());
  std::vector<double> lanes(8 * dim);
  std::vector<double> w(dim);
  for (const std::size_t first : {0, 3, 5, 8, 12}) {
    std::fill(lanes.begin(), lanes.end(), -1.0);
    together->eight_weights(first, lanes);
    for (std::size_t l = 0; l < 8; ++l) {
      std::fill(w.begin(), w.end(), 0.0);
      if (first + l < together->size()) together->weights(first + l, w);
      for (std::size_t j = 0; j < dim; ++j) ASSERT_EQ(lanes[8 * j + l], w[j]) << first << " " << l << " " << j;
    }
  }
}

TEST_P(EveryEnsemble, AllocatesNothingWhileAllMembersLearn) {
  Rng rng(7);
  int tried = 0;
  for (int i = 0; i < 20; ++i) {
    const auto steps = Experience{.dim = dim, .steps = 300, .active = 4, .binary = true}.as(layouts[i % 3]);
    const auto together = make_ensemble(GetParam(), dim, members(4, rng));
    const auto before = testing::allocations();
    together->learn(steps.view());
    const auto after = testing::allocations();
    bool all_learn = true;
    for (std::size_t m = 0; m < together->size(); ++m) all_learn = all_learn && !together->diverged_at(m);
    if (!all_learn) continue;
    EXPECT_EQ(after, before);
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

TEST_P(EveryEnsemble, RejectsWhatItsMembersReject) {
  Rng rng(8);
  const auto settings = members(3, rng);
  EXPECT_THROW(make_ensemble(GetParam(), 0, settings), InvalidArgument);
  const auto together = make_ensemble(GetParam(), dim, settings);
  const auto steps = Experience{.dim = dim, .steps = 5, .active = 4}.as(Layout::sparse);
  EXPECT_THROW(together->learn(Experience{.dim = dim + 1, .steps = 5}.as(Layout::sparse).view()), InvalidArgument);
  EXPECT_THROW(together->start_from(std::vector<double>(dim - 1)), InvalidArgument);
  EXPECT_THROW(together->start_from(std::vector<double>(dim, std::nan(""))), InvalidArgument);
  together->learn(steps.view());
  EXPECT_THROW(together->start_from(std::vector<double>(dim)), InvalidArgument);
}

std::vector<std::string> sharing_names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) {
    if (shares(entry)) all.push_back(entry.name);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryEnsemble, ::testing::ValuesIn(sharing_names()),
                         [](const auto& tested) { return tested.param; });

TEST(Ensembles, OfLearnersThatShareNothingLearnSideBySide) {
  const auto steps = Experience{.dim = dim, .steps = 100, .active = 4}.as(Layout::dense);
  const Settings settings{{"alpha", "0.02"}};
  const auto together = make_ensemble("td", dim, {settings, settings}, Sharing::off);
  const auto alone = make_learner("td", dim, settings);
  together->learn(steps.view());
  alone->learn(steps.view());
  std::vector<double> w(dim);
  together->weights(1, w);
  EXPECT_EQ(w, alone->weights());
}

}  // namespace
}  // namespace bellwether
