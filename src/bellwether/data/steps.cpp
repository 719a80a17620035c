#include <bellwether/data/steps.h>

#include <fmt/format.h>

namespace bellwether {

void StepBlock::clear(Layout layout, std::size_t dim, std::size_t targets) {
  for (RowBuffer* rows : {&x, &x_next}) {
    if (rows->layout() != layout || rows->dim() != dim) *rows = RowBuffer(layout, dim);
    rows->clear();
  }
  rewards.resize(targets);
  for (auto& reward : rewards) reward.clear();
  for (auto* numbers : {&discount, &rho, &pi, &interest, &states}) numbers->clear();
  restart.clear();
}

void StepBlock::append(const StepBlock& other, std::size_t first, std::size_t count) {
  const FeatureRows from = other.x.view(), to = other.x_next.view();
  for (std::size_t i = first; i < first + count; ++i) {
    x.append(from.row(i));
    x_next.append(to.row(i));
  }
  const auto add = [=](auto& all, const auto& more) {
    if (more.empty()) return;
    const auto begin = more.begin() + static_cast<std::ptrdiff_t>(first);
    all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  for (std::size_t k = 0; k < rewards.size(); ++k) add(rewards[k], other.rewards[k]);
  add(discount, other.discount);
  add(rho, other.rho);
  add(pi, other.pi);
  add(interest, other.interest);
  add(restart, other.restart);
}

void StepBlock::restart_first() {
  restart.resize(size(), 0);
  restart[0] = 1;
}

Batch StepBlock::view(std::size_t reward) const {
  const auto given = [](const auto& numbers) { return numbers.empty() ? nullptr : numbers.data(); };
  return {.size = size(),
          .x = x.view(),
          .x_next = x_next.view(),
          .reward = rewards[reward].data(),
          .discount = discount.data(),
          .rho = given(rho),
          .pi = given(pi),
          .interest = given(interest),
          .restart = given(restart)};
}

void check_features(const StepReader& steps, Layout layout, std::size_t dim) {
  if (steps.dim() != dim) {
    throw InvalidArgument(fmt::format("{}: has {} features, the model {}", steps.name(), steps.dim(), dim));
  }
  if (steps.layout() != layout) {
    throw InvalidArgument(fmt::format("{}: has {} features, the model {} ones", steps.name(),
                                      steps.layout() == Layout::sparse ? "sparse" : "dense",
                                      layout == Layout::sparse ? "sparse" : "dense"));
  }
}

}  // namespace bellwether
