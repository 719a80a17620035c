#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/core/support/text_table.h>
#include <bellwether/results/store_reader.h>

#include "studies/held_out_tables.h"
#include "studies/ranking.h"
#include "terminal/csv.h"
#include "terminal/json.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

enum class By : std::uint8_t { average, last };
constexpr auto names(By) { return std::array{"average", "last"}; }

struct ResultsParams {
  By by = By::average;

  static constexpr auto fields() {
    return std::tuple{Field("by", &ResultsParams::by, "rank by the error over the whole curve, or by the last one")};
  }
};

struct ResultsVerb {
  explicit ResultsVerb(CLI::App& app)
      : verb(*app.add_subcommand("results", "Show the results of a sweep, the best settings first")), options(verb) {
    verb.add_option("FILE", file, "the file of results that bellwether sweep wrote")->required();
    verb.add_flag("--best", best, "only the best setting of every learner");
    verb.add_option("--study", study, "only the study of this name")->type_name("NAME");
    auto* one_learner = verb.add_option("--learner", learner, "only settings of this learner")->type_name("LEARNER");
    auto* hold_out = verb.add_flag("--held-out", held_out,
                                   "choose the best setting of every learner on even seeds, and judge it on odd ones")
                         ->excludes(one_learner);
    verb.add_option("--against", against,
                    "the label that --held-out compares the others with, seed by seed (the best of each case)")
        ->type_name("LABEL")
        ->needs(hold_out);
    verb.add_option("--per", per, "choose with --held-out for each value of this parameter, as if it were a learner")
        ->type_name("PARAMETER")
        ->needs(hold_out);
    verb.add_option("--metric", metric, "the metric to rank by (the first of the study)")->type_name("NAME");
    auto* as_json = verb.add_flag("--json", json, "print JSON: every metric, unless --metric names one");
    auto* as_csv = verb.add_flag("--csv", csv, "print CSV: every metric, unless --metric names one")->excludes(as_json);
    verb.add_flag("--digest", digest,
                  "print one hash per study; equal hashes mean that every bit of every run is equal")
        ->excludes(as_json)
        ->excludes(as_csv)
        ->excludes(hold_out);
    verb.footer(
        "Examples:\n"
        "  bellwether results boyan.db --best\n"
        "  bellwether results boyan.db --learner td --by last --csv > td.csv\n"
        "  bellwether results boyan.db --held-out --against LSTD\n"
        "  bellwether results mountain_car_ranks.db --held-out --per rank --against 'ATD, rank=50'\n\n"
        "A file can be read while it is written. Of two settings the better has a smaller share of diverged runs, "
        "then\n"
        "the smaller error (for effective_samples, the larger value). An error that has grown a millionfold is marked "
        "!.\n"
        "bellwether sweep STUDY --only ID:SEED repeats one run of a setting.");
  }

  void run() const;

  Selection selection(std::size_t by_metric) const {
    const auto by = options.parsed().by == By::average ? &Summary::average : &Summary::last;
    return {{by_metric, by}, best, learner};
  }

  CLI::App& verb;
  FieldOptions<ResultsParams> options;
  std::string file, study, learner, metric, against, per;
  bool best = false;
  bool held_out = false;
  bool json = false;
  bool csv = false;
  bool digest = false;
};

/// The metrics to show of a study: the one that was asked for, or all.
std::vector<std::size_t> metrics(const StudyResults& shown, const ResultsVerb& verb) {
  std::vector<std::size_t> all;
  for (std::size_t m = 0; m < shown.study.record.metrics.size(); ++m) {
    if (verb.metric.empty() || shown.study.record.metrics[m] == verb.metric) all.push_back(m);
  }
  return all;
}

double known(double value, const Estimate& e) { return e.runs > 0 ? value : std::nan(""); }

/// Calls f(study, metric, rank from one, summary) for everything that was asked for.
template <class F>
void for_each_row(const std::vector<StudyResults>& all, const ResultsVerb& verb, F&& f) {
  for (const StudyResults& shown : all) {
    for (const std::size_t metric : metrics(shown, verb)) {
      for (std::size_t c = 0; c < shown.cases.size(); ++c) {
        std::size_t rank = 0;
        for (const Summary* row : selected(shown, c, verb.selection(metric))) f(shown.study, metric, ++rank, *row);
      }
    }
  }
}

std::string as_csv(const std::vector<StudyResults>& all, const ResultsVerb& verb) {
  std::vector<std::string> parameters;
  for_each_row(all, verb, [&](const StoredStudy&, std::size_t, std::size_t, const Summary& row) {
    for (const auto& [name, value] : row.setting.record.parameters) {
      if (std::find(parameters.begin(), parameters.end(), name) == parameters.end()) parameters.push_back(name);
    }
  });
  std::string out =
      "study,scale,metric,rank,setting,domain,domain_settings,features,feature_settings,label,learner,average,"
      "average_half_width,last,last_half_width,runs,planned,diverged,microseconds,bytes,dim,max_active";
  for (const std::string& name : parameters) out += fmt::format(",p_{}", name);
  out += "\n";
  for_each_row(all, verb, [&](const StoredStudy& study, std::size_t m, std::size_t rank, const Summary& row) {
    const SettingRecord& r = row.setting.record;
    const auto bounded = [](double v) { return std::isfinite(v) ? v : std::nan(""); };
    out += csv_row(study.record.name, study.record.scale, study.record.metrics[m], rank, row.setting.id, r.domain,
                   text_of(r.domain_settings), r.features.empty() ? "own" : r.features, text_of(r.feature_settings),
                   r.label, r.learner, known(row.average[m].mean, row.average[m]),
                   known(bounded(row.average[m].half_width), row.average[m]), known(row.last[m].mean, row.last[m]),
                   known(bounded(row.last[m].half_width), row.last[m]), row.runs, study.record.seeds, row.diverged,
                   row.setting.microseconds, row.setting.bytes, r.dim, r.max_active);
    for (const std::string& name : parameters) {
      const std::string* value = value_of(r.parameters, name);
      out += fmt::format(",{}", value != nullptr ? csv_cell(*value) : "");
    }
    out += "\n";
  });
  return out;
}

std::string as_json(const std::vector<StudyResults>& all, const ResultsVerb& verb) {
  auto studies = nlohmann::ordered_json::array();
  for (const StudyResults& shown : all) {
    const StudyRecord& s = shown.study.record;
    auto rows = nlohmann::ordered_json::array();
    for_each_row({shown}, verb, [&](const StoredStudy&, std::size_t m, std::size_t rank, const Summary& row) {
      const SettingRecord& r = row.setting.record;
      rows.push_back({{"metric", s.metrics[m]},
                      {"rank", rank},
                      {"setting", row.setting.id},
                      {"domain", r.domain},
                      {"domain_settings", json_settings(r.domain_settings)},
                      {"features", r.features.empty() ? "own" : r.features},
                      {"feature_settings", json_settings(r.feature_settings)},
                      {"label", r.label},
                      {"learner", r.learner},
                      {"parameters", json_settings(r.parameters)},
                      {"average", json_estimate(row.average[m])},
                      {"last", json_estimate(row.last[m])},
                      {"runs", row.runs},
                      {"diverged", row.diverged},
                      {"microseconds", json_or_null(row.setting.microseconds)},
                      {"bytes", json_or_null(row.setting.bytes)},
                      {"dim", r.dim},
                      {"max_active", r.max_active}});
    });
    studies.push_back({{"study", s.name},
                       {"scale", s.scale},
                       {"title", s.title},
                       {"protocol", json_settings(s.protocol)},
                       {"metrics", s.metrics},
                       {"seeds", s.seeds},
                       {"settings", shown.settings.size()},
                       {"version", s.version},
                       {"machine", s.machine},
                       {"command", s.command},
                       {"created", shown.study.created},
                       {"rows", std::move(rows)}});
  }
  return json_text(studies, 2) + "\n";
}

/// Throws when `name` was asked for and is not one of those in the file.
void check_known(const std::string& file, const char* kind, const std::string& name,
                 const std::set<std::string>& there) {
  if (name.empty() || there.contains(name)) return;
  const std::vector<std::string> all(there.begin(), there.end());
  throw InvalidArgument(fmt::format("{} has no {} '{}'{} (it has: '{}')", file, kind, name, suggestion(name, all),
                                    detail::join(all, "', '")));  // labels may hold commas
}

/// Every case by the metrics that were asked for; as text, by the first of them.
std::string held_out_results(const StoreReader& reader, const std::vector<StudyResults>& all, const ResultsVerb& verb) {
  std::vector<HeldOutTable> tables;
  for (const StudyResults& shown : all) {
    std::vector<std::size_t> wanted = metrics(shown, verb);
    if (!verb.json && !verb.csv && !wanted.empty()) wanted.resize(1);
    for (const std::size_t metric : wanted) {
      const Ranking ranking = verb.selection(metric).ranking;
      for (std::size_t c = 0; c < shown.cases.size(); ++c) {
        tables.push_back({&shown, c, ranking, bellwether::held_out(reader, shown, c, ranking, verb.against, verb.per)});
      }
    }
  }
  return verb.json ? held_out_json(tables) : verb.csv ? held_out_csv(tables) : held_out_text(tables);
}

void ResultsVerb::run() const {
  options.parsed();
  const StoreReader reader(file);
  std::vector<StoredStudy> studies = reader.studies();
  std::set<std::string> names;
  for (const StoredStudy& s : studies) names.insert(s.record.name);
  check_known(file, "study", study, names);
  if (!study.empty()) std::erase_if(studies, [&](const StoredStudy& s) { return s.record.name != study; });

  std::string text;
  if (digest) {
    for (const StoredStudy& s : studies) {
      text += fmt::format("{}  {} {}\n", reader.digest(s), s.record.name, s.record.scale);
    }
    return print(text);
  }
  std::vector<StudyResults> all;
  std::set<std::string> learners;
  std::set<std::string> labels;
  std::set<std::string> swept;
  std::set<std::string> recorded;
  for (StoredStudy& s : studies) {
    all.push_back(study_results(reader, s));
    recorded.insert(s.record.metrics.begin(), s.record.metrics.end());
    for (std::size_t i = 0; i < all.back().settings.size(); ++i) {
      const SettingRecord& record = all.back().settings[i].setting.record;
      learners.insert({record.learner, record.label});
      labels.insert(held_out_label(all.back(), i, per));
    }
    for (const ResultsLearner& one : all.back().learners) swept.insert(one.swept.begin(), one.swept.end());
  }
  check_known(file, "learner", learner, learners);
  check_known(file, "swept parameter", per, swept);
  check_known(file, "label", against, labels);
  check_known(file, "metric", metric, recorded);
  if (held_out && !all.empty()) return print(held_out_results(reader, all, *this));
  if (json || csv) return print(json ? as_json(all, *this) : as_csv(all, *this));
  for (const StudyResults& shown : all) {
    const auto wanted = metrics(shown, *this);
    if (&shown != &all.front()) text += "\n";
    if (!wanted.empty()) text += ranking_text(shown, selection(wanted.front()));
  }
  print(all.empty() ? fmt::format("{} holds no study yet\n", file) : text);
}

}  // namespace

void add_results(CLI::App& app) { add_verb<ResultsVerb>(app); }

}  // namespace bellwether::cli
