#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

namespace bellwether::python {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

std::optional<Array> as_array(nb::handle object) {
  Array array;
  if (nb::try_cast(object, array, false)) return array;
  return std::nullopt;
}

std::string text(nb::handle object) { return nb::cast<std::string>(nb::str(object)); }

template <class T>
bool holds(const Array& array) {
  return array.dtype() == nb::dtype<T>();
}

bool in_order(const Array& array) {  // rows one after another, without gaps
  std::int64_t stride = 1;
  for (std::size_t i = array.ndim(); i-- > 0;) {
    if (array.shape(i) > 1 && array.stride(i) != stride) return false;
    stride *= static_cast<std::int64_t>(array.shape(i));
  }
  return true;
}

/// NumPy's own conversion, for what need not be fast.
nb::object converted(nb::handle object, const char* dtype) {
  return nb::module_::import_("numpy").attr("ascontiguousarray")(object, nb::arg("dtype") = dtype);
}

/// A copy of an array of integers, each in [0, 2^32).
template <class T>
std::unique_ptr<std::uint32_t[]> copied_indices(const char* argument, const Array& array) {
  const T* from = static_cast<const T*>(array.data());
  const std::size_t size = array.size();
  auto to = std::make_unique_for_overwrite<std::uint32_t[]>(size);
  std::uint64_t all = 0;  // bits that are set in some index: one check for all is faster than one for each
  for (std::size_t i = 0; i < size; ++i) {
    all |= static_cast<std::uint64_t>(from[i]);
    to[i] = static_cast<std::uint32_t>(from[i]);
  }
  constexpr std::uint64_t highest = std::numeric_limits<std::uint32_t>::max();
  if (all <= highest) return to;
  const T* wrong = std::find_if(from, from + size, [](T index) { return static_cast<std::uint64_t>(index) > highest; });
  throw nb::value_error(fmt::format("{}: {} is not the index of a feature", argument, *wrong).c_str());
}

/// The memory of an array of indices, or a copy in `own` where its numbers are of another kind.
const std::uint32_t* indices_of(const char* argument, nb::object& object, std::unique_ptr<std::uint32_t[]>& own) {
  std::optional<Array> array = as_array(object);
  if (!array || !in_order(*array)) {
    object = nb::module_::import_("numpy").attr("ascontiguousarray")(object);
    array = as_array(object);
  }
  if (!array) reject(argument, object, "an array of integers");
  if (holds<std::uint32_t>(*array) || holds<std::int32_t>(*array)) {
    // A negative int32 becomes a large index, which the check of indices refuses.
    return static_cast<const std::uint32_t*>(array->data());
  }
  if (holds<std::int64_t>(*array)) own = copied_indices<std::int64_t>(argument, *array);
  else if (holds<std::uint64_t>(*array)) own = copied_indices<std::uint64_t>(argument, *array);
  else reject(argument, object, "an array of integers");
  return own.get();
}

}  // namespace

std::string described(nb::handle object) {
  if (nb::hasattr(object, "shape") && nb::hasattr(object, "dtype")) {
    return fmt::format("an array of shape {} and dtype {}", text(object.attr("shape")), text(object.attr("dtype")));
  }
  return fmt::format("{} ({})", text(nb::repr(object)).substr(0, 60), text(object.type().attr("__name__")));
}

void reject(const char* argument, nb::handle object, const std::string& expected) {
  throw nb::value_error(fmt::format("{} is {}; {} is expected", argument, described(object), expected).c_str());
}

bool are_between(const double* values, std::size_t size, double low, double high) {
  unsigned outside = 0;
  for (std::size_t i = 0; i < size; ++i) {
    outside |= static_cast<unsigned>(!(values[i] >= low)) | static_cast<unsigned>(!(values[i] <= high));
  }
  return outside == 0;
}

std::optional<std::uint32_t> index_twice(std::span<const std::uint32_t> row, std::vector<std::uint32_t>& space) {
  bool ascending = true;
  for (std::size_t k = 1; k < row.size(); ++k) ascending &= row[k - 1] < row[k];
  if (ascending) return std::nullopt;
  space.assign(row.begin(), row.end());
  std::sort(space.begin(), space.end());
  const auto twice = std::adjacent_find(space.begin(), space.end());
  return twice == space.end() ? std::nullopt : std::optional(*twice);
}

Active::Active(nb::object object, std::size_t features) : array(std::move(object)), dim(features) {
  indices = indices_of("indices", array, copied);
  const std::optional<Array> now = as_array(array);
  if (now->ndim() != 1 && now->ndim() != 2) reject("indices", array, "a row of indices for each state");
  one = now->ndim() == 1;
  rows = one ? 1 : now->shape(0);
  each = one ? now->shape(0) : now->shape(1);
}

Rows::Rows(const char* argument, nb::object object) {
  if (nb::isinstance<Active>(object)) take_active(nb::cast<const Active&>(object));
  else if (nb::hasattr(object, "indptr")) take_csr(argument, object);
  else take_dense(argument, object);
  owners_.push_back(std::move(object));
  check(argument);
}

void Rows::take_dense(const char* argument, const nb::object& object) {
  const std::optional<Array> array = as_array(object);
  const bool floating = array && (holds<double>(*array) || holds<float>(*array));
  if (array && !floating && array->ndim() == 2 &&
      array->dtype().code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float)) {
    reject(argument, object,
           "a float64 or float32 array of features, a row for each state (or Active(indices, dim), where these are the "
           "indices of active features)");
  }
  if (!floating || array->ndim() != 2) {
    reject(argument, object, "a float64 or float32 array with a row of features for each state");
  }
  layout_ = Layout::dense;
  size_ = array->shape(0);
  dim_ = array->shape(1);
  row_stride_ = array->stride(0);
  column_stride_ = array->stride(1);
  contiguous_ = in_order(*array);
  if (holds<double>(*array)) values_ = static_cast<const double*>(array->data());
  else floats_ = static_cast<const float*>(array->data());
}

void Rows::take_csr(const char* argument, const nb::object& matrix) {
  if (!nb::hasattr(matrix, "format") || text(matrix.attr("format")) != "csr") {
    reject(argument, matrix, "a matrix in CSR format (`.tocsr()`)");
  }
  const auto shape = nb::cast<std::pair<std::size_t, std::size_t>>(nb::tuple(matrix.attr("shape")));
  size_ = shape.first;
  dim_ = shape.second;
  nb::object indices = matrix.attr("indices");
  nb::object data = matrix.attr("data");
  const bool boolean = text(data.attr("dtype")) == "bool";
  if (boolean && !nb::cast<bool>(nb::bool_(nb::object(data.attr("all")()))))
    reject(argument, matrix, "a boolean matrix that stores no False");
  layout_ = boolean ? Layout::binary : Layout::sparse;
  indices_ = indices_of(argument, indices, own_indices_);
  if (!boolean) {
    std::optional<Array> numbers = as_array(data);
    if (!numbers || !(holds<double>(*numbers) || holds<float>(*numbers)) || !in_order(*numbers)) {
      data = converted(data, "float64");
      numbers = as_array(data);
    }
    if (holds<double>(*numbers)) values_ = static_cast<const double*>(numbers->data());
    else floats_ = static_cast<const float*>(numbers->data());
  }
  nb::object offsets = matrix.attr("indptr");
  if (const std::optional<Array> starts = as_array(offsets);
      !starts || !holds<std::int64_t>(*starts) || !in_order(*starts)) {
    offsets = converted(offsets, "int64");
  }
  offsets_ = static_cast<const std::size_t*>(as_array(offsets)->data());
  stored_ = as_array(indices)->size();
  if (as_array(offsets)->size() != size_ + 1 || nb::len(data) != stored_) {
    reject(argument, matrix, "a CSR matrix whose indptr, indices and data belong together");
  }
  owners_.insert(owners_.end(), {std::move(indices), std::move(data), std::move(offsets)});
}

void Rows::take_active(const Active& active) {
  layout_ = Layout::binary;
  size_ = active.rows;
  dim_ = active.dim;
  indices_ = active.indices;
  each_ = active.each;
  stored_ = size_ * each_;
  for (std::size_t i = 0; i <= std::min(size_, block + 1); ++i) multiples_.push_back(i * each_);
}

double Rows::dense_value(std::size_t row, std::size_t column) const {
  const std::int64_t at =
      static_cast<std::int64_t>(row) * row_stride_ + static_cast<std::int64_t>(column) * column_stride_;
  return values_ != nullptr ? values_[at] : static_cast<double>(floats_[at]);
}

FeatureRows Rows::view(std::size_t first, std::size_t count, std::vector<double>& space) const {
  FeatureRows rows{.layout = layout_, .dim = dim_, .rows = count};
  if (layout_ == Layout::dense) {
    if (direct()) {
      rows.values = values_ + first * dim_;
      return rows;
    }
    space.resize(count * dim_);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < dim_; ++j) space[i * dim_ + j] = dense_value(first + i, j);
    }
    rows.values = space.data();
    return rows;
  }
  if (offsets_ == nullptr) {
    rows.indices = indices_ + offset(first);
    rows.offsets = multiples_.data();
    return rows;
  }
  rows.indices = indices_;
  rows.offsets = offsets_ + first;
  rows.values = values_;
  if (floats_ != nullptr) {
    const std::size_t begin = offsets_[first];
    space.assign(floats_ + begin, floats_ + offsets_[first + count]);
    rows.values = space.data() - begin;  // offsets count from the beginning of the matrix
  }
  return rows;
}

/// Whether certainly nothing is wrong. No number has a branch of its own, so that several are looked at at once.
bool Rows::is_sound() const {
  if (layout_ == Layout::dense) {
    return direct() && are_between(values_, size_ * dim_, -largest, largest);
  }
  if (offsets_ != nullptr) {
    bool sound = offsets_[size_] <= stored_;
    for (std::size_t i = 0; i < size_; ++i) sound &= offsets_[i] <= offsets_[i + 1];
    if (!sound) return false;
  }
  const std::size_t first = offset(0);
  const std::size_t end = offset(size_);
  if (values_ != nullptr && !are_between(values_ + first, end - first, -largest, largest)) return false;
  if (floats_ != nullptr) return false;

  // All rows ascend if the indices fall nowhere but where a row begins. Numbers without a sign take longer to compare.
  if (dim_ == 0 || dim_ > 1ULL << 31U || first == end) return dim_ > 0 && first == end;
  const auto* const index = reinterpret_cast<const std::int32_t*>(indices_);
  std::int32_t set = index[first];  // bits that are set in some index
  std::uint32_t falls = 0;
  for (std::size_t k = first + 1; k < end; ++k) {
    set |= index[k];
    falls += static_cast<std::uint32_t>(index[k] <= index[k - 1]);
  }
  const auto highest = static_cast<std::int32_t>(dim_ - 1);
  if (set < 0 || (set > highest && *std::max_element(index + first, index + end) > highest)) return false;
  for (std::size_t i = 1; i < size_; ++i) {
    const std::size_t k = offset(i);
    if (k > first && k < offset(i + 1)) falls -= static_cast<std::uint32_t>(index[k] <= index[k - 1]);
  }
  return falls == 0;
}

void Rows::check(const char* argument) const {
  if (is_sound()) return;
  const auto refuse = [&](std::size_t row, const std::string& why) {
    throw nb::value_error(fmt::format("{}: row {} {}", argument, row, why).c_str());
  };
  if (layout_ == Layout::dense) {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < dim_; ++j) {
        if (!std::isfinite(dense_value(i, j))) refuse(i, "has a feature that is not finite");
      }
    }
    return;
  }
  std::vector<std::uint32_t> sorted;
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t begin = offset(i);
    const std::size_t end = offset(i + 1);
    if (begin > end || end > stored_) refuse(i, "ends before it begins, or after the matrix");
    for (std::size_t k = begin; k < end; ++k) {
      if (indices_[k] >= dim_) {
        refuse(i, fmt::format("has the index {}; there are {} features", static_cast<std::int32_t>(indices_[k]), dim_));
      }
      if (values_ != nullptr ? !std::isfinite(values_[k]) : floats_ != nullptr && !std::isfinite(floats_[k])) {
        refuse(i, fmt::format("has a feature {} that is not finite", indices_[k]));
      }
    }
    const std::span row(indices_ + begin, end - begin);
    if (const auto twice = index_twice(row, sorted)) refuse(i, fmt::format("has the index {} twice", *twice));
  }
}

Column::Column(const char* argument, const nb::object& object, std::size_t size) {
  double one = 0;
  if (nb::try_cast(object, one, true) && !nb::hasattr(object, "__len__")) {
    own_.assign(size, one);
    data_ = own_.data();
  } else {
    owner_ = object;
    std::optional<Array> array = as_array(owner_);
    if (!array || !holds<double>(*array) || !in_order(*array)) {
      try {
        owner_ = converted(object, "float64");
      } catch (const nb::python_error&) {
        reject(argument, object, fmt::format("a float64 array of shape ({},)", size));
      }
      array = as_array(owner_);
    }
    if (array->ndim() != 1 || array->shape(0) != size) {
      reject(argument, object, fmt::format("a float64 array of shape ({},)", size));
    }
    data_ = static_cast<const double*>(array->data());
  }
  if (are_between(data_, size, -largest, largest)) return;
  const auto* bad = std::find_if(data_, data_ + size, [](double v) { return !std::isfinite(v); });
  throw nb::value_error(fmt::format("{}: entry {} is {}, which is not finite", argument, bad - data_, *bad).c_str());
}

nb::object numpy_array(std::vector<double> values) {
  auto* const owned = new std::vector<double>(std::move(values));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  const std::size_t shape[] = {owned->size()};
  return nb::cast(nb::ndarray<nb::numpy, double>(owned->data(), 1, shape, owner));
}

}  // namespace bellwether::python
