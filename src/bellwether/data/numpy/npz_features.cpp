#include <bellwether/data/numpy/npz_features.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/memory.h>
#include <bellwether/data/table.h>

namespace bellwether {

namespace {

constexpr std::uint64_t most_features = std::numeric_limits<std::uint32_t>::max();

bool is_finite(double value) { return value - value == 0; }

/// One of the `size` counts in an array such as `dim` or `x_shape`.
std::uint64_t count_in(NpyReader reader, std::size_t index, std::size_t size) {
  if (reader.rank() > 1 || reader.rows() != size || !reader.of_integers()) {
    throw InvalidArgument(fmt::format("{} is not {}", reader.owner(), size == 1 ? "an integer" : "rows and columns"));
  }
  std::vector<double> numbers(size);
  reader.read(size, numbers.data());
  if (!(numbers[index] >= 1) || numbers[index] > static_cast<double>(most_features)) {
    throw InvalidArgument(fmt::format("{} = {} is outside [1, {}]", reader.owner(), numbers[index], most_features));
  }
  return static_cast<std::uint64_t>(numbers[index]);
}

}  // namespace

bool NpzFeatures::in(const NpzArchive& archive, const std::string& name) {
  return archive.has(name) || (archive.has(name + "_indices") && archive.has(name + "_indptr"));
}

NpyReader NpzFeatures::open(const NpzArchive& archive, const std::string& suffix) const {
  NpyReader reader = archive.open(name_ + suffix);
  std::string objection = reader.objection();
  if (objection.empty() && reader.header().records) objection = reader.owner() + " holds records, not numbers";
  if (objection.empty() && !suffix.empty() && reader.rank() != 1) objection = reader.owner() + " is not a list";
  if (objection.empty() && reader.rank() == 0) objection = reader.owner() + " has no rows";
  if (!objection.empty()) throw InvalidArgument(objection);
  return reader;
}

NpzFeatures::NpzFeatures(const NpzArchive& archive, std::string name) : file_(archive.name()), name_(std::move(name)) {
  if (archive.has(name_) || !archive.has(name_ + "_indices")) {
    values_reader_ = open(archive, "");
    rows_ = values_reader_->rows();
    dim_ = values_reader_->width();
    if (rows_ > 0 && (*dim_ == 0 || *dim_ > most_features)) {
      throw InvalidArgument(fmt::format("{} has {} columns", values_reader_->owner(), *dim_));
    }
    return;
  }
  indices_reader_ = open(archive, "_indices");
  offsets_reader_ = open(archive, "_indptr");
  for (const auto* reader : {&indices_reader_, &offsets_reader_}) {
    if (!(*reader)->of_integers()) throw InvalidArgument((*reader)->owner() + " does not hold integers");
  }
  entries_ = indices_reader_->rows();
  layout_ = archive.has(name_ + "_data") ? Layout::sparse : Layout::binary;
  if (layout_ == Layout::sparse) {
    values_reader_ = open(archive, "_data");
    if (values_reader_->rows() != entries_) {
      throw InvalidArgument(fmt::format("{}: '{}_data' has {} entries, '{}_indices' {}", file_, name_,
                                        values_reader_->rows(), name_, entries_));
    }
  }
  if (offsets_reader_->rows() == 0) throw InvalidArgument(offsets_reader_->owner() + " is empty");
  rows_ = offsets_reader_->rows() - 1;
  offsets_.resize(1);
  offsets_reader_->read(1, offsets_.data());
  if (offsets_[0] != 0)
    throw InvalidArgument(fmt::format("{} begins with {}, not 0", offsets_reader_->owner(), offsets_[0]));
  if (archive.has(name_ + "_shape")) {
    if (const std::uint64_t n = count_in(archive.open(name_ + "_shape"), 0, 2); n != rows_) {
      throw InvalidArgument(fmt::format("{}: '{}_shape' has {} rows, '{}_indptr' {}", file_, name_, n, name_, rows_));
    }
    dim_ = count_in(archive.open(name_ + "_shape"), 1, 2);
  } else if (archive.has("dim")) {
    dim_ = count_in(archive.open("dim"), 0, 1);
  }
}

std::uint64_t NpzFeatures::least_dim(const NpzArchive& archive) const {
  NpyReader reader = open(archive, "_indices");
  std::vector<double> numbers(std::size_t{1} << 13);
  double largest = 0;
  for (std::uint64_t left = entries_; left > 0;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, numbers.size()));
    reader.read(count, numbers.data());
    largest =
        std::max(largest, *std::max_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count)));
    left -= count;
  }
  if (largest >= static_cast<double>(most_features)) {
    throw InvalidArgument(fmt::format("{} holds {}; {} features are the most", reader.owner(), largest, most_features));
  }
  return static_cast<std::uint64_t>(largest) + 1;
}

void NpzFeatures::read(std::size_t count) {
  const auto require_room = [&](double numbers) {
    require_memory(numbers * sizeof(double), fmt::format("{}: a block of rows of '{}'", file_, name_),
                   "the file is not what it should be, or has too large rows");
  };
  if (layout_ == Layout::dense) {
    require_room(static_cast<double>(count) * static_cast<double>(*dim_));
    values_.resize(count * *dim_);
    values_reader_->read(count, values_.data());
    return;
  }
  row_ += offsets_.size() - 1;
  const double begin = offsets_.back();
  offsets_.resize(count + 1);
  offsets_[0] = begin;
  offsets_reader_->read(count, offsets_.data() + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (offsets_[i + 1] < offsets_[i] || offsets_[i + 1] > static_cast<double>(entries_)) {
      throw InvalidArgument(fmt::format("{}: row {} ends at entry {}, but begins at {} and there are {}",
                                        offsets_reader_->owner(), row_ + i + 1, offsets_[i + 1], offsets_[i],
                                        entries_));
    }
  }
  if (row_ + count == rows_ && offsets_.back() != static_cast<double>(entries_)) {
    throw InvalidArgument(
        fmt::format("{}: '{}_indptr' ends at entry {}, but there are {}", file_, name_, offsets_.back(), entries_));
  }
  const auto entries = static_cast<std::size_t>(offsets_.back() - begin);
  require_room(2 * static_cast<double>(entries));
  indices_.resize(entries);
  indices_reader_->read(entries, indices_.data());
  if (layout_ == Layout::binary) return;
  values_.resize(entries);
  values_reader_->read(entries, values_.data());
}

std::string NpzFeatures::objection(std::size_t i, std::size_t dim) {
  const bool dense = layout_ == Layout::dense;
  const std::size_t begin = dense ? i * dim : first(i);
  const std::size_t size = dense ? dim : first(i + 1) - begin;
  if (!dense) {
    if (std::string wrong = objection_to_indices(indices_.data() + begin, size, dim); !wrong.empty()) return wrong;
  }
  if (layout_ == Layout::binary) return {};
  const double* values = values_.data() + begin;
  bool all_finite = true;
  for (std::size_t j = 0; j < size; ++j) all_finite &= is_finite(values[j]);
  if (all_finite) return {};
  const auto j = static_cast<std::size_t>(std::find_if_not(values, values + size, is_finite) - values);
  return dense ? fmt::format("column '{}.{}': '{}' is not finite", name_, j, values[j])
               : fmt::format("array '{}_data': '{}' is not finite", name_, values[j]);
}

std::string NpzFeatures::objection_to_indices(const double* indices, std::size_t size, std::size_t dim) {
  bool ascending = true;
  for (std::size_t j = 0; j < size; ++j) {
    if (!(indices[j] >= 0 && indices[j] < static_cast<double>(dim))) {
      return fmt::format("array '{}_indices': {} is outside [0, {})", name_, indices[j], dim);
    }
    ascending &= j == 0 || indices[j] > indices[j - 1];
  }
  if (ascending) return {};
  sorted_.assign(indices, indices + size);
  std::sort(sorted_.begin(), sorted_.end());
  const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end());
  return twice == sorted_.end() ? "" : fmt::format("array '{}_indices': {} occurs twice", name_, *twice);
}

void NpzFeatures::append(std::size_t i, RowBuffer& to) {
  if (layout_ == Layout::dense) {
    to.append(DenseView{values_.data() + i * to.dim(), to.dim()});
    return;
  }
  const std::size_t begin = first(i);
  const std::size_t size = first(i + 1) - begin;
  row_indices_.resize(size);
  std::transform(indices_.begin() + static_cast<std::ptrdiff_t>(begin),
                 indices_.begin() + static_cast<std::ptrdiff_t>(begin + size), row_indices_.begin(),
                 [](double index) { return static_cast<std::uint32_t>(index); });
  if (layout_ == Layout::binary) to.append(BinaryView{row_indices_.data(), size});
  else to.append(SparseView{row_indices_.data(), values_.data() + begin, size});
}

}  // namespace bellwether
