#include <bellwether/features/noise.h>

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <bellwether/core/support/rng.h>

namespace bellwether {

Noise::Noise(const FeatureContext& context, const Params& params)
    : seed_(context.seed), run_(context.run), params_(checked(name, params)) {
  if (params.active > params.count) {
    throw InvalidArgument(fmt::format("noise: active = {} is more than count = {}", params.active, params.count));
  }
}

void Noise::write(std::span<const double>, Moment moment, RowBuffer& rows) const {
  Rng rng(seed_, run_, Purpose::noise, params_.redraw == NoiseRedraw::step ? moment.step : moment.episode);
  std::array<std::uint64_t, most / 64> chosen;
  std::fill_n(chosen.begin(), (dim() + 63) / 64, 0);
  const auto choose = [&](std::uint64_t j) {
    const std::uint64_t bit = std::uint64_t{1} << j % 64;
    const bool is_new = (chosen[j / 64] & bit) == 0;
    chosen[j / 64] |= bit;
    return is_new;
  };
  // Floyd's algorithm (Bentley and Floyd 1987, doi:10.1145/30401.315746): every choice equally likely, a draw for each.
  for (std::uint64_t j = dim() - max_active(); j < dim(); ++j) {
    if (!choose(rng.below(j + 1))) choose(j);
  }
  for (std::size_t word = 0; word < (dim() + 63) / 64; ++word) {
    for (std::uint64_t bits = chosen[word]; bits != 0; bits &= bits - 1) {
      rows.add(static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
}

}  // namespace bellwether
