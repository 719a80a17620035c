#include <bellwether/domains/baird.h>

namespace bellwether {

namespace {

constexpr std::size_t baird_states = 7;
constexpr std::size_t centre = 6;  // row of state 7

FiniteModel star() {
  constexpr double discount = 0.99;
  FiniteModel model;
  model.states = baird_states;
  model.start.assign(baird_states, 1.0 / 7);
  for (std::size_t s = 0; s < baird_states; ++s) {
    for (std::size_t to = 0; to < baird_states; ++to) {
      const bool solid = to == centre;  // dashed leads to each of the others with 6/7 * 1/6
      model.arcs.push_back({.from = s,
                            .to = to,
                            .probability = 1.0 / 7,
                            .reward = 0,
                            .discount = discount,
                            .rho = solid ? 7.0 : 0.0,
                            .pi = solid ? 1.0 : 0.0,
                            .action = solid ? 1 : 0});
    }
  }
  return model;
}

}  // namespace

Baird::Baird(const Params&) : FiniteDomain(star(), 1, {"dashed", "solid"}) {}

std::unique_ptr<FeatureMap> Baird::features(std::uint64_t, std::uint64_t) const {
  RowBuffer rows(Layout::dense, baird_states + 1);
  for (std::size_t s = 0; s < baird_states; ++s) {
    const auto x = rows.add_dense();
    x[s] = s == centre ? 1 : 2;
    x[baird_states] = s == centre ? 2 : 1;
  }
  return std::make_unique<TableFeatures>(name, 1, std::move(rows));
}

}  // namespace bellwether
