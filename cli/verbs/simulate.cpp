#include <unistd.h>

#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/domains/domains.h>

#include "terminal/csv.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct SimulateParams {
  std::int64_t steps = 1000;
  std::int64_t seed = 1;
  std::int64_t run = 0;

  static constexpr auto fields() {
    return std::tuple{
        Field("steps", &SimulateParams::steps, at_least(1), "transitions to write"),
        Field("seed", &SimulateParams::seed, at_least(0), "seed of all randomness"),
        Field("run", &SimulateParams::run, at_least(0), "which of the seed's runs: those that `run` averages")};
  }
};

struct SimulateVerb {
  explicit SimulateVerb(CLI::App& app)
      : verb(*app.add_subcommand("simulate", "Simulate a domain and write its transitions as CSV or JSON lines")),
        options(verb) {
    verb.add_option("domain", domain, "the domain (see bellwether list domains)")->required()->type_name("DOMAIN");
    add_set_option(verb, assignments, "a parameter of the domain");
    auto* as_jsonl = verb.add_flag("--jsonl", jsonl, "write one JSON object a line");
    verb.add_flag("--csv", csv, "write CSV with a header (the default)")->excludes(as_jsonl);
    verb.add_option("-o,--out", path,
                    "write to this file, as CSV or, if it ends in .jsonl, as JSON lines (standard output)")
        ->type_name("FILE");
    verb.footer("Example: bellwether simulate collision --steps 10000 -o log.csv");
  }

  void run() const;

  CLI::App& verb;
  FieldOptions<SimulateParams> options;
  std::string domain, path;
  std::vector<std::string> assignments;
  bool jsonl = false;
  bool csv = false;
};

/// One transition: columns in the order they are written.
using Row = std::vector<std::pair<std::string, std::string>>;

Row row_of(const Domain& domain, const std::vector<double>& state, const Outcome& outcome,
           const std::vector<double>& next) {
  Row row;
  const auto add = [&row](const std::string& column, double value) { row.emplace_back(column, format_number(value)); };
  for (std::size_t i = 0; i < state.size(); ++i) add(domain.variables()[i].name, state[i]);
  if (!domain.actions().empty()) row.emplace_back("action", std::to_string(outcome.action));
  add("reward", outcome.reward);
  add("discount", outcome.discount);
  add("rho", outcome.rho);
  if (!domain.actions().empty()) add("pi", outcome.pi);
  for (std::size_t i = 0; i < next.size(); ++i) add("next_" + domain.variables()[i].name, next[i]);
  return row;
}

std::string joined(const Row& row, std::string Row::value_type::*part) {
  std::string line;
  for (const auto& cell : row) line += (line.empty() ? "" : ",") + cell.*part;
  return line + "\n";
}

std::string as_json(const Row& row) {
  std::string line;
  for (const auto& [column, value] : row) {
    line += (line.empty() ? "{" : ", ") + json_text(nlohmann::json(column)) + ": " + value;
  }
  return line + "}\n";
}

void SimulateVerb::run() const {
  const SimulateParams params = options.parsed();
  const bool json_lines = (is_json_lines("simulate", path) && !csv) || jsonl;
  const auto the_domain = make_domain(domain, parse_assignments(assignments)[""]);
  Output out(path);
  ProgressLine progress(domain, /*wanted=*/!path.empty() || isatty(STDOUT_FILENO) == 0);  // not between the rows
  Rng rng(static_cast<std::uint64_t>(params.seed), static_cast<std::uint64_t>(params.run));
  std::vector<double> state(the_domain->variables().size());
  the_domain->start(rng, state);
  std::vector<double> next = state;
  for (std::int64_t t = 0; t < params.steps; ++t) {
    const Outcome outcome = the_domain->step(rng, next);
    if (outcome.discount == 0) the_domain->start(rng, next);
    const Row row = row_of(*the_domain, state, outcome, next);
    if (t == 0 && !json_lines) out.write(joined(row, &Row::value_type::first));
    out.write(json_lines ? as_json(row) : joined(row, &Row::value_type::second));
    state = next;
    if (t % 1000 == 0) progress(static_cast<double>(t) / static_cast<double>(params.steps));
  }
  out.finish();
}

}  // namespace

void add_simulate(CLI::App& app) { add_verb<SimulateVerb>(app); }

}  // namespace bellwether::cli
