#include <bellwether/metrics/effective_samples.h>

namespace bellwether {

double effective_sample_size(std::span<const double> rho) {
  EffectiveSamples samples;
  for (const double ratio : rho) samples.add(ratio);
  return samples.count();
}

void EffectiveSamples::observe(const Batch& batch) {
  for (std::size_t t = 0; t < batch.size; ++t) add(batch.rho == nullptr ? 1.0 : batch.rho[t]);
}

}  // namespace bellwether
