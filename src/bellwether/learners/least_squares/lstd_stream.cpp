#include <bellwether/learners/least_squares/lstd_stream.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace bellwether {
namespace {

/// Renewals come after a twentieth more steps: weights lag behind the data by 2.5 % of them on average.
constexpr std::uint64_t renewal_divisor = 20;
constexpr std::uint64_t least_stretch = 8;

/// With a half-life, after a tenth of it at the latest.
constexpr double half_life_share = 0.1;

/// Operations that a step may cost; where products are cheap they buy more iterations.
constexpr double operations_a_step = 4000;

/// Damping, as a share of the variance of errors over that of weights. Returns tell how large values are, but the
/// directions in which weights are hardest to find are those in which values vary most; there the prior should not
/// hold them back. Chosen from a few runs on seven problems, on which 0.1 to 0.4 made little difference. Off-policy,
/// errors are those of behaviour, larger than the ones that ratios leave; chosen on four problems.
constexpr double on_policy_share = 0.15;
constexpr double off_policy_share = 0.015;

/// Ratios of probabilities that are equal may differ from 1 by so much.
constexpr double ratio_rounding = 1e-9;

/// At least eight iterations, off-policy four, and more while steps are few: products are cheap, and weights far from
/// the minimum.
std::size_t least_iterations(std::uint64_t steps, bool off_policy) {
  return std::min<std::uint64_t>(16, (off_policy ? 4 : 8) + 4000 / steps);
}

/// Whether lambda and damping are chosen: where the matrix is summed for few features and all steps count alike.
bool is_to_choose(std::size_t dim, const LSTDStreamRule::Params& params) {
  return !params.lambda && params.storage != Storage::steps && !params.spread && params.half_life == infinity &&
         dim <= LSTDStreamRule::most_summed;
}

bool is_to_sum(std::size_t dim, const LSTDStreamRule::Params& params) {
  if (params.spread && params.storage == Storage::matrix) {
    throw InvalidArgument("lstd_stream: `spread=true` requires stored steps, and `storage=matrix` has none");
  }
  const bool few = dim <= LSTDStreamRule::most_summed;
  return !params.spread && (params.storage == Storage::matrix || (params.storage == Storage::automatic && few));
}

/// Whether steps are stored only while passes over them are shorter than over the matrix.
bool is_to_sum_later(std::size_t dim, const LSTDStreamRule::Params& params) {
  return params.storage == Storage::automatic && !params.spread && params.half_life == infinity &&
         dim > LSTDStreamRule::most_summed && dim <= LSTDStreamRule::most_summed_late &&
         dim * dim <= static_cast<std::size_t>(params.capacity);
}

/// Steps are not turned into sums before passes over them take so many times as long.
constexpr double longer_passes = 2;

}  // namespace

LSTDStreamRule::LSTDStreamRule(std::size_t dim, const Params& params)
    : params_(params),
      sums_(is_to_sum(dim, params) ? 1 : 0),
      may_sum_(is_to_sum_later(dim, params)),
      equations_(new_equations(dim)),
      spread_(params.spread),
      longest_stretch_(half_life_share * params.half_life),
      gradients_(dim),
      residuals_(dim),
      scale_(params.spread),
      w_(dim, 0.0),
      w0_(dim, 0.0),
      v_(dim) {
  if (is_to_choose(dim, params)) choice_.emplace(dim, params.trace);
}

std::variant<LoggedEquations, SummedEquations> LSTDStreamRule::new_equations(std::size_t dim) const {
  const double decay = std::exp2(-1 / params_.half_life);
  if (sums_ != 0) return SummedEquations(dim, params_.trace, decay);
  return LoggedEquations(dim, static_cast<std::size_t>(params_.capacity), params_.trace, decay, params_.spread);
}

/// Forms the matrix once passes over the steps take longer than over it. From then on iterations are the cheaper, the
/// longer the stream, and more of them are made.
void LSTDStreamRule::sum_when_cheaper() {
  if (!may_sum_ || sums_ != 0) return;
  const auto& logged = std::get<LoggedEquations>(equations_);
  if (logged.left_out() > 0 || logged.work() <= longer_passes * SummedEquations::work(w_.size())) return;
  SummedEquations summed(w_.size(), params_.trace);
  summed.add(logged.recorded());
  sums_ = 1;
  v_.resize(w_.size());
  for (std::size_t j = 0; j < w_.size(); ++j) v_[j] = w_[j] - w0_[j];
  equations_ = std::move(summed);
}

bool LSTDStreamRule::consistent() const {
  if (solver_ == Solver::none) return true;
  const auto* equations = std::get_if<LoggedEquations>(&equations_);
  if (equations == nullptr) return false;
  if (equations->outdated()) return true;  // it will not go on
  const std::size_t n = equations->size();
  return solver_ <= Solver::residuals && v_.size() == n && pass_.done <= equations->taken_up() &&
         (solver_ == Solver::gradients ? gradients_.size() : residuals_.size()) == n;
}

std::uint64_t LSTDStreamRule::next_renewal() const {
  const std::uint64_t stretch = last_ / renewal_divisor;
  const bool longest = static_cast<double>(stretch) > longest_stretch_;
  return last_ + std::max(least_stretch, longest ? static_cast<std::uint64_t>(longest_stretch_) : stretch);
}

double LSTDStreamRule::damping() const {
  if (choice_) return scale_.damping(choice_->share());
  return scale_.damping(off_policy_ != 0 ? off_policy_share : on_policy_share);
}

template <class Equations, class X>
bool LSTDStreamRule::add(Equations& equations, const Transition<X>& s, double target) {
  if constexpr (std::is_same_v<Equations, SummedEquations>) {
    if (choice_) return choice_->add(equations, s, target);
  }
  return equations.add(s, target);
}

template <class X>
bool LSTDStreamRule::update(const Transition<X>& s) {
  if (steps_ == last_) sum_when_cheaper();
  const auto values = [&](const std::vector<double>& w) {
    return std::pair{kernels::dot(s.x, w.data()), s.gn == 0 ? 0.0 : kernels::dot(s.xn, w.data())};
  };
  const auto start = values(w0_);
  const auto value = values(w_);
  return std::visit(
      [&](auto& equations) {
        if (!add(equations, s, s.r - (start.first - s.gn * start.second))) return false;
        double square = 0;
        double fourth = 0;
        s.x.for_each([&](std::size_t, double x) {
          square += x * x;
          fourth += x * x * x * x;
        });
        scale_.add(s.g != 0, s.r, s.gn, value.first, value.second, square, fourth);
        if (std::abs(s.rho - 1) > ratio_rounding) off_policy_ = 1;
        if (solver_ != Solver::none) go_on(equations, rows_a_step_);
        if (++steps_ >= next_renewal()) renew(equations);
        return true;
      },
      equations_);
}

template <class Equations>
void LSTDStreamRule::renew(Equations& equations) {
  if (solver_ != Solver::none) go_on(equations, std::numeric_limits<std::size_t>::max());
  const auto stretch = static_cast<double>(steps_ - last_);
  last_ = steps_;
  ++renewals_;
  scale_.end_stretch();
  equations.take_up();
  v_.resize(equations.size());
  if constexpr (std::is_same_v<Equations, SummedEquations>) {
    if (choice_) {
      if (choice_->is_due(steps_)) choice_->choose(steps_, off_policy_ != 0, equations, scale_, v_.data());
      return follow(choice_->chosen(equations), stretch);
    }
  }
  follow(equations, stretch);
}

/// Moves the weights towards the minimum.
template <class Equations>
void LSTDStreamRule::follow(const Equations& equations, double stretch) {
  const double kappa = damping();
  if (!(kappa > 0)) return;  // no feature has been seen
  const double affordable = operations_a_step * stretch / (2 * std::max(1.0, equations.work()));
  const auto most = static_cast<double>(std::max<std::size_t>(16, 2 * equations.size()));
  const std::size_t iterations =
      std::max(least_iterations(steps_, off_policy_ != 0), static_cast<std::size_t>(std::min(affordable, most)));
  // An iteration of conjugate gradients takes two products, one of conjugate residuals one. A choice begins with an
  // exact solution, which gradients need only follow.
  solver_ = off_policy_ != 0 && !choice_ ? Solver::residuals : Solver::gradients;
  if (solver_ == Solver::residuals) residuals_.begin(equations, scale_.feature(), kappa, 2 * iterations);
  else gradients_.begin(equations, kappa, iterations);
  if (!spread_) {
    solve(equations, AllAtOnce{});
    return;
  }
  // The last iteration of either needs one product less, and the first one more.
  pass_ = {};
  rows_a_step_ = (2 * iterations + 1) * steps_ / (next_renewal() - steps_) + 1;
}

/// A part of a renewal that is spread over steps.
template <class Equations>
void LSTDStreamRule::go_on(const Equations& equations, std::size_t rows) {
  if constexpr (std::is_same_v<Equations, LoggedEquations>) {
    if (equations.outdated()) solver_ = Solver::none;  // the steps that it was about are gone
    else solve(equations, InParts{pass_, rows});
  }
}

/// Lets the solver work; once it is done, its solution becomes the weights.
template <class Equations, class Products>
void LSTDStreamRule::solve(const Equations& equations, Products&& products) {
  const bool residuals = solver_ == Solver::residuals;
  const bool done =
      residuals ? residuals_.go_on(equations, products, v_.data()) : gradients_.go_on(equations, products, v_.data());
  if (!done) return;
  iterations_ += residuals ? residuals_.made() : gradients_.made();
  solver_ = Solver::none;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const std::uint32_t j = equations.feature(i);
    const double weight = w0_[j] + v_[i];
    if (bounded(weight)) w_[j] = weight;
    else v_[i] = w_[j] - w0_[j];
  }
}

void LSTDStreamRule::read(std::span<double> w) const { std::copy(w_.begin(), w_.end(), w.begin()); }

void LSTDStreamRule::assign(std::span<const double> w) {
  w_.assign(w.begin(), w.end());
  w0_ = w_;
}

Settings LSTDStreamRule::findings() const {
  const auto rounded = [](double v) { return fmt::format("{:.4g}", v); };
  Settings found{{"renewals", std::to_string(renewals_)},
                 {"iterations", std::to_string(iterations_)},
                 {"damping", rounded(renewals_ > 0 ? damping() : 0)},
                 {"noise", rounded(std::sqrt(scale_.noise()))},
                 {"returns", rounded(std::sqrt(scale_.returns()))}};
  if (choice_) found.emplace_back("lambda", format_number(choice_->takes_longer() ? default_lambda : 0));
  const std::uint64_t left_out = std::visit([](const auto& equations) { return equations.left_out(); }, equations_);
  if (left_out > 0) found.emplace_back("transitions_dropped", std::to_string(left_out));
  return found;
}

template bool LSTDStreamRule::update(const Transition<DenseView>&);
template bool LSTDStreamRule::update(const Transition<SparseView>&);
template bool LSTDStreamRule::update(const Transition<BinaryView>&);

}  // namespace bellwether
