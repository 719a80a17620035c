#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/least_squares/equations/lambda_choice.h>
#include <bellwether/learners/least_squares/equations/logged_equations.h>
#include <bellwether/learners/least_squares/equations/summed_equations.h>
#include <bellwether/learners/least_squares/equations/value_scale.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/krylov/conjugate_residuals.h>
#include <bellwether/linalg/krylov/damped_least_squares.h>

namespace bellwether {

/// How LSTD's equations are kept: as the steps that they are sums over, or summed.
enum class Storage : std::uint8_t { automatic, steps, matrix };
constexpr auto names(Storage) { return std::array{"auto", "steps", "matrix"}; }

class LSTDStreamRule {
 public:
  static constexpr const char* name = "lstd_stream";
  static constexpr Doc doc{
      .summary = "Least squares that needs no tuning: equations weighted by their noise, damped as much as they need.",
      .detail = R"(
e  = rho (gamma lambda e + x)                            or a replacing or emphatic trace
S  = sum e d^T,  b = sum r e                             d = x - gamma' x'
N_i = sum e_i^2                                          the noise of equation i is in proportion to N_i
w  = argmin sum_i (b - S w)_i^2 / N_i + kappa |w|^2
kappa = c |x|^2 delta^2 / G^2                            means over the last steps; G the return; c = 0.15

LSTD solves S w = b exactly, noise included. Here each equation counts by how well it is known, and what no
equation determines stays near zero: singular values are damped, where LSTD's ridge shifts eigenvalues and may
bring a matrix closer to singular. kappa is the variance of an error over the variance of a weight.

Whenever there are a twentieth more steps, a few conjugate-gradient iterations move w towards the new minimum, from
where it is. They need products with S, which are passes over the stored steps. S itself is formed for up to 256
features, and up to 2048 as soon as passes over it are shorter, which buys more iterations. Iterations that are
stopped early leave out what the data say least about, which damps as well.

lambda = auto: for up to 256 features, lambda is 0 with c = 0.015, 0.15 or 1.5, or 0.9 with c = 0.15 or 1.5, whichever
has the smallest estimate of its error in the equations of lambda = 0.9, C_p: what it leaves of b, and twice what it
has fitted of their noise. How noisy they are follows from the TD errors, and how much is fitted from right-hand sides
of pure noise. It is chosen whenever there are a quarter more steps. Off-policy, once a ratio was not 1, either lambda
may have c = 0.0015, 0.015, 0.15 or 1.5. With more features, with a half_life and where steps are stored, lambda is
0.9 and c as above.

Off-policy where nothing is chosen, S + zeta I takes the place of S, zeta the size of a squared feature, c = 0.015,
and the iterations are conjugate residuals: S^T S is then too ill-conditioned for conjugate gradients.

half_life < inf forgets: a step that k others followed counts q = 2^(-k / half_life) in S and b and q^2 in N, and
weights are renewed after a tenth of the half-life at the latest.

spread: a renewal works on the steps that there were when it began, a part in each step until the next one begins, and
the weights change when it is done: they are those of a burst, about a twentieth of the steps later.
)",
      .reference =
          "Equations: Bradtke and Barto (1996), doi:10.1007/BF00114723. Weights and damping: generalised method of "
          "moments, Hansen (1982), doi:10.2307/1912775, with a normal prior. Choice of lambda and c: after C_p, "
          "Mallows (1973), doi:10.2307/1267380. Conjugate gradients for least squares: Hestenes and Stiefel (1952), "
          "doi:10.6028/jres.049.044",
      .note =
          "Start here: the defaults are meant to be left alone, and rewards and features of any scale are treated "
          "alike. A step costs about 360 visits to stored steps, O(active) each, whatever the number of features and "
          "the length of the stream; some 10 d^2 for up to 256 features, and 6 d^2 numbers of memory. The work is done "
          "in bursts, whenever there are a twentieth more steps, between which the weights do not change. Memory is "
          "that of the steps, 4 bytes for a binary feature, 12 for a sparse and 8 for a dense one, each state once, "
          "and 48 bytes a "
          "step. With up to 2048 features the steps become a matrix of d^2 numbers once passes over it are shorter; "
          "the weights then follow slow modes that a few iterations cannot. Otherwise, when memory is full, every "
          "other piece of 512 steps is dropped, again and again: recent steps then count more than old ones. storage = "
          "matrix takes d^2 numbers and drops nothing. Where the world changes, give a "
          "half_life of some times as many steps as it takes to learn: steps that count less than a thousandth (after "
          "ten half-lives) then leave memory, a step costs about 1800 visits, and weights of features that were not "
          "seen for so long return to their start. Where no step may take much longer than others, spread shares the "
          "work out; true_online_td and swift_td are the alternative. Something else is better also where steps must "
          "not be stored (atd_compensated), or where weights are wanted "
          "after every single step and features are few (lstd)."};

  struct Params {
    std::optional<double> lambda{};
    TraceRule trace = TraceRule::accumulating;
    Storage storage = Storage::automatic;
    std::int64_t capacity = std::int64_t{1} << 27U;
    double half_life = infinity;
    bool spread = false;

    static constexpr auto fields() {
      return std::tuple{
          Field("lambda", &Params::lambda, unit,
                "trace decay: 0 bootstraps fully, 1 is Monte Carlo; auto: 0 or 0.9, as the data say"),
          trace_rule_field<Params>(),
          Field("storage", &Params::storage,
                "stored steps, or the matrix S; auto: the matrix for up to 256 features, later for up to 2048"),
          Field("capacity", &Params::capacity, between(1, 1e12),
                "memory in numbers of 8 bytes; when it is full, older steps are thinned out"),
          Field("half_life", &Params::half_life, Range{1, infinity, false, false},
                "after so many steps a step counts half, for streams that change; inf: all count alike"),
          Field("spread", &Params::spread,
                "spreads the work of a renewal over the steps until the next; stores steps")};
    }
  };

  /// Up to so many features S is summed, and up to so many once passes over the steps take longer than over S.
  static constexpr std::size_t most_summed = 256;
  static constexpr std::size_t most_summed_late = 2048;

  static constexpr Work work = Work::data;

  LSTDStreamRule(std::size_t dim, const Params& params);

  template <class X>
  bool update(const Transition<X>& s);

  template <class X>
  double value(const X& x) const {
    return kernels::dot(x, w_.data());
  }
  void read(std::span<double> w) const;
  void assign(std::span<const double> w);
  Settings findings() const;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    if (self.may_sum_) {
      visit(self.sums_);
      visit.require(self.sums_ <= 1);
      if constexpr (!std::is_const_v<Self>) self.equations_ = self.new_equations(self.w_.size());
    }
    std::visit([&](auto& equations) { visit(equations); }, self.equations_);
    visit(self.scale_, self.v_, self.steps_, self.last_, self.renewals_, self.iterations_, self.off_policy_);
    visit.fixed(self.w_, self.w0_);
    if (self.choice_) visit(*self.choice_);
    if (self.spread_) {
      visit(self.solver_, self.pass_, self.rows_a_step_);
      if (self.solver_ == Solver::gradients) visit(self.gradients_);
      if (self.solver_ == Solver::residuals) visit(self.residuals_);
      visit.require(self.consistent());
    }
    visit.require(self.v_.size() <= self.size());
    visit.require(self.last_ <= self.steps_ && self.steps_ < self.next_renewal());
  }

 private:
  std::size_t size() const {
    return std::visit([](const auto& equations) { return equations.size(); }, equations_);
  }
  /// Equations without steps, of the kind that is at work.
  std::variant<LoggedEquations, SummedEquations> new_equations(std::size_t dim) const;
  void sum_when_cheaper();
  /// Whether what is at work belongs to the equations.
  bool consistent() const;
  std::uint64_t next_renewal() const;
  double damping() const;  // kappa
  template <class Equations, class X>
  bool add(Equations& equations, const Transition<X>& s, double target);
  template <class Equations>
  void renew(Equations& equations);
  template <class Equations>
  void follow(const Equations& equations, double stretch);
  template <class Equations>
  void go_on(const Equations& equations, std::size_t rows);
  template <class Equations, class Products>
  void solve(const Equations& equations, Products&& products);

  enum class Solver : std::uint8_t { none, gradients, residuals };

  Params params_;
  std::uint64_t sums_;  // 1 if S is summed
  bool may_sum_;        // whether it will be, once that is cheaper
  std::variant<LoggedEquations, SummedEquations> equations_;
  std::optional<LambdaChoice> choice_;  // of lambda and damping, unless they are given
  bool spread_;
  double longest_stretch_;
  DampedLeastSquares gradients_;
  ConjugateResiduals residuals_;
  ValueScale scale_;
  std::vector<double> w_, w0_;
  CappedVector<double> v_;  // w - w0 by the numbers of features in the equations
  std::uint64_t steps_ = 0;
  std::uint64_t last_ = 0;  // steps at the last renewal
  std::uint64_t renewals_ = 0;
  std::uint64_t iterations_ = 0;
  std::uint64_t off_policy_ = 0;  // 1 once a ratio was not 1

  // A renewal that is spread over steps.
  Solver solver_ = Solver::none;  // that is at work
  Pass pass_;
  std::uint64_t rows_a_step_ = 0;
};

using LSTDStream = LinearLearner<LSTDStreamRule>;

}  // namespace bellwether
