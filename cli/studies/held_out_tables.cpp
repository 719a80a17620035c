#include "studies/held_out_tables.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/core/support/text_table.h>

#include "studies/ranking.h"
#include "terminal/csv.h"
#include "terminal/json.h"

namespace bellwether::cli {

namespace {

const char* name_of(const Ranking& ranking) { return ranking.by == &Summary::last ? "last" : "average"; }

/// The label of the reference; empty where there is none.
std::string reference_of(const HeldOutTable& table) {
  return table.judged.reference ? table.judged.learners[*table.judged.reference].label : "";
}

/// A number that is not known is NaN.
double known(double value, const Estimate& e) { return e.runs > 0 && std::isfinite(value) ? value : std::nan(""); }

std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-"; }

std::string memory(const std::optional<std::uint64_t>& bytes) {
  return bytes ? fmt::format("{:.3g}", static_cast<double>(*bytes) / 1024) : "-";
}

std::string rows_of(const HeldOutTable& table) {
  const StudyResults& results = *table.results;
  TextTable text({{"#"},
                  {"id"},
                  {"learner", false},
                  {"setting", false},
                  {title_of_metric(results.study.record.metrics[table.ranking.metric])},
                  {"+-"},
                  {"difference"},
                  {"+-"},
                  {"ratio"},
                  {"last"},
                  {"+-"},
                  {"difference"},
                  {"+-"},
                  {"ratio"},
                  {"diverged"},
                  {"us/step"},
                  {"KiB"}});
  std::size_t rank = 0;
  for (const HeldOutLearner& learner : table.judged.learners) {
    const StoredSetting& setting = results.settings[learner.setting].setting;
    std::vector<std::string> cells{fmt::format("{}", ++rank), fmt::format("{}", setting.id), learner.label,
                                   swept_text(results, learner.setting)};
    for (const HeldOutError* error : {&learner.average, &learner.last}) {
      for (const Estimate* e : {&error->value, &error->difference}) {
        cells.push_back(cell(known(e->mean, *e)));
        cells.push_back(cell(known(e->half_width, *e)));
      }
      cells.push_back(std::isfinite(error->ratio) ? fmt::format("{:.3f}", error->ratio) : "-");
    }
    cells.push_back(fmt::format("{}/{}", learner.diverged, learner.runs));
    cells.push_back(setting.microseconds ? fmt::format("{:.3g}", *setting.microseconds) : "-");
    cells.push_back(memory(setting.bytes));
    text.add(cells);
  }
  return text.text();
}

nlohmann::ordered_json json_error(const HeldOutError& error) {
  auto object = json_estimate(error.value);
  object["difference"] = json_estimate(error.difference);
  object["ratio"] = std::isfinite(error.ratio) ? nlohmann::ordered_json(error.ratio) : nullptr;
  return object;
}

}  // namespace

std::string held_out_text(const std::vector<HeldOutTable>& tables) {
  std::string out;
  const StudyResults* current = nullptr;
  for (const HeldOutTable& table : tables) {
    if (table.results != current) {
      current = table.results;
      if (!out.empty()) out += "\n";
      out += fmt::format(
          "{}settings chosen on seeds 0, 2, 4, ... by {}; errors are those of seeds 1, 3, 5, ..., with 95 % "
          "intervals\n",
          heading(*current), table.ranking.by == &Summary::last ? "the last error" : "the error over the whole curve");
    }
    const std::string reference = reference_of(table);
    out += fmt::format("\n{}\n{}\n{}", text_of(current->cases[table.of_case]),
                       reference.empty() ? "" : fmt::format("differences, seed by seed, to {}\n", reference),
                       rows_of(table));
  }
  return out;
}

std::string held_out_csv(const std::vector<HeldOutTable>& tables) {
  std::string out =
      "study,scale,metric,by,rank,setting,domain,domain_settings,features,feature_settings,label,learner,parameters,"
      "reference";
  for (const char* which : {"average", "last"}) {
    out += fmt::format(",{0},{0}_half_width,{0}_difference,{0}_difference_half_width,{0}_ratio,{0}_pairs", which);
  }
  out += ",runs,diverged,microseconds,bytes,dim,max_active\n";
  for (const HeldOutTable& table : tables) {
    const StudyRecord& study = table.results->study.record;
    std::size_t rank = 0;
    for (const HeldOutLearner& learner : table.judged.learners) {
      const StoredSetting& setting = table.results->settings[learner.setting].setting;
      const SettingRecord& r = setting.record;
      out += csv_row(study.name, study.scale, study.metrics[table.ranking.metric], name_of(table.ranking), ++rank,
                     setting.id, r.domain, text_of(r.domain_settings), r.features.empty() ? "own" : r.features,
                     text_of(r.feature_settings), learner.label, r.learner, text_of(r.parameters), reference_of(table));
      for (const HeldOutError* error : {&learner.average, &learner.last}) {
        const Estimate& value = error->value;
        const Estimate& difference = error->difference;
        out +=
            "," + csv_row(known(value.mean, value), known(value.half_width, value), known(difference.mean, difference),
                          known(difference.half_width, difference), known(error->ratio, difference), difference.runs);
      }
      out += "," + csv_row(learner.runs, learner.diverged, setting.microseconds, setting.bytes, r.dim, r.max_active) +
             "\n";
    }
  }
  return out;
}

std::string held_out_json(const std::vector<HeldOutTable>& tables) {
  auto rows = nlohmann::ordered_json::array();
  for (const HeldOutTable& table : tables) {
    const StudyRecord& study = table.results->study.record;
    std::size_t rank = 0;
    for (const HeldOutLearner& learner : table.judged.learners) {
      const StoredSetting& setting = table.results->settings[learner.setting].setting;
      const SettingRecord& r = setting.record;
      rows.push_back({{"study", study.name},
                      {"scale", study.scale},
                      {"metric", study.metrics[table.ranking.metric]},
                      {"by", name_of(table.ranking)},
                      {"rank", ++rank},
                      {"setting", setting.id},
                      {"domain", r.domain},
                      {"domain_settings", json_settings(r.domain_settings)},
                      {"features", r.features.empty() ? "own" : r.features},
                      {"feature_settings", json_settings(r.feature_settings)},
                      {"label", learner.label},
                      {"learner", r.learner},
                      {"parameters", json_settings(r.parameters)},
                      {"reference", reference_of(table)},
                      {"average", json_error(learner.average)},
                      {"last", json_error(learner.last)},
                      {"runs", learner.runs},
                      {"diverged", learner.diverged},
                      {"microseconds", json_or_null(setting.microseconds)},
                      {"bytes", json_or_null(setting.bytes)},
                      {"dim", r.dim},
                      {"max_active", r.max_active}});
    }
  }
  return json_text(rows, 2) + "\n";
}

}  // namespace bellwether::cli
