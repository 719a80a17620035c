#include <bellwether/study/study_figures.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <bellwether/learners/families.h>

namespace bellwether {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<std::string> words(const StudyFile& file, const Item& item) {
  const toml::array* array = item.value->as_array();
  if (array == nullptr || array->empty()) {
    file.fail(*item.value, fmt::format("figure: {} is a list of texts, such as [\"TD\", \"LSTD\"]", item.key));
  }
  std::vector<std::string> all;
  for (const toml::node& element : *array) all.push_back(file.string({item.key, &element}));
  return all;
}

Settings values_at(const StudyFile& file, const Item& item) {
  const toml::table* table = item.value->as_table();
  if (table == nullptr) file.fail(*item.value, "figure: at is a table of parameters, such as {lambda = 0.9}");
  Settings all;
  for (const Item& one : items_of(*table)) {
    const bool number = one.value->is_number();
    all.emplace_back(one.key, number ? format_number(toml_number(*one.value)) : file.string(one));
  }
  return all;
}

template <class Choice>
Choice choice(const StudyFile& file, const Item& item) {
  const std::string text = file.string(item);
  return file.checked_at(*item.value, [&] { return detail::parse<Choice>("figure", item.key, text); });
}

Figure read_figure(const StudyFile& file, const toml::table& table) {
  static const std::vector<std::string> known{"title", "shows", "learners", "x", "panels", "at", "metric", "y"};
  Figure figure;
  for (const Item& item : items_of(table)) {
    if (item.key == "title") figure.title = file.string(item);
    else if (item.key == "shows") figure.shows = choice<Shows>(file, item);
    else if (item.key == "learners") figure.learners = words(file, item);
    else if (item.key == "x") figure.x = file.string(item);
    else if (item.key == "panels") figure.panels = file.string(item);
    else if (item.key == "at") figure.at = values_at(file, item);
    else if (item.key == "metric") figure.metric = file.string(item);
    else if (item.key == "y") figure.y = choice<Axis>(file, item);
    else file.fail(*item.value, no_such("key", item.key, known));
  }
  if (figure.title.empty()) file.fail(table, "a [[figure]] has no title");
  if (figure.x.empty()) {
    constexpr std::array usual{"steps", "own", "time"};
    figure.x = usual.at(static_cast<std::size_t>(figure.shows));
  }
  return figure;
}

/// Calls f(figure, its table) for each.
template <class F>
void for_each_figure(const StudyFile& file, F&& f) {
  for (const toml::table* table : file.tables("figure")) f(read_figure(file, *table), *table);
}

/// What a figure may name: labels, and the parameters of its learners.
struct Available {
  std::vector<std::string> labels;
  std::vector<std::string> parameters;
  std::set<std::pair<std::string, std::string>> values;  // of parameters
};

Available available(const Study& study, const std::vector<std::string>& learners) {
  Available all;
  for (const StudySetting& setting : study.settings) {
    if (!contains(all.labels, setting.label)) all.labels.push_back(setting.label);
    if (!learners.empty() && !contains(learners, setting.label)) continue;
    for (const auto& parameter : setting.parameters) {
      if (!contains(all.parameters, parameter.first)) all.parameters.push_back(parameter.first);
      all.values.insert(parameter);
    }
  }
  return all;
}

}  // namespace

std::vector<Figure> read_figures(const StudyFile& file) {
  std::vector<Figure> all;
  for_each_figure(file, [&](const Figure& figure, const toml::table&) { all.push_back(figure); });
  return all;
}

void check_figures(const StudyFile& file, const Study& study) {
  for_each_figure(file, [&](const Figure& figure, const toml::table& table) {
    const Available there = available(study, figure.learners);
    const auto check = [&](const char* kind, const char* key, const std::string& word,
                           const std::vector<std::string>& known) {
      if (contains(known, word)) return;
      const toml::node* where = table.get(key);
      file.fail(where != nullptr ? *where : table, no_such(kind, word, known));
    };
    for (const std::string& label : figure.learners) check("learner", "learners", label, there.labels);
    if (!figure.panels.empty()) check("parameter", "panels", figure.panels, there.parameters);
    for (const auto& value : figure.at) {
      check("parameter", "at", value.first, there.parameters);
      if (there.values.contains(value)) continue;
      file.fail(*table.get("at"), fmt::format("figure: no setting has {} = {}", value.first, value.second));
    }
    std::vector<std::string> x{"steps", "time"};
    if (figure.shows == Shows::cost) x = {"time", "memory"};
    if (figure.shows == Shows::sensitivity) {
      x = there.parameters;
      x.emplace_back("own");
    }
    check("x", "x", figure.x, x);
    if (figure.metric.empty()) return;
    std::vector<std::string> metrics;
    for (const Metric metric : study.metrics) metrics.push_back(detail::format(metric));
    check("metric", "metric", figure.metric, study.metrics.empty() ? detail::choices<Metric>() : metrics);
  });
}

const std::vector<std::string>& own_parameters() {
  static const auto all = [] {
    std::vector<std::string> names;
    for (const auto kind : {&RegisteredLearner::step_sizes, &RegisteredLearner::ridges}) {
      for (const RegisteredLearner& learner : registered_learners()) {
        for (const std::string& name : learner.*kind) {
          if (!contains(names, name)) names.push_back(name);
        }
      }
    }
    return names;
  }();
  return all;
}

StudyText study_text(std::string_view source, std::string_view scale) {
  try {
    const StudyFile file(source, "study", scale);
    const toml::node* about = file.find("about");
    return {about != nullptr ? file.string({"about", about}) : "", read_figures(file)};
  } catch (const InvalidArgument&) {
    return {};
  }
}

}  // namespace bellwether
