#include <bellwether/linalg/simd/gemm.h>

#include <algorithm>
#include <vector>

#include <pthread.h>

#include <Eigen/Core>

#include <gtest/gtest.h>

#include "support/sanitizers.h"

namespace bellwether {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(Gemm, AddsTheProductForEverySizeAndTransposition) {
  for (const Eigen::Index m : {1, 5, 6, 13, 16}) {
    for (const Eigen::Index n : {1, 7, 8, 9, 13, 24}) {
      for (const Eigen::Index k : {0, 1, 3, 256, 300}) {
        const RowMajor A = RowMajor::Random(m, k);
        const RowMajor At = A.transpose();
        const RowMajor B = RowMajor::Random(k, n);
        const RowMajor Bt = B.transpose();
        const RowMajor C = RowMajor::Random(m, n);
        const RowMajor expected = C + 0.5 * A * B;
        const auto sizes = [](Eigen::Index i) { return static_cast<std::size_t>(i); };
        for (const bool a_transposed : {false, true}) {
          for (const bool b_transposed : {false, true}) {
            RowMajor result = C;
            const kernels::Strided left =
                a_transposed ? kernels::Strided{At.data(), 1, sizes(m)} : kernels::Strided{A.data(), sizes(k)};
            const kernels::Strided right =
                b_transposed ? kernels::Strided{Bt.data(), 1, sizes(k)} : kernels::Strided{B.data(), sizes(n)};
            kernels::add_product(sizes(m), sizes(n), sizes(k), 0.5, left, right, result.data(), sizes(n));
            EXPECT_LE((result - expected).cwiseAbs().maxCoeff(), 1e-13) << m << " " << n << " " << k;
            RowMajor set = C;
            RowMajor added = RowMajor::Zero(m, n);
            kernels::set_product(sizes(m), sizes(n), sizes(k), 0.5, left, right, set.data(), sizes(n));
            kernels::add_product(sizes(m), sizes(n), sizes(k), 0.5, left, right, added.data(), sizes(n));
            EXPECT_EQ(set, added) << m << " " << n << " " << k;
          }
        }
      }
    }
  }
}

TEST(Gemm, RunsOnAThreadWithASmallStack) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers need larger stacks";
  pthread_attr_t small;
  pthread_attr_init(&small);
  ASSERT_EQ(pthread_attr_setstacksize(&small, 128 << 10), 0);
  pthread_t thread{};
  const auto multiply = [](void*) -> void* {
    const std::vector<double> A(70 * 300, 1.0);
    std::vector<double> C(70 * 70);
    kernels::add_product(70, 70, 300, 1.0, {A.data(), 300}, {A.data(), 1, 300}, C.data(), 70);
    return C.front() == 300 && C.back() == 300 ? nullptr : const_cast<void*>(static_cast<const void*>(""));
  };
  ASSERT_EQ(pthread_create(&thread, &small, multiply, nullptr), 0);
  void* wrong = nullptr;
  pthread_join(thread, &wrong);
  EXPECT_EQ(wrong, nullptr);
}

TEST(Gemm, HasTheBitsOfSumsInOrder) {
  for (const Eigen::Index m : {3, 6, 20}) {
    for (const Eigen::Index n : {3, 8, 12, 16, 20, 27, 32, 39}) {
      const Eigen::Index k = 300;
      const RowMajor A = RowMajor::Random(m, k);
      const RowMajor B = RowMajor::Random(k, n);
      RowMajor expected = RowMajor::Random(m, n);
      RowMajor result = expected;
      for (Eigen::Index p0 = 0; p0 < k; p0 += 256) {
        for (Eigen::Index i = 0; i < m; ++i) {
          for (Eigen::Index j = 0; j < n; ++j) {
            double sum = 0;
            for (Eigen::Index p = p0; p < std::min(k, p0 + 256); ++p) sum += A(i, p) * B(p, j);
            expected(i, j) += 0.7 * sum;
          }
        }
      }
      const auto size = [](Eigen::Index i) { return static_cast<std::size_t>(i); };
      kernels::add_product(size(m), size(n), size(k), 0.7, {A.data(), size(k)}, {B.data(), size(n)}, result.data(),
                           size(n));
      EXPECT_EQ(result, expected) << m << " " << n;
    }
  }
}

TEST(Gemm, GramIsTheProductOfTheMatrixAndItsTranspose) {
  for (const Eigen::Index m : {1, 8, 23, 24, 25, 61}) {
    const RowMajor A = RowMajor::Random(m, 70);
    const auto rows = static_cast<std::size_t>(m);
    RowMajor G = RowMajor::Constant(m, m, 7);
    kernels::set_gram(rows, 70, -0.5, {A.data(), 70}, G.data(), rows);
    EXPECT_LE((G + 0.5 * A * A.transpose()).cwiseAbs().maxCoeff(), 1e-13) << m;
    EXPECT_EQ(G, RowMajor(G.transpose())) << m;
  }
}

}  // namespace
}  // namespace bellwether
