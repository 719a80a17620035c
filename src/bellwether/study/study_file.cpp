#include <bellwether/study/study_file.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/study/stray_characters.h>

namespace bellwether {

namespace {

/// Throws in one line, although texts of the file may have several.
[[noreturn]] void refuse(std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  throw InvalidArgument(message);
}

}  // namespace

Items items_of(const toml::table& table) {
  Items all;  // toml++ has them by name
  for (const auto& [key, value] : table) all.push_back({std::string(key.str()), &value});
  std::sort(all.begin(), all.end(),
            [](const Item& a, const Item& b) { return a.value->source().begin < b.value->source().begin; });
  return all;
}

double toml_number(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  return node.as_floating_point()->get();
}

StudyFile::StudyFile(std::string_view text, const std::filesystem::path& file, std::string_view scale)
    : file_(file.string()), scale_(scale.empty() ? "paper" : std::string(scale)) {
  if (const std::size_t line = line_of_stray_character(text)) {
    fail(line, "a character that is not ASCII stands outside of quotes, or after a backslash");
  }
  try {
    root_ = toml::parse(text, file_);
  } catch (const toml::parse_error& error) {
    fail(error.source().begin.line, error.description());
  }
  const auto known = scales();
  if (const toml::table* tables = table_in(&root_, "scale")) override_ = table_in(tables, scale_);
  if (std::find(known.begin(), known.end(), scale_) == known.end()) {
    fail(no_such("scale", scale_, known));
  }
  // A constant may use those above it.
  for (const Item& item : items("constants")) constants_[item.key] = numbers(item.key, *item.value);
}

void StudyFile::fail(const std::string& what) const { refuse(fmt::format("{}: {}", file_, what)); }
void StudyFile::fail(std::size_t line, std::string_view what) const {
  refuse(fmt::format("{}:{}: {}", file_, line, what));
}

std::vector<std::string> StudyFile::scales() const {
  std::vector<std::string> known{"paper"};
  if (const toml::table* tables = table_in(&root_, "scale")) {
    for (const auto& [key, table] : *tables) {
      const std::string name(key.str());
      if (!table.is_table()) fail(table, fmt::format("a scale is a table, such as [scale.{}.run]", name));
      if (name != "paper") known.push_back(name);
    }
    std::sort(known.begin() + 1, known.end());
  }
  return known;
}

const toml::table* StudyFile::table_in(const toml::table* parent, std::string_view name) const {
  if (parent == nullptr) return nullptr;
  if (name.empty()) return parent;
  const toml::node* node = parent->get(name);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) fail(*node, fmt::format("{0} is a table: [{0}]", name));
  return node->as_table();
}

const toml::node* StudyFile::find(std::string_view key) const {
  const toml::node* replaced = override_ != nullptr ? override_->get(key) : nullptr;
  return replaced != nullptr ? replaced : root_.get(key);
}

std::vector<const toml::table*> StudyFile::tables(std::string_view name) const {
  std::vector<const toml::table*> all;
  const toml::node* node = find(name);
  if (node == nullptr) return all;
  const auto not_tables = [&](const toml::node& where) {
    fail(where, fmt::format("{0}s are a list of tables: [[{0}]]", name));
  };
  if (!node->is_array()) not_tables(*node);
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_table()) not_tables(element);
    all.push_back(element.as_table());
  }
  return all;
}

Items StudyFile::items(std::string_view name, const std::vector<std::string>& known) const {
  if (const toml::node* list = root_.get(name); list != nullptr && list->is_array() && find(name) != list) {
    fail(*find(name), fmt::format("the study has a list of {0}s, which a scale replaces as a whole: [[scale.{1}.{0}]]",
                                  name, scale_));
  }
  Items all;
  for (const toml::table* table : {table_in(&root_, name), table_in(override_, name)}) {
    if (table == nullptr) continue;
    for (const Item& item : items_of(*table)) {
      if (!known.empty() && std::find(known.begin(), known.end(), item.key) == known.end()) {
        fail(*item.value, no_such("key", item.key, known));
      }
      const auto replaced = std::find_if(all.begin(), all.end(), [&](const Item& i) { return i.key == item.key; });
      if (replaced == all.end()) all.push_back(item);
      else replaced->value = item.value;
    }
  }
  return all;
}

std::string StudyFile::string(const Item& item) const {
  if (!item.value->is_string()) fail(*item.value, fmt::format("{} is not a text in quotes", item.key));
  const std::string& text = item.value->as_string()->get();
  const auto strange = [&](unsigned char c) { return c < ' ' && (item.key != "about" || (c != '\n' && c != '\t')); };
  if (std::any_of(text.begin(), text.end(), strange)) {
    fail(*item.value, fmt::format("{} has control characters or several lines", item.key));
  }
  return text;
}

std::vector<double> StudyFile::numbers(const std::string& name, const toml::node& node) const {
  if (const auto* array = node.as_array()) {
    std::vector<double> all;
    for (const toml::node& element : *array) {
      const std::vector<double> part = numbers(name, element);
      all.insert(all.end(), part.begin(), part.end());
    }
    if (all.empty()) fail(node, fmt::format("{} is an empty list", name));
    return all;
  }
  if (const auto* formula = node.as_string()) {
    return checked_at(node, [&] { return evaluate(formula->get(), constants_); });
  }
  if (!node.is_number()) fail(node, fmt::format("{} is neither a number, nor a list of them, nor a formula", name));
  return {toml_number(node)};
}

std::vector<Value> StudyFile::values_of(const ParamInfo& info, const std::string& owner, const toml::node& node) const {
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

/// The values of what is not a list in the file; a formula may stand for several.
std::vector<std::string> StudyFile::texts_of(const ParamInfo& info, const std::string& owner,
                                             const toml::node& node) const {
  const bool number = info.type == "number" || info.type == "integer";
  if (const auto* text = node.as_string()) {
    if (!number || *text == "auto" || *text == "inf") return {text->get()};
    std::vector<std::string> all;
    for (const double v : checked_at(node, [&] { return evaluate(text->get(), constants_); })) {
      all.push_back(format_number(v));
    }
    return all;
  }
  if (node.is_boolean() && info.type == "boolean") return {node.as_boolean()->get() ? "true" : "false"};
  if (node.is_integer() && number) return {std::to_string(node.as_integer()->get())};
  if (node.is_floating_point() && number) return {format_number(toml_number(node))};
  fail(node, fmt::format("{}: {} is not a{} {} ({})", owner, info.name, info.type == "integer" ? "n" : "", info.type,
                         info.accepts));
}

std::vector<Settings> StudyFile::combinations(const std::string& owner, const std::vector<ParamInfo>& infos,
                                              const Items& given, const Resolve& resolve) const {
  std::vector<Settings> all{{}};
  for (const Item& item : given) {
    const auto info = std::find_if(infos.begin(), infos.end(), [&](const ParamInfo& i) { return i.name == item.key; });
    if (info == infos.end()) {
      std::vector<std::string> known;
      for (const ParamInfo& i : infos) known.push_back(i.name);
      fail(*item.value, fmt::format("{} has no parameter '{}'{} (known: {})", owner, item.key,
                                    suggestion(item.key, known), detail::join(known, ", ")));
    }
    std::vector<Settings> longer;
    const auto values = values_of(*info, owner, *item.value);
    for (const Value& value : values) checked_at(*value.where, [&] { return resolve({{item.key, value.text}}); });
    constexpr double most = 1e5;
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

}  // namespace bellwether
