#include <bellwether/features/support/description.h>

#include <algorithm>

#include <fmt/format.h>

namespace bellwether {

namespace {

constexpr const char* spaces = " \t\n";

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(spaces) + 1 - first));
}

[[noreturn]] void reject(std::string_view description, const std::string& what) {
  throw InvalidArgument(
      fmt::format("features: '{}' {}; write name(variable key=value) + name + ...", description, what));
}

/// The words between parentheses; one that was in quotes keeps the first of them.
std::vector<std::string> words_of(std::string_view description, std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\n,");
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    std::size_t end = 0;
    if (text.front() == '"') {
      end = text.find('"', 1);
      if (end == std::string_view::npos) reject(description, "opens a quote that it does not close");
      words.emplace_back(text.substr(0, end++));
    } else {
      end = std::min(text.find_first_of(spaces), text.size());
      std::string_view word = text.substr(0, end);
      // Commas separate variables, but are part of a setting.
      if (const std::size_t comma = word.find(','); comma != std::string_view::npos && comma < word.find('=')) {
        end = comma;
        word = word.substr(0, comma);
      }
      while (word.ends_with(',')) word.remove_suffix(1);
      words.emplace_back(word);
    }
    text.remove_prefix(end);
  }
}

FeaturePart parse_part(std::string_view description, std::string_view text) {
  const std::size_t open = text.find('(');
  FeaturePart part{trimmed(text.substr(0, open)), {}, {}};
  if (part.name.empty()) reject(description, "lacks the name of a feature map");
  if (open == std::string_view::npos) return part;
  const std::string rest = trimmed(text.substr(open));
  if (rest.back() != ')') reject(description, "opens a parenthesis that it does not close");
  for (std::string& word : words_of(description, std::string_view(rest).substr(1, rest.size() - 2))) {
    const std::size_t equals = word.starts_with('"') ? std::string::npos : word.find('=');
    if (equals == 0) reject(description, "holds '" + word + "', which sets nothing");
    if (equals != std::string::npos) part.settings.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    else part.variables.push_back(word.starts_with('"') ? word.substr(1) : word);
  }
  return part;
}

}  // namespace

std::vector<FeaturePart> parse_description(std::string_view description) {
  std::vector<FeaturePart> parts;
  std::size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= description.size(); ++i) {
    const char c = i < description.size() ? description[i] : '+';
    if (c == '"') quoted = !quoted;
    if (quoted && i < description.size()) continue;
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) reject(description, "closes a parenthesis that it did not open");
    if (c != '+' || (depth > 0 && i < description.size())) continue;
    parts.push_back(parse_part(description, description.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

std::string spelled(const std::string& variable) {
  const bool plain = !variable.empty() && variable.find_first_of(" \t\n,=()+") == std::string::npos;
  return plain ? variable : fmt::format("\"{}\"", variable);
}

void add_settings(std::vector<FeaturePart>& parts, const Settings& settings) {
  for (const auto& [key, value] : settings) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) {
      if (parts.size() != 1) {
        std::vector<std::string> names;
        for (const FeaturePart& part : parts) names.push_back(part.name);
        throw InvalidArgument(
            fmt::format("features: {0} could belong to several maps; write NAME.{0}, where NAME is one of {1}", key,
                        detail::join(names, ", ")));
      }
      parts[0].settings.emplace_back(key, value);
      continue;
    }
    const std::string owner = key.substr(0, dot);
    const auto is_owner = [&owner](const FeaturePart& p) { return p.name == owner; };
    const auto part = std::find_if(parts.begin(), parts.end(), is_owner);
    if (part == parts.end()) {
      throw InvalidArgument(fmt::format("features: {} is set, but there is no {} among the features", key, owner));
    }
    const auto namesakes = std::count_if(parts.begin(), parts.end(), is_owner);
    if (namesakes > 1) {
      throw InvalidArgument(fmt::format("features: {} could belong to any of {} maps {}; write it in parentheses", key,
                                        namesakes, owner));
    }
    part->settings.emplace_back(key.substr(dot + 1), value);
  }
}

}  // namespace bellwether
