#pragma once

#include <cassert>
#include <memory>
#include <span>
#include <type_traits>

#include <bellwether/core/params/registry.h>
#include <bellwether/core/state.h>
#include <bellwether/learners/one_head.h>
#include <bellwether/learners/work.h>
#include <bellwether/linalg/simd/values.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// What a rule keeps while it learns: `Rule::State<double>` for rules that can also run in eight lanes
/// (learners/sharing/lanes.h), a system and a head for rules that have these (learners/one_head.h), otherwise the rule
/// itself.
template <class Rule>
auto state_of() {
  if constexpr (requires { typename Rule::template State<double>; }) {
    return std::type_identity<typename Rule::template State<double>>{};
  } else if constexpr (requires { typename Rule::Head; }) {
    return std::type_identity<SystemAndHead<Rule>>{};
  } else {
    return std::type_identity<Rule>{};
  }
}

/// A learner of a linear value function v(s) = w.x(s), made from a rule that says how a step changes the weights.
/// `using TD = LinearLearner<TDRule>;`
///
/// A rule has `name`, `doc` and `Params`, and its state
///
///     State(std::size_t dim, const Params& params);
///     template <class Step> bool update(const Step& s);   // s is a Transition; false: diverged, w was not changed
///     static constexpr auto state();                      // lists what learning changes (core/state.h)
///
/// The weights are a member: `e`, a trace with w as the first vector that follows it (traces/followed_trace.h), or `w`
/// (learners/weight_vector.h). A rule that keeps its weights in another form has instead
///
///     template <class X> double value(const X& x) const;  // w.x
///     void read(std::span<double> w) const;               // copies w out
///     void assign(std::span<const double> w);             // and in
///
/// Optional:
///
///     Settings findings() const;                          // as Learner::findings
///     void merge(const State& other);                     // as Learner::absorb; `other` has learned something
///     void merge(const State& other, double share);       // or this; `share` of the steps of both are the other's
///     static constexpr bool forms_weights = true;         // value(x) is slow: form w once to predict many states
///     static constexpr Work work = Work::matrix;          // what its work grows with; otherwise Work::features
///     static double least_numbers(std::size_t dim, const Params& params);  // kept at least, where parameters decide
template <class Rule>
class LinearLearner final : public Learner {
 public:
  using Params = typename Rule::Params;
  using State = typename decltype(state_of<Rule>())::type;
  static constexpr const char* name = Rule::name;
  static constexpr Doc doc = Rule::doc;

  LinearLearner(std::size_t dim, const Params& params)
      : Learner(dim), params_(checked(name, params)), state_(dim, params_) {}

  const Params& params() const { return params_; }

  /// The rule's own state, for what only this kind of learner can be asked.
  const State& state() const { return state_; }

  using Learner::weights;
  double predict(const Features& x) const override {
    assert(x.layout != Layout::dense || x.size == dim());
    return visit(x, [&](const auto& view) { return this->value(view); });
  }
  void predict(const FeatureRows& rows, std::span<double> values) const override {
    if constexpr (requires { Rule::forms_weights; }) {
      if (rows.rows > 1) return values_of(rows, weights(), values);
    }
    Learner::predict(rows, values);
  }
  void weights(std::span<double> w) const override { vector(state_).read(w); }

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  Settings findings() const override {
    if constexpr (requires { state_.findings(); }) return state_.findings();
    else return {};
  }
  std::unique_ptr<Learner> clone() const override { return std::make_unique<LinearLearner>(*this); }

 private:
  /// The part of a state that holds the weights.
  template <class S>
  static auto& vector(S& state) {
    if constexpr (requires { state.e; }) return state.e;
    else if constexpr (requires { state.w; }) return state.w;
    else return state;
  }

  template <class X>
  double value(const X& x) const {
    if constexpr (requires { state_.value(x); }) return state_.value(x);
    else return vector(state_).dot(x);
  }

  std::size_t learn_steps(const Batch& batch) override {
    if constexpr (requires { typename Rule::template State<double>; }) return learn_in_one_loop(batch);
    else return walk(batch);
  }
  std::size_t walk(const Batch& batch) {
    FiniteGuard guard;
    return walk_.through(batch, params_, guard, [this](const auto& s) { return state_.update(s); });
  }
  /// Without calls the numbers of a small update stay in registers.
  [[gnu::flatten]] std::size_t learn_in_one_loop(const Batch& batch) { return walk(batch); }
  void assign_weights(std::span<const double> w) override { vector(state_).assign(w); }

  void write_state(StateWriter& out) const override { out(walk_, state_); }
  void read_state(StateReader& in) override { in(walk_, state_); }

  void add_statistics(const Learner& other) override {
    constexpr bool merges = requires(State & s) { s.merge(s); };
    constexpr bool merges_by_share = requires(State & s) { s.merge(s, 0.5); };
    if constexpr (merges || merges_by_share) {
      const auto& part = static_cast<const LinearLearner&>(other);
      if (part.steps() == 0) return;
      if constexpr (merges) {
        state_.merge(part.state_);
      } else {
        state_.merge(part.state_, static_cast<double>(part.steps()) / static_cast<double>(steps() + part.steps()));
      }
      walk_.append(part.walk_);
    } else {
      Learner::add_statistics(other);
    }
  }

  Params params_;
  StepWalk walk_;
  State state_;
};

}  // namespace bellwether
