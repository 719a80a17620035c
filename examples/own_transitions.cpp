// Feeds transitions of your own: a machine that is fine (feature 0) or worn (feature 1) and earns 1 or 0.5 an hour.
#include <cstdio>

#include <bellwether/bellwether.h>

int main() {
  bellwether::TD learner(/*dim=*/2, {.alpha = 0.05, .lambda = 0.5});
  for (int day = 0; day < 2000; ++day) {
    bellwether::BatchBuffer log(bellwether::Layout::binary, 2);
    for (const unsigned condition :
         {0U, 0U, 0U, 1U, 1U, 0U}) {  // the state before each hour, and the one after the last
      log.x().add(condition);
      log.x().end_row();
    }
    for (const double earned : {1.0, 1.0, 1.0, 0.5}) log.add({.reward = earned, .discount = 0.9});
    log.add({.reward = 0.5, .discount = 0});  // a discount of zero ends the episode: tomorrow is another day
    learner.learn(log.view());
  }
  std::printf("fine %.3f, worn %.3f\n", learner.weights()[0], learner.weights()[1]);
}
