#include <bellwether/study/study.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/domains/domains.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>
#include <bellwether/study/shipped_studies.h>
#include <bellwether/study/study_figures.h>
#include <bellwether/study/study_file.h>

namespace bellwether {

namespace {

/// The parameters with their defaults, after a learner was made of them: it may refuse what each alone could be.
Settings accepted(const LearnerEntry& entry, const Settings& parameters) {
  Settings resolved = entry.resolve(parameters);
  make_learner(entry.name, /*dim=*/1, resolved);
  return resolved;
}

class Reader {
 public:
  Reader(std::string_view text, const std::filesystem::path& file, std::string_view scale) : file_(text, file, scale) {
    study_.name = file.stem().string();
    study_.source = std::string(text);
    study_.scale = file_.scale();
  }

  std::vector<std::string> scales() const { return file_.scales(); }

  Study read() {
    const Items top = file_.items(
        "", {"title", "about", "scale", "features", "constants", "domain", "evaluation", "run", "learner", "figure"});
    for (const Item& item : top) {
      if (item.key == "title") study_.title = file_.string(item);
      if (item.key == "about") study_.about = file_.string(item);
    }
    if (study_.title.empty()) study_.title = study_.name;
    read_run();
    read_evaluation();
    read_cases(top);
    read_learners();
    check_figures(file_, study_);
    return std::move(study_);
  }

 private:
  /// A table whose values are single: parameters of the library.
  template <class P>
  P params(const std::string& owner, const Items& given) const {
    const auto resolve = [&](const Settings& s) { return values(parse_params<P>(owner, s)); };
    Settings all;
    for (const Item& item : given) {
      const auto one = file_.combinations(owner, describe<P>(), {item}, resolve);
      if (one.size() > 1) file_.fail(*item.value, fmt::format("{}: lists are for [domain] and [[learner]]", owner));
      all.push_back(one.front().front());
    }
    return parse_params<P>(owner, all);
  }

  static bool has(const std::vector<ParamInfo>& infos, const std::string& name) {
    return std::any_of(infos.begin(), infos.end(), [&](const ParamInfo& i) { return i.name == name; });
  }

  void read_run() {
    std::vector<std::string> known{"metrics"};
    for (const ParamInfo& info : describe<StudyParams>()) known.push_back(info.name);
    Items given = file_.items("run", known);
    const auto metrics = std::find_if(given.begin(), given.end(), [](const Item& i) { return i.key == "metrics"; });
    if (metrics != given.end()) {
      const ParamInfo info{.name = "metrics", .type = "choice", .default_value = "", .accepts = "", .text = ""};
      for (const Value& name : file_.values_of(info, "run", *metrics->value)) {
        study_.metrics.push_back(
            file_.checked_at(*name.where, [&] { return detail::parse<Metric>("run", "metrics", name.text); }));
      }
      given.erase(metrics);
    }
    study_.run = params<StudyParams>("run", given);
    constexpr std::int64_t most = 1000000;
    if (study_.run.steps / study_.run.every > most) {
      file_.fail(fmt::format("run: steps / every = {} measurements are outside [1, {}]",
                             study_.run.steps / study_.run.every, most));
    }
  }

  void read_evaluation() {
    const auto truth = describe<EvaluationParams>();
    const auto bellman = describe<BellmanParams>();
    std::vector<std::string> known;
    for (const auto* infos : {&truth, &bellman}) {
      for (const ParamInfo& info : *infos) known.push_back(info.name);
    }
    Items for_truth;
    Items for_bellman;
    for (const Item& item : file_.items("evaluation", known))
      (has(truth, item.key) ? for_truth : for_bellman).push_back(item);
    study_.evaluation = params<EvaluationParams>("evaluation", for_truth);
    study_.bellman = params<BellmanParams>("evaluation", for_bellman);
  }

  void read_cases(const Items& top) {
    std::vector<Value> features;  // of domains that name none
    for (const Item& item : top) {
      if (item.key == "features") features = descriptions("study", item);
    }
    const auto missing = [&](const auto&... where) {
      file_.fail(where..., "the domain is missing: [domain] with name = \"...\"");
    };
    const toml::node* node = file_.find("domain");
    if (node == nullptr) return missing();
    if (!node->is_array()) {
      const Items domain = file_.items("domain");
      return find(domain, "name") == domain.end() ? missing() : read_domain(domain, features);
    }
    const auto tables = file_.tables("domain");
    if (tables.empty()) return missing(*node);
    for (const toml::table* table : tables) {
      const Items domain = items_of(*table);
      if (find(domain, "name") == domain.end()) file_.fail(*table, "a [[domain]] has no name");
      read_domain(domain, features);
    }
  }

  static Items::const_iterator find(const Items& items, std::string_view key) {
    return std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.key == key; });
  }

  /// Descriptions of features: one, or a list.
  std::vector<Value> descriptions(const std::string& owner, const Item& item) const {
    return file_.values_of(text_called(item.key), owner, *item.value);
  }

  static ParamInfo text_called(const std::string& name) {
    return {.name = name, .type = "text", .default_value = "", .accepts = "text", .text = ""};
  }

  /// Adds the cases of a table that has a name. `features` are for one that has no feature_map; labels of `without` are
  /// checked when the learners are known.
  void read_domain(Items given, std::vector<Value> features) {
    const auto name = find(given, "name");
    const std::string domain = file_.string(*name);
    const toml::node& named = *name->value;
    const DomainEntry& entry =
        file_.checked_at(named, [&] { return std::ref(find_entry(domains(), "domain", domain)); });
    given.erase(name);
    if (const auto map = find(given, "feature_map"); map != given.end()) {
      features = descriptions(domain, *map);
      given.erase(map);
    }
    std::vector<Value> without;
    if (const auto labels = find(given, "without"); labels != given.end()) {
      without = file_.values_of(text_called("without"), domain, *labels->value);
      given.erase(labels);
    }
    if (features.empty()) features.push_back({"", &named});
    std::vector<ParamInfo> known = entry.params;
    for (const char* more : {"feature_map", "without"}) known.push_back(text_called(more));
    for (const Settings& settings : file_.combinations(domain, known, given, entry.resolve)) {
      const auto made = file_.checked_at(named, [&] { return make_domain(domain, settings); });
      for (const Value& value : features) {
        file_.checked_at(*value.where, [&] { return make_features(value.text, *made); });
        check_new(named, *made, value.text);
        study_.cases.push_back({domain, settings, value.text, {}});
        without_.push_back(without);
      }
    }
  }

  /// Two tables may describe one case, with other words: a default that is written out, or features "own".
  void check_new(const toml::node& named, const Domain& domain, const std::string& features) {
    const std::string parameters = text_of(domain.settings());
    const std::string of = features.empty() || features == "own" ? "its own features" : "features " + features;
    const std::string text =
        fmt::format("{}{} with {}", domain.type(), parameters.empty() ? "" : fmt::format(" ({})", parameters), of);
    if (!seen_cases_.insert(text).second) file_.fail(named, text + " comes twice");
  }

  void read_learners() {
    const char* none = "there is no learner: [[learner]] with name = \"...\"";
    const toml::node* node = file_.find("learner");
    if (node == nullptr) file_.fail(none);
    const auto tables = file_.tables("learner");
    if (tables.empty()) file_.fail(*node, none);
    std::set<std::string> seen;
    for (const toml::table* table : tables) read_learner(*table, seen);
    // The first case with all its settings, then the next.
    const auto of_one_case = std::exchange(study_.settings, {});
    for (std::size_t c = 0; c < study_.cases.size(); ++c) {
      const std::set<std::string> without = labels_without(c, of_one_case);
      for (StudySetting setting : of_one_case) {
        if (without.contains(setting.label)) continue;
        setting.case_index = c;
        study_.settings.push_back(std::move(setting));
      }
    }
  }

  /// The labels of learners that do not run on a case.
  std::set<std::string> labels_without(std::size_t of_case, const std::vector<StudySetting>& settings) const {
    std::vector<std::string> known;
    for (const StudySetting& setting : settings) {
      if (known.empty() || known.back() != setting.label) known.push_back(setting.label);
    }
    std::set<std::string> labels;
    for (const Value& label : without_[of_case]) {
      if (std::find(known.begin(), known.end(), label.text) == known.end()) {
        file_.fail(*label.where, no_such("learner", label.text, known));
      }
      labels.insert(label.text);
    }
    return labels;
  }

  void read_learner(const toml::table& table, std::set<std::string>& seen) {
    std::string label;
    const toml::node* named = table.get("name");
    if (named == nullptr) file_.fail(table, "a [[learner]] has no name");
    const std::string learner = file_.string({"name", named});
    const LearnerEntry& entry =
        file_.checked_at(*named, [&] { return std::ref(find_entry(learners(), "learner", learner)); });
    Items given;
    for (const Item& item : items_of(table)) {
      if (item.key == "label") label = file_.string(item);
      else if (item.key != "name") given.push_back(item);
    }
    if (label.empty()) label = learner;
    for (const StudySetting& other : study_.settings) {
      if (other.label != label || other.learner == learner) continue;
      file_.fail(*named, fmt::format("label {} stands for {} already; give {} another", label, other.learner, learner));
    }
    for (const Settings& settings : file_.combinations(learner, entry.params, given, entry.resolve)) {
      Settings resolved = file_.checked_at(*named, [&] { return accepted(entry, settings); });
      std::string key = label;
      for (const auto& [name, value] : resolved) key += fmt::format("\n{}={}", name, value);
      if (!seen.insert(key).second) {
        file_.fail(*named, fmt::format("{} has the same setting twice; give one of the entries another label", label));
      }
      study_.settings.push_back({0, label, learner, std::move(resolved)});
    }
  }

  StudyFile file_;
  Study study_;
  std::set<std::string> seen_cases_;
  std::vector<std::vector<Value>> without_;  // labels, for each case
};

}  // namespace

void Study::add(const std::string& learner, const Settings& parameters, std::size_t case_index) {
  const LearnerEntry& entry = find_entry(learners(), "learner", learner);
  settings.push_back({case_index, learner, learner, accepted(entry, parameters)});
}

Settings Study::protocol() const {
  // Which domains there are is no matter of protocol once there are several: more may be added.
  const std::string& domain = cases.front().domain;
  const bool one = std::all_of(cases.begin(), cases.end(), [&](const StudyCase& c) { return c.domain == domain; });
  Settings all{{"domain", one ? domain : "several"},
               {"steps", std::to_string(run.steps)},
               {"every", std::to_string(run.every)},
               {"seed", std::to_string(run.seed)}};
  std::vector<std::string> names;
  for (const Metric metric : metrics) names.push_back(detail::format(metric));
  all.emplace_back("metrics", names.empty() ? "auto" : detail::join(names, ","));
  for (const Settings& more : {values(evaluation), values(bellman)}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

Study parse_study(std::string_view text, const std::filesystem::path& file, std::string_view scale) {
  constexpr std::size_t most_scales = 10;  // each is read from the beginning
  Reader reader(text, file, scale);
  const std::vector<std::string> scales = reader.scales();
  if (scales.size() > most_scales) {
    throw InvalidArgument(
        fmt::format("{}: it has {} scales; {} are the most", file.string(), scales.size(), most_scales));
  }
  Study study = reader.read();
  for (const std::string& other : scales) {
    if (other != study.scale) Reader(text, file, other).read();  // mistakes are told before they are run into
  }
  return study;
}

const ShippedStudy* shipped_study(std::string_view name) {
  const auto& all = shipped_studies();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ShippedStudy& study) { return study.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Study read_study(const std::filesystem::path& file, std::string_view scale) {
  std::error_code failed;  // as for a link that leads to itself, which cannot be opened either
  if (std::filesystem::is_directory(file, failed))
    throw IoError(fmt::format("{}: it is a directory, not a study file", file.string()));
  std::ifstream in(file, std::ios::binary);
  if (!in && !std::filesystem::exists(file, failed)) {
    if (const ShippedStudy* shipped = shipped_study(file.string())) return parse_study(shipped->text, file, scale);
  }
  if (!in) {
    std::vector<std::string> names;
    for (const ShippedStudy& shipped : shipped_studies()) names.push_back(shipped.name);
    throw IoError(
        fmt::format("{}: the study file cannot be opened{}", file.string(), suggestion(file.string(), names)));
  }
  constexpr std::size_t most = 16'000'000;  // bytes; a study has thousands
  std::string text(most + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > most) throw InvalidArgument(fmt::format("{}: is too long for a study file", file.string()));
  if (in.bad()) throw IoError(fmt::format("{}: the study file cannot be read", file.string()));
  return parse_study(text, file, scale);
}

}  // namespace bellwether
