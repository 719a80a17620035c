#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <bellwether/core/domain.h>
#include <bellwether/core/error.h>
#include <bellwether/core/params/registry.h>
#include <bellwether/features/tile_coding.h>

namespace bellwether {

class MountainCar final : public Domain {
 public:
  static constexpr const char* name = "mountain_car";
  static constexpr Doc doc{
      .summary = "A car too weak to drive straight up a hill swings its way up: how many steps does it need?",
      .detail = R"(
state: position x in [-1.2, 0.5], velocity v in [-0.07, 0.07]; start x uniform in [-0.6, -0.4), v = 0
actions: reverse a = -1, coast a = 0, forward a = 1
v <- clip(v + 0.001 a - 0.0025 cos(3 x), -0.07, 0.07)
x <- x + v;  left of -1.2 the car stands still at the wall: x = -1.2, v = 0
reward -1 a step; the episode ends with the step that reaches x >= 0.5; discount 1 before
target policy: push the way the car rolls (forward when it stands) with probability 1 - randomness,
               else one of the three actions, each with probability 1/3
behaviour: the same with randomness `behaviour`; rho = pi(a|s) / mu(a|s), 1 where both are equal
v(s) = - expected number of steps from s; known exactly for randomness 0, else by Monte Carlo
features: tile_coding(tilings=10 tiles=10 edges=clip memory=1024) of position and velocity: 10 active of 1024;
          there are 1000 tiles, so the last 24 features are never active
)",
      .reference =
          "Sutton (1996), Generalization in reinforcement learning: successful examples using sparse coarse coding, "
          "NIPS; this policy, start and tiling: Pan, White and White (2017), Accelerated gradient temporal difference "
          "learning, AAAI",
      .note =
          "Mean episodes of 119.4, 125.8 and 146.3 steps at randomness 0, 0.1 and 0.2. Noisy Mountain Car has "
          "the features own+noise. Off-policy: set behaviour above randomness, say 0.4; ratios then lie between "
          "randomness / behaviour and (3 - 2 randomness) / (3 - 2 behaviour)."};

  struct Params {
    double randomness = 0.2;
    std::optional<double> behaviour = std::nullopt;

    static constexpr auto fields() {
      return std::tuple{Field("randomness", &Params::randomness, unit, "how often the target policy acts at random"),
                        Field("behaviour", &Params::behaviour, unit,
                              "how often the behaviour policy does; auto: as the target, which is on-policy")};
    }
  };

  /// Throws InvalidArgument when the target acts at random but behaviour does not, which would never take its actions.
  explicit MountainCar(const Params& params)
      : params_(checked(name, params)),
        variables_{{"position", wall, goal}, {"velocity", -top_speed, top_speed}},
        actions_{"reverse", "coast", "forward"} {
    const double target = params.randomness;
    const double behaviour = params.behaviour.value_or(target);
    if (target > 0 && behaviour == 0) {
      throw InvalidArgument("mountain_car: behaviour = 0 never takes the random actions of randomness = " +
                            format_number(target));
    }
    const auto kind = [](double pi, double mu) { return Kind{mu, pi, mu > 0 ? pi / mu : 0}; };
    with_ = kind(1 - 2 * target / 3, 1 - 2 * behaviour / 3);
    other_ = kind(target / 3, behaviour / 3);
  }

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  const std::vector<Variable>& variables() const override { return variables_; }
  const std::vector<std::string>& actions() const override { return actions_; }

  void start(Rng& rng, std::span<double> state) const override {
    state[0] = -0.6 + 0.2 * rng.uniform();
    state[1] = 0;
  }

  Outcome step(Rng& rng, std::span<double> state) const override {
    const int with = direction_of_motion(state[1]);
    const double u = rng.uniform();
    const bool with_motion = u < with_.probability;
    const int push = with_motion ? with : u < with_.probability + other_.probability ? 0 : -with;
    const Kind& kind = with_motion ? with_ : other_;
    const bool arrived = move(state[0], state[1], push);
    return {.reward = -1, .discount = arrived ? 0.0 : 1.0, .rho = kind.rho, .pi = kind.pi, .action = push + 1};
  }

  std::unique_ptr<Domain> on_policy() const override {
    if (!params_.behaviour || *params_.behaviour == params_.randomness) return nullptr;
    return std::make_unique<MountainCar>(Params{.randomness = params_.randomness});
  }

  bool true_values(std::span<const double> states, std::span<double> values) const override {
    if (params_.randomness > 0) return false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double position = states[2 * i];
      double velocity = states[2 * i + 1];
      values[i] = -1;
      while (!move(position, velocity, direction_of_motion(velocity))) --values[i];
    }
    return true;
  }

  std::unique_ptr<FeatureMap> features(std::uint64_t = 0, std::uint64_t = 0) const override {
    return std::make_unique<TileCoding>(
        variables_, TileCoding::Params{.tilings = 10, .tiles = "10", .memory = 1024, .edges = TileEdges::clip});
  }

 private:
  static constexpr double wall = -1.2;
  static constexpr double goal = 0.5;
  static constexpr double top_speed = 0.07;

  static int direction_of_motion(double velocity) { return velocity < 0 ? -1 : 1; }

  /// Moves the car; returns whether it reached the goal.
  static bool move(double& position, double& velocity, int push) {
    velocity = std::clamp(velocity + 0.001 * push - 0.0025 * std::cos(3 * position), -top_speed, top_speed);
    position += velocity;
    if (position < wall) {
      position = wall;
      velocity = 0;
    }
    return position >= goal;
  }

  /// The action that follows the motion, or one of the two others.
  struct Kind {
    double probability;  // under behaviour
    double pi;           // under the target
    double rho;
  };

  Params params_;
  Kind with_;
  Kind other_;
  std::vector<Variable> variables_;
  std::vector<std::string> actions_;
};

}  // namespace bellwether
