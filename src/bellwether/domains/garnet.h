#pragma once

#include <array>
#include <cstdint>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/registry.h>

namespace bellwether {

enum class GarnetFeatures : std::uint8_t { tabular, binary, normal };
constexpr auto names(GarnetFeatures) { return std::array{"tabular", "binary", "normal"}; }

enum class GarnetBehaviour : std::uint8_t { on_policy, uniform, random };
constexpr auto names(GarnetBehaviour) { return std::array{"on_policy", "uniform", "random"}; }

class Garnet final : public FiniteDomain {
 public:
  static constexpr const char* name = "garnet";
  static constexpr Doc doc{
      .summary = "Random decision processes without structure, one for each instance; all values are known exactly.",
      .detail = R"(
states 1, ..., n, without episodes; the first state is uniform
each action in each state:
  successors   `branching` different states, chosen at random
  P(s'|s, a)   the lengths of the pieces of [0, 1] cut at branching - 1 uniform points
  reward       one normal number of mean 0 and variance 1, the same for all successors
target     pi(.|s) the pieces of [0, 1] cut at actions - 1 uniform points, drawn for each state
behaviour  on_policy  mu = pi, rho = 1
           uniform    mu = 1 / actions, rho = pi actions
           random     mu = (1 / actions + q) / 2, q drawn as pi is, so that rho <= 2 pi actions
features   tabular    one for each state
           binary     `ones` of `dim` are 1, chosen at random in each state
           normal     `dim` independent normal numbers of mean 0 and variance 1
`instance` determines the process and both policies; binary and normal features are a function of (seed, run), so runs
differ in their features but not in their values
)",
      .reference =
          "Archibald, McKinnon and Thomas (1995), On the generation of Markov decision processes, Journal of the "
          "Operational Research Society 46; for policy evaluation: Bhatnagar, Sutton, Ghavamzadeh and Lee (2009), "
          "Natural actor-critic algorithms, Automatica 45",
      .note =
          "Off-policy, plain TD(0) can fail on small sparse processes: with states=5 actions=2 branching=1 "
          "discount=0.99 behaviour=uniform features=normal dim=2 and the features of seed 1 its expected update "
          "diverges on instance=393, where emphatic weighting makes it stable. With few actions and branching=1 a "
          "process may have transient states or several closed parts. Constructing the domain takes O(n^3), since "
          "random processes fill any factorisation."};

  struct Params {
    std::int64_t states = 100;
    std::int64_t actions = 4;
    std::int64_t branching = 5;
    double discount = 0.95;
    std::int64_t instance = 1;
    GarnetBehaviour behaviour = GarnetBehaviour::on_policy;
    GarnetFeatures features = GarnetFeatures::binary;
    std::int64_t dim = 20;
    std::int64_t ones = 5;

    static constexpr auto fields() {
      return std::tuple{
          Field("states", &Params::states, between(2, 2000), "number of states"),
          Field("actions", &Params::actions, between(1, 100), "number of actions in each state"),
          Field("branching", &Params::branching, between(1, 100), "successors of each action, at most the states"),
          Field("discount", &Params::discount, Range{0, 1, true, true}, "of every step"),
          Field("instance", &Params::instance, at_least(0), "which random process, with its policies"),
          Field("behaviour", &Params::behaviour, "the policy that acts"),
          Field("features", &Params::features, "the features of a state"),
          Field("dim", &Params::dim, between(1, 1e6), "number of binary or normal features"),
          Field("ones", &Params::ones, between(1, 1e6), "binary features that are 1 in a state, at most dim")};
    }
  };

  explicit Garnet(const Params& params);

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  std::unique_ptr<FeatureMap> features(std::uint64_t seed = 0, std::uint64_t run = 0) const override;

 private:
  Params params_;
};

}  // namespace bellwether
