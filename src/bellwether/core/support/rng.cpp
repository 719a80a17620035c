#include <bellwether/core/support/rng.h>

#include <cmath>

#include <Random123/philox.h>

namespace bellwether {

double Rng::normal() {
  // Ratio of uniforms (Kinderman and Monahan 1977).
  constexpr double twice_the_bound = 1.7155277699214135;  // 2 sqrt(2/e): |v| <= sqrt(2/e) covers the density
  for (;;) {
    const double u = 1 - uniform();
    const double x = twice_the_bound * (uniform() - 0.5) / u;
    if (x * x <= -4 * std::log(u)) return x;
  }
}

void Rng::refill() {
  const r123::Philox4x64::ctr_type counter{{drawn_ / 4, static_cast<std::uint64_t>(purpose_), moment_, 0}};
  const r123::Philox4x64::key_type key{{seed_, run_}};
  const auto block = r123::Philox4x64{}(counter, key);
  for (std::size_t i = 0; i < block_.size(); ++i) block_[i] = block[i];
}

}  // namespace bellwether
