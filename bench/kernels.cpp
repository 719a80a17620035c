/// Time and memory traffic of the inner loops, by length of the vectors. See README.md.

#include <benchmark/benchmark.h>

#include <vector>

#include <bellwether/linalg/simd/exp.h>
#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {
namespace {

/// Runs `kernel(x, y, n)` on vectors of the given length; it reads and writes `touched` numbers per entry.
template <class Kernel>
void over_length(benchmark::State& state, std::size_t touched, Kernel&& kernel) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::vector<double> x(n, 0.5);
  std::vector<double> y(n, 0.25);
  for (auto _ : state) {
    kernel(x.data(), y.data(), n);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * n * touched * sizeof(double)));
}

void dot(benchmark::State& state) {
  over_length(state, 2,
              [](const double* x, double* y, std::size_t n) { benchmark::DoNotOptimize(kernels::dot(x, y, n)); });
}
void axpy(benchmark::State& state) {
  over_length(state, 3, [](const double* x, double* y, std::size_t n) { kernels::axpy(1e-9, x, y, n); });
}
void scale(benchmark::State& state) {
  over_length(state, 2, [](const double*, double* y, std::size_t n) { kernels::scale(1.0, y, n); });
}
void scale_axpy(benchmark::State& state) {
  over_length(state, 3, [](const double* x, double* y, std::size_t n) { kernels::scale_axpy(0.5, 0.25, x, y, n); });
}
void multiply(benchmark::State& state) {
  const std::vector<double> ones(static_cast<std::size_t>(state.range(0)), 1.0);
  over_length(state, 3, [&](const double*, double* y, std::size_t n) { kernels::multiply(ones.data(), y, n); });
}
/// exp(exp(...)) of a number would overflow, so the vector is reset each time: the cost of a copy is included.
void exp(benchmark::State& state) {
  over_length(state, 2, [](const double* x, double* y, std::size_t n) {
    std::copy(x, x + n, y);
    kernels::exp(y, n);
  });
}

/// Ten entries of a vector of the given length, as in a tile-coded state.
void binary_dot(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const std::vector<double> w(n, 0.5);
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < 10; ++i) indices.push_back((i * 40503U) % n);
  for (auto _ : state) benchmark::DoNotOptimize(kernels::dot(BinaryView{indices.data(), indices.size()}, w.data()));
}

BENCHMARK(dot)->RangeMultiplier(4)->Range(4, 1 << 16);
BENCHMARK(axpy)->RangeMultiplier(4)->Range(4, 1 << 16);
BENCHMARK(scale)->RangeMultiplier(4)->Range(4, 1 << 16);
BENCHMARK(scale_axpy)->RangeMultiplier(4)->Range(4, 1 << 16);
BENCHMARK(multiply)->RangeMultiplier(4)->Range(4, 1 << 16);
BENCHMARK(exp)->RangeMultiplier(4)->Range(4, 1 << 16);
BENCHMARK(binary_dot)->RangeMultiplier(8)->Range(64, 1 << 15);

}  // namespace
}  // namespace bellwether

BENCHMARK_MAIN();
