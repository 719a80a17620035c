#include <algorithm>
#include <array>
#include <type_traits>

#include <bellwether/learners/all.h>
#include <bellwether/learners/sharing/ensembles.h>
#include <bellwether/learners/sharing/linear_lanes.h>
#include <bellwether/learners/sharing/together.h>

namespace bellwether {

namespace {

/// The ensembles that share something. Each says of which learner (`Member`) and which parameters of its members may
/// differ (`differing`), or what is left of parameters without those that may (`in_common`), and is made from the
/// number of features and the members' parameters.
using Ensembles = TypeList<Lanes<BasicTD>, Lanes<BasicETD>, Lanes<BasicTrueOnlineTD>, Lanes<BasicTrueOnlineETD>,
                           Lanes<BasicVTrace>, Lanes<BasicABTD>, Lanes<BasicTreeBackup>, Lanes<BasicImplicitTD>,
                           Lanes<BasicGTD>, Lanes<BasicGTD2>, Lanes<BasicTDRC>, Lanes<BasicHTD>,
                           Lanes<BasicTrueOnlineGTD>, Together<LSTD>, Together<ILSTD>, Together<TLSTD>, Together<ATD>>;

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

std::string sharing_key(std::string_view name, const Settings& settings) {
  std::string key(name);
  bool shares = false;
  const auto add = [&](auto&& differs, const Settings& all) {
    for (const auto& [parameter, value] : all) {
      if (!differs(parameter)) key.append(" ").append(parameter).append("=").append(value);
    }
  };
  for_each_type(Ensembles{}, [&]<class E>() {
    if (E::Member::name != name) return;
    shares = true;
    if constexpr (requires(typename E::Member::Params p) { E::in_common(p); }) {
      const auto params = parse_params<typename E::Member::Params>(name, settings);
      add([](const std::string&) { return false; }, values(E::in_common(params)));
    } else {
      add(
          [](const std::string& p) {
            return std::find(E::differing.begin(), E::differing.end(), p) != E::differing.end();
          },
          settings);
    }
  });
  if (!shares) add([](const std::string&) { return false; }, settings);
  return key;
}

std::unique_ptr<Ensemble> make_ensemble(std::string_view name, std::size_t dim, const std::vector<Settings>& members,
                                        Sharing sharing) {
  std::unique_ptr<Ensemble> ensemble;
  const auto fits = [&](const Settings& settings) {
    return sharing_key(name, settings) == sharing_key(name, members.front());
  };
  if (sharing == Sharing::on && std::all_of(members.begin(), members.end(), fits)) {
    for_each_type(Ensembles{}, [&]<class E>() {
      if (E::Member::name != name) return;
      std::vector<typename E::Member::Params> params;
      for (const Settings& settings : members) {
        params.push_back(parse_params<typename E::Member::Params>(name, settings));
      }
      ensemble = std::make_unique<E>(dim, params);
    });
  }
  return ensemble ? std::move(ensemble) : std::make_unique<Separate>(name, dim, members);
}

}  // namespace bellwether
