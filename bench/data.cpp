/// Rows per second read from text tables and sparse steps, next to the least that any reader must do: find the ends of
/// lines and parse numbers; and from HDF5, within the process and by another one. See README.md.

#include <benchmark/benchmark.h>

#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <bellwether/data/hdf5/hdf5_table.h>
#include <bellwether/data/process/table_process.h>
#include <bellwether/data/table.h>
#include <bellwether/data/text/sparse_text_reader.h>

#include "support/data/hdf5_writer.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

constexpr int rows = 100'000;
constexpr int columns = 10;

/// How numbers are written: with four digits, or with all digits of a double.
enum Digits : std::int64_t { few, all };

/// Files of ten columns in each format.
class Files {
 public:
  Files() {
    for (const Digits digits : {few, all}) {
      std::mt19937_64 random(1);
      std::normal_distribution<double> normal;
      std::string csv, json, sparse;
      for (int j = 0; j < columns; ++j) csv += fmt::format("{}x.{}", j > 0 ? "," : "", j);
      csv += '\n';
      for (int i = 0; i < rows; ++i) {
        json += "{\"x\": [";
        sparse += "-1 0.99 |";
        for (int j = 0; j < columns; ++j) {
          const double value = normal(random);
          const std::string number = digits == few ? fmt::format("{:.4g}", value) : fmt::format("{}", value);
          csv += (j > 0 ? "," : "") + number;
          json += (j > 0 ? ", " : "") + number;
          sparse += fmt::format("{} {}:{}", j == columns / 2 ? " |" : "", 100'000 * j + i, number);
        }
        csv += '\n';
        json += "]}\n";
        sparse += '\n';
      }
      write(path("csv", digits), csv);
      write(path("jsonl", digits), json);
      write(path("sparse", digits), sparse);
      gzFile file = gzopen(path("csv.gz", digits).c_str(), "wb");
      gzwrite(file, csv.data(), static_cast<unsigned>(csv.size()));
      gzclose(file);
    }
  }

  std::string path(const std::string& ending, std::int64_t digits) const {
    return folder_.path(fmt::format("{}.{}", digits, ending));
  }

 private:
  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

  testing::TemporaryFolder folder_;
};

const Files& files() {
  static const Files all_files;
  return all_files;
}

std::string text_of(benchmark::State& state) {
  std::ifstream file(files().path("csv", state.range(0)));
  return {std::istreambuf_iterator<char>(file), {}};
}

void count_rows(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * rows); }

void floor_find_lines(benchmark::State& state) {
  const std::string text = text_of(state);
  for (auto _ : state) {
    const char* p = text.data();
    while (p != nullptr && p != text.data() + text.size()) {
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(text.data() + text.size() - p)));
      benchmark::DoNotOptimize(p);
      if (p != nullptr) ++p;
    }
  }
  count_rows(state);
}

void floor_parse_numbers(benchmark::State& state) {
  const std::string text = text_of(state);
  const char* const end = text.data() + text.size();
  for (auto _ : state) {
    double sum = 0;
    for (const char* p = text.data() + text.find('\n') + 1; p < end; ++p) {
      double value = 0;
      p = fast_float::from_chars(p, end, value).ptr;
      sum += value;
    }
    benchmark::DoNotOptimize(sum);
  }
  count_rows(state);
}

void read_table(benchmark::State& state, const std::string& ending, int wanted) {
  const std::string path = files().path(ending, state.range(0));
  TableBlock block;
  for (auto _ : state) {
    const auto table = open_table(path);
    std::vector<ColumnRequest> requests;
    for (int j = 0; j < wanted; ++j) requests.push_back({.name = table->columns()[static_cast<std::size_t>(j)]});
    table->select(std::move(requests));
    while (table->read(block, 4096)) benchmark::DoNotOptimize(block.cells.data());
  }
  count_rows(state);
}

void csv(benchmark::State& state) { read_table(state, "csv", columns); }
void csv_three_columns(benchmark::State& state) { read_table(state, "csv", 3); }
void csv_gzip(benchmark::State& state) { read_table(state, "csv.gz", columns); }
void json_lines(benchmark::State& state) { read_table(state, "jsonl", columns); }

void sparse_text(benchmark::State& state) {
  const std::string path = files().path("sparse", state.range(0));
  StepBlock block;
  for (auto _ : state) {
    const auto steps = open_sparse(path, {}, 1'000'000);
    while (steps->read(block, 4096)) benchmark::DoNotOptimize(block.discount.data());
  }
  count_rows(state);
}

/// Processor time of this process, and of those that it has waited for.
double processor_seconds() {
  double seconds = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(whose, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return seconds;
}

/// Episodes in the layout of Minari: 10 observations, the reward, and what Minari adds.
constexpr int episodes = 300;
constexpr int steps_each = 1000;

const std::string& minari_file() {
  static const testing::TemporaryFolder folder;
  static const std::string path = [] {
    testing::Hdf5Writer writer(folder.path("m.hdf5"));
    for (int i = 0; i < episodes; ++i) writer.episode(i, steps_each, 10);
    return folder.path("m.hdf5");
  }();
  return path;
}

/// The time is that of processors, in all processes.
template <class Open>
void read_hdf5(benchmark::State& state, Open&& open) {
  TableBlock block;
  minari_file();
  for (auto _ : state) {
    const double begun = processor_seconds();
    {
      const std::unique_ptr<TableReader> table = open(minari_file());
      std::vector<ColumnRequest> requests;
      for (const std::string& name : table->columns()) requests.push_back({.name = name, .may_be_empty = true});
      table->select(std::move(requests));
      while (table->read(block, 8192)) benchmark::DoNotOptimize(block.cells.data());
    }
    state.SetIterationTime(processor_seconds() - begun);
  }
  state.SetItemsProcessed(state.iterations() * episodes * (steps_each + 1));
}

void hdf5_within(benchmark::State& state) {
  read_hdf5(state, [](const std::string& path) { return open_hdf5_table(path); });
}
void hdf5_by_a_process(benchmark::State& state) {
  read_hdf5(state, [](const std::string& path) { return open_table_apart({"/proc/self/exe", table_server}, path); });
}

void with_options(benchmark::internal::Benchmark* bench) {
  bench->ArgName("all_digits")->Arg(few)->Arg(all)->Unit(benchmark::kMillisecond);
}

BENCHMARK(floor_find_lines)->Apply(with_options);
BENCHMARK(floor_parse_numbers)->Apply(with_options);
BENCHMARK(csv)->Apply(with_options);
BENCHMARK(csv_three_columns)->Apply(with_options);
BENCHMARK(csv_gzip)->Apply(with_options);
BENCHMARK(json_lines)->Apply(with_options);
BENCHMARK(sparse_text)->Apply(with_options);
BENCHMARK(hdf5_within)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(hdf5_by_a_process)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bellwether

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == bellwether::table_server) return bellwether::serve_table(STDIN_FILENO);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
