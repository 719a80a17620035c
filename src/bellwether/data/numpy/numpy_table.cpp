#include <bellwether/data/numpy/numpy_table.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/array_table.h>
#include <bellwether/data/numpy/npz.h>

namespace bellwether {

namespace {

/// Why an array cannot be part of a table; empty when it can.
std::string objection_to(const NpyReader& reader) {
  if (std::string objection = reader.objection(); !objection.empty()) return objection;
  if (reader.header().records && reader.rank() != 1) return reader.owner() + " is not a list of records";
  if (reader.rank() == 0 || reader.rows() == 0) return reader.owner() + " has no rows";
  if (reader.width() > ArrayTable::most_columns) {
    return fmt::format("{} has {} columns; {} can be read", reader.owner(), reader.width(), ArrayTable::most_columns);
  }
  return {};
}

class NumpyTable final : public ArrayTable {
 public:
  NumpyTable(const std::string& path, const TableOptions& options) : ArrayTable(path, options) {}

  /// Adds an array whose columns are called `name`; the names of its fields begin with `inside`.
  void add(const std::string& name, const std::string& inside, NpyReader reader) {
    if (std::string objection = objection_to(reader); !objection.empty()) {
      add_unreadable(name, std::move(objection));
      return;
    }
    if (reader.header().records) add_records(inside, reader);
    else add_array(name, reader.rank() == 1, reader.width());
    labels_.push_back(name);
    readers_.push_back(std::move(reader));
  }

  std::optional<double> fraction() const override {
    return rows_ == 0 ? 0 : static_cast<double>(read_) / static_cast<double>(rows_);
  }

 protected:
  void use(const std::vector<std::size_t>& arrays) override {
    for (const std::size_t array : arrays) {
      const NpyReader& reader = readers_[array];
      if (rows_ != 0 && reader.rows() != rows_) {
        throw InvalidArgument(fmt::format("{}: mixed dimensions: '{}' has {} rows, '{}' {}", name(), labels_[array],
                                          reader.rows(), labels_[arrays[0]], rows_));
      }
      rows_ = reader.rows();
    }
  }

  std::size_t advance(std::size_t most) override {
    chunk_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, rows_ - read_));
    read_ += chunk_;
    return chunk_;
  }

  std::size_t fetch(std::size_t array, double* to) override {
    readers_[array].read(chunk_, to);
    return chunk_;
  }

 private:
  void add_records(const std::string& inside, const NpyReader& reader) {
    std::vector<std::string> names;
    for (const NpyField& field : reader.header().fields) {
      if (field.scalar) names.push_back(inside + field.name);
      for (std::size_t i = 0; !field.scalar && i < field.count; ++i) {
        names.push_back(fmt::format("{}{}.{}", inside, field.name, i));
      }
    }
    add_array(names);
    for (const std::string& other : reader.header().others) {
      add_unreadable(inside + other, fmt::format("{}: field '{}' does not hold numbers", reader.owner(), other));
    }
  }

  std::vector<std::string> labels_;
  std::vector<NpyReader> readers_;
  std::uint64_t rows_ = 0;
  std::uint64_t read_ = 0;
  std::size_t chunk_ = 0;
};

}  // namespace

std::unique_ptr<TableReader> open_numpy_table(const std::string& path, const TableOptions& options) {
  auto table = std::make_unique<NumpyTable>(path, options);
  if (path.ends_with(".npz")) {
    const NpzArchive archive(path);
    if (archive.arrays().empty()) throw InvalidArgument(path + " holds no arrays");
    for (const std::string& array : archive.arrays()) table->add(array, array + "/", archive.open(array));
    return table;
  }
  const auto file = std::make_shared<RandomAccessFile>(path);
  NpyReader reader(std::make_unique<FilePart>(file, 0, file->size()), path);
  if (const std::string objection = objection_to(reader); !objection.empty()) throw InvalidArgument(objection);
  const std::string name = reader.rank() == 1 ? std::filesystem::path(path).stem().string() : "x";
  table->add(name, "", std::move(reader));
  return table;
}

}  // namespace bellwether
