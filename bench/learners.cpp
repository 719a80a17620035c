/// Nanoseconds per step of every registered learner, on streams of several shapes. See README.md.

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/learners/all.h>
#include <bellwether/learners/learners.h>

#include "mountain_car_stream.h"

namespace bellwether::bench {
namespace {

constexpr Shape headline{Layout::binary, 1024, 10};

const std::vector<Shape> shapes{{Layout::dense, 4, 4},
                                {Layout::dense, 64, 64},
                                {Layout::dense, 1024, 1024},
                                {Layout::binary, 64, 4},
                                headline,
                                {Layout::binary, 1024, 100},
                                {Layout::binary, 8192, 80},
                                {Layout::binary, 8192, 800}};

std::string title(const Shape& shape) {
  if (shape.layout == Layout::dense) return fmt::format("dense {}", shape.dim);
  return fmt::format("{}/{}", shape.dim, shape.active);
}

/// A learner and its settings: a row of the table.
struct Row {
  std::string title;
  const LearnerEntry* entry;
  std::string lambda;  // empty when the learner has none
};

/// Every registered learner with lambda = 0.95 where it has one, after TD(0), to which the others are compared.
std::vector<Row> table_rows() {
  std::vector<Row> rows{{"td(0)", &find_entry(learners(), "learner", "td"), "0"}};
  for (const LearnerEntry& entry : learners()) {
    const bool traced = std::any_of(entry.params.begin(), entry.params.end(),
                                    [](const ParamInfo& param) { return param.name == "lambda"; });
    rows.push_back({entry.name, &entry, traced ? "0.95" : ""});
  }
  return rows;
}

/// A trace sums up about 20 steps, so an update takes away about a fifth of the error: nothing should diverge.
Settings settings_for(const Row& row, const Shape& shape) {
  Settings settings;
  for (const ParamInfo& param : row.entry->params) {
    if (param.name == "alpha") settings.emplace_back("alpha", format_number(0.01 / static_cast<double>(shape.active)));
    if (param.name == "lambda") settings.emplace_back("lambda", row.lambda);
  }
  return settings;
}

/// A stream that fits into the second-level cache: learning is measured, not memory.
const BatchBuffer& stream_for(const Shape& shape) {
  static std::map<std::string, BatchBuffer> streams;
  const std::size_t row_bytes = shape.layout == Layout::dense ? 8 * shape.dim : 4 * shape.active;
  const std::size_t steps = std::clamp<std::size_t>((std::size_t{1} << 19) / row_bytes, 64, 8192);
  return streams.try_emplace(title(shape), mountain_car(shape, steps, 1)).first->second;
}

/// Learns from the stream again and again, a few steps at a time.
class Feed {
 public:
  Feed(Learner& learner, Batch stream) : learner_(learner), stream_(stream) {}

  void learn() {
    const std::size_t count = std::min(chunk, stream_.size - next_);
    learner_.learn(stream_.slice(next_, count));
    next_ = next_ + count == stream_.size ? 0 : next_ + count;
    steps += count;
  }

  std::size_t steps = 0;

 private:
  static constexpr std::size_t chunk = 64;
  Learner& learner_;
  Batch stream_;
  std::size_t next_ = 0;
};

struct Measured {
  double ns = 0;
  std::string problem;  // why there is no number
};

/// Results by row and shape. Of repetitions the fastest counts: what slows the others down is not the learner.
class Table : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      Measured& cell = cells_[run.run_name.function_name];
      if (run.error_occurred) {
        cell.problem = run.error_message;
        continue;
      }
      const double ns = 1e9 / run.counters.at("steps").value;
      if (cell.ns == 0 || ns < cell.ns) cell.ns = ns;
      std::fprintf(stderr, "%-60s %12.1f ns/step\n", run.benchmark_name().c_str(), ns);
    }
  }

  const Measured* find(const std::string& row, const std::string& column) const {
    const auto cell = cells_.find(row + " " + column);
    return cell == cells_.end() ? nullptr : &cell->second;
  }

 private:
  std::map<std::string, Measured> cells_;
};

/// A learner this slow at the headline shape is not tried with 8192 features: one that is quadratic in them would take
/// gigabytes and minutes.
constexpr double slow_ns = 1e5;

void measure(benchmark::State& state, const Row& row, const Shape& shape, const Table& table) {
  const Measured* at_headline = table.find(row.title, title(headline));
  if (shape.dim > headline.dim && at_headline != nullptr && at_headline->ns > slow_ns) {
    state.SkipWithError("slow");
    return;
  }
  const auto learner = row.entry->make(settings_for(row, shape), shape.dim);
  Feed feed(*learner, stream_for(shape).view());
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(20)) feed.learn();
  feed.steps = 0;
  for (auto _ : state) feed.learn();
  state.counters["steps"] = benchmark::Counter(static_cast<double>(feed.steps), benchmark::Counter::kIsRate);
  if (learner->diverged_at()) state.SkipWithError("diverged");
}

void print(const Table& table, const std::vector<Row>& rows) {
  fmt::print("ns per step, and in brackets how many times TD(0) of the same shape\n\n{:<24}", "learner");
  for (const Shape& shape : shapes) fmt::print("{:>19}", title(shape));
  for (const Row& row : rows) {
    fmt::print("\n{:<24}", row.title);
    for (const Shape& shape : shapes) {
      const Measured* cell = table.find(row.title, title(shape));
      const Measured* base = table.find("td(0)", title(shape));
      if (cell == nullptr) fmt::print("{:>19}", "");
      else if (!cell->problem.empty()) fmt::print("{:>19}", cell->problem);
      else if (base == nullptr || base->ns == 0) fmt::print("{:>19.0f}", cell->ns);
      else fmt::print("{:>10.0f} {:>8}", cell->ns, fmt::format("({:.3g})", cell->ns / base->ns));
    }
  }
  fmt::print("\n\nsteps per second with {} binary features, {} active\n\n", headline.dim, headline.active);
  for (const Row& row : rows) {
    const Measured* cell = table.find(row.title, title(headline));
    if (cell != nullptr && cell->problem.empty()) fmt::print("{:<24}{:>14.0f}\n", row.title, 1e9 / cell->ns);
  }
}

bool write_csv(const Table& table, const std::vector<Row>& rows, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return false;
  fmt::print(file, "learner,lambda,layout,features,active,ns_per_step,ratio_to_td0,note\n");
  for (const Row& row : rows) {
    for (const Shape& shape : shapes) {
      const Measured* cell = table.find(row.title, title(shape));
      const Measured* base = table.find("td(0)", title(shape));
      if (cell == nullptr) continue;
      fmt::print(file, "{},{},{},{},{},", row.title, row.lambda, shape.layout == Layout::dense ? "dense" : "binary",
                 shape.dim, shape.active);
      if (!cell->problem.empty()) fmt::print(file, ",,{}\n", cell->problem);
      else if (base == nullptr || base->ns == 0) fmt::print(file, "{:.2f},,\n", cell->ns);
      else fmt::print(file, "{:.2f},{:.3f},\n", cell->ns, cell->ns / base->ns);
    }
  }
  return std::fclose(file) == 0;
}

/// Takes `--csv FILE` out of the arguments.
std::optional<std::string> take_csv(int& argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) != "--csv") continue;
    const std::string path = argv[i + 1];
    std::move(argv + i + 2, argv + argc, argv + i);
    argc -= 2;
    return path;
  }
  return std::nullopt;
}

int run(int argc, char** argv) {
  const auto csv = take_csv(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Table table;
  const auto rows = table_rows();
  // The headline shape first: it tells which learners are too slow for the largest ones.
  auto ordered = shapes;
  std::stable_partition(ordered.begin(), ordered.end(), [](const Shape& s) { return s.dim <= headline.dim; });
  for (const Shape& shape : ordered) {
    for (const Row& row : rows) {
      benchmark::RegisterBenchmark((row.title + " " + title(shape)).c_str(),
                                   [&table, row, shape](benchmark::State& state) { measure(state, row, shape, table); })
          ->MinTime(0.05)
          ->Repetitions(3);
    }
  }
  benchmark::RunSpecifiedBenchmarks(&table);
  print(table, rows);
  if (csv && !write_csv(table, rows, *csv)) {
    std::fprintf(stderr, "cannot write %s\n", csv->c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) { return bellwether::bench::run(argc, argv); }
