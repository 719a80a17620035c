#include <bellwether/core/params/params.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bellwether/core/params/entry.h>
#include <bellwether/core/support/text.h>

namespace bellwether {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substitute, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Range::text() const {
  return fmt::format("{}{}, {}{}", low_open ? '(' : '[', format_number(low), format_number(high),
                     high_open ? ')' : ']');
}

std::string format_number(double value) { return fmt::format("{}", value); }

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  const std::string wanted = lower_case(word);
  std::size_t best_distance = std::min(std::max<std::size_t>(2, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : candidates) {
    const std::string known = lower_case(candidate);
    const bool begun = word.size() > 1 && known.starts_with(wanted);
    const std::size_t changes = edit_distance(wanted, known);
    const std::size_t distance = begun ? std::min<std::size_t>(changes, 1) : changes;
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const auto near = nearest(word, candidates);
  return near ? fmt::format("; did you mean '{}'?", *near) : std::string();
}

std::string no_such(std::string_view kind, std::string_view word, const std::vector<std::string>& known) {
  return fmt::format("there is no {} '{}'{} (known: {})", kind, word, suggestion(word, known), fmt::join(known, ", "));
}

std::string text_of(const Settings& settings) {
  std::string text;
  for (const auto& [key, value] : settings) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  return text;
}

void internal::reject_entry(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  throw InvalidArgument(no_such(kind, name, known));
}

namespace detail {

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

double parse_number(std::string_view owner, std::string_view name, std::string_view text) {
  double value = 0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    throw InvalidArgument(fmt::format("{}: {} = '{}' is too large or too small for a number", owner, name, text));
  }
  if (error != std::errc() || end != digits.data() + digits.size() || std::isnan(value)) {
    throw InvalidArgument(fmt::format("{}: {} = '{}' is not a number", owner, name, text));
  }
  return value;
}

std::int64_t parse_integer(std::string_view owner, std::string_view name, std::string_view text) {
  constexpr double exact = 1LL << 53U;  // up to here a double holds every whole number
  const char* const end = text.data() + text.size();
  std::int64_t value = 0;
  if (const auto read = std::from_chars(text.data(), end, value); read.ec == std::errc() && read.ptr == end)
    return value;
  double number = 0;
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || !(std::abs(number) <= exact) || number != std::trunc(number)) {
    throw InvalidArgument(fmt::format("{}: {} = '{}' is not a whole number", owner, name, text));
  }
  return static_cast<std::int64_t>(number);
}

void reject_choice(std::string_view owner, std::string_view name, std::string_view text,
                   const std::vector<std::string>& choices) {
  throw InvalidArgument(fmt::format("{}: {} = '{}' is not one of {}{}", owner, name, text, fmt::join(choices, ", "),
                                    suggestion(text, choices)));
}

void reject_range(std::string_view owner, std::string_view name, const std::string& value, Range range) {
  throw InvalidArgument(fmt::format("{}: {} = {} is outside {}", owner, name, value, range.text()));
}

void reject_name(std::string_view owner, std::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) throw InvalidArgument(fmt::format("{}: '{}' is set, but there are no parameters", owner, name));
  throw InvalidArgument(fmt::format("{}: there is no parameter '{}'{} (known: {})", owner, name,
                                    suggestion(name, known), fmt::join(known, ", ")));
}

void reject_repeats(std::string_view owner, const Settings& settings) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (settings[i].first == settings[j].first) {
        throw InvalidArgument(fmt::format("{}: {} is set twice, to '{}' and to '{}'", owner, settings[i].first,
                                          settings[j].second, settings[i].second));
      }
    }
  }
}

}  // namespace detail
}  // namespace bellwether
