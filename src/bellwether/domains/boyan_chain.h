#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <bellwether/core/error.h>
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

  explicit BoyanChain(const Params& params) : FiniteDomain(chain(checked(name, params).size), 1), params_(params) {}

  std::string_view type() const override { return name; }
  Settings settings() const override { return values(params_); }
  std::unique_ptr<FeatureMap> features(std::uint64_t = 0, std::uint64_t = 0) const override {
    const auto size = static_cast<std::size_t>(params_.size);
    const std::size_t dim = size / 4 + 1;
    RowBuffer rows(dim <= 32 ? Layout::dense : Layout::sparse, dim);  // two features are active, however many there are
    for (std::size_t state = 1; state <= size; ++state) {
      const std::size_t whole = (size - state) / 4;
      const double fraction = static_cast<double>((size - state) % 4) / 4;
      rows.add(static_cast<std::uint32_t>(whole), 1 - fraction);
      if (fraction > 0) rows.add(static_cast<std::uint32_t>(whole + 1), fraction);
      rows.end_row();
    }
    return std::make_unique<TableFeatures>(name, 1, std::move(rows));
  }

 private:
  /// Row s of the table is state s + 1; state 0 is the end of the episode and has no row.
  static FiniteModel chain(std::int64_t size) {
    if (size % 4 != 0) {
      throw InvalidArgument("boyan_chain: size = " + std::to_string(size) + " is not a multiple of 4");
    }
    const auto n = static_cast<std::size_t>(size);
    FiniteModel model;
    model.states = n;
    model.start.assign(n, 0.0);
    model.start[n - 1] = 1;
    model.arcs.push_back({.from = 0, .to = 0, .probability = 1, .reward = -2, .discount = 0});
    for (std::size_t s = 1; s < n; ++s) {
      model.arcs.push_back({.from = s, .to = s - 1, .probability = 0.5, .reward = -3, .discount = 1});
      const bool ends = s == 1;
      model.arcs.push_back(
          {.from = s, .to = ends ? 0 : s - 2, .probability = 0.5, .reward = -3, .discount = ends ? 0.0 : 1.0});
    }
    return model;
  }

  Params params_;
};

}  // namespace bellwether
