#pragma once

#include <string>
#include <vector>

#include <bellwether/core/domain.h>

namespace bellwether {

/// A Markov chain as a table of all transitions with their probabilities. It determines, exactly, the values, the
/// distribution of visited states, and LSTD's matrix and vector (metrics/exact.h).
struct FiniteModel {
  /// A transition under the behaviour policy mu.
  struct Arc {
    std::size_t from;
    std::size_t to;      // ignored when discount = 0
    double probability;  // mu(a|from) P(to|from, a)
    double reward;
    double discount;  // 0 ends the episode; the next state is a start state
    double rho = 1;   // pi(a|from) / mu(a|from)
    double pi = 1;    // pi(a|from)
    int action = 0;
  };

  std::size_t states = 0;
  std::vector<double> start;  // probability of each state as the first of an episode
  std::vector<Arc> arcs;      // of every state; probability and rho * probability sum to one

  /// v = r_pi + P_pi Gamma v, solved exactly; NaN if the equation has no unique solution.
  std::vector<double> true_values() const;

  /// The share of time that the behaviour policy spends in each state over infinitely many episodes. Transient states
  /// have 0; each of several closed sets of states has the probability that it is entered from the start.
  std::vector<double> visit_distribution() const;
};

/// A domain defined by its table. The state is one number, `first_state` + the index of the row.
class FiniteDomain : public Domain {
 public:
  const std::vector<Variable>& variables() const final { return variables_; }
  const std::vector<std::string>& actions() const final { return actions_; }
  void start(Rng& rng, std::span<double> state) const final;
  Outcome step(Rng& rng, std::span<double> state) const final;
  bool true_values(std::span<const double> states, std::span<double> values) const final;
  const FiniteModel* model() const final { return &model_; }

  /// The same chain with the target policy acting: arcs have probability * rho, and rho = 1. Null if every ratio is 1.
  /// Its features and initial weights are those of this domain, which must outlive it.
  std::unique_ptr<Domain> on_policy() const final;

 protected:
  /// Throws InvalidArgument when the table is not a Markov chain: probabilities that are outside [0, 1] or do not sum
  /// to one, for behaviour or (weighted by rho) for the target; a state or an action that does not exist; an infinite
  /// value.
  FiniteDomain(FiniteModel model, double first_state, std::vector<std::string> actions = {});

  std::size_t index(std::span<const double> state) const;

 private:
  FiniteModel model_;
  double first_state_;
  std::vector<Variable> variables_;
  std::vector<std::string> actions_;
  std::vector<double> values_;
  std::vector<std::size_t> start_states_;  // states of positive probability
  std::vector<std::size_t> first_arc_;     // arcs of state s are first_arc_[s] .. first_arc_[s+1]
};

/// Features given as a table: row s holds the features of state s.
class TableFeatures final : public FeatureMap {
 public:
  /// `rows` are the feature vectors of the states `first_state`, `first_state` + 1, ...
  TableFeatures(std::string name, double first_state, RowBuffer rows);

  std::string_view type() const override { return name_; }
  Layout layout() const override { return rows_.layout(); }
  std::size_t dim() const override { return rows_.dim(); }
  std::size_t max_active() const override { return max_active_; }
  void write(std::span<const double> state, Moment moment, RowBuffer& rows) const override;

 private:
  std::string name_;
  double first_state_;
  RowBuffer rows_;
  std::size_t max_active_ = 0;
};

/// The table of n states with a feature each: x(s) = e_s.
RowBuffer indicator_rows(std::size_t n);

}  // namespace bellwether
