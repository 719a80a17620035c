#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/array_table.h>
#include <bellwether/data/hdf5/hdf5_file.h>
#include <bellwether/data/hdf5/hdf5_table.h>

namespace bellwether {

namespace {

constexpr int deepest_groups = 16;
constexpr std::size_t most_arrays = 10'000;

class FlatHdf5Table final : public ArrayTable {
 public:
  FlatHdf5Table(const std::string& path, const TableOptions& options)
      : ArrayTable(path, options), file_(open_hdf5(path)) {
    const Hdf5Silence silence;
    Hdf5Object rewards = file_.open_array("rewards");
    if (!rewards) throw InvalidArgument(path + ": 'rewards' is not an array");
    rows_ = Hdf5Array(std::move(rewards), label("rewards")).rows();
    if (rows_ == 0) throw InvalidArgument(path + ": 'rewards' has no rows");
    for (const std::string& member : file_.members()) add(member, file_.open(member), 0);
    const auto has = [&](const char* name) { return std::find(paths_.begin(), paths_.end(), name) != paths_.end(); };
    if (has("episode_terminals") && has("terminals") && !has("timeouts")) {
      derived_ = paths_.size();
      paths_.emplace_back("timeouts");
      add_array({"timeouts"});
    }
  }

  std::optional<double> fraction() const override { return static_cast<double>(read_) / static_cast<double>(rows_); }

 protected:
  void use(const std::vector<std::size_t>& arrays) override {
    const Hdf5Silence silence;
    used_ = arrays;
    arrays_.clear();
    for (const std::size_t i : arrays) {
      if (i == derived_) {
        ends_.clear();
        ends_.push_back(opened("episode_terminals"));
        ends_.push_back(opened("terminals"));
      }
      arrays_.emplace_back();
      if (i != derived_) arrays_.back().emplace(opened(paths_[i]));
    }
  }

  std::size_t advance(std::size_t most) override {
    first_ = read_;
    chunk_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, rows_ - read_));
    read_ += chunk_;
    return chunk_;
  }

  std::size_t fetch(std::size_t array, double* to) override {
    const Hdf5Silence silence;
    if (array == derived_) {
      terminals_.resize(chunk_);
      ends_[0].read(first_, chunk_, to);
      ends_[1].read(first_, chunk_, terminals_.data());
      for (std::size_t i = 0; i < chunk_; ++i) to[i] = to[i] != 0 && terminals_[i] == 0 ? 1 : 0;
      return chunk_;
    }
    const auto index = std::lower_bound(used_.begin(), used_.end(), array) - used_.begin();
    arrays_[static_cast<std::size_t>(index)]->read(first_, chunk_, to);
    return chunk_;
  }

 private:
  std::string label(const std::string& path) const { return fmt::format("{}: {}", name(), path); }

  Hdf5Array opened(const std::string& path) const { return {file_.open_array(path), label(path)}; }

  void add(const std::string& path, Hdf5Object object, int depth) {
    if (depth > deepest_groups || paths_.size() > most_arrays) {
      throw InvalidArgument(fmt::format("{} is one of more than {} arrays, or more than {} groups deep", label(path),
                                        most_arrays, deepest_groups));
    }
    if (object.is_group()) {
      for (const std::string& member : object.members()) {
        const std::string inner = fmt::format("{}/{}", path, member);
        add(inner, object.open(member), depth + 1);
      }
    }
    if (!object.is_array()) return;
    const Hdf5Array array(std::move(object), label(path));
    if (array.rank() == 0 || array.rows() != rows_) {
      add_unreadable(path, fmt::format("{} has {} rows, but there are {} rewards", array.label(),
                                       array.rank() == 0 ? 0 : array.rows(), rows_));
    } else if (!array.of_numbers()) {
      add_unreadable(path, array.label() + " does not hold numbers");
    } else if (array.width() > most_columns) {
      add_unreadable(path,
                     fmt::format("{} has {} columns; {} can be read", array.label(), array.width(), most_columns));
    } else {
      paths_.push_back(path);
      add_array(path, array.width() == 1, array.width());
    }
  }

  Hdf5Object file_;
  std::vector<std::string> paths_;         // of each array
  std::size_t derived_ = ~std::size_t{0};  // the array that is computed, if one is
  std::vector<std::size_t> used_;
  std::vector<std::optional<Hdf5Array>> arrays_;  // the selected ones
  std::vector<Hdf5Array> ends_;                   // of which timeouts are computed
  std::vector<double> terminals_;
  std::uint64_t rows_ = 0, read_ = 0, first_ = 0;
  std::size_t chunk_ = 0;
};

}  // namespace

std::unique_ptr<TableReader> open_flat_hdf5(const std::string& path, const TableOptions& options) {
  return std::make_unique<FlatHdf5Table>(path, options);
}

}  // namespace bellwether
