#include <bellwether/domains/mountain_car.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/features/tile_coding.h>

namespace bellwether {

namespace {

constexpr double wall = -1.2;
constexpr double goal = 0.5;
constexpr double top_speed = 0.07;

int direction_of_motion(double velocity) { return velocity < 0 ? -1 : 1; }

/// Moves the car; returns whether it reached the goal.
bool move(double& position, double& velocity, int push) {
  velocity = std::clamp(velocity + 0.001 * push - 0.0025 * std::cos(3 * position), -top_speed, top_speed);
  position += velocity;
  if (position < wall) {
    position = wall;
    velocity = 0;
  }
  return position >= goal;
}

}  // namespace

MountainCar::MountainCar(const Params& params)
    : params_(checked(name, params)),
      variables_{{"position", wall, goal}, {"velocity", -top_speed, top_speed}},
      actions_{"reverse", "coast", "forward"} {
  const double target = params.randomness;
  const double behaviour = params.behaviour.value_or(target);
  if (target > 0 && behaviour == 0) {
    throw InvalidArgument(
        fmt::format("{}: behaviour = 0 never takes the random actions of randomness = {}", name, target));
  }
  const auto kind = [](double pi, double mu) { return Kind{mu, pi, mu > 0 ? pi / mu : 0}; };
  with_ = kind(1 - 2 * target / 3, 1 - 2 * behaviour / 3);
  other_ = kind(target / 3, behaviour / 3);
}

void MountainCar::start(Rng& rng, std::span<double> state) const {
  state[0] = -0.6 + 0.2 * rng.uniform();
  state[1] = 0;
}

Outcome MountainCar::step(Rng& rng, std::span<double> state) const {
  const int with = direction_of_motion(state[1]);
  const double u = rng.uniform();
  const bool with_motion = u < with_.probability;
  const int push = with_motion ? with : u < with_.probability + other_.probability ? 0 : -with;
  const Kind& kind = with_motion ? with_ : other_;
  const bool arrived = move(state[0], state[1], push);
  return {.reward = -1, .discount = arrived ? 0.0 : 1.0, .rho = kind.rho, .pi = kind.pi, .action = push + 1};
}

std::unique_ptr<Domain> MountainCar::on_policy() const {
  if (!params_.behaviour || *params_.behaviour == params_.randomness) return nullptr;
  return std::make_unique<MountainCar>(Params{.randomness = params_.randomness});
}

bool MountainCar::true_values(std::span<const double> states, std::span<double> values) const {
  if (params_.randomness > 0) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double position = states[2 * i];
    double velocity = states[2 * i + 1];
    values[i] = -1;
    while (!move(position, velocity, direction_of_motion(velocity))) --values[i];
  }
  return true;
}

std::unique_ptr<FeatureMap> MountainCar::features(std::uint64_t, std::uint64_t) const {
  return std::make_unique<TileCoding>(
      variables_, TileCoding::Params{.tilings = 10, .tiles = "10", .memory = 1024, .edges = TileEdges::clip});
}

}  // namespace bellwether
