#pragma once

#include <algorithm>
#include <vector>

#include <bellwether/learners/sharing/ensemble.h>
#include <bellwether/learners/sharing/roster.h>

namespace bellwether {

/// An ensemble that is one learner with several members. The learner L says
///
///     L(const std::vector<Params>& members, std::size_t dim)
///     static Params in_common(Params p)                          // p without what may differ between members
///     const Roster& roster() const
///     void read(std::size_t member, std::span<double> w) const   // the weights and findings of one that learns
///     Settings findings(std::size_t member) const
///
/// and, when reading begins with work that serves all members until the next step, has a function `prepare` for it.
template <class L>
class Together final : public Ensemble {
 public:
  using Member = L;
  using Params = typename L::Params;

  Together(std::size_t dim, const std::vector<Params>& members) : Ensemble(dim), learner_(members, dim) {}

  static Params in_common(const Params& params) { return L::in_common(params); }

  std::size_t size() const override { return learner_.roster().size(); }

  void learn(const Batch& batch) override { learner_.learn(batch); }
  void start_from(std::span<const double> w) override { learner_.start_from(w); }

  void weights(std::size_t member, std::span<double> w) override {
    if (const auto& left = learner_.roster().left(member)) {
      std::copy(left->w.begin(), left->w.end(), w.begin());
      return;
    }
    if constexpr (requires(L & learner) { learner.prepare(); }) learner_.prepare();
    learner_.read(member, w);
  }

  std::optional<std::uint64_t> diverged_at(std::size_t member) const override {
    const auto& left = learner_.roster().left(member);
    return left ? left->step : learner_.diverged_at();
  }
  Settings findings(std::size_t member) const override {
    const auto& left = learner_.roster().left(member);
    return left ? left->findings : learner_.findings(member);
  }

 private:
  L learner_;
};

}  // namespace bellwether
