/// How often 95 % intervals of `learn` contain the true value, over many logs of problems whose values are known, and
/// how wide they are. See README.md.

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <bellwether/core/support/parallel.h>
#include <bellwether/domains/domains.h>
#include <bellwether/model/learning/learn.h>

#include "problem.h"
#include "terminal/terminal.h"

namespace bellwether::bench {
namespace {

struct Options {
  std::string csv;
  std::string only;  // problems whose name contains this
  std::uint64_t logs = 200;
  std::uint64_t seed = 1;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

/// On- and off-policy, ended and cut short, tabular and tiled, 30 to 1000 episodes.
std::vector<Problem> problems() {
  const Settings car{{"randomness", 0.1}};
  const Settings car_off{{"randomness", 0.1}, {"behaviour", 0.3}};
  const Settings garnet{{"states", 30}, {"discount", 0.9}};
  const Settings garnet_off{{"states", 30}, {"discount", 0.9}, {"behaviour", "random"}};
  return {
      {"walk, 30 episodes", "random_walk", {}, 30},
      {"walk cut after 50 steps", "random_walk", {}, 200, 50},
      {"Boyan's chain, 30 episodes", "boyan_chain", {}, 30},
      {"Boyan's chain, 1000 episodes", "boyan_chain", {}, 1000},
      {"Boyan's chain, tiled", "boyan_chain", {{"size", 100}}, 100, 0, "tile_coding + bias"},
      {"collision, off-policy", "collision", {}, 300},
      {"garnet cut after 40 steps", "garnet", garnet, 60, 40},
      {"garnet, off-policy, cut", "garnet", garnet_off, 100, 40},
      {"mountain car, tiled", "mountain_car", car, 50},
      {"mountain car, tiled, cut after 150", "mountain_car", car, 60, 150},
      {"mountain car, tiled, off-policy", "mountain_car", car_off, 60},
  };
}

/// An estimate with its interval.
struct Answer {
  double value = 0;
  double half_width = 0;
  double visits = 0;
};

/// What one log gave.
struct Found {
  Answer start;
  std::vector<Answer> states;
  Percentiles pdis;
};

/// A file that is removed at the end.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / name) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

Found learn_from(const Problem& problem, const Log& log, const std::vector<std::vector<double>>& states,
                 std::uint64_t run) {
  const TemporaryFile file(fmt::format("calibration_{}_{}.csv", getpid(), run), log.csv);
  LearnRequest request{.files = {file.path()}, .discount = {format_number(log.gamma)}, .features = problem.features};
  request.params.jobs = 1;
  const LearnResult result = learn(request);
  const Model& model = result.model;
  Found found;
  const PolicyValue value = model.policy_value(0);
  if (!value.value || !value.half_width) throw InvalidArgument(problem.name + ": no value: " + value.why_none);
  found.start = {*value.value, *value.half_width};
  RowBuffer rows(model.map()->layout(), model.map()->dim());
  for (const auto& state : states) model.map()->append(state, rows);
  std::vector<double> values(states.size()), widths(values), visits(values);
  model.predict(0, rows.view(), values);
  model.half_widths(0, rows.view(), widths);
  model.visits(rows.view(), visits);
  for (std::size_t i = 0; i < values.size(); ++i) found.states.push_back({values[i], widths[i], visits[i]});
  found.pdis = bootstrap_mean(log.returns, 1000, run);
  return found;
}

/// Answers about one value, over logs.
struct Tally {
  std::uint64_t logs = 0, covered = 0;
  double width = 0, sum = 0, squares = 0;

  void add(const Answer& answer, double truth) {
    ++logs;
    covered += std::abs(answer.value - truth) <= answer.half_width ? 1 : 0;
    width += answer.half_width;
    sum += answer.value;
    squares += answer.value * answer.value;
  }
  double coverage() const { return static_cast<double>(covered) / n(); }
  double n() const { return static_cast<double>(logs); }
  double ideal() const { return 1.96 * std::sqrt(std::max(0.0, squares / n() - sum / n() * sum / n())); }
  double width_to_ideal() const { return width / n() / ideal(); }
};

/// A row of the table.
struct Row {
  double start = 0, start_width = 0;  // coverage; mean width, ideal = 1
  double states = 0, worst = 0;       // coverage over states that were seen, and of the worst of them
  double states_width = 0;            // median over states of the mean width, ideal = 1
  double unseen = 0;                  // coverage over states that a log does not have
  std::uint64_t unseen_count = 0;
  double pdis = 0, pdis_width = 0;  // coverage, and mean width, ours = 1
};

Row row_of(const std::vector<Found>& found, const KnownValues& known) {
  Row row;
  Tally start, unseen;
  std::vector<Tally> seen(known.values.size());
  double pdis_width = 0;
  for (const Found& log : found) {
    start.add(log.start, known.start);
    row.pdis += log.pdis.low <= known.start && known.start <= log.pdis.high ? 1 : 0;
    pdis_width += (log.pdis.high - log.pdis.low) / 2;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      (log.states[i].visits > 0 ? seen[i] : unseen).add(log.states[i], known.values[i]);
    }
  }
  row.start = start.coverage();
  row.start_width = start.width_to_ideal();
  row.pdis /= start.n();
  row.pdis_width = pdis_width / start.width;
  double covered = 0, count = 0;
  row.worst = 1;
  std::vector<double> widths;
  for (const Tally& state : seen) {
    covered += static_cast<double>(state.covered);
    count += state.n();
    if (2 * state.logs < start.logs) continue;  // seen too rarely to say something about this one
    row.worst = std::min(row.worst, state.coverage());
    widths.push_back(state.width_to_ideal());
  }
  row.states = covered / count;
  if (!widths.empty()) {
    std::nth_element(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2), widths.end());
    row.states_width = widths[widths.size() / 2];
  }
  row.unseen_count = unseen.logs;
  row.unseen = unseen.logs > 0 ? unseen.coverage() : 1;
  return row;
}

int run(const Options& options) {
  std::vector<Problem> all = problems();
  std::erase_if(all, [&](const Problem& p) { return p.name.find(options.only) == std::string::npos; });
  std::ofstream csv;
  if (!options.csv.empty()) csv.open(options.csv);
  csv << "problem,episodes,logs,start_coverage,start_width,state_coverage,worst_state_coverage,state_width,"
         "unseen_states,unseen_coverage,pdis_coverage,pdis_width\n";
  fmt::print("{:<36}{:>9}{:>8}{:>7}{:>8}{:>7}{:>7}{:>14}{:>8}{:>7}\n", "", "episodes", "start", "width", "states",
             "worst", "width", "unseen", "PDIS", "width");
  cli::ProgressLine progress("calibration");
  for (std::size_t p = 0; p < all.size(); ++p) {
    const Problem& problem = all[p];
    const auto domain = make_domain(problem.domain, problem.settings);
    const KnownValues known = known_values(problem, *domain, options.jobs);
    std::vector<Found> found(options.logs);
    parallel_for(
        options.logs, options.jobs,
        [&](std::uint64_t i) {
          found[i] = learn_from(problem, write_log(problem, *domain, options.seed, i), known.states, i);
        },
        [&](double share) {
          progress((static_cast<double>(p) + share) / static_cast<double>(all.size()), problem.name);
        });
    progress.clear();
    const Row row = row_of(found, known);
    fmt::print("{:<36}{:>9}{:>8.3f}{:>7.2f}{:>8.3f}{:>7.3f}{:>7.2f}{:>7} {:>6.3f}{:>8.3f}{:>7.2f}\n", problem.name,
               problem.episodes, row.start, row.start_width, row.states, row.worst, row.states_width, row.unseen_count,
               row.unseen, row.pdis, row.pdis_width);
    std::fflush(stdout);
    csv << fmt::format("\"{}\",{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{},{:.4f},{:.4f},{:.4f}\n", problem.name,
                       problem.episodes, options.logs, row.start, row.start_width, row.states, row.worst,
                       row.states_width, row.unseen_count, row.unseen, row.pdis, row.pdis_width)
        << std::flush;
  }
  return 0;
}

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--csv") options.csv = value;
    else if (name == "--only") options.only = value;
    else if (name == "--logs") options.logs = std::stoull(value);
    else if (name == "--seed") options.seed = std::stoull(value);
    else if (name == "--jobs") options.jobs = static_cast<unsigned>(std::stoul(value));
    else return std::nullopt;
  }
  if (argc % 2 == 0) return std::nullopt;
  return options;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) {
  const auto options = bellwether::bench::parse(argc, argv);
  if (!options) {
    fmt::print(stderr,
               "usage: bench_calibration [--csv FILE] [--only PART_OF_NAME] [--logs N] [--seed N] [--jobs N]\n");
    return 2;
  }
  try {
    return bellwether::bench::run(*options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
