// atd_compensated, of any rank, with replay.
#include "support/references/compensated.h"

#include <bellwether/learners/accelerated/atd_compensated.h>

#include "support/references/draw.h"
#include "support/references/reference.h"

namespace bellwether::testing {
namespace {

using Eigen::Index;

struct CompensatedRule {
  TraceRule trace;
  CompensatedReference reference;
  double lost = 0;
  double worst = 0;

  void operator()(const RuleStep& s, Vector& w) {
    reference.step(s, w, trace);
    // S may be nearly singular on the way.
    const Eigen::MatrixXd S = Eigen::MatrixXd(reference.D.asDiagonal()) + reference.low;
    const double amplified = S.norm() * inverse(S).norm();
    worst = std::max(worst, amplified);
    lost = std::max(lost, 1e-13 * worst * worst * w.norm());
  }
};

/// Not compared: compression = fast, whose space is found by iterations, and rank or zeta = auto, which are chosen from
/// the data.
ReferenceCase atd_compensated(const StreamSize& size) {
  ATDCompensatedRule::Params p;
  p.rank = *rc::gen::inRange(0, 20);
  p.lambda = drawn_lambda();
  p.trace = drawn_choice<TraceRule>();
  p.zeta = *rc::gen::element(0.1, 1.0, 5.0) * size.square;
  p.compensate = drawn_bool();
  p.replay = drawn_bool() ? 0 : 1000;
  p.block =
      p.replay == 0 ? *rc::gen::inRange(1, 30) : *rc::gen::inRange(24, 40);  // it replays after 24 samples at least
  p.compression = Compression::exact;
  ReferenceCase made = rule_case(p, [p](Index d) {
    const bool exact = *p.rank >= d;
    return CompensatedRule{.trace = p.trace,
                           .reference = {.rank = std::min<Index>(*p.rank, d),
                                         .block = static_cast<std::size_t>(*p.block),
                                         .zeta = *p.zeta,
                                         .compensate = p.compensate,
                                         .replay = exact ? 0 : static_cast<std::size_t>(p.replay)}};
  });
  made.no_ties = true;  // of equal singular values one may be kept and one dropped
  return made;
}

}  // namespace

void add_compensated_references(References& all) { all["atd_compensated"] = atd_compensated; }

}  // namespace bellwether::testing
