#pragma once

#include <cstdint>

#include <bellwether/core/finite_domain.h>
#include <bellwether/core/params/registry.h>

namespace bellwether {

class BoyanChain final : public FiniteDomain {
 public:
  static constexpr const char* name = "boyan_chain";
  static constexpr Doc doc{
      .summary =
          "Boyan's chain: a walk down from the last state to 0 in steps of one or two, with interpolating features.",
      .detail = R"(
start in N = size
i >= 2:  to i-1 or i-2 with probability 1/2 each, reward -3
i  = 1:  to 0, reward -2
i  = 0:  ends the episode; discount 1 before
v(i) = -2 i
features: k = N/4 + 1; state i lies at q = (N-i)/4 and has 1 - frac(q) on feature floor(q), frac(q) on the next
w* = -8 (k-1, k-2, ..., 0), whatever lambda: the features represent v exactly
)",
      .reference = "Boyan (1999), Least-squares temporal difference learning, ICML",
      .note = "The mean episode of the usual size 12 has 8.222 steps."};

  struct Params {
    std::int64_t size = 12;

    static constexpr auto fields() {
      return std::tuple{Field("size", &Params::size, between(4, 1e6), "the first state; a multiple of 4")};
    }
  };

  explicit BoyanChain(const Params& params);

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  std::unique_ptr<FeatureMap> features(std::uint64_t seed = 0, std::uint64_t run = 0) const override;

 private:
  Params params_;
};

}  // namespace bellwether
