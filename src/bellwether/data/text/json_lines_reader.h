#pragma once

#include <string>
#include <vector>

#include <bellwether/data/text/json_scanner.h>
#include <bellwether/data/text/text_reader.h>

namespace bellwether {

/// A table of JSON objects, one on each line:
///
///     {"obs": [-0.5, 0.01], "reward": -1, "done": false, "info": {"episode": "a7"}}
///
/// The columns are those of the first object: `obs.0`, `obs.1`, `reward`, `done` and `info/episode`. Later objects may
/// have their keys in another order, and further keys. A missing key and null are empty cells; the length of an array
/// must not change. Booleans are flags, or the numbers 0 and 1; strings are labels, or parsed as their text.
///
/// Nothing is built from a line: it is scanned once, along the shape of the first line.
class JsonLinesReader final : public TextReader {
 public:
  /// Reads the columns from the first line.
  JsonLinesReader(Lines lines, const TableOptions& options);

 private:
  enum class Kind : std::uint8_t { value, array, object };

  /// A value of the first object: a column, or an array or object of further values.
  struct Shape {
    Kind kind = Kind::value;
    std::string name;                   // of the column, or the beginning of the names of the columns in it
    std::size_t column = 0;             // of a value
    std::vector<std::string> keys;      // of an object: with quotes, and with the escapes of the first line
    std::vector<std::string> plain;     // the same keys without quotes and escapes
    std::vector<std::uint32_t> by_key;  // which of them, in alphabetical order
    std::vector<Shape> parts;           // of an array or an object
    bool wanted = false;                // it, or a part of it, was selected
    std::vector<std::size_t> requests;  // of a value

    std::size_t find(std::string_view key) const;
  };

  Parsed parse_row(const char* p, const char* end, double* to) override;
  void prepare() override;

  Shape shape_of(JsonScanner& scan, const std::string& name, const std::string& key, int depth);
  bool mark_wanted(Shape& shape, const std::vector<std::vector<std::size_t>>& requests_of);
  void read_object(const Shape& shape, JsonScanner& scan, double* to);
  void read_array(const Shape& shape, JsonScanner& scan, double* to);
  void read_part(const Shape& shape, JsonScanner& scan, double* to);
  void read_value(const Shape& shape, JsonScanner& scan, double* to);
  void fill_missing(double* to) const;
  void accept_cell(std::size_t request, double value, double* to);

  Shape root_;
  std::vector<std::string> keys_;  // of each column: the key that a message names when it is missing

  std::vector<std::uint64_t> found_in_;  // the last row that had the cell of each request
  std::size_t found_ = 0;                // the number of requested cells in this row
  std::string decoded_;
};

}  // namespace bellwether
