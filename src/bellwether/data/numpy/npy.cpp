#include <bellwether/data/numpy/npy.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bellwether/core/error.h>

namespace bellwether {

namespace {

constexpr std::size_t chunk_bytes = 1 << 16;

}  // namespace

NpyReader::NpyReader(std::unique_ptr<ByteSource> bytes, std::string owner)
    : bytes_(std::move(bytes)), owner_(std::move(owner)), header_(read_npy_header(*bytes_, owner_)) {
  if (header_.file_size() > bytes_->size() && objection().empty()) {
    throw IoError(fmt::format("{} ends too early: {} bytes of its {} elements are missing", owner_,
                              header_.file_size() - bytes_->size(), header_.elements()));
  }
  for (std::size_t i = 1; i < rank(); ++i) row_elements_ *= rows() == 0 ? 0 : header_.shape[i];
  for (const NpyField& field : header_.fields) element_width_ += field.count;
}

bool NpyReader::of_integers() const {
  return std::all_of(header_.fields.begin(), header_.fields.end(),
                     [](const NpyField& field) { return field.type.integer(); });
}

std::string NpyReader::objection() const {
  if (header_.fields.empty()) {
    return fmt::format("{} has dtype '{}', which is not a type of plain numbers (float32, float64, integers, bool)",
                       owner_, header_.dtype);
  }
  const auto long_dimensions =
      std::count_if(header_.shape.begin(), header_.shape.end(), [](std::uint64_t length) { return length > 1; });
  if (header_.fortran_order && long_dimensions > 1) {
    return fmt::format("{} is in Fortran order, column by column; save it as np.ascontiguousarray(...)", owner_);
  }
  return {};
}

void NpyReader::convert(const char* elements, std::size_t count, double* to) const {
  for (const NpyField& field : header_.fields) {
    convert_numbers(
        field.type, elements + field.offset, to,
        {.count = count, .size = field.count, .from_stride = header_.element_size, .to_stride = element_width_});
    to += field.count;
  }
}

void NpyReader::read(std::size_t rows, double* to) {
  if (const std::string why = objection(); !why.empty()) throw InvalidArgument(why);
  const auto fill = [this](char* buffer, std::size_t size) {
    if (bytes_->read(buffer, size) != size) throw IoError(owner_ + " ends too early");
  };
  std::size_t left = rows * row_elements_;
  const NumberType& type = header_.fields[0].type;
  if (!header_.records && type.kind == 'f' && type.size == 8 && !type.big_endian) {
    fill(reinterpret_cast<char*>(to), left * sizeof(double));
    return;
  }
  const std::size_t most = std::max<std::size_t>(1, chunk_bytes / std::max<std::size_t>(1, header_.element_size));
  buffer_.resize(std::min(most, left) * header_.element_size);
  for (std::size_t count = 0; left > 0; left -= count, to += count * element_width_) {
    count = std::min(most, left);
    fill(buffer_.data(), count * header_.element_size);
    convert(buffer_.data(), count, to);
  }
}

void write_npy(std::ostream& out, std::span<const double> values, std::span<const std::size_t> shape) {
  assert(values.size() == std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}), }}",
                                   fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t before = 10;     // the magic word, the version and the length of the header
  constexpr std::size_t alignment = 64;  // of the numbers, so the file can be mapped into memory
  header.resize((before + header.size() + alignment) / alignment * alignment - before, ' ');
  header.back() = '\n';
  out << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size() % 256) << static_cast<char>(header.size() / 256)
      << header;
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

}  // namespace bellwether
