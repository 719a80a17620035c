#include <bellwether/learners/accelerated/transition_slots.h>

#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/traces/transition.h>

namespace bellwether {
namespace {

FiniteGuard guard;

/// A sparse or dense transition whose entries follow from one number.
struct Row {
  explicit Row(std::uint32_t number, std::size_t size, std::size_t next_size) {
    for (std::uint32_t k = 0; k < size; ++k) {
      indices.push_back(k);
      values.push_back(number + 0.01 * k);
    }
    for (std::uint32_t k = 0; k < next_size; ++k) {
      next_indices.push_back(k);
      next_values.push_back(number + 0.5 + 0.01 * k);
    }
  }
  Transition<SparseView> sparse() const {
    return step<SparseView>({indices.data(), values.data(), values.size()},
                            {next_indices.data(), next_values.data(), next_values.size()});
  }
  Transition<DenseView> dense() const {
    return step<DenseView>({values.data(), values.size()}, {next_values.data(), next_values.size()});
  }
  template <class X>
  Transition<X> step(const X& x, const X& xn) const {
    return {.x = x,
            .xn = xn,
            .r = values.empty() ? 0 : values[0],
            .g = 0,
            .gn = 0.5,
            .l = 0,
            .ln = 0,
            .rho = 2,
            .rhop = 1,
            .pi = 1,
            .pip = 1,
            .i = 1,
            .step = 1,
            .guard = guard};
  }

  std::vector<std::uint32_t> indices, next_indices;
  std::vector<double> values, next_values;
};

void expect_holds(const TransitionSlots& slots, std::size_t slot, const Row& row) {
  slots.visit(slot, [&](const auto& x, const auto& xn, const TransitionSlots::Past& past) {
    EXPECT_EQ(std::vector<double>(x.values, x.values + x.size), row.values);
    EXPECT_EQ(std::vector<double>(xn.values, xn.values + xn.size), row.next_values);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, SparseView>) {
      EXPECT_EQ(std::vector<std::uint32_t>(x.indices, x.indices + x.size), row.indices);
      EXPECT_EQ(std::vector<std::uint32_t>(xn.indices, xn.indices + xn.size), row.next_indices);
    }
    EXPECT_EQ(past.r, row.sparse().r);
    EXPECT_EQ(past.gn, 0.5);
    EXPECT_EQ(past.rho, 2);
  });
}

TEST(TransitionSlots, HoldsWhatWasPutWhileItsSlotsWiden) {
  TransitionSlots slots(12, 100);
  std::vector<Row> rows;
  Rng rng(1);
  for (std::uint32_t n = 0; n < 60; ++n) {
    const Row row(n, rng.below(2 + n), rng.below(2 + n));
    ASSERT_EQ(slots.room_for(row.sparse()), 12U) << "memory for rows of every length";
    const std::size_t slot = n < 12 ? n : rng.below(12);
    slots.put(slot, row.sparse());
    if (slot == rows.size()) rows.push_back(row);
    else rows[slot] = row;
    const TransitionSlots copy(slots);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      expect_holds(slots, i, rows[i]);
      expect_holds(copy, i, rows[i]);
    }
  }
  slots.remove(3);
  EXPECT_EQ(slots.size(), 11U);
  expect_holds(slots, 3, rows[11]);
  expect_holds(slots, 2, rows[2]);
}

TEST(TransitionSlots, HasFewerSlotsIfTheirMemoryWouldExceedTheLimit) {
  TransitionSlots slots(50, 100, 2000);  // 1000 entries for x and as many for x'
  const Row narrow(1, 8, 8);
  const Row medium(2, 20, 9);
  const Row wide(3, 100, 100);
  EXPECT_EQ(slots.room_for(narrow.sparse()), 50U);
  for (std::size_t i = 0; i < 50; ++i) slots.put(i, Row(static_cast<std::uint32_t>(i), 8, 7).sparse());
  EXPECT_EQ(slots.room_for(medium.sparse()), 50U);
  slots.put(0, medium.sparse());
  expect_holds(slots, 49, Row(49, 8, 7));
  EXPECT_EQ(slots.room_for(wide.sparse()), 10U);
  while (slots.size() > 10) slots.remove(10);
  slots.put(9, wide.sparse());
  expect_holds(slots, 9, wide);
  expect_holds(slots, 0, medium);
  EXPECT_EQ(slots.room_for(narrow.sparse()), 10U) << "slots do not become narrower";
}

TEST(TransitionSlots, KeepsDenseAndSparseRowsSideBySide) {
  TransitionSlots slots(2, 3);
  const Row sparse(1, 2, 3);
  const Row dense(2, 3, 3);
  slots.put(0, sparse.sparse());
  slots.put(1, dense.dense());
  expect_holds(slots, 0, sparse);
  expect_holds(slots, 1, dense);
}

}  // namespace
}  // namespace bellwether
