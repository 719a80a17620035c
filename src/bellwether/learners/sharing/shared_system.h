#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <bellwether/learners/sharing/active_members.h>
#include <bellwether/learners/sharing/ensemble.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// An ensemble of learners that are made of a system and a head (learners/one_head.h): one system, and a head for each
/// member. Besides `name` and `Params`, the rule has
///
///     static Params in_common(Params params);           // without the parameters in which members may differ
///     System(std::size_t dim, const Params& params);    // uses only what members have in common
///     Head(const System& system, const Params& params);
///
/// and the system
///
///     bool step(const Step& s, const Heads& heads);              // false: no head can go on
///     void assign(std::span<const double> w, const Heads& heads);
///     void read(const Head& head, std::span<double> w) const;    // the weights of one head
///     Settings findings(const Head& head) const;
///
/// Optional: `system.prepare()` does work once that `read` needs for every head, until the next step; heads with equal
/// `head.solution_key()` follow one another in a step, so that the system can use one solution for all of them.
template <class Rule>
class SharedSystem final : public Ensemble {
 public:
  using Params = typename Rule::Params;

  SharedSystem(std::size_t dim, const std::vector<Params>& members)
      : Ensemble(dim), params_(checked(Rule::name, members.front())), system_(dim, params_), members_(members.size()) {
    heads_.reserve(members.size());
    for (const Params& params : members) {
      assert(values(in_common(params)) == values(in_common(params_)));
      heads_.emplace_back(system_, checked(Rule::name, params));
    }
    if constexpr (requires(const Head& head) { head.solution_key(); }) {
      members_.sort_by([this](std::size_t member) { return heads_[member].solution_key(); });
    }
  }

  static Params in_common(const Params& params) { return Rule::in_common(params); }

  std::size_t size() const override { return members_.size(); }

  void learn(const Batch& batch) override {
    check_batch(Rule::name, dim(), batch);
    if (!ended_at_) {
      FiniteGuard guard;
      const auto update = [this](const auto& s) { return system_.step(s, ActiveHeads{*this}); };
      const std::size_t learned = walk_.through(batch, params_, guard, update);
      if (learned < batch.size) ended_at_ = steps_ + learned;
    }
    steps_ += batch.size;
  }

  void start_from(std::span<const double> w) override {
    check_start(Rule::name, dim(), steps_, w);
    system_.assign(w, ActiveHeads{*this});
  }

  void weights(std::size_t member, std::span<double> w) override {
    if (const auto& dropped = members_.dropped(member)) {
      std::copy(dropped->w.begin(), dropped->w.end(), w.begin());
      return;
    }
    if constexpr (requires(System & system) { system.prepare(); }) system_.prepare();
    system_.read(heads_[member], w);
  }

  std::optional<std::uint64_t> diverged_at(std::size_t member) const override {
    const auto& dropped = members_.dropped(member);
    return dropped ? dropped->step : ended_at_;
  }
  Settings findings(std::size_t member) const override {
    const auto& dropped = members_.dropped(member);
    return dropped ? dropped->findings : system_.findings(heads_[member]);
  }

 private:
  using System = typename Rule::System;
  using Head = typename Rule::Head;

  /// The heads of the members that still learn, as a system sees them.
  struct ActiveHeads {
    SharedSystem& all;

    Head& first() const { return all.heads_[all.members_.active().front()]; }

    template <class F>
    void for_each(F&& f) const {
      for (const std::size_t member : all.members_.active()) f(all.heads_[member]);
    }

    template <class F>
    bool keep(F&& f) const {
      return all.members_.keep([&](std::size_t member) { return f(all.heads_[member]); },
                               [&](std::size_t member) { return all.final_state(member); });
    }
  };

  ActiveMembers::Final final_state(std::size_t member) const {
    ActiveMembers::Final state{std::vector<double>(dim()), system_.findings(heads_[member]), walk_.steps()};
    system_.read(heads_[member], state.w);
    return state;
  }

  Params params_;
  System system_;
  std::vector<Head> heads_;
  ActiveMembers members_;
  StepWalk walk_;
  std::uint64_t steps_ = 0;
  std::optional<std::uint64_t> ended_at_;  // the step at which the last members diverged
};

}  // namespace bellwether
