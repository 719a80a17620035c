#include "ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include <bellwether/experiment/metric.h>
#include <bellwether/report/text_table.h>

#include "options.h"
#include "terminal.h"

namespace bellwether::cli {

namespace {

Case case_of(const Summary& summary) {
  const SettingRecord& r = summary.setting.record;
  return {r.domain, r.domain_settings, r.features, r.feature_settings};
}

/// Of each label, the parameters that take several values: by these its settings can be told apart.
std::map<std::string, std::set<std::string>> varying(const Shown& shown) {
  std::map<std::pair<std::string, std::string>, std::string> first;
  std::map<std::string, std::set<std::string>> several;
  for (const Summary& summary : shown.all) {
    const SettingRecord& r = summary.setting.record;
    for (const auto& [name, value] : r.parameters) {
      if (first.try_emplace({r.label, name}, value).first->second != value) several[r.label].insert(name);
    }
  }
  return several;
}

std::string table(const std::vector<const Summary*>& rows, std::size_t metric, const std::string& metric_title,
                  const std::map<std::string, std::set<std::string>>& parameters) {
  TextTable text({{"#"},
                  {"learner", false},
                  {"setting", false},
                  {metric_title},
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
    Settings told = r.parameters;
    const auto own = parameters.find(r.label);
    std::erase_if(told, [&](const auto& p) { return own == parameters.end() || !own->second.contains(p.first); });
    std::vector<std::string> cells{fmt::format("{}", ++rank), r.label, cli::text_of(told)};
    for (const Estimate* e : {&row->average[metric], &row->last[metric]}) {
      cells.push_back(cell(e->mean, *e));
      cells.push_back(cell(e->half_width, *e));
    }
    cells.push_back(fmt::format("{}/{}", row->diverged, row->runs));
    cells.push_back(row->setting.microseconds ? fmt::format("{:.3g}", *row->setting.microseconds) : "-");
    text.add(cells);
  }
  return text.text();
}

}  // namespace

std::vector<Case> cases(const Shown& shown) {
  std::vector<Case> all;
  for (const Summary& summary : shown.all) {
    if (Case c = case_of(summary); std::find(all.begin(), all.end(), c) == all.end()) all.push_back(std::move(c));
  }
  return all;
}

std::string text_of(const Case& c) {
  const auto& [domain, domain_settings, features, feature_settings] = c;
  const auto with = [](const Settings& settings) {
    return settings.empty() ? std::string() : fmt::format(" ({})", cli::text_of(settings));
  };
  return fmt::format("{}{}, {}{}", domain, with(domain_settings),
                     features.empty() ? "its own features" : fmt::format("features {}", features),
                     with(feature_settings));
}

std::vector<const Summary*> ranked(const Shown& shown, const Case& c, const Ranking& ranking) {
  std::vector<const Summary*> rows;
  for (const Summary& summary : shown.all) {
    const SettingRecord& r = summary.setting.record;
    const bool wanted = ranking.learner.empty() || r.learner == ranking.learner || r.label == ranking.learner;
    if (wanted && case_of(summary) == c) rows.push_back(&summary);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Summary* a, const Summary* b) { return better(*a, *b, ranking.metric, ranking.by); });
  if (!ranking.best) return rows;
  std::set<std::string> seen;
  std::erase_if(rows, [&](const Summary* s) { return !seen.insert(s->setting.record.label).second; });
  return rows;
}

std::string title_of(const std::string& metric) {
  const auto all = detail::choices<Metric>();
  const auto found = std::find(all.begin(), all.end(), metric);
  return found == all.end() ? metric : title(static_cast<Metric>(found - all.begin()));
}

std::string ranking_text(const Shown& shown, const Ranking& ranking) {
  const StudyRecord& record = shown.study.record;
  std::uint64_t done = 0;
  std::uint64_t diverged = 0;
  for (const Summary& summary : shown.all) {
    done += summary.runs;
    diverged += summary.diverged;
  }
  const std::uint64_t planned = record.seeds * shown.all.size();
  std::string out =
      fmt::format("{} ({}, {})\n", bold(record.title.empty() ? record.name : record.title), record.name, record.scale);
  Settings protocol = record.protocol;
  std::erase_if(protocol, [](const auto& p) { return p.first != "steps" && p.first != "every" && p.first != "seed"; });
  if (!protocol.empty()) out += cli::text_of(protocol) + "\n";
  out += fmt::format("{} settings, {} of {} runs done, {} diverged\n", shown.all.size(), done, planned, diverged);
  if (done < planned) {
    out += fmt::format("the study is not complete: {:.1f} % are here, and the ranks may change\n",
                       100.0 * static_cast<double>(done) / static_cast<double>(planned));
  }
  const auto parameters = varying(shown);
  for (const Case& c : cases(shown)) {
    const auto rows = ranked(shown, c, ranking);
    if (rows.empty()) continue;
    out += fmt::format("\n{}\n\n{}", text_of(c),
                       table(rows, ranking.metric, title_of(record.metrics[ranking.metric]), parameters));
  }
  return out;
}

}  // namespace bellwether::cli
