#include <bellwether/data/arrow/arrow_column.h>

#include <limits>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/arrow/arrow_values.h>

namespace bellwether {

using Kind = ArrowType::Kind;

void ArrowColumn::reject(const std::string& why) const {
  throw InvalidArgument(fmt::format("column '{}': {}", name_, why));
}

void ArrowColumn::attach(const ArrowArray& rows) {
  arrays_.assign(1, &rows);
  const auto check = [this](const ArrowArray& array, const ArrowType& type) {
    if (const std::string objection = arrow_values::objection_to(array, type); !objection.empty()) reject(objection);
  };
  for (const Step& step : path_) {
    const ArrowArray& array = *arrays_.back();
    check(array, step.from);
    const std::int64_t child = step.from.kind == Kind::record ? step.which : 0;
    const bool there = !step.dictionary && array.n_children > child && array.children != nullptr;
    const ArrowArray* const inner = step.dictionary ? array.dictionary : there ? array.children[child] : nullptr;
    if (inner == nullptr) reject(step.dictionary ? "the dictionary is missing" : "an array within it is missing");
    arrays_.push_back(inner);
    if (step.from.kind != Kind::record && step.from.kind != Kind::fixed_list) continue;
    const std::int64_t width = step.from.kind == Kind::record ? 1 : step.from.width;
    const std::int64_t values = array.offset + array.length;
    if (width > 0 && values > inner->length / width) {
      reject(fmt::format("an array within it has {} values, not {} times {}", inner->length, values, width));
    }
  }
  check(*arrays_.back(), type_);
}

/// The place of a value in the array after a step, from its place in the array before it.
std::int64_t ArrowColumn::next(std::size_t i, std::int64_t index) const {
  const Step& step = path_[i];
  const ArrowArray& array = *arrays_[i];
  const ArrowArray& inner = *arrays_[i + 1];
  const std::int64_t at = array.offset + index;
  if (!arrow_values::valid(array, at)) return missing;
  if (step.dictionary) {
    const std::int64_t key = arrow_values::integer(array, step.from.number, at);
    if (key >= 0 && key < inner.length) return key;
    reject(fmt::format("value {} of a dictionary with {} values", key, inner.length));
  }
  if (step.from.kind == Kind::record) return at;
  if (step.from.kind == Kind::fixed_list) return at * step.from.width + step.which;
  const auto [begin, end] = arrow_values::extent(array, step.from, at);
  if (begin < 0 || end < begin || end > inner.length) {
    reject(fmt::format("a list reaches from {} to {} of {} values", begin, end, inner.length));
  }
  return end - begin == step.width ? begin + step.which : other_width;
}

const std::vector<std::int64_t>& ArrowColumn::locate(std::int64_t first_row, std::size_t count) {
  positions_.resize(count);
  for (std::size_t r = 0; r < count; ++r) positions_[r] = first_row + static_cast<std::int64_t>(r);
  for (std::size_t i = 0; i < path_.size(); ++i) {
    for (std::int64_t& position : positions_) {
      if (position >= 0) position = next(i, position);
    }
  }
  const ArrowArray& values = *arrays_.back();
  for (std::int64_t& position : positions_) {
    if (position < 0) continue;
    position += values.offset;
    if (type_.kind == Kind::nothing || !arrow_values::valid(values, position)) position = missing;
  }
  return positions_;
}

void ArrowColumn::numbers(double* to, std::size_t stride) const {
  const std::size_t count = positions_.size();
  for (std::size_t i = 0; i < count;) {
    if (positions_[i] < 0) {
      to[i++ * stride] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    // As many as are the same distance apart, which is nearly always all of them.
    std::size_t end = i + 1;
    const std::int64_t step = end < count ? positions_[end] - positions_[i] : 1;
    if (step > 0) {
      while (end < count && positions_[end] - positions_[end - 1] == step) ++end;
    }
    arrow_values::numbers(*arrays_.back(), type_, positions_[i], step, end - i, to + i * stride, stride);
    i = end;
  }
}

std::string_view ArrowColumn::text(std::int64_t position) const {
  try {
    return arrow_values::text(*arrays_.back(), type_, position);
  } catch (const InvalidArgument& error) {
    reject(error.what());
  }
}

std::string ArrowColumn::shown(std::int64_t position) const {
  return arrow_values::shown(*arrays_.back(), type_, position);
}

std::int64_t ArrowColumn::list_length(std::int64_t position) const {
  const auto [begin, end] = arrow_values::extent(*arrays_.back(), type_, position);
  if (begin < 0 || end < begin) reject(fmt::format("a list reaches from {} to {}", begin, end));
  return end - begin;
}

std::string ArrowColumn::width_objection(std::int64_t row) const {
  std::int64_t index = row;
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const std::int64_t inner = next(i, index);
    if (inner == other_width) {
      const auto [begin, end] = arrow_values::extent(*arrays_[i], path_[i].from, arrays_[i]->offset + index);
      return fmt::format("a list of '{}' has {} value{}, the first row {}", name_, end - begin,
                         end - begin == 1 ? "" : "s", path_[i].width);
    }
    index = inner;
  }
  return {};
}

}  // namespace bellwether
