#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/registry.h>

namespace bellwether {

class Baird final : public FiniteDomain {
 public:
  static constexpr const char* name = "baird";
  static constexpr Doc doc{
      .summary = "Baird's counterexample: seven states and no reward, on which off-policy TD diverges.",
      .detail = R"(
states 1, ..., 7, without episodes; the first state is uniform
dashed:  to one of 1, ..., 6, each with probability 1/6
solid:   to 7
reward 0, discount 0.99
behaviour: dashed 6/7, solid 1/7, so all seven states are visited equally; target: solid always, so rho is 0 or 7
v(i) = 0
features: v^(i) = 2 w_i + w_8 for i <= 6, v^(7) = w_7 + 2 w_8
w starts from (1, 1, 1, 1, 1, 1, 10, 1); every w with X w = 0 is a solution, w = 0 among them
)",
      .reference =
          "Baird (1995), Residual algorithms, ICML; in this form Sutton and Barto (2018), Reinforcement Learning, "
          "section 11.2",
      .note =
          "The weights of expected TD(0) grow without bound at every step size: its matrix has the eigenvalues -0.239 "
          "and -0.022. Expected emphatic TD converges to X w = 0, but its follow-on trace has no finite variance here, "
          "so single runs do not show it: rho^2 gamma^2 averages 6.9 per step."};

  struct Params {
    static constexpr auto fields() { return std::tuple{}; }
  };

  explicit Baird(const Params&) : FiniteDomain(star(), 1, {"dashed", "solid"}) {}

  std::string_view type() const override { return name; }
  Settings settings() const override { return {}; }
  std::unique_ptr<FeatureMap> features(std::uint64_t = 0, std::uint64_t = 0) const override {
    RowBuffer rows(Layout::dense, size + 1);
    for (std::size_t s = 0; s < size; ++s) {
      const auto x = rows.add_dense();
      x[s] = s == centre ? 1 : 2;
      x[size] = s == centre ? 2 : 1;
    }
    return std::make_unique<TableFeatures>(name, 1, std::move(rows));
  }
  std::vector<double> initial_weights() const override { return {1, 1, 1, 1, 1, 1, 10, 1}; }

 private:
  static constexpr std::size_t size = 7;
  static constexpr std::size_t centre = 6;  // row of state 7

  static FiniteModel star() {
    FiniteModel model{.states = size, .start = std::vector<double>(size, 1.0 / 7), .arcs = {}};
    for (std::size_t s = 0; s < size; ++s) {
      for (std::size_t to = 0; to < size; ++to) {
        const bool solid = to == centre;  // dashed leads to each of the others with 6/7 * 1/6
        model.arcs.push_back({.from = s,
                              .to = to,
                              .probability = 1.0 / 7,
                              .reward = 0,
                              .discount = 0.99,
                              .rho = solid ? 7.0 : 0.0,
                              .pi = solid ? 1.0 : 0.0,
                              .action = solid ? 1 : 0});
      }
    }
    return model;
  }
};

}  // namespace bellwether
