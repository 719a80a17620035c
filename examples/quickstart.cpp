// Learns the values of Boyan's chain without tuning anything; the true weights are -24, -16, -8, 0.
#include <cstdio>

#include <bellwether/bellwether.h>

int main() {
  const auto chain = bellwether::make_domain("boyan_chain");
  bellwether::Stream stream(*chain, chain->features(), /*seed=*/1);
  const auto learner = bellwether::make_learner("lstd_stream", stream.dim());
  for (int i = 0; i < 100; ++i) learner->learn(stream.next(1000));
  for (const double w : learner->weights()) std::printf("%8.3f\n", w);
}
