#include <bellwether/linalg/simd/kernels.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <bellwether/core/support/rng.h>

namespace bellwether {
namespace {

std::vector<double> numbers(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> all(n);
  for (double& v : all) v = 2 * rng.uniform() - 1;
  return all;
}

TEST(Kernels, TheDotProductAddsEightInterleavedSumsInAFixedOrder) {
  for (std::size_t n = 0; n <= 70; ++n) {
    const auto a = numbers(n, n);
    const auto b = numbers(n, n + 1000);
    double part[8] = {};
    double plain = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double product = a[j] * b[j];
      part[j % 8] += product;
      plain += product;
    }
    const double ordered = ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
    EXPECT_EQ(kernels::dot(a.data(), b.data(), n), ordered) << n;
    EXPECT_NEAR(ordered, plain, 1e-14) << n;
  }
}

TEST(Kernels, DenseLoopsEqualPlainOnesBitForBit) {
  for (std::size_t n = 0; n <= 70; ++n) {
    const auto x = numbers(n, n);
    const auto y = numbers(n, n + 1000);
    const auto expect = [&](const auto& kernel, const auto& plain) {
      auto actual = y;
      auto expected = y;
      kernel(actual.data());
      for (std::size_t j = 0; j < n; ++j) expected[j] = plain(x[j], y[j]);
      EXPECT_EQ(actual, expected) << n;
    };
    expect([&](double* v) { kernels::axpy(0.3, x.data(), v, n); },
           [](double a, double b) {
             const double p = 0.3 * a;
             return b + p;
           });
    expect([&](double* v) { kernels::scale(0.3, v, n); }, [](double, double b) { return 0.3 * b; });
    expect([&](double* v) { kernels::scale_axpy(0.7, 0.3, x.data(), v, n); },
           [](double a, double b) {
             const double p = 0.3 * a;
             const double q = 0.7 * b;
             return q + p;
           });
    expect([&](double* v) { kernels::multiply(x.data(), v, n); }, [](double a, double b) { return a * b; });
  }
}

TEST(Kernels, RowsAreAddedOneAfterAnotherBitForBit) {
  constexpr std::size_t stride = 24;
  const auto A = numbers(12 * stride, 3);
  const std::uint32_t indices[] = {7, 0, 11, 3, 3, 5, 2, 9, 1};
  const auto values = numbers(9, 4);
  for (std::size_t count = 0; count <= 9; ++count) {
    for (const std::size_t n : {1, 8, 21}) {
      auto y = numbers(n, 5);
      auto expected = y;
      kernels::add_rows(0.3, {indices, values.data(), count}, A.data(), stride, y.data(), n);
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t j = 0; j < n; ++j) expected[j] += (0.3 * values[k]) * A[indices[k] * stride + j];
      }
      EXPECT_EQ(y, expected) << count << ' ' << n;
    }
  }
}

TEST(Kernels, TheLargestIsTheFirstOfEqualsWhereverItStands) {
  for (const std::size_t n : std::initializer_list<std::size_t>{1, 7, 63, 64, 65, 128, 200}) {
    for (std::size_t index = 0; index < n; ++index) {
      auto v = numbers(n, n);
      v[index] = -2;
      v[n - 1 - index / 2] = 2;
      EXPECT_EQ(kernels::largest(v.data(), n), std::min(index, n - 1 - index / 2)) << n;
    }
    EXPECT_EQ(kernels::largest(std::vector<double>(n, 0.0).data(), n), 0U) << n;
  }
}

TEST(Kernels, SparseAndBinaryVectorsGiveWhatTheSameDenseVectorGives) {
  const std::vector<std::uint32_t> indices{17, 3, 9, 30};
  const std::vector<double> values{0.5, -2, 1, 3};
  const auto w = numbers(31, 5);
  std::vector<double> dense(31, 0.0);
  std::vector<double> ones(31, 0.0);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    dense[indices[i]] = values[i];
    ones[indices[i]] = 1;
  }
  const auto expect = [&](const auto& x, const std::vector<double>& same) {
    const DenseView plain{same.data(), same.size()};
    EXPECT_NEAR(kernels::dot(x, w.data()), kernels::dot(plain, w.data()), 1e-15);
    EXPECT_NEAR(kernels::squared_norm(x), kernels::squared_norm(plain), 1e-15);
    auto a = w;
    auto b = w;
    kernels::axpy(0.3, x, a.data());
    kernels::axpy(0.3, plain, b.data());
    EXPECT_EQ(a, b);
  };
  expect(SparseView{indices.data(), values.data(), indices.size()}, dense);
  expect(BinaryView{indices.data(), indices.size()}, ones);
}

}  // namespace
}  // namespace bellwether
