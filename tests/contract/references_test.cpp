// Every registered learner beside its slow reference (support/references), on random streams: of any dimension and
// sparsity, in every layout, with repeated features, discounts and ratios of zero, episodes that end and are cut.
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/learners/learners.h>

#include "support/random_streams.h"
#include "support/references/reference.h"

namespace bellwether {
namespace {

using namespace testing;

/// Learners without a reference, and why.
const std::map<std::string, std::string>& reasons_for_no_reference() {
  static const std::map<std::string, std::string> all;  // none at present
  return all;
}

/// A stream for a case, in the layout that the learner reads and in dense vectors.
struct DrawnStream {
  std::size_t dim;
  BatchBuffer dense, given;
};

Experience drawn_experience(std::size_t most_features) {
  Experience stream = random_stream(most_features);
  stream.feature_scale = stream.binary ? 1 : *rc::gen::element(0.01, 1.0, 30.0);
  return stream;
}

DrawnStream drawn_stream(const Experience& stream, bool repeats) {
  BatchBuffer dense = stream.as(Layout::dense);
  if (repeats) dense = repeated(dense.view(), Layout::dense);
  const auto layout = stream.binary ? *rc::gen::element(Layout::dense, Layout::sparse, Layout::binary)
                                    : *rc::gen::element(Layout::dense, Layout::sparse);
  BatchBuffer given = in_layout(dense.view(), layout);
  return {.dim = stream.dim * (repeats ? 2 : 1), .dense = std::move(dense), .given = std::move(given)};
}

/// The steps with every number of features and rewards changed by a share of about 2^-42.
std::vector<RuleStep> disturbed(std::vector<RuleStep> steps, std::uint64_t seed) {
  Rng rng(seed);
  const auto disturb = [&](double& value) { value *= 1 + 0x1p-42 * (2 * rng.uniform() - 1); };
  for (std::size_t t = 0; t < steps.size(); ++t) {
    if (t > 0) steps[t].x = steps[t - 1].xn;
    else
      for (double& value : steps[t].x) disturb(value);
    for (double& value : steps[t].xn) disturb(value);
    disturb(steps[t].r);
  }
  return steps;
}

double largest(const Vector& v) { return v.cwiseAbs().maxCoeff(); }

/// Runs a learner and its reference side by side. Rounding may move the learner as far as changes of a thousand times
/// the size of rounding move the reference, so equations may be as ill-conditioned and updates as unstable as they are.
/// The comparison ends where that has cost all but two digits; returns the share of the steps that it got to.
double compare(Learner& learner, const Batch& given, const Batch& dense, const ReferenceCase& drawn) {
  const auto d = static_cast<Eigen::Index>(dense.dim());
  const std::vector<RuleStep> steps = rule_steps(dense, drawn.options);
  const std::vector<RuleStep> variants[] = {steps, disturbed(steps, 1), disturbed(steps, 2)};
  std::unique_ptr<Reference> references[] = {drawn.make(d), drawn.make(d), drawn.make(d)};
  const auto share_done = [&](std::size_t t) { return static_cast<double>(t) / static_cast<double>(steps.size()); };
  double size = 0;
  double moved = 0;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) references[i]->step(variants[i][t]);
    learner.learn(given.slice(t, 1));
    Vector w[3];
    bool defined = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto weights = references[i]->weights(learner);
      if (!weights) defined = false;
      else w[i] = *weights;
    }
    if (!defined) continue;
    if (!w[0].allFinite()) return share_done(t);
    size = std::max(size, largest(w[0]));
    moved = std::max({moved, largest(w[1] - w[0]), largest(w[2] - w[0])});
    const double tolerance = 20 * moved + 1e-11 * size + references[0]->lost();
    if (!(tolerance <= 4e-3 * size) && size > 0) return share_done(t);
    if (learner.diverged_at()) {
      RC_ASSERT(size > 1e20);  // errors and traces of such weights exceed the limit of 1e50
      return share_done(t);
    }
    const Vector learned = as_vector(learner.weights());
    if (largest(learned - w[0]) > tolerance) {
      RC_LOG() << text_of(learner.settings()) << " step " << t << " learned " << learned.transpose() << " instead of "
               << w[0].transpose() << ", which rounding may change by " << tolerance << '\n';
    }
    RC_ASSERT(largest(learned - w[0]) <= tolerance);
  }
  return 1;
}

class EveryLearnerBesideItsReference : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryLearnerBesideItsReference, HasItsWeightsAfterEveryStep) {
  const auto found = references().find(GetParam());
  if (found == references().end()) {
    ASSERT_EQ(reasons_for_no_reference().count(GetParam()), 1U)
        << "a new learner: write its update into support/references, or say above why there is none to compare with";
    return;
  }
  double compared = 0;
  int streams = 0;
  const bool held = rc::check([&] {
    const std::size_t times = *rc::gen::inRange(0, 4) == 0 ? 2 : 1;  // that a feature occurs
    Experience stream = drawn_experience(16 / times);
    const double square = static_cast<double>(stream.active * times) * stream.feature_scale * stream.feature_scale;
    const ReferenceCase drawn = found->second({.square = square, .dim = static_cast<Eigen::Index>(stream.dim * times)});
    stream.non_negative = drawn.non_negative;
    stream.off_policy = stream.off_policy && !drawn.on_policy;
    stream.binary = stream.binary && !drawn.no_ties;
    stream.dim = std::max<std::size_t>(1, std::min(stream.dim, drawn.largest_dim / times));
    stream.active = std::min(stream.active, stream.dim);
    const DrawnStream steps = drawn_stream(stream, times == 2 && !drawn.no_ties);
    const auto learner = make_learner(GetParam(), steps.dim, drawn.settings);
    ++streams;
    compared += compare(*learner, steps.given.view(), steps.dense.view(), drawn);
  });
  EXPECT_TRUE(held);
  EXPECT_GE(compared, 0.6 * streams) << "rounding decides on most streams, and the rest show little";
}

std::vector<std::string> all_names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLearnerBesideItsReference, ::testing::ValuesIn(all_names()),
                         [](const auto& tested) { return tested.param; });

TEST(References, AreThoseOfRegisteredLearners) {
  const auto registered = all_names();
  const std::set<std::string> names(registered.begin(), registered.end());
  for (const auto& [name, draw] : references()) EXPECT_EQ(names.count(name), 1U) << name;
  for (const auto& [name, reason] : reasons_for_no_reference()) {
    EXPECT_EQ(names.count(name), 1U) << name;
    EXPECT_EQ(references().count(name), 0U) << name << " has both a reference and a reason for none";
    EXPECT_FALSE(reason.empty()) << name;
  }
}

}  // namespace
}  // namespace bellwether
