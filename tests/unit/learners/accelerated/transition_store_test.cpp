#include <bellwether/learners/accelerated/transition_store.h>

#include <gtest/gtest.h>

#include <bellwether/core/rng.h>

namespace bellwether {
namespace {

/// A sparse or dense transition whose entries follow from one number.
struct Row {
  explicit Row(std::uint32_t number, std::size_t size, std::size_t next_size) {
    for (std::uint32_t k = 0; k < size; ++k) {
      places.push_back(k);
      values.push_back(number + 0.01 * k);
    }
    for (std::uint32_t k = 0; k < next_size; ++k) {
      next_places.push_back(k);
      next_values.push_back(number + 0.5 + 0.01 * k);
    }
  }
  Transition<SparseView> sparse() const {
    return step<SparseView>({places.data(), values.data(), values.size()},
                            {next_places.data(), next_values.data(), next_values.size()});
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
            .step = 1};
  }

  std::vector<std::uint32_t> places, next_places;
  std::vector<double> values, next_values;
};

void expect_holds(const TransitionStore& store, std::size_t slot, const Row& row) {
  store.visit(slot, [&](const auto& x, const auto& xn, const TransitionStore::Past& past) {
    EXPECT_EQ(std::vector<double>(x.values, x.values + x.size), row.values);
    EXPECT_EQ(std::vector<double>(xn.values, xn.values + xn.size), row.next_values);
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, SparseView>) {
      EXPECT_EQ(std::vector<std::uint32_t>(x.indices, x.indices + x.size), row.places);
      EXPECT_EQ(std::vector<std::uint32_t>(xn.indices, xn.indices + xn.size), row.next_places);
    }
    EXPECT_EQ(past.r, row.sparse().r);
    EXPECT_EQ(past.gn, 0.5);
    EXPECT_EQ(past.rho, 2);
  });
}

TEST(TransitionStore, HoldsWhatWasPutWhileItsSlotsWiden) {
  TransitionStore store(12, 100);
  std::vector<Row> rows;
  Rng rng(1);
  for (std::uint32_t n = 0; n < 60; ++n) {
    const Row row(n, rng.below(2 + n), rng.below(2 + n));
    ASSERT_EQ(store.room_for(row.sparse()), 12U) << "memory for rows of every length";
    const std::size_t slot = n < 12 ? n : rng.below(12);
    store.put(slot, row.sparse());
    if (slot == rows.size()) rows.push_back(row);
    else rows[slot] = row;
    const TransitionStore copy(store);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      expect_holds(store, i, rows[i]);
      expect_holds(copy, i, rows[i]);
    }
  }
  store.remove(3);
  EXPECT_EQ(store.size(), 11U);
  expect_holds(store, 3, rows[11]);
  expect_holds(store, 2, rows[2]);
}

TEST(TransitionStore, HasFewerSlotsWhereTheirMemoryWouldPassTheLimit) {
  TransitionStore store(50, 100, 2000);  // 1000 entries for x and as many for x'
  const Row narrow(1, 8, 8);
  const Row medium(2, 20, 9);
  const Row wide(3, 100, 100);
  EXPECT_EQ(store.room_for(narrow.sparse()), 50U);
  for (std::size_t i = 0; i < 50; ++i) store.put(i, Row(static_cast<std::uint32_t>(i), 8, 7).sparse());
  EXPECT_EQ(store.room_for(medium.sparse()), 50U);
  store.put(0, medium.sparse());
  expect_holds(store, 49, Row(49, 8, 7));
  EXPECT_EQ(store.room_for(wide.sparse()), 10U);
  while (store.size() > 10) store.remove(10);
  store.put(9, wide.sparse());
  expect_holds(store, 9, wide);
  expect_holds(store, 0, medium);
  EXPECT_EQ(store.room_for(narrow.sparse()), 10U) << "slots do not become narrower";
}

TEST(TransitionStore, KeepsDenseAndSparseRowsSideBySide) {
  TransitionStore store(2, 3);
  const Row sparse(1, 2, 3);
  const Row dense(2, 3, 3);
  store.put(0, sparse.sparse());
  store.put(1, dense.dense());
  expect_holds(store, 0, sparse);
  expect_holds(store, 1, dense);
}

}  // namespace
}  // namespace bellwether
