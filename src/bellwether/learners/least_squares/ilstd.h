#pragma once

#include <algorithm>
#include <vector>

#include <bellwether/core/registry.h>
#include <bellwether/learners/least_squares/key_sums.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/sharing/roster.h>

namespace bellwether {

class ILSTD final : public LinearLearner<ILSTD> {
 public:
  static constexpr const char* name = "ilstd";
  static constexpr Doc doc{
      .summary =
          "Incremental LSTD(lambda): sums LSTD's equations, and moves the few weights whose equations are worst off.",
      .detail = R"(
e   = rho (gamma lambda e + x)                or a replacing, or an emphatic trace
S  += e d^T                                   d = x - gamma' x'
mu += (r - d.w) e                             so that mu = s - S w, s = sum r e
as many times as picks says:
  j    = argmax |mu_j|                        the lowest of equals
  a    = alpha mu_j
  w_j += a,  mu -= a S_.j                     column j of S
)",
      .reference =
          "Geramifard, Bowling, Sutton (2006), Incremental least-squares temporal difference learning, AAAI; with "
          "traces: Geramifard, Bowling, Zinkevich, Sutton (2007), iLSTD: eligibility traces and convergence analysis, "
          "NIPS 19",
      .note =
          "O(d) a pick and O(|e| |d|) for the sums with sparse features; d^2 memory. S grows with the number of "
          "steps, so a constant alpha diverges sooner or later, at about t ~ 1/alpha, and Boyan's schedule unless "
          "alpha (n0 + 1) is small against what an episode adds to S. schedule = harmonic, alpha/(t+1), solves the "
          "mean of the equations instead of their sum and is the safest choice, with alpha near 1. The equations are "
          "not symmetric, so that even solving the one picked exactly may diverge: no rule is known to be safe for "
          "the greedy pick."};

  struct Params {
    double alpha = 0.01;
    double lambda = 0.0;
    Schedule schedule = Schedule::boyan;
    double n0 = 100;
    std::int64_t picks = 1;
    TraceRule trace = TraceRule::accumulating;

    static constexpr auto fields() {
      return std::tuple_cat(linear_fields<Params>(),
                            std::tuple{Field("picks", &Params::picks, at_least(1), "weights that are moved in a step"),
                                       trace_rule_field<Params>()});
    }
  };

  ILSTD(std::size_t dim, const Params& params) : ILSTD(std::vector{params}, dim) {}

  /// Several that have S in common, and each their own w and mu: see Together.
  ILSTD(const std::vector<Params>& members, std::size_t dim)
      : LinearLearner(dim),
        roster_(members.size()),
        params_(checked(name, members.front())),
        sums_(dim, params_.trace),
        before_(dim, 0.0) {
    for (const Params& each : members) {
      members_.push_back({checked(name, each).alpha, std::vector<double>(dim), std::vector<double>(dim)});
    }
  }
  static Params in_common(Params params) {
    params.alpha = Params{}.alpha;
    return params;
  }
  const Roster& roster() const { return roster_; }

  const Params& params() const { return params_; }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    LinearLearner::state(self, visit);
    visit(self.sums_);
    for (auto& member : self.members_) visit.fixed(member.w, member.mu);
  }

  using LinearLearner::findings;
  Settings findings(std::size_t) const { return {}; }

  /// The equations add up exactly. The weights are the mean by steps, and the residuals those of that mean.
  void merge(const ILSTD& other) {
    Member& k = members_.front();
    const Member& l = other.members_.front();
    const double share = static_cast<double>(other.steps()) / static_cast<double>(steps() + other.steps());
    for (std::size_t j = 0; j < dim(); ++j) {
      const double mean = k.w[j] + share * (l.w[j] - k.w[j]);
      kernels::axpy(k.w[j] - mean, sums_.column(j), k.mu.data(), dim());
      kernels::axpy(l.w[j] - mean, other.sums_.column(j), k.mu.data(), dim());
      k.w[j] = mean;
    }
    kernels::axpy(1.0, l.mu.data(), k.mu.data(), dim());
    sums_.merge(other.sums_);
  }

  template <class X>
  bool update(const Transition<X>& s) {
    const auto errors = [&](const auto& d) {
      return keep([&](Member& k) {
        k.error = s.r - kernels::dot(d, k.w.data());
        return bounded(k.error);
      });
    };
    const auto add = [&](const auto& e) {
      for (const std::size_t i : roster_.learning()) kernels::axpy(members_[i].error, e, members_[i].mu.data());
    };
    if (!sums_.add(s, errors, add) || !keep([&](Member& k) { return pick(k, k.alpha * s.step); })) return false;
    roster_.next();
    return true;
  }

  template <class X>
  double value(const X& x) const {
    return kernels::dot(x, members_.front().w.data());
  }
  void read(std::span<double> w) const { read(0, w); }
  void read(std::size_t member, std::span<double> w) const {
    std::copy(members_[member].w.begin(), members_[member].w.end(), w.begin());
  }
  void assign(std::span<const double> w) {
    for (Member& k : members_) k.w.assign(w.begin(), w.end());
  }

  /// s - S w
  const std::vector<double>& residual() const { return members_.front().mu; }

 private:
  struct Member {
    double alpha;
    std::vector<double> w, mu;
    double error = 0;
  };

  template <class F>
  bool keep(F&& f) {
    return roster_.keep([&](std::size_t i) { return f(members_[i]); },
                        [this](std::size_t i) {
                          return Roster::Left{members_[i].w, {}};
                        });
  }

  bool pick(Member& k, double alpha) {
    if (params_.picks > 1) before_ = k.w;
    for (std::int64_t n = 0; n < params_.picks; ++n) {
      const std::size_t j = kernels::largest(k.mu.data(), dim());
      const double a = alpha * k.mu[j];
      if (a == 0) break;
      if (!bounded(a, k.w[j] + a)) {
        if (n > 0) k.w = before_;
        return false;
      }
      k.w[j] += a;
      kernels::axpy(-a, sums_.column(j), k.mu.data(), dim());
    }
    return true;
  }

  Roster roster_;
  Params params_;
  KeySums sums_;
  std::vector<Member> members_;
  std::vector<double> before_;
};

}  // namespace bellwether
