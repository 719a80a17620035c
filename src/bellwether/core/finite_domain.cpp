#include <bellwether/core/finite_domain.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

namespace {

/// The first i with u < p_0 + ... + p_i, or the last i of positive probability if rounding leaves the sum below u.
template <class Probability>
std::size_t pick(double u, std::size_t n, Probability probability) {
  std::size_t possible = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = probability(i);
    u -= p;
    if (u < 0) return i;
    if (p > 0) possible = i;
  }
  return possible;
}

std::vector<double> to_vector(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

template <class... T>
[[noreturn]] void reject(fmt::format_string<T...> what, T&&... values) {
  throw InvalidArgument("finite model: " + fmt::format(what, std::forward<T>(values)...));
}

bool sums_to_one(double total) {
  constexpr double tolerance = 1e-12;
  return std::abs(total - 1) <= tolerance;  // false for NaN
}

void check_arc(const FiniteModel& model, const FiniteModel::Arc& arc) {
  if (arc.from >= model.states || (arc.discount > 0 && arc.to >= model.states)) {
    reject("an arc from {} to {} among {} states", arc.from, arc.to, model.states);
  }
  const auto check = [&](const char* what, double value, Range range) {
    if (range.contains(value)) return;
    reject("an arc of state {} has {} = {}, outside {}", arc.from, what, value, range.text());
  };
  check("probability", arc.probability, unit);
  check("discount", arc.discount, unit);
  check("reward", arc.reward, finite);
  check("rho", arc.rho, non_negative);
  check("pi", arc.pi, unit);
}

void check(const FiniteModel& model, std::size_t actions) {
  if (model.states == 0 || model.start.size() != model.states) {
    reject("{} start probabilities for {} states", model.start.size(), model.states);
  }
  for (const double p : model.start) {
    if (!unit.contains(p)) reject("a start probability = {} is outside {}", p, unit.text());
  }
  if (!sums_to_one(std::accumulate(model.start.begin(), model.start.end(), 0.0))) {
    reject("the start probabilities do not sum to 1");
  }
  std::vector<double> behaviour(model.states, 0.0);
  std::vector<double> target(model.states, 0.0);
  for (const auto& arc : model.arcs) {
    check_arc(model, arc);
    if (arc.action < 0 || static_cast<std::size_t>(arc.action) >= std::max<std::size_t>(actions, 1)) {
      reject("an arc of state {} has action {} of {}", arc.from, arc.action, actions);
    }
    behaviour[arc.from] += arc.probability;
    target[arc.from] += arc.probability * arc.rho;
  }
  for (std::size_t s = 0; s < model.states; ++s) {
    if (!sums_to_one(behaviour[s])) reject("the probabilities of state {} sum to {}", s, behaviour[s]);
    if (!sums_to_one(target[s])) {
      reject("under the target policy the probabilities of state {} sum to {}", s, target[s]);
    }
  }
}

/// The chain of a domain with the target policy acting.
class OnPolicy final : public FiniteDomain {
 public:
  OnPolicy(FiniteModel model, const FiniteDomain& original)
      : FiniteDomain(std::move(model), original.variables()[0].low, original.actions()), original_(original) {}

  std::string_view type() const override { return original_.type(); }
  Settings settings() const override { return original_.settings(); }
  std::unique_ptr<FeatureMap> features(std::uint64_t seed, std::uint64_t run) const override {
    return original_.features(seed, run);
  }
  std::vector<double> initial_weights() const override { return original_.initial_weights(); }

 private:
  const FiniteDomain& original_;
};

}  // namespace

std::vector<double> FiniteModel::true_values() const {
  const auto n = static_cast<Eigen::Index>(states);
  std::vector<Eigen::Triplet<double>> entries;  // of I - P_pi Gamma; a state has few successors
  for (Eigen::Index i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  Eigen::VectorXd reward = Eigen::VectorXd::Zero(n);
  for (const Arc& arc : arcs) {
    const double target = arc.rho * arc.probability;
    const auto from = static_cast<Eigen::Index>(arc.from);
    reward[from] += target * arc.reward;
    if (arc.discount > 0) entries.emplace_back(from, static_cast<Eigen::Index>(arc.to), -target * arc.discount);
  }
  Eigen::SparseMatrix<double> system(n, n);
  system.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(system);
  const bool solved = solver.info() == Eigen::Success;
  return to_vector(solved ? Eigen::VectorXd(solver.solve(reward)) : Eigen::VectorXd::Constant(n, std::nan("")));
}

std::vector<double> FiniteModel::visit_distribution() const {
  // With P the chain in which the end of an episode leads to its start, d <- eps d (I - (1 - eps) P)^-1 replaces a
  // distribution by the average over the next 1/eps steps or so. It does not change d = d P, and shrinks every other
  // component by eps / (eps + 1 - z), z the other eigenvalues of P: to nothing in a few rounds, even if powers of P
  // cycle. The sum of the absolute differences never grows, so once it does only rounding is left.
  constexpr double eps = 1e-8;
  constexpr int most_rounds = 1000;
  const auto n = static_cast<Eigen::Index>(states);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (const Arc& arc : arcs) {
    const auto from = static_cast<Eigen::Index>(arc.from);
    const double weight = (eps - 1) * arc.probability;
    if (arc.discount > 0) {
      entries.emplace_back(static_cast<Eigen::Index>(arc.to), from, weight);
    } else {
      for (Eigen::Index i = 0; i < n; ++i) {
        const double p = start[static_cast<std::size_t>(i)];
        if (p > 0) entries.emplace_back(i, from, weight * p);
      }
    }
  }
  Eigen::SparseMatrix<double> system(n, n);
  system.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(system);
  Eigen::VectorXd d = Eigen::Map<const Eigen::VectorXd>(start.data(), n);
  double change = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    const Eigen::VectorXd next = solver.solve(d).cwiseMax(0);
    const Eigen::VectorXd scaled = next / next.sum();
    const double moved = (scaled - d).lpNorm<1>();
    d = scaled;
    if (moved >= change || moved == 0) break;
    change = moved;
  }
  return to_vector(d);
}

FiniteDomain::FiniteDomain(FiniteModel model, double first_state, std::vector<std::string> actions)
    : model_(std::move(model)), first_state_(first_state), actions_(std::move(actions)) {
  check(model_, actions_.size());
  std::stable_sort(model_.arcs.begin(), model_.arcs.end(),
                   [](const auto& a, const auto& b) { return a.from < b.from; });
  for (std::size_t s = 0; s < model_.states; ++s) {
    if (model_.start[s] > 0) start_states_.push_back(s);
  }
  first_arc_.assign(model_.states + 1, 0);
  for (const auto& arc : model_.arcs) ++first_arc_[arc.from + 1];
  std::partial_sum(first_arc_.begin(), first_arc_.end(), first_arc_.begin());
  variables_.push_back({"state", first_state_, first_state_ + static_cast<double>(model_.states) - 1, true});
  values_ = model_.true_values();
  for (const double v : values_) {
    if (!std::isfinite(v)) reject("a value is not finite; undiscounted episodes must end");
  }
}

std::size_t FiniteDomain::index(std::span<const double> state) const {
  const auto i = static_cast<std::size_t>(state[0] - first_state_);
  assert(i < model_.states);
  return i;
}

void FiniteDomain::start(Rng& rng, std::span<double> state) const {
  const auto i =
      pick(rng.uniform(), start_states_.size(), [&](std::size_t k) { return model_.start[start_states_[k]]; });
  state[0] = first_state_ + static_cast<double>(start_states_[i]);
}

Outcome FiniteDomain::step(Rng& rng, std::span<double> state) const {
  const std::size_t s = index(state);
  const auto* arcs = model_.arcs.data() + first_arc_[s];
  const auto& arc =
      arcs[pick(rng.uniform(), first_arc_[s + 1] - first_arc_[s], [&](std::size_t i) { return arcs[i].probability; })];
  if (arc.discount > 0) state[0] = first_state_ + static_cast<double>(arc.to);
  return {arc.reward, arc.discount, arc.rho, arc.pi, arc.action};
}

bool FiniteDomain::true_values(std::span<const double> states, std::span<double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = values_[index(states.subspan(i, 1))];
  return true;
}

std::unique_ptr<Domain> FiniteDomain::on_policy() const {
  if (std::all_of(model_.arcs.begin(), model_.arcs.end(), [](const auto& arc) { return arc.rho == 1; })) return nullptr;
  FiniteModel target{.states = model_.states, .start = model_.start, .arcs = {}};
  for (FiniteModel::Arc arc : model_.arcs) {
    arc.probability = std::min(1.0, arc.probability * arc.rho);  // rounding may exceed 1
    arc.rho = 1;
    if (arc.probability > 0) target.arcs.push_back(arc);
  }
  return std::make_unique<OnPolicy>(std::move(target), *this);
}

TableFeatures::TableFeatures(std::string name, double first_state, RowBuffer rows)
    : name_(std::move(name)), first_state_(first_state), rows_(std::move(rows)) {
  for (std::size_t s = 0; s < rows_.rows(); ++s) {
    std::size_t active = 0;
    visit(rows_.view().row(s), [&](auto x) { x.for_each([&](std::size_t, double v) { active += v != 0 ? 1 : 0; }); });
    max_active_ = std::max(max_active_, active);
  }
}

void TableFeatures::write(std::span<const double> state, Moment, RowBuffer& rows) const {
  const auto s = static_cast<std::size_t>(state[0] - first_state_);
  assert(s < rows_.rows());
  rows.write(rows_.view().row(s));
}

RowBuffer indicator_rows(std::size_t n) {
  RowBuffer rows(Layout::binary, n);
  for (std::size_t s = 0; s < n; ++s) {
    rows.add(static_cast<std::uint32_t>(s));
    rows.end_row();
  }
  return rows;
}

}  // namespace bellwether
