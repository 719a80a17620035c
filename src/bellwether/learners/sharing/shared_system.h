#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <bellwether/learners/sharing/ensemble.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// An ensemble of learners that are made of a system and a head (learners/one_head.h): one system, and a head for each
/// member.
///
/// If a member diverges while others go on, its final weights and findings are stored and it is no longer updated. The
/// last active member is never dropped: if it diverges, the ensemble stops as a whole and still holds its weights.
///
/// Optional: `system.prepare()` does work once that `read` needs for every head, until the next step; heads with equal
/// `head.solution_key()` follow one another in a step, so that the system can use one solution for all of them.
template <class Rule>
class SharedSystem final : public Ensemble {
 public:
  using Params = typename Rule::Params;

  SharedSystem(std::size_t dim, const std::vector<Params>& members)
      : Ensemble(dim),
        params_(checked(Rule::name, members.front())),
        system_(dim, params_),
        active_(members.size()),
        final_(members.size()) {
    std::iota(active_.begin(), active_.end(), std::size_t{0});
    heads_.reserve(members.size());
    for (const Params& params : members) {
      assert(values(in_common(params)) == values(in_common(params_)));
      heads_.emplace_back(system_, checked(Rule::name, params));
    }
    if constexpr (requires(const Head& head) { head.solution_key(); }) {
      std::stable_sort(active_.begin(), active_.end(), [this](std::size_t a, std::size_t b) {
        return heads_[a].solution_key() < heads_[b].solution_key();
      });
    }
  }

  static Params in_common(const Params& params) { return Rule::in_common(params); }

  std::size_t size() const override { return heads_.size(); }

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
    if (const auto& dropped = final_[member]) {
      std::copy(dropped->w.begin(), dropped->w.end(), w.begin());
      return;
    }
    if constexpr (requires(System & system) { system.prepare(); }) system_.prepare();
    system_.read(heads_[member], w);
  }

  std::optional<std::uint64_t> diverged_at(std::size_t member) const override {
    return final_[member] ? final_[member]->step : ended_at_;
  }
  Settings findings(std::size_t member) const override {
    return final_[member] ? final_[member]->findings : system_.findings(heads_[member]);
  }

 private:
  using System = typename Rule::System;
  using Head = typename Rule::Head;

  /// The heads of the members that still learn, as a system sees them.
  struct ActiveHeads {
    SharedSystem& all;

    Head& first() const { return all.heads_[all.active_.front()]; }

    template <class F>
    void for_each(F&& f) const {
      for (const std::size_t member : all.active_) f(all.heads_[member]);
    }

    template <class F>
    bool keep(F&& f) const {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < all.active_.size(); ++i) {
        const std::size_t member = all.active_[i];
        if (f(all.heads_[member])) all.active_[kept++] = member;
        else if (kept > 0 || i + 1 < all.active_.size()) all.final_[member] = all.final_state(member);
        else return false;
      }
      all.active_.resize(kept);
      return true;
    }
  };

  /// The final state of a member that diverged.
  struct Final {
    std::vector<double> w;
    Settings findings;
    std::uint64_t step;  // at which it diverged, from 0
  };
  Final final_state(std::size_t member) const {
    Final state{std::vector<double>(dim()), system_.findings(heads_[member]), walk_.steps()};
    system_.read(heads_[member], state.w);
    return state;
  }

  Params params_;
  System system_;
  std::vector<Head> heads_;
  std::vector<std::size_t> active_;          // the members that still learn, in the order in which `keep` asks them
  std::vector<std::optional<Final>> final_;  // of members that were dropped
  StepWalk walk_;
  std::uint64_t steps_ = 0;
  std::optional<std::uint64_t> ended_at_;  // the step at which the last members diverged
};

}  // namespace bellwether
