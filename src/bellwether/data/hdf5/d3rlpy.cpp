#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/array_table.h>
#include <bellwether/data/hdf5/hdf5_file.h>
#include <bellwether/data/hdf5/hdf5_table.h>

namespace bellwether {

namespace {

/// The numbers of the episodes, ascending: those of the arrays `rewards_0`, `rewards_1`, ...
std::vector<std::uint64_t> rewarded_episodes(const Hdf5Object& file) {
  constexpr std::string_view prefix = "rewards_";
  std::vector<std::uint64_t> numbers;
  for (const std::string& member : file.members()) {
    std::uint64_t number = 0;
    const char* const end = member.data() + member.size();
    if (!member.starts_with(prefix)) continue;
    const auto parsed = std::from_chars(member.data() + prefix.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

class D3rlpyTable final : public ArrayTable {
 public:
  D3rlpyTable(const std::string& path, const TableOptions& options)
      : ArrayTable(path, options), file_(open_hdf5(path)) {
    const Hdf5Silence silence;
    episodes_ = rewarded_episodes(file_);
    if (episodes_.empty()) throw InvalidArgument(path + " holds no episodes (arrays rewards_0, rewards_1, ...)");
    number_ = episodes_[0];
    for (const char* key : {"observations", "actions"}) {
      add_leaf(key, "");
      constexpr std::size_t most_in_tuple = 1000;
      for (std::size_t j = 0; j < most_in_tuple && add_leaf(key, fmt::format("{}", j)); ++j) {
      }
    }
    add_leaf("rewards", "");
    add_array({"terminated"});
    add_array({"truncated"});
    add_array({"episode"});
  }

  std::optional<double> fraction() const override {
    return static_cast<double>(next_) / static_cast<double>(episodes_.size());
  }

 protected:
  void use(const std::vector<std::size_t>& arrays) override { used_ = arrays; }

  std::size_t advance(std::size_t most) override {
    const Hdf5Silence silence;
    position_ += chunk_;
    chunk_ = 0;
    while (position_ == length_) {
      if (next_ == episodes_.size()) return 0;
      open_episode(episodes_[next_++]);
    }
    chunk_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, length_ - position_));
    return chunk_;
  }

  std::size_t fetch(std::size_t array, double* to) override {
    if (array >= leaves_.size()) {
      const std::size_t which = array - leaves_.size();  // terminated, truncated, episode
      std::fill_n(to, chunk_, which == 2 ? static_cast<double>(number_) : 0);
      const bool last = position_ + chunk_ == length_;
      if (last && which < 2) to[chunk_ - 1] = terminated_ == (which == 0) ? 1 : 0;
      return chunk_;
    }
    const Hdf5Silence silence;
    const auto index = std::lower_bound(used_.begin(), used_.end(), array) - used_.begin();
    arrays_[static_cast<std::size_t>(index)].read(position_, chunk_, to);
    return chunk_;
  }

 private:
  /// An array that every episode has: KEY_NUMBER, or KEY_NUMBER_PART.
  struct Leaf {
    std::string key, part;
    std::uint64_t width;
  };

  std::string path_of(const std::string& key, const std::string& part) const {
    return fmt::format("{}_{}{}{}", key, number_, part.empty() ? "" : "_", part);
  }

  /// The array of the current episode; nothing if it has none of this name.
  std::optional<Hdf5Array> find(const std::string& key, const std::string& part) const {
    const std::string path = path_of(key, part);
    Hdf5Object object = file_.open_array(path);
    if (!object) return std::nullopt;
    return Hdf5Array(std::move(object), fmt::format("{}: {}", name(), path));
  }

  bool add_leaf(const std::string& key, const std::string& part) {
    const auto array = find(key, part);
    if (!array) return false;
    const std::string column = part.empty() ? key : key + "/" + part;
    if (array->rank() == 0 || !array->of_numbers() || array->width() > most_columns) {
      add_unreadable(column, array->label() + " does not hold numbers for each step, or too many of them");
      return true;
    }
    leaves_.push_back({key, part, array->width()});
    add_array(column, array->width() == 1, array->width());
    return true;
  }

  void open_episode(std::uint64_t number) {
    number_ = number;
    position_ = 0;
    length_ = find("rewards", "")->rows();
    arrays_.clear();
    for (const std::size_t i : used_) {
      if (i >= leaves_.size()) continue;
      const Leaf& leaf = leaves_[i];
      auto array = find(leaf.key, leaf.part);
      const std::string label = fmt::format("{}: {}", name(), path_of(leaf.key, leaf.part));
      if (!array) throw InvalidArgument(label + " is missing, or not an array");
      if (array->rank() == 0 || array->rows() != length_) {
        throw InvalidArgument(fmt::format("{} has {} rows, but there are {} rewards", label, array->rows(), length_));
      }
      if (!array->of_numbers() || array->width() != leaf.width) {
        throw InvalidArgument(fmt::format("{}: mixed dimensions: a row has {} numbers, in the first episode {}", label,
                                          array->width(), leaf.width));
      }
      arrays_.push_back(std::move(*array));
    }
    auto flag = find("terminated", "");
    if (!flag || !flag->of_numbers() || flag->width() != 1) {
      throw InvalidArgument(fmt::format("{}: {} is missing, or not a flag", name(), path_of("terminated", "")));
    }
    double ended = 0;
    flag->read(0, 1, &ended);
    terminated_ = ended != 0;
  }

  Hdf5Object file_;
  std::vector<std::uint64_t> episodes_;
  std::vector<Leaf> leaves_;
  std::vector<std::size_t> used_;

  // The current episode.
  std::size_t next_ = 0;  // index of the next one
  std::uint64_t number_ = 0;
  bool terminated_ = false;
  std::vector<Hdf5Array> arrays_;  // the selected ones
  std::uint64_t length_ = 0, position_ = 0;
  std::size_t chunk_ = 0;
};

}  // namespace

std::unique_ptr<TableReader> open_d3rlpy(const std::string& path, const TableOptions& options) {
  return std::make_unique<D3rlpyTable>(path, options);
}

}  // namespace bellwether
