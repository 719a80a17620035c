#include <bellwether/data/hdf5/minari.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/array_table.h>
#include <bellwether/data/hdf5/hdf5_file.h>

namespace bellwether {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view episode_prefix = "episode_";
constexpr int deepest_nesting = 16;
constexpr std::size_t most_objects = 10'000;  // arrays and groups of an episode; groups may contain themselves

std::string located(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path;
  for (const char* file : {"data/main_data.hdf5", "main_data.hdf5"}) {
    if (fs::path inside = fs::path(path) / file; fs::exists(inside, error)) return inside.string();
  }
  if (fs::is_directory(fs::path(path) / "data", error)) {
    throw IoError(path +
                  ": has no data/main_data.hdf5; a Minari dataset that is stored as Arrow is converted by "
                  "minari.create_dataset_from_buffers(..., data_format='hdf5')");
  }
  throw IoError(path + ": is a directory without data/main_data.hdf5, so it is not a Minari dataset in HDF5");
}

/// The numbers of the episodes, ascending.
std::vector<std::uint64_t> episodes(const Hdf5Object& file, const std::string& name) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& member : file.members()) {
    std::uint64_t number = 0;
    if (!member.starts_with(episode_prefix)) continue;
    const char* end = member.data() + member.size();
    const auto parsed = std::from_chars(member.data() + episode_prefix.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) numbers.push_back(number);
  }
  if (numbers.empty()) throw InvalidArgument(name + " holds no episodes (groups episode_0, episode_1, ...)");
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

class MinariTable final : public ArrayTable {
 public:
  MinariTable(const std::string& path, const TableOptions& options)
      : ArrayTable(path, options), file_(open_hdf5(located(path))) {
    const Hdf5Silence silence;
    episodes_ = episodes(file_, path);
    open_group(0);
    if (!group_.open("observations")) throw InvalidArgument(label("observations") + " is missing");
    for (const char* part : {"observations", "actions", "rewards", "terminations", "truncations", "infos"}) {
      add(part, group_.open(part), 0);
    }
    add_array({"episode"});
    finish_episode();
  }

  std::optional<double> fraction() const override {
    const double part = length_ == 0 ? 0 : static_cast<double>(position_) / static_cast<double>(length_);
    return (static_cast<double>(next_) - (open_ ? 1 - part : 0)) / static_cast<double>(episodes_.size());
  }

 protected:
  void use(const std::vector<std::size_t>& arrays) override { used_ = arrays; }

  std::size_t advance(std::size_t most) override {
    const Hdf5Silence silence;
    position_ += chunk_;
    chunk_ = 0;
    if (open_ && position_ == length_) finish_episode();
    if (!open_) {
      if (next_ == episodes_.size()) return 0;
      open_group(next_++);
      open_arrays();
      open_ = true;
    }
    chunk_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, length_ - position_));
    return chunk_;
  }

  std::size_t fetch(std::size_t array, double* to) override {
    if (array == leaves_.size()) {
      std::fill_n(to, chunk_, static_cast<double>(number_));
      return chunk_;
    }
    const Hdf5Silence silence;
    const auto index = std::lower_bound(used_.begin(), used_.end(), array) - used_.begin();
    Hdf5Array& source = arrays_[static_cast<std::size_t>(index)];
    const std::uint64_t left = source.rows() - std::min(source.rows(), position_);
    const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, left));
    source.read(position_, there, to);
    return there;
  }

 private:
  /// An array that every episode has.
  struct Leaf {
    std::string path;
    std::size_t rank;
    std::uint64_t width;
  };

  std::string label(const std::string& path) const {
    return fmt::format("{}: {}{}/{}", name(), episode_prefix, number_, path);
  }

  /// Opens an episode at its beginning. Its rows are one more than its rewards.
  void open_group(std::size_t i) {
    number_ = episodes_[i];
    group_ = file_.open(fmt::format("{}{}", episode_prefix, number_));
    rewards_.emplace(open_array("rewards"));
    length_ = rewards_->rows() + 1;
    position_ = 0;
  }

  void finish_episode() {
    arrays_.clear();
    rewards_.reset();
    group_ = {};
    open_ = false;
    length_ = position_ = 0;
  }

  Hdf5Array open_array(const std::string& path) const {
    Hdf5Object object = group_.open_array(path);
    if (!object) throw InvalidArgument(label(path) + " is missing, or not an array");
    Hdf5Array array(std::move(object), label(path));
    if (array.rank() == 0) throw InvalidArgument(label(path) + " is a single number, not one for each step");
    return array;
  }

  /// Infos are up to the environment: some do not have a value for each step, or for the last state.
  static bool may_vary(const std::string& path) { return path.starts_with("infos/"); }

  bool fits(const std::string& path, std::uint64_t rows) const {
    if (may_vary(path)) return rows == length_ || rows + 1 == length_;
    return rows == (path.starts_with("observations") ? length_ : length_ - 1);
  }

  void check_length(const std::string& path, const Hdf5Array& array) const {
    if (fits(path, array.rows())) return;
    throw InvalidArgument(
        fmt::format("{} has {} rows, but there are {} rewards", array.label(), array.rows(), length_ - 1));
  }

  /// Adds the columns of an array, or of the arrays in a group, in alphabetical order.
  void add(const std::string& path, Hdf5Object object, int depth) {
    if (++objects_ > most_objects || depth > deepest_nesting) {
      throw InvalidArgument(fmt::format("{} is one of more than {} arrays and groups, or more than {} groups deep",
                                        label(path), most_objects, deepest_nesting));
    }
    if (object.is_group()) {
      for (const std::string& member : object.members()) {
        const std::string inner = fmt::format("{}/{}", path, member);
        add(inner, object.open(member), depth + 1);
      }
    }
    if (!object.is_array()) return;
    const Hdf5Array array(std::move(object), label(path));
    if (may_vary(path) && (array.rank() == 0 || !fits(path, array.rows()))) {
      add_unreadable(path, array.label() + " is not one value for each step");
      return;
    }
    if (array.rank() == 0) throw InvalidArgument(label(path) + " is a single value, not one for each step");
    check_length(path, array);
    if (!array.of_numbers()) {
      add_unreadable(path, array.label() + " does not hold numbers");
    } else if (array.width() > most_columns) {
      add_unreadable(path,
                     fmt::format("{} has {} columns; {} can be read", array.label(), array.width(), most_columns));
    } else {
      leaves_.push_back({path, array.rank(), array.width()});
      add_array(path, array.rank() == 1, array.width());
    }
  }

  void open_arrays() {
    for (const std::size_t i : used_) {
      if (i == leaves_.size()) continue;  // the number of the episode
      const Leaf& leaf = leaves_[i];
      Hdf5Array array = leaf.path == "rewards" ? std::move(*rewards_) : open_array(leaf.path);
      check_length(leaf.path, array);
      if (!array.of_numbers()) throw InvalidArgument(array.label() + " does not hold numbers");
      if (array.rank() != leaf.rank || array.width() != leaf.width) {
        throw InvalidArgument(fmt::format("{}: mixed dimensions: a row has {} numbers, in the first episode {}",
                                          array.label(), array.width(), leaf.width));
      }
      arrays_.push_back(std::move(array));
    }
  }

  Hdf5Object file_;
  std::vector<std::uint64_t> episodes_;
  std::vector<Leaf> leaves_;
  std::size_t objects_ = 0;  // seen in the first episode
  std::vector<std::size_t> used_;

  // The current episode, if one is open.
  bool open_ = false;
  std::size_t next_ = 0;  // index of the next episode
  std::uint64_t number_ = 0;
  Hdf5Object group_;
  std::optional<Hdf5Array> rewards_;  // their number gives the length
  std::vector<Hdf5Array> arrays_;     // the selected ones
  std::uint64_t length_ = 0;          // rows of the episode
  std::uint64_t position_ = 0;        // first row of the chunk
  std::size_t chunk_ = 0;             // rows announced by the last `advance`
};

}  // namespace

std::unique_ptr<TableReader> open_minari(const std::string& path, const TableOptions& options) {
  return std::make_unique<MinariTable>(path, options);
}

}  // namespace bellwether
