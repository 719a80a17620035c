#include "studies/ranking.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/support/text_table.h>

#include "terminal/terminal.h"

namespace bellwether::cli {

namespace {

/// Whether the error of a setting has grown a millionfold.
bool grown(const StudyResults& results, const Summary& row, std::size_t metric) {
  return row.last[metric].runs > 0 &&
         has_grown(results.study.record.metrics[metric], row.first[metric], row.last[metric].mean);
}

std::string table(const StudyResults& results, const std::vector<const Summary*>& rows, std::size_t metric) {
  TextTable text({{"#"},
                  {"id"},
                  {"learner", false},
                  {"setting", false},
                  {title_of_metric(results.study.record.metrics[metric])},
                  {"+-"},
                  {"last"},
                  {"+-"},
                  {"diverged"},
                  {"us/step"}});
  const auto cell = [](double v, const Estimate& e) {
    return e.runs > 0 && std::isfinite(v) ? fmt::format("{:.5g}", v) : std::string("-");
  };
  std::size_t rank = 0;
  for (const Summary* row : rows) {
    const SettingRecord& r = row->setting.record;
    const auto index = static_cast<std::size_t>(row - results.settings.data());
    std::vector<std::string> cells{fmt::format("{}", ++rank), fmt::format("{}", row->setting.id), r.label,
                                   swept_text(results, index)};
    for (const Estimate* e : {&row->average[metric], &row->last[metric]}) {
      cells.push_back(cell(e->mean, *e));
      cells.push_back(cell(e->half_width, *e));
    }
    if (grown(results, *row, metric)) cells[6] += "!";
    cells.push_back(fmt::format("{}/{}", row->diverged, row->runs));
    cells.push_back(row->setting.microseconds ? fmt::format("{:.3g}", *row->setting.microseconds) : "-");
    text.add(cells);
  }
  return text.text();
}

}  // namespace

std::vector<const Summary*> selected(const StudyResults& results, std::size_t of_case, const Selection& selection) {
  std::vector<std::size_t> indices = ranked(results, of_case, selection.ranking);
  if (selection.best) indices = best_of_learners(results, std::move(indices));
  std::vector<const Summary*> rows;
  for (const std::size_t i : indices) {
    const SettingRecord& r = results.settings[i].setting.record;
    const std::string& wanted = selection.learner;
    if (wanted.empty() || r.learner == wanted || r.label == wanted) rows.push_back(&results.settings[i]);
  }
  return rows;
}

std::string swept_text(const StudyResults& results, std::size_t setting) {
  Settings told;
  for (const std::string& name : results.learners[results.learner_of[setting]].swept) {
    const std::string* value = value_of(results.settings[setting].setting.record.parameters, name);
    if (value != nullptr) told.emplace_back(name, *value);
  }
  return text_of(told);
}

std::string heading(const StudyResults& results) {
  const StudyRecord& record = results.study.record;
  std::uint64_t done = 0;
  std::uint64_t diverged = 0;
  for (const Summary& summary : results.settings) {
    done += std::min(summary.runs, record.seeds);  // there may be more, from a time when the study had more seeds
    diverged += summary.diverged;
  }
  const std::uint64_t planned = record.seeds * results.settings.size();
  std::string out =
      fmt::format("{} ({}, {})\n", bold(record.title.empty() ? record.name : record.title), record.name, record.scale);
  Settings protocol = record.protocol;
  std::erase_if(protocol, [](const auto& p) { return p.first != "steps" && p.first != "every" && p.first != "seed"; });
  if (!protocol.empty()) out += text_of(protocol) + "\n";
  out += fmt::format("{} setting{}, {} of {} runs done, {} diverged\n", results.settings.size(),
                     results.settings.size() == 1 ? "" : "s", done, planned, diverged);
  if (done < planned) {
    out += fmt::format("the study is not complete: {:.1f} % are here, and the ranks may change\n",
                       100.0 * static_cast<double>(done) / static_cast<double>(planned));
  }
  return out;
}

std::string ranking_text(const StudyResults& results, const Selection& selection) {
  std::string out = heading(results);
  const std::size_t metric = selection.ranking.metric;
  const auto useless = std::count_if(results.settings.begin(), results.settings.end(),
                                     [&](const Summary& row) { return grown(results, row, metric); });
  if (useless > 0) {
    out += fmt::format("{} of the settings end{} with an error more than a million times that of the start: marked !\n",
                       useless, useless == 1 ? "s" : "");
  }
  for (std::size_t c = 0; c < results.cases.size(); ++c) {
    const auto rows = selected(results, c, selection);
    if (rows.empty()) continue;
    out += fmt::format("\n{}\n\n{}", text_of(results.cases[c]), table(results, rows, metric));
  }
  return out;
}

}  // namespace bellwether::cli
