#include <bellwether/data/numpy/npz_steps.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/cells.h>
#include <bellwether/data/numpy/npz.h>
#include <bellwether/data/numpy/npz_features.h>
#include <bellwether/data/skipped_rows.h>

namespace bellwether {

namespace {

constexpr std::size_t chunk_numbers = 1 << 16;
constexpr std::size_t chunk_rows = 1 << 12;

const char* word(Layout layout) {
  switch (layout) {
    case Layout::dense: return "dense";
    case Layout::sparse: return "sparse";
    default: return "binary";
  }
}

/// An array of numbers for each step.
struct Numbers {
  std::string name;
  CellCheck check;
  NpyReader reader;
  std::vector<double> StepBlock::*target;  // where they are stored; null for rewards and restarts, which `add` handles
  std::vector<double> values;              // of the rows read last
};

class NpzSteps final : public StepReader {
 public:
  NpzSteps(const std::string& path, const TableOptions& options)
      : archive_(path),
        skips_(options.bad_rows == BadRows::skip),
        skipped_(options.bad_rows),
        x_(archive_, "x"),
        x_next_(archive_, "x_next") {
    rows_ = x_.rows();
    if (rows_ == 0) throw InvalidArgument(path + " holds no steps: 'x' has no rows");
    check_rows("x_next", x_next_.rows());
    if (x_.layout() != x_next_.layout()) {
      throw InvalidArgument(fmt::format("{}: 'x' is {}, 'x_next' {}", path, word(x_.layout()), word(x_next_.layout())));
    }
    find_dim();
    open("reward", finite, nullptr);
    open("discount", unit, &StepBlock::discount);
    if (archive_.has("rho")) open("rho", non_negative, &StepBlock::rho);
    if (archive_.has("pi")) open("pi", unit, &StepBlock::pi);
    if (archive_.has("interest")) open("interest", non_negative, &StepBlock::interest);
    if (archive_.has("restart")) open("restart", finite, nullptr, CellKind::flag);
  }

  const std::string& name() const override { return archive_.name(); }
  Layout layout() const override { return x_.layout(); }
  std::size_t dim() const override { return dim_; }
  std::optional<double> fraction() const override { return static_cast<double>(read_) / static_cast<double>(rows_); }
  std::uint64_t skipped() const override { return skipped_.count(); }
  std::string first_skipped() const override { return skipped_.first(); }

  bool read(StepBlock& block, std::size_t steps) override {
    block.clear(layout(), dim_, numbers_[0].reader.width());
    const std::size_t most =
        layout() == Layout::dense ? std::clamp<std::size_t>(chunk_numbers / dim_, 1, chunk_rows) : chunk_rows;
    while (block.size() < steps && read_ < rows_) {
      const auto count = std::min<std::uint64_t>({steps - block.size(), most, rows_ - read_});
      for (Numbers& array : numbers_) {
        array.values.resize(count * array.reader.width());
        array.reader.read(count, array.values.data());
      }
      x_.read(count);
      x_next_.read(count);
      for (std::size_t i = 0; i < count; ++i, ++read_) {
        if (skipped_.accept([&] { check(i); })) add(block, i);
        else gap_ = true;
      }
    }
    return block.size() > 0;
  }

 private:
  void check_rows(const std::string& array, std::uint64_t rows) const {
    if (rows == rows_) return;
    throw InvalidArgument(fmt::format("{}: '{}' has {} rows, 'x' {}", name(), array, rows, rows_));
  }

  void find_dim() {
    std::uint64_t dim = x_.dim().value_or(x_next_.dim().value_or(0));
    if (dim == 0) dim = std::max(x_.least_dim(archive_), x_next_.least_dim(archive_));
    if (x_next_.dim().value_or(dim) != dim) {
      throw InvalidArgument(fmt::format("{}: 'x_next' has {} columns, 'x' {}", name(), *x_next_.dim(), dim));
    }
    dim_ = static_cast<std::size_t>(dim);
  }

  void open(const std::string& array, Range range, std::vector<double> StepBlock::*target,
            CellKind kind = CellKind::number) {
    NpyReader reader = archive_.open(array);
    if (const std::string objection = reader.objection(); !objection.empty()) throw InvalidArgument(objection);
    if (reader.header().records || reader.rank() == 0)
      throw InvalidArgument(reader.owner() + " is not a list of numbers");
    check_rows(array, reader.rows());
    const bool targets = array == "reward";
    if (reader.width() == 0 || (!targets && reader.width() != 1)) {
      throw InvalidArgument(fmt::format("{} has {} numbers a step", reader.owner(), reader.width()));
    }
    const CellCheck check({.name = array, .kind = kind, .range = range});
    numbers_.push_back({array, check, std::move(reader), target, {}});
  }

  /// Throws InvalidArgument when something is wrong with step i of the chunk.
  void check(std::size_t i) {
    for (const Numbers& array : numbers_) {
      const std::size_t width = array.reader.width();
      for (std::size_t k = 0; k < width; ++k) {
        const double value = array.values[i * width + k];
        if (array.check.accepts(value)) continue;
        const std::string column = array.reader.rank() == 1 ? array.name : fmt::format("{}.{}", array.name, k);
        throw InvalidArgument(array.check.objection(location(name(), read_ + 1, column), value));
      }
    }
    for (NpzFeatures* rows : {&x_, &x_next_}) {
      const std::string objection = rows->objection(i, dim_);
      if (!objection.empty()) throw InvalidArgument(fmt::format("{}: row {}, {}", name(), read_ + 1, objection));
    }
  }

  void add(StepBlock& block, std::size_t i) {
    x_.append(i, block.x);
    x_next_.append(i, block.x_next);
    const std::size_t targets = block.rewards.size();
    for (std::size_t k = 0; k < targets; ++k) block.rewards[k].push_back(numbers_[0].values[i * targets + k]);
    for (const Numbers& array : numbers_) {
      if (array.target != nullptr) (block.*array.target).push_back(array.values[i]);
    }
    const bool given = numbers_.back().name == "restart";
    const bool restart = gap_ || (given && numbers_.back().values[i] != 0);
    if (given || skips_) block.restart.push_back(restart ? 1 : 0);
    gap_ = false;
  }

  NpzArchive archive_;
  bool skips_;
  SkippedRows skipped_;
  NpzFeatures x_, x_next_;
  std::vector<Numbers> numbers_;  // the reward first
  std::uint64_t rows_ = 0;
  std::uint64_t read_ = 0;
  std::size_t dim_ = 0;
  bool gap_ = false;  // the previous step was skipped
};

}  // namespace

std::unique_ptr<StepReader> open_npz_steps(const std::string& path, const TableOptions& options) {
  return std::make_unique<NpzSteps>(path, options);
}

bool holds_steps(const std::string& path) {
  if (!path.ends_with(".npz")) return false;
  const NpzArchive archive(path);
  return NpzFeatures::in(archive, "x") && NpzFeatures::in(archive, "x_next") && archive.has("reward") &&
         archive.has("discount");
}

}  // namespace bellwether
