#pragma once

#include <array>
#include <cstdint>

#include <bellwether/core/domain.h>
#include <bellwether/core/params/registry.h>
#include <bellwether/domains/support/energy_policy.h>
#include <bellwether/domains/support/energy_processes.h>
#include <bellwether/domains/support/energy_values.h>

namespace bellwether {

enum class EnergyClock : std::uint8_t { literal, both24 };
constexpr auto names(EnergyClock) { return std::array{"literal", "both24"}; }

enum class EnergyEncoding : std::uint8_t { hash, direct };
constexpr auto names(EnergyEncoding) { return std::array{"hash", "direct"}; }

class Energy final : public Domain {
 public:
  static constexpr const char* name = "energy";
  static constexpr Doc doc{
      .summary = "A wind farm with energy storage serves a demand and sells at a jumping price, hour after hour.",
      .detail = R"(
state      R in 0..30 stored, E in 1..7 wind, P in 30..70 price, D in 0..7 demand, the previous demand, a hidden clock t
flows      whole numbers >= 0: wind to demand ed, market to demand md, storage to demand rd, wind to storage er,
           storage to market rm
           ed + rd + md = D,  rd + rm <= min(R, 5),  er + ed <= E,  er <= min(30 - R, 5)
reward     P (D + rm - md) = P (ed + rd + rm): what is served or sold without being bought; from 0 to 840
storage    R' = R + er - rd - rm, without losses; wind that is not used is lost
wind       E' = clip(E + u, 1, 7), u uniform in {-1, 0, 1}
price      P' = clip(P + a + B J, 30, 70), a ~ N(0, 2.5^2) on {-8..8}, J ~ N(0, 50^2) on {-40..40}, Pr(B = 1) = jump
demand     D' = clip(floor(3 - 4 sin(2 pi k/25)) + e, 0, 7), e ~ N(0, 2^2) on {-2..2}, k = t + 1
           N(0, s^2) on a set of whole numbers: the density there, divided by its sum
policy     optimal for 25 hours without discount, by exact backward dynamic programming from V_25 = 0:
             V_t(R,E,P,D) = max over flows of P (D + rm - md) + E[ V_{t+1}(R',E',P',D') ],  t = 24, ..., 0
           ties: the first in the order rm, er, rd, md, slowest first; in hour t the policy uses row t mod 24
clock      literal: the policy has a day of 24 hours, demand one of 25, and everything repeats after 600
           both24: demand also restarts every 24 hours, k = (t mod 24) + 1
values     exact: v_t(s) = reward + discount E[ v_{t+1}(s') ], solved over all 71,176 states and all hours of the clock
start      R in 0..10, E in 1..5, P in 30..50, D in 0..7, uniform, at t = 0; then one step, so that there is a
           previous demand: the first state is that of t = 1. There are no episodes.
features   tile coding of all sets of one, two and three of the five visible variables: 25 groups of 32 tilings with 4, 4x4
           and 2x2x2 tiles, 800 tiles of a state and 8192 features (bellwether help tile_coding)
           hash     tile_coding(tilings=32 tiles=4,4,2 groups=1,2,3 memory=8192 indexing=hash): some 762 distinct
           direct   the same with indexing=direct edges=clip, whose 8320 tiles are taken mod 8192: some 796
)",
      .reference =
          "Problem, instance S1: Jiang and Powell (2015), An approximate dynamic programming algorithm for monotone "
          "value functions, Operations Research 63(6), doi:10.1287/opre.2015.1425, arXiv:1401.1590, after Salas and "
          "Powell (2018), doi:10.1287/ijoc.2017.0768; as a task of policy evaluation with these features: Pan, White, "
          "White (2017), Accelerated gradient temporal difference learning, AAAI, arXiv:1611.09328",
      .note =
          "The problem's text calls 0.031 the probability of a jump; its published program jumps with 0.969, and only "
          "that gives the published optimum, V_0(0,1,30,0) = 3745.58 (0.031 gives 2611.80). So 0.969 is the default: "
          "the price is at one of its ends half of the time and hardly depends on the price before. Chosen here, since "
          "no source says it: start states are whole numbers, demand keeps its 25 hours while the policy reads t mod "
          "24 (literal), ties go to the first decision, the hash function. The clock is hidden from the features, so "
          "that they cannot represent the values; with both24, where the previous demand tells more about the hour, "
          "they come closer. Values lie between 18,664 and 24,896 by default, so even a constant is not far off: look "
          "at errors on a log axis. The true values of many states take as long as that of one, so request many at "
          "once; this needs 50 MB."};

  struct Params {
    double jump = 0.969;
    EnergyClock clock = EnergyClock::literal;
    EnergyEncoding encoding = EnergyEncoding::hash;
    double discount = 0.99;

    static constexpr auto fields() {
      return std::tuple{
          Field("jump", &Params::jump, unit,
                "probability that the price jumps: 0.969 as the problem was published in code, 0.031 as in text"),
          Field("clock", &Params::clock, "whether only the policy's day has 24 hours, or demand's as well"),
          Field("encoding", &Params::encoding, "how tiles become features: hashed, or numbered and taken mod 8192"),
          Field("discount", &Params::discount, between(0, 0.9999), "of every step")};
    }
  };

  /// Computes the optimal policy.
  explicit Energy(const Params& params);

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  const std::vector<Variable>& variables() const override { return variables_; }

  /// Empty: a decision consists of five flows and is a function of the state.
  const std::vector<std::string>& actions() const override { return actions_; }

  void start(Rng& rng, std::span<double> state) const override;

  /// Draws three random numbers: for wind, price and demand.
  Outcome step(Rng& rng, std::span<double> state) const override;

  /// Costs the same for one state and for a million.
  bool true_values(std::span<const double> states, std::span<double> values) const override;

  std::unique_ptr<FeatureMap> features(std::uint64_t seed = 0, std::uint64_t run = 0) const override;

  /// The parts of the domain, for inspection.
  const energy::Processes& processes() const { return processes_; }
  const energy::Policy& policy() const { return policy_; }
  energy::Clocks clocks() const { return clocks_; }

  /// The values of all states and phases, which must not outlive this domain.
  energy::Values exact_values() const { return {processes_, policy_, clocks_, params_.discount}; }

 private:
  Params params_;
  energy::Processes processes_;
  energy::Policy policy_;
  energy::Clocks clocks_;
  std::vector<Variable> variables_;
  std::vector<std::string> actions_;
};

}  // namespace bellwether
