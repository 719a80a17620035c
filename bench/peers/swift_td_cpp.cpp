/// SwiftTD by its authors, their C++ code without Python: the same steps and settings as in swift_td_python.py.
///
///     swift_td_cpp FOLDER NAME LAMBDA        writes the weights to FOLDER/NAME.weights

#include <SwiftTD.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

template <class T>
std::vector<T> read_array(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

int main(int, char** argv) {
  const std::string folder = argv[1];
  const std::string name = argv[2];
  const float lambda = std::stof(argv[3]);
  constexpr int dim = 1024;
  constexpr std::size_t active = 10;
  const auto index = read_array<int>(folder + "/car.index");
  const auto reward = read_array<double>(folder + "/car.reward");
  std::vector<std::vector<int>> states;
  for (auto i = index.begin(); i != index.end(); i += active) states.emplace_back(i, i + active);

  std::vector<double> w(dim);
  const auto learn = [&] {
    SwiftTDBinaryFeatures model(dim, lambda, 0.001F, 0.99F, 1e-5F, 0.1F, 0.999F, 0.001F, 1e-10F);
    for (std::size_t t = 0; t < states.size(); ++t) {
      model.Step(states[t], t == 0 ? 0 : static_cast<float>(reward[t - 1]));
    }
    for (int j = 0; j < dim; ++j) w[static_cast<std::size_t>(j)] = model.Predict({j});
  };
  const auto cpu_seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  double best = 1e300;
  const double begin = cpu_seconds();
  for (int pass = 0; pass < 2 || cpu_seconds() - begin < 0.5; ++pass) {
    const double start = cpu_seconds();
    learn();
    best = std::min(best, cpu_seconds() - start);
  }
  std::ofstream(folder + "/" + name + ".weights", std::ios::binary)
      .write(reinterpret_cast<const char*>(w.data()), static_cast<std::streamsize>(w.size() * sizeof(double)));

  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kilobytes;
  }
  std::printf("%.5f %.1f\n", 1e6 * best / static_cast<double>(reward.size()), kilobytes / 1024);
}
