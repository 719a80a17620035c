// lstd_stream, where its iterations end at the minimum that it is after: for few features.
#include <bellwether/learners/least_squares/lstd_stream.h>

#include "support/references/draw.h"
#include "support/references/reference.h"
#include "support/references/sums.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;

double finding(const Learner& learner, const std::string& name) {
  for (const auto& [key, value] : learner.findings()) {
    if (key == name) return std::stod(value);
  }
  return -1;
}

/// The weights change when there are a twentieth more steps, and are then the minimum for the damping and the lambda
/// that the learner says it has chosen; how it chooses is another matter. It shows four digits of the damping, and no
/// more of it are right here.
class StreamReference final : public Reference {
 public:
  StreamReference(const LSTDStreamRule::Params& p, Index d)
      : p_(p), given_(p.trace, d), short_(p.trace, d), long_(p.trace, d) {}

  void step(const RuleStep& s) override {
    given_.add(s);
    RuleStep other = s;
    other.l = 0;
    short_.add(other);
    other.l = default_lambda * s.l;
    long_.add(other);
  }

  std::optional<Vector> weights(const Learner& learner) override {
    const double renewals = finding(learner, "renewals");
    if (renewals == renewals_) return std::nullopt;
    renewals_ = renewals;
    const SumsReference& sums = p_.lambda ? given_ : finding(learner, "lambda") > 0 ? long_ : short_;
    const Vector w = sums.damped(finding(learner, "damping"));
    lost_ = 6e-4 * w.norm();
    return w;
  }
  double lost() const override { return lost_; }

 private:
  LSTDStreamRule::Params p_;
  SumsReference given_, short_, long_;
  double renewals_ = 0;
  double lost_ = 0;
};

/// Not compared: a given lambda off-policy, where S + zeta I takes the place of S in iterations that end before their
/// minimum; stored steps that were thinned out; half_life.
ReferenceCase lstd_stream(const StreamSize&) {
  LSTDStreamRule::Params p;
  if (drawn_bool()) p.lambda = drawn_lambda();
  p.trace = drawn_choice<TraceRule>();
  if (p.lambda) p.storage = drawn_choice<Storage>();
  ReferenceCase made = rule_case(p, [](Index) { return [](const RuleStep&, Vector&) {}; });
  made.options.lambda = p.lambda.value_or(1);  // two values are tried where it is left to the learner
  made.on_policy = p.lambda.has_value();
  made.largest_dim = 6;
  made.make = [p](Index d) -> std::unique_ptr<Reference> { return std::make_unique<StreamReference>(p, d); };
  return made;
}

}  // namespace

void add_stream_references(References& all) { all["lstd_stream"] = lstd_stream; }

}  // namespace bellwether::testing
