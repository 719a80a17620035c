#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/error.h>
#include <bellwether/core/feature_map.h>
#include <bellwether/core/params/settings.h>
#include <bellwether/core/support/rng.h>
#include <bellwether/core/variable.h>

namespace bellwether {

struct FiniteModel;  // internal: a chain as a table of transitions

/// What a step of a domain yields besides the next state. The names are those of a Batch (core/batch.h).
struct Outcome {
  double reward = 0;
  double discount = 0;  // 0: the episode ended, and the next state means nothing
  double rho = 1;       // pi(a|s) / mu(a|s); 1 on-policy
  double pi = 1;        // pi(a|s)
  int action = 0;       // an index of `actions`; 0 if the chain has none
};

/// A Markov chain with rewards: an environment together with the behaviour policy that acts in it and the target policy
/// to be evaluated.
///
/// A domain is immutable. The caller keeps the state, so any number of threads may share a domain, and rollouts may
/// start from any state. The state is what an observer would log: a vector of numbers described by `variables`.
///
/// Learners want features, and get them from a Stream (experiment/stream.h). To look at the states themselves, run the
/// domain by hand; here, the return of one episode:
///
///     const auto car = make_domain("mountain_car");
///     Rng rng(1);
///     std::vector<double> state(car->variables().size());
///     car->start(rng, state);
///     double sum = 0;
///     for (double discount = 1; discount > 0;) {
///       const Outcome outcome = car->step(rng, state);
///       sum += discount * outcome.reward;
///       discount *= outcome.discount;
///     }
///
/// A domain of your own derives from this class; everything that takes a `const Domain&` then works with it. Studies
/// name their domains; `StudyCase::of` (study/study.h) brings in your own.
class Domain {
 public:
  virtual ~Domain() = default;

  virtual std::string_view type() const = 0;  // its name, such as "boyan_chain"

  /// Every parameter with its value: a domain is determined by its type and these.
  virtual Settings settings() const = 0;

  /// The numbers of a state, in order. Hidden ones come last.
  virtual const std::vector<Variable>& variables() const = 0;

  /// Names of the actions; empty if the chain has none.
  virtual const std::vector<std::string>& actions() const = 0;

  /// Draws the first state of an episode; `state` has a number for each variable.
  virtual void start(Rng& rng, std::span<double> state) const = 0;

  /// Acts with the behaviour policy and replaces `state` by the next one. When the outcome's discount is 0, call
  /// `start` before the next step.
  virtual Outcome step(Rng& rng, std::span<double> state) const = 0;

  /// The same environment with the target policy acting, so that its returns can be sampled; null when behaviour is the
  /// target policy already.
  virtual std::unique_ptr<Domain> on_policy() const { return nullptr; }

  /// The exact values v(s) = E_pi[R_1 + gamma_1 R_2 + gamma_1 gamma_2 R_3 + ... | S_0 = s] of the target policy for
  /// many states, which follow one another in `states`. Returns false, without touching `values`, if they are not
  /// known.
  virtual bool true_values(std::span<const double> states, std::span<double> values) const = 0;

  /// The exact value of the target policy for one state, if it is known. For many states, `true_values` is faster.
  std::optional<double> true_value(std::span<const double> state) const {
    double value = 0;
    return true_values(state, {&value, 1}) ? std::optional(value) : std::nullopt;
  }

  /// The domain's own features: those of the literature, described in docs/reference.md. Random ones are a function of
  /// (seed, run). The map does not refer to the domain and may outlive it.
  virtual std::unique_ptr<FeatureMap> features(std::uint64_t seed = 0, std::uint64_t run = 0) const = 0;

  /// The whole chain as a table, if it is small; else null. A chain that has one has exact values and exact Bellman
  /// errors.
  virtual const FiniteModel* model() const { return nullptr; }

  /// The usual initial weights for the domain's own features, as in Baird's counterexample; empty means zero. Studies
  /// start from them; a program calls `Learner::start_from`.
  virtual std::vector<double> initial_weights() const { return {}; }
};

}  // namespace bellwether
