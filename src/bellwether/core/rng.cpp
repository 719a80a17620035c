#include <bellwether/core/rng.h>

#include <Random123/philox.h>

namespace bellwether {

void Rng::refill() {
  const r123::Philox4x64::ctr_type counter{{drawn_ / 4, static_cast<std::uint64_t>(purpose_), 0, 0}};
  const r123::Philox4x64::key_type key{{seed_, run_}};
  const auto block = r123::Philox4x64{}(counter, key);
  for (std::size_t i = 0; i < block_.size(); ++i) block_[i] = block[i];
}

}  // namespace bellwether
