#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <bellwether/core/learner.h>
#include <bellwether/core/params/params.h>

#include "support/rules.h"

/// Slow exact versions of the learners, each written from the `doc` of the learner: dense vectors, whole matrices,
/// equations solved by Eigen.
namespace bellwether::testing {

class Reference {
 public:
  virtual ~Reference() = default;

  virtual void step(const RuleStep& s) = 0;

  /// What the weights should be now; none where no exact weights are defined at this time. `learner` has taken the same
  /// steps, and is looked at only for what it reports to have chosen.
  virtual std::optional<Vector> weights(const Learner& learner) = 0;

  /// How much of the weights rounding may change where an algorithm amplifies it more than its equations amplify a
  /// change of features and rewards; the latter is measured.
  virtual double lost() const { return 0; }
};

/// The size of what a learner will see, by which step sizes are chosen.
struct StreamSize {
  double square = 1;  // about the largest |x|^2
  Eigen::Index dim = 1;
};

/// A learner with some of its settings, and its reference.
struct ReferenceCase {
  Settings settings;
  RuleOptions options{};
  std::function<std::unique_ptr<Reference>(Eigen::Index dim)> make;
  bool non_negative = false;  // needs features >= 0
  bool on_policy = false;     // needs ratios of 1
  bool no_ties = false;       // compares numbers that equal features make equal, and rounding would decide
  std::size_t largest_dim = 16;
};

/// Draws a case by RapidCheck.
using DrawCase = std::function<ReferenceCase(const StreamSize&)>;
using References = std::map<std::string, DrawCase>;

/// All of them, by the names of learners.
const References& references();

void add_td_references(References& all);
void add_true_online_references(References& all);
void add_step_size_references(References& all);
void add_gradient_references(References& all);
void add_least_squares_references(References& all);
void add_stream_references(References& all);
void add_accelerated_references(References& all);
void add_compensated_references(References& all);

/// A rule that is called with every step and the weights.
template <class Rule>
class RuleReference final : public Reference {
 public:
  RuleReference(Eigen::Index dim, Rule rule) : w_(Vector::Zero(dim)), rule_(std::move(rule)) {}

  void step(const RuleStep& s) override { rule_(s, w_); }
  std::optional<Vector> weights(const Learner&) override { return w_; }
  double lost() const override {
    if constexpr (requires { rule_.lost; }) return rule_.lost;
    else return 0;
  }

 private:
  Vector w_;
  Rule rule_;
};

/// A case from typed parameters; `make_rule(dim)` makes what RuleReference calls.
template <class Params, class MakeRule>
ReferenceCase rule_case(const Params& params, MakeRule make_rule) {
  ReferenceCase made{.settings = values(params), .make = [make_rule](Eigen::Index dim) -> std::unique_ptr<Reference> {
                       auto rule = make_rule(dim);
                       return std::make_unique<RuleReference<decltype(rule)>>(dim, std::move(rule));
                     }};
  made.options.lambda = lambda_of(params);
  if constexpr (requires { params.schedule; }) {
    made.options.schedule = params.schedule;
    made.options.n0 = params.n0;
  }
  if constexpr (requires { params.trace; }) {
    made.non_negative = std::string(names(params.trace).at(static_cast<std::size_t>(params.trace))) == "replacing";
  }
  return made;
}

}  // namespace bellwether::testing
