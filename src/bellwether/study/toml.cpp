#include <bellwether/study/toml.h>

#include <algorithm>

#define TOML_HEADER_ONLY 1
// It asserts that a key begins as keys do, and says what is wrong with "[,]" only where it does not.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace bellwether {

namespace {

TomlNode node_of(const toml::node& from);

/// toml++ keeps the keys of a table sorted by name.
TomlNode::Table table_of(const toml::table& from) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, value] : from) entries.emplace_back(&key, &value);
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.second->source().begin < b.second->source().begin; });
  TomlNode::Table table;
  for (const auto& [key, value] : entries) table.push_back({std::string(key->str()), node_of(*value)});
  return table;
}

TomlNode node_of(const toml::node& from) {
  TomlNode node;
  node.line = from.source().begin.line;
  if (const auto* table = from.as_table()) {
    node.value = table_of(*table);
  } else if (const auto* array = from.as_array()) {
    TomlNode::Array all;
    for (const toml::node& element : *array) all.push_back(node_of(element));
    node.value = std::move(all);
  } else if (const auto* text = from.as_string()) {
    node.value = text->get();
  } else if (const auto* whole = from.as_integer()) {
    node.value = whole->get();
  } else if (const auto* real = from.as_floating_point()) {
    node.value = real->get();
  } else if (const auto* flag = from.as_boolean()) {
    node.value = flag->get();
  }
  return node;
}

}  // namespace

double TomlNode::number() const {
  if (const auto* whole = as<std::int64_t>()) return static_cast<double>(*whole);
  return std::get<double>(value);
}

const TomlNode* TomlNode::get(std::string_view key) const {
  const Table* entries = table();
  if (entries == nullptr) return nullptr;
  const auto found = std::find_if(entries->begin(), entries->end(), [&](const auto& e) { return e.key == key; });
  return found == entries->end() ? nullptr : &found->node;
}

TomlNode parse_toml(std::string_view text, std::string_view file) {
  try {
    return node_of(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    throw TomlError(std::string(error.description()), error.source().begin.line);
  }
}

}  // namespace bellwether
