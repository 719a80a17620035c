#include <bellwether/features/support/tile_groups.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <bellwether/core/params/params.h>

namespace bellwether {

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::size_t find_variable(std::string_view owner, std::string_view parameter, const std::vector<Variable>& variables,
                          std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name) return i;
    known.push_back(variables[i].name);
  }
  throw InvalidArgument(fmt::format("{}: {} names '{}', which is not a variable{} (known: {})", owner, parameter, name,
                                    suggestion(name, known), detail::join(known, ", ")));
}

/// Every set of k of the numbers 0, ..., n-1, in lexicographic order.
std::vector<std::vector<std::size_t>> combinations(std::size_t n, std::size_t k) {
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> chosen(k);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  for (;;) {
    all.push_back(chosen);
    std::size_t i = k;
    while (i > 0 && chosen[i - 1] == n - k + i - 1) --i;
    if (i == 0) return all;
    ++chosen[i - 1];
    for (; i < k; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

/// The groups of one item.
std::vector<std::vector<std::size_t>> parse_item(std::string_view owner, const std::vector<Variable>& variables,
                                                 std::string_view item) {
  const auto n = static_cast<std::int64_t>(variables.size());
  if (item == "all") return combinations(variables.size(), variables.size());
  if (const auto k = whole_number(item)) {
    if (*k < 1 || *k > n) {
      throw InvalidArgument(
          fmt::format("{}: groups asks for every {} variables together, but there are {}", owner, *k, n));
    }
    double count = 1;
    for (std::int64_t i = 0; i < *k; ++i) count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    constexpr double most = 1e6;
    if (count > most) {
      throw InvalidArgument(
          fmt::format("{}: groups asks for every {} of {} variables together, which is too many groups", owner, *k, n));
    }
    return combinations(variables.size(), static_cast<std::size_t>(*k));
  }
  std::vector<std::size_t> group;
  for (const std::string_view name : split(item, '*')) {
    const std::size_t i = find_variable(owner, "groups", variables, name);
    if (std::find(group.begin(), group.end(), i) != group.end()) {
      throw InvalidArgument(fmt::format("{}: groups names '{}' twice in '{}'", owner, name, item));
    }
    group.push_back(i);
  }
  return {group};
}

std::vector<std::int64_t> parse_tiles(std::string_view owner, std::string_view item, std::size_t variables) {
  std::vector<std::int64_t> tiles;
  for (const std::string_view text : split(item, 'x')) {
    const auto number = whole_number(text);
    if (!number) {
      throw InvalidArgument(
          fmt::format("{}: tiles holds '{}', which is neither a number nor numbers joined by x, as 10x5", owner, item));
    }
    if (*number < 1 || *number > most_tiles) {
      throw InvalidArgument(fmt::format("{}: tiles = {} is outside [1, {}]", owner, *number, most_tiles));
    }
    tiles.push_back(*number);
  }
  if (tiles.size() == 1) tiles.resize(variables, tiles[0]);
  if (tiles.size() != variables) {
    throw InvalidArgument(fmt::format("{}: tiles = '{}' is for groups of {} variables, but there is one of {}", owner,
                                      item, tiles.size(), variables));
  }
  return tiles;
}

}  // namespace

std::vector<TileGroup> parse_tile_groups(std::string_view owner, const std::vector<Variable>& variables,
                                         std::string_view groups, std::string_view tiles) {
  const auto group_items = split(groups, ',');
  auto tile_items = split(tiles, ',');
  if (tile_items.size() == 1) tile_items.resize(group_items.size(), tile_items[0]);
  if (tile_items.size() != group_items.size()) {
    throw InvalidArgument(fmt::format("{}: tiles = '{}' has {} items, but groups = '{}' has {}", owner, tiles,
                                      tile_items.size(), groups, group_items.size()));
  }
  std::vector<TileGroup> all;
  for (std::size_t item = 0; item < group_items.size(); ++item) {
    for (auto& group : parse_item(owner, variables, group_items[item])) {
      auto numbers = parse_tiles(owner, tile_items[item], group.size());
      all.push_back({std::move(group), std::move(numbers)});
    }
  }
  return all;
}

std::vector<bool> parse_wrapping(std::string_view owner, const std::vector<Variable>& variables,
                                 std::string_view wrap) {
  std::vector<bool> wraps(variables.size(), false);
  if (wrap == "none") return wraps;
  if (wrap == "auto") {
    for (std::size_t i = 0; i < variables.size(); ++i) wraps[i] = variables[i].wraps;
    return wraps;
  }
  for (const std::string_view name : split(wrap, ',')) wraps[find_variable(owner, "wrap", variables, name)] = true;
  return wraps;
}

}  // namespace bellwether
