// Learns from your own transitions: a machine is fine (feature 0) or worn (feature 1) and earns 1 or 0.5 an hour.
#include <cstdio>

#include <bellwether/bellwether.h>

int main() {
  const auto learner = bellwether::make_learner("td", /*dim=*/2, {{"alpha", 0.05}, {"lambda", 0.5}});
  bellwether::BatchBuffer day(bellwether::Layout::binary, 2);
  for (const unsigned condition : {0, 0, 0, 1, 1, 0}) {  // before each hour, and after the last
    day.x().add(condition);
    day.x().end_row();
  }
  for (const double earned : {1.0, 1.0, 1.0, 0.5}) day.add({.reward = earned, .discount = 0.9});
  day.add({.reward = 0.5, .discount = 0});  // a discount of zero ends the episode: tomorrow is another day
  for (int i = 0; i < 2000; ++i) learner->learn(day.view());
  std::printf("fine %.3f, worn %.3f\n", learner->weights()[0], learner->weights()[1]);
}
