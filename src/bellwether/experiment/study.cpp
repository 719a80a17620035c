#include <bellwether/experiment/study.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include <fmt/format.h>
#define TOML_HEADER_ONLY 1
// It asserts that a key begins as keys do, and says what is wrong with "[,]" only where it does not.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <bellwether/core/error.h>
#include <bellwether/domains/all.h>
#include <bellwether/experiment/formula.h>
#include <bellwether/features/all.h>
#include <bellwether/learners/all.h>

namespace bellwether {

namespace {

/// A key of the file with its value; of a scale's keys and those they replace, the former.
struct Item {
  std::string key;
  const toml::node* value;
};
using Items = std::vector<Item>;

/// A value as text, and where it is in the file.
struct Value {
  std::string text;
  const toml::node* where;
};

/// The keys of a table as the file has them, which the table itself does not keep.
Items in_order(const toml::table& table) {
  Items all;
  for (const auto& [key, value] : table) all.push_back({std::string(key.str()), &value});
  std::sort(all.begin(), all.end(),
            [](const Item& a, const Item& b) { return a.value->source().begin < b.value->source().begin; });
  return all;
}

class Reader {
 public:
  Reader(std::string_view text, const std::filesystem::path& file) : file_(file.string()) {
    try {
      root_ = toml::parse(text, std::string_view(file_));
    } catch (const toml::parse_error& error) {
      fail(error.source(), error.description());
    }
    study_.name = file.stem().string();
    study_.source = std::string(text);
  }

  std::vector<std::string> scales() const {
    std::vector<std::string> known{"paper"};
    if (const toml::table* tables = table_in(&root_, "scale")) {
      for (const auto& [name, table] : *tables) {
        if (!table.is_table()) fail(table, fmt::format("a scale is a table, such as [scale.{}.run]", name.str()));
        if (name.str() != "paper") known.emplace_back(name.str());
      }
    }
    return known;
  }

  Study read(std::string_view scale) {
    choose_scale(scale);
    const Items top =
        items("", {"title", "about", "scale", "features", "constants", "domain", "evaluation", "run", "learner"});
    for (const Item& item : top) {
      if (item.key == "title") study_.title = string(item);
      if (item.key == "about") study_.about = string(item);
    }
    if (study_.title.empty()) study_.title = study_.name;
    read_constants();
    read_run();
    read_evaluation();
    read_cases(top);
    read_learners();
    return std::move(study_);
  }

 private:
  /// In one line, although texts of the file may have several.
  [[noreturn]] static void refuse(std::string message) {
    std::replace_if(
        message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    throw InvalidArgument(message);
  }
  [[noreturn]] void fail(const std::string& what) const { refuse(fmt::format("{}: {}", file_, what)); }
  [[noreturn]] void fail(const toml::node& where, const std::string& what) const { fail(where.source(), what); }
  [[noreturn]] void fail(const toml::source_region& where, std::string_view what) const {
    refuse(fmt::format("{}:{}: {}", file_, where.begin.line, what));
  }

  /// Runs a check of the library's; what it objects to is said with file and line.
  template <class F>
  auto checked_at(const toml::node& where, F&& check) const {
    try {
      return check();
    } catch (const InvalidArgument& error) {
      fail(where, error.what());
    }
  }

  void choose_scale(std::string_view wanted) {
    study_.scale = wanted.empty() ? "paper" : std::string(wanted);
    const auto known = scales();
    if (const toml::table* tables = table_in(&root_, "scale")) override_ = table_in(tables, study_.scale);
    if (std::find(known.begin(), known.end(), study_.scale) == known.end()) {
      fail(fmt::format("there is no scale '{}'{} (known: {})", study_.scale, suggestion(study_.scale, known),
                       detail::join(known, ", ")));
    }
  }

  const toml::table* table_in(const toml::table* parent, std::string_view name) const {
    if (parent == nullptr) return nullptr;
    if (name.empty()) return parent;
    const toml::node* node = parent->get(name);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) fail(*node, fmt::format("{0} is a table: [{0}]", name));
    return node->as_table();
  }

  /// The keys of a table, "" being the file itself; none when it is missing. A key that a scale replaces keeps its
  /// place. With a list of known keys others are errors.
  Items items(std::string_view name, const std::vector<std::string>& known = {}) const {
    Items all;
    for (const toml::table* table : {table_in(&root_, name), table_in(override_, name)}) {
      if (table == nullptr) continue;
      for (const Item& item : in_order(*table)) {
        if (!known.empty() && std::find(known.begin(), known.end(), item.key) == known.end()) {
          fail(*item.value, fmt::format("there is no key '{}' here{} (known: {})", item.key,
                                        suggestion(item.key, known), detail::join(known, ", ")));
        }
        const auto replaced = std::find_if(all.begin(), all.end(), [&](const Item& i) { return i.key == item.key; });
        if (replaced == all.end()) all.push_back(item);
        else replaced->value = item.value;
      }
    }
    return all;
  }

  std::string string(const Item& item) const {
    if (!item.value->is_string()) fail(*item.value, fmt::format("{} is not a text in quotes", item.key));
    auto text = *item.value->value<std::string>();
    const auto strange = [&](unsigned char c) { return c < ' ' && (item.key != "about" || (c != '\n' && c != '\t')); };
    if (std::any_of(text.begin(), text.end(), strange)) {
      fail(*item.value, fmt::format("{} has control characters or several lines", item.key));
    }
    return text;
  }

  void read_constants() {
    // One may use those above it.
    for (const Item& item : items("constants")) constants_[item.key] = numbers(item.key, *item.value);
  }

  std::vector<double> numbers(const std::string& name, const toml::node& node) const {
    if (const auto* array = node.as_array()) {
      std::vector<double> all;
      for (const toml::node& element : *array) {
        const std::vector<double> part = numbers(name, element);
        all.insert(all.end(), part.begin(), part.end());
      }
      if (all.empty()) fail(node, fmt::format("{} is an empty list", name));
      return all;
    }
    if (node.is_string()) {
      return checked_at(node, [&] { return evaluate(*node.value<std::string>(), constants_); });
    }
    if (!node.is_number()) fail(node, fmt::format("{} is neither a number, nor a list of them, nor a formula", name));
    return {*node.value<double>()};
  }

  /// The values of a parameter: one, or a list to be swept, in which none comes twice.
  std::vector<Value> values_of(const ParamInfo& info, const std::string& owner, const toml::node& node) const {
    std::vector<Value> all;
    if (const auto* array = node.as_array()) {
      for (const toml::node& element : *array) {
        if (element.is_array()) fail(element, fmt::format("{}: {} is a list in a list", owner, info.name));
        const auto part = values_of(info, owner, element);
        all.insert(all.end(), part.begin(), part.end());
      }
      if (all.empty()) fail(node, fmt::format("{}: {} is an empty list", owner, info.name));
    } else {
      for (std::string& text : texts_of(info, owner, node)) all.push_back({std::move(text), &node});
    }
    std::set<std::string_view> seen;
    for (const Value& value : all) {
      if (seen.insert(value.text).second) continue;
      fail(*value.where, fmt::format("{}: {} is {} twice", owner, info.name, value.text));
    }
    return all;
  }

  /// What is no list in the file; a formula may stand for one.
  std::vector<std::string> texts_of(const ParamInfo& info, const std::string& owner, const toml::node& node) const {
    const bool number = info.type == "number" || info.type == "integer";
    if (const auto* text = node.as_string()) {
      if (!number || text->get() == "auto" || text->get() == "inf") return {text->get()};
      std::vector<std::string> all;
      for (const double v : checked_at(node, [&] { return evaluate(text->get(), constants_); })) {
        all.push_back(format_number(v));
      }
      return all;
    }
    if (const auto flag = node.as_boolean(); flag != nullptr && info.type == "boolean") {
      return {flag->get() ? "true" : "false"};
    }
    if (const auto* whole = node.as_integer(); whole != nullptr && number) return {std::to_string(whole->get())};
    if (const auto* real = node.as_floating_point(); real != nullptr && number) return {format_number(real->get())};
    fail(node, fmt::format("{}: {} is not a{} {} ({})", owner, info.name, info.type == "integer" ? "n" : "", info.type,
                           info.accepts));
  }

  using Resolve = std::function<Settings(const Settings&)>;

  /// Every combination of the values given for parameters, each checked; the last parameter varies fastest.
  std::vector<Settings> combinations(const std::string& owner, const std::vector<ParamInfo>& infos, const Items& given,
                                     const Resolve& resolve) const {
    std::vector<Settings> all{{}};
    for (const Item& item : given) {
      const auto info =
          std::find_if(infos.begin(), infos.end(), [&](const ParamInfo& i) { return i.name == item.key; });
      if (info == infos.end()) {
        std::vector<std::string> known;
        for (const ParamInfo& i : infos) known.push_back(i.name);
        fail(*item.value, fmt::format("{} has no parameter '{}'{} (known: {})", owner, item.key,
                                      suggestion(item.key, known), detail::join(known, ", ")));
      }
      std::vector<Settings> longer;
      const auto values = values_of(*info, owner, *item.value);
      for (const Value& value : values) checked_at(*value.where, [&] { return resolve({{item.key, value.text}}); });
      constexpr double most = 1e6;
      if (static_cast<double>(all.size()) * static_cast<double>(values.size()) > most) {
        fail(*item.value, fmt::format("{}: more than {:g} combinations", owner, most));
      }
      for (const Settings& settings : all) {
        for (const Value& value : values) {
          longer.push_back(settings);
          longer.back().emplace_back(item.key, value.text);
        }
      }
      all = std::move(longer);
    }
    return all;
  }

  /// A table whose values are single: parameters of the library.
  template <class P>
  P params(const std::string& owner, const Items& given) const {
    const auto resolve = [&](const Settings& s) { return values(parse_params<P>(owner, s)); };
    Settings all;
    for (const Item& item : given) {
      const auto one = combinations(owner, describe<P>(), {item}, resolve);
      if (one.size() > 1) fail(*item.value, fmt::format("{}: lists are for [domain] and [[learner]]", owner));
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
    Items given = items("run", known);
    const auto metrics = std::find_if(given.begin(), given.end(), [](const Item& i) { return i.key == "metrics"; });
    if (metrics != given.end()) {
      const ParamInfo info{.name = "metrics", .type = "choice", .default_value = "", .accepts = "", .text = ""};
      for (const Value& name : values_of(info, "run", *metrics->value)) {
        study_.metrics.push_back(
            checked_at(*name.where, [&] { return detail::parse<Metric>("run", "metrics", name.text); }));
      }
      given.erase(metrics);
    }
    study_.run = params<StudyParams>("run", given);
    constexpr std::int64_t most = 1000000;
    if (study_.run.steps / study_.run.every > most) {
      fail(fmt::format("run: steps / every = {} measurements are outside [1, {}]", study_.run.steps / study_.run.every,
                       most));
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
    for (const Item& item : items("evaluation", known))
      (has(truth, item.key) ? for_truth : for_bellman).push_back(item);
    study_.evaluation = params<EvaluationParams>("evaluation", for_truth);
    study_.bellman = params<BellmanParams>("evaluation", for_bellman);
  }

  void read_cases(const Items& top) {
    std::vector<Value> descriptions;
    for (const Item& item : top) {
      if (item.key != "features") continue;
      const ParamInfo info{.name = "features", .type = "text", .default_value = "", .accepts = "text", .text = ""};
      descriptions = values_of(info, "study", *item.value);
    }
    if (descriptions.empty()) descriptions.push_back({"", &root_});

    Items given = items("domain");
    const auto name = std::find_if(given.begin(), given.end(), [](const Item& i) { return i.key == "name"; });
    if (name == given.end()) fail("the domain is missing: [domain] with name = \"...\"");
    const std::string domain = string(*name);
    const DomainEntry& entry =
        checked_at(*name->value, [&] { return std::ref(find_entry(domains(), "domain", domain)); });
    const toml::node& named = *name->value;
    given.erase(name);
    for (const Settings& settings : combinations(domain, entry.params, given, entry.resolve)) {
      for (const Value& features : descriptions) {
        const auto made = checked_at(named, [&] { return make_domain(domain, settings); });
        checked_at(*features.where, [&] { return make_features(features.text, *made); });
        study_.cases.push_back({domain, settings, features.text});
      }
    }
  }

  void read_learners() {
    const toml::node* node = root_.get("learner");
    if (override_ != nullptr && override_->contains("learner")) node = override_->get("learner");
    if (node == nullptr) fail("there is no learner: [[learner]] with name = \"...\"");
    const toml::array* array = node->as_array();
    if (array == nullptr) fail(*node, "learners are a list of tables: [[learner]]");
    if (array->empty()) fail(*node, "there is no learner: [[learner]] with name = \"...\"");
    std::set<std::string> seen;
    for (const toml::node& element : *array) {
      const toml::table* table = element.as_table();
      if (table == nullptr) fail(element, "learners are a list of tables: [[learner]]");
      read_learner(*table, seen);
    }
    // The first case with all its settings, then the next.
    const auto of_one_case = study_.settings;
    study_.settings.clear();
    for (std::size_t place = 0; place < study_.cases.size(); ++place) {
      for (StudySetting setting : of_one_case) {
        setting.place = place;
        study_.settings.push_back(std::move(setting));
      }
    }
  }

  void read_learner(const toml::table& table, std::set<std::string>& seen) {
    std::string label;
    const toml::node* named = table.get("name");
    if (named == nullptr) fail(table, "a [[learner]] has no name");
    const std::string learner = string({"name", named});
    const LearnerEntry& entry =
        checked_at(*named, [&] { return std::ref(find_entry(learners(), "learner", learner)); });
    Items given;
    for (const Item& item : in_order(table)) {
      if (item.key == "label") label = string(item);
      else if (item.key != "name") given.push_back(item);
    }
    if (label.empty()) label = learner;
    for (const StudySetting& other : study_.settings) {
      if (other.label != label || other.learner == learner) continue;
      fail(*named, fmt::format("label {} stands for {} already; give {} another", label, other.learner, learner));
    }
    for (const Settings& settings : combinations(learner, entry.params, given, entry.resolve)) {
      Settings resolved = checked_at(*named, [&] { return entry.resolve(settings); });
      std::string key = label;
      for (const auto& [name, value] : resolved) key += fmt::format("\n{}={}", name, value);
      if (!seen.insert(key).second) {
        fail(*named, fmt::format("{} has the same setting twice; give one of the entries another label", label));
      }
      study_.settings.push_back({0, label, learner, std::move(resolved)});
    }
  }

  std::string file_;
  toml::table root_;
  const toml::table* override_ = nullptr;
  Constants constants_;
  Study study_;
};

}  // namespace

Settings Study::protocol() const {
  Settings all{{"domain", cases.front().domain},

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
  Study study = Reader(text, file).read(scale);
  for (const std::string& other : Reader(text, file).scales()) {
    if (other != study.scale) Reader(text, file).read(other);  // mistakes are told before they are run into
  }
  return study;
}

Study read_study(const std::filesystem::path& file, std::string_view scale) {
  if (std::filesystem::is_directory(file))
    throw IoError(fmt::format("{}: it is a directory, not a study file", file.string()));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw IoError(fmt::format("{}: the study file cannot be opened", file.string()));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw IoError(fmt::format("{}: the study file cannot be read", file.string()));
  return parse_study(text, file, scale);
}

}  // namespace bellwether
