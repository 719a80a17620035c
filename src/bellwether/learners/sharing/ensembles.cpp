#include <bellwether/learners/sharing/ensembles.h>

#include <algorithm>

#include <bellwether/learners/families.h>

namespace bellwether {

namespace {

/// Learners side by side that share nothing.
class Separate final : public Ensemble {
 public:
  Separate(std::string_view name, std::size_t dim, const std::vector<Settings>& members) : Ensemble(dim) {
    for (const Settings& settings : members) members_.push_back(make_learner(name, dim, settings));
  }
  std::size_t size() const override { return members_.size(); }
  void learn(const Batch& batch) override {
    for (auto& member : members_) member->learn(batch);
  }
  void start_from(std::span<const double> w) override {
    for (auto& member : members_) member->start_from(w);
  }
  void weights(std::size_t member, std::span<double> w) override { members_[member]->weights(w); }
  std::optional<std::uint64_t> diverged_at(std::size_t member) const override {
    return members_[member]->diverged_at();
  }
  Settings findings(std::size_t member) const override { return members_[member]->findings(); }

 private:
  std::vector<std::unique_ptr<Learner>> members_;
};

}  // namespace

void Ensemble::eight_weights(std::size_t first, std::span<double> lanes) {
  std::fill(lanes.begin(), lanes.end(), 0.0);
  std::vector<double> w(dim_);
  for (std::size_t l = 0; l < 8 && first + l < size(); ++l) {
    weights(first + l, w);
    for (std::size_t j = 0; j < dim_; ++j) lanes[8 * j + l] = w[j];
  }
}

std::string sharing_key(std::string_view name, const Settings& settings) {
  return std::string(name) + " " + text_of(registered_learner(name).in_common(settings));
}

std::unique_ptr<Ensemble> make_ensemble(std::string_view name, std::size_t dim, const std::vector<Settings>& members,
                                        Sharing sharing) {
  const RegisteredLearner& learner = registered_learner(name);
  const auto fits = [&](const Settings& settings) {
    return learner.in_common(settings) == learner.in_common(members.front());
  };
  const bool shares = sharing == Sharing::on && learner.make_ensemble != nullptr && members.size() > 1;
  if (shares && std::all_of(members.begin(), members.end(), fits)) {
    require_memory_for(1, name, dim, members.front());  // what they share counts once
    return learner.make_ensemble(dim, members);
  }
  return std::make_unique<Separate>(name, dim, members);
}

}  // namespace bellwether
