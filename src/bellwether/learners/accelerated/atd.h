#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/sharing/roster.h>
#include <bellwether/learners/weights_on_demand.h>
#include <bellwether/linalg/svd/incremental_svd.h>
#include <bellwether/traces/trace_change.h>

namespace bellwether {

class ATD final : public WeightsOnDemand<ATD> {
 public:
  static constexpr const char* name = "atd";
  static constexpr Doc doc{
      .summary = "Accelerated gradient TD(lambda): TD steps preconditioned by a low-rank LSTD matrix.",
      .detail = R"(
delta = r + gamma' w.x' - w.x
e     = rho (gamma lambda e + x)                     or the emphatic or replacing trace
A     = (1 - beta) A + beta e (x - gamma' x')^T      beta = 1/(t+1): the mean over all steps, LSTD's matrix
w    += alpha0 beta delta A_k^+ e + eta delta e

A_k = U diag(sigma) V^T is A cut to its k = rank largest singular values, kept up to date step by step, never formed.
The pseudo-inverse A_k^+ takes a full least-squares step where the data have curvature and leaves the rest to TD with
step size eta: rank = 0 is TD (emphatic: ETD), rank = d with eta = 0 is LSTD solved step by step.
Singular values below cutoff * sigma_1 are not inverted: they are noise, and their inverses are large.
A fixed point is one of TD, whatever the rank: a low rank costs speed, not bias.
)",
      .reference =
          "Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI, arXiv:1611.09328",
      .note =
          "O(rank^3) a step and O(d rank^2) once in `rank` steps with sparse features, O(d rank) more a step with "
          "dense ones. Between truncations up to 2 rank - 1 directions are kept and used, unless cap_rank. The "
          "printed update has no cut-off; the authors' code has 0.01. eta is safe below (2 - alpha0) / "
          "lambda_max(A), and hardly matters while the rank captures the spectrum; where it does not, the rest "
          "learns at TD's pace. Off-policy use trace = emphatic, as A may be indefinite otherwise. batch > 1 brings "
          "U and V up to date once in so many steps, with w still learning from every one. With `kept` = 2 rank, say, "
          "fewer directions are lost between "
          "truncations, and settings of different ranks that have it in common are learned together at the price of "
          "one."};

  struct Params {
    std::int64_t rank = 50;
    double eta = 1e-3;
    double cutoff = 0.01;
    double alpha0 = 1;
    double lambda = 0.0;
    TraceRule trace = TraceRule::accumulating;
    bool cap_rank = false;
    std::int64_t batch = 1;
    std::optional<std::int64_t> kept{};

    static constexpr auto fields() {
      return std::tuple{
          Field("rank", &Params::rank, at_least(0), "singular values kept and inverted; more than d means d"),
          Field("eta", &Params::eta, non_negative, "step size of the TD part"),
          Field("cutoff", &Params::cutoff, Range{0, 1, false, true}, "smallest sigma / sigma_1 that is inverted"),
          Field("alpha0", &Params::alpha0, non_negative, "step size of the least-squares part, times 1/(t+1)"),
          lambda_field<Params>(),
          trace_rule_field<Params>(),
          Field("cap_rank", &Params::cap_rank, "invert no more than `rank` singular values between truncations either"),
          Field("batch", &Params::batch, at_least(1), "steps between updates of U and V"),
          Field("kept", &Params::kept, at_least(1),
                "singular values kept, no less than `rank`, which then is how many are inverted at most; auto: rank")};
    }
  };

  ATD(std::size_t dim, const Params& params) : ATD(std::vector{params}, dim) {}

  /// Several that have the data, the trace and the factorisation in common, and each their own w: see Together.
  ATD(const std::vector<Params>& members, std::size_t dim);
  static Params in_common(Params params);
  const Roster& roster() const { return roster_; }

  const Params& params() const { return members_.front().params; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    WeightsOnDemand::state(self, visit);
    visit(self.mover_, self.svd_);
    for (auto& solution : self.solutions_) visit(solution.used);
    for (auto& member : self.members_) {
      visit(member.w);
      visit.fixed(member.g);
    }
    visit(self.steps_factored_, self.steps_truncated_);
  }

  /// Singular values that were inverted in the last step, the largest and the smallest of them.
  Settings findings() const override { return findings(0); }
  Settings findings(std::size_t member) const;

  /// The matrices add up, exactly while their ranks together are no more than is kept. The weights are
  ///
  ///   w = m + S^+ (S_1 (w_1 - m) + S_2 (w_2 - m))        m the mean by steps, S = S_1 + S_2
  ///
  /// a mean weighted by the matrices where these know of a direction: exact with rank >= d, alpha0 = 1 and eta = 0.
  void merge(const ATD& other);

  template <class X>
  bool update(const Transition<X>& s) {
    const Motion m = mover_.next(s);
    if (factors_) {
      const auto d = difference_.difference(s.x, s.gn, s.xn);
      const auto e = [this](std::size_t j) { return trace().trace_at(j); };
      change_.with_factor(m, s.x, e, [&](double y, const auto& u) { svd_.resolve(m.f, y, u, d); });
    }
    const double mass = trace().mass_after(m);
    const bool any = keep([&](Member& k) {
      k.delta = s.r + s.gn * k.w.dot(s.xn) - k.w.dot(s.x);
      if (factors_) k.delta -= kernels::dot(svd_.right_coordinates(), k.g.data(), svd_.right_size());
      return bounded(k.params.eta * k.delta, k.delta, mass);
    });
    if (!any || (factors_ && !accelerate())) return false;
    for (const std::size_t i : roster_.learning()) {
      Member& k = members_[i];
      mover_.move(k.w, m, s.x);
      k.w.follow(k.params.eta * k.delta);
    }
    if (factors_) make_room();
    roster_.next();
    return true;
  }

  template <class X>
  double value(const X& x) const {
    const Member& k = members_.front();
    return k.w.dot(x) + (svd_.right_size() == 0 ? 0.0 : svd_.dot_right(k.g.data(), x));
  }
  void read(std::span<double> w) const { read(0, w); }
  void read(std::size_t member, std::span<double> w) const;
  void assign(std::span<const double> w) {
    for (Member& k : members_) k.w.assign(w);
  }

 private:
  /// A+ e, as settings with this cut-off and limit see it.
  struct Solution {
    double cutoff;
    std::size_t most;
    IncrementalSvd::Used used{};
    double largest = 0;       // of p
    std::vector<double> p{};  // A+ e = V p
  };

  struct Member {
    Params params;
    std::size_t solution;
    FollowedTrace<1> w;  // the weights are w + V g; w follows the trace
    std::vector<double> g;
    double delta = 0;
  };

  /// The trace, of which every member has an equal copy beside its w.
  const FollowedTrace<1>& trace() const { return members_[roster_.learning().front()].w; }

  template <class F>
  bool keep(F&& f) {
    return roster_.keep([&](std::size_t i) { return f(members_[i]); }, [this](std::size_t i) { return leaving(i); });
  }
  Roster::Left leaving(std::size_t member) const;
  std::size_t solution_for(const Params& params);

  /// The least-squares part of a step; false, with every w as it was, when it leaves the range of finite numbers for
  /// all members.
  bool accelerate();
  const double* solve(Solution& solution);
  void make_room();
  bool every_step() const { return params().batch == 1; }

  Roster roster_;
  bool factors_;
  TraceMover mover_;
  EntryList difference_;
  TraceChange change_;
  IncrementalSvd svd_;
  std::vector<Solution> solutions_;
  std::vector<Member> members_;
  std::vector<double> scratch_;
  std::uint64_t steps_factored_ = 0;
  std::uint64_t steps_truncated_ = 0;  // of these, how many the last truncation has seen
};

}  // namespace bellwether
