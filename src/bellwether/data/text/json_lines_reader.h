#pragma once

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/skipped_rows.h>
#include <bellwether/data/table.h>
#include <bellwether/data/text/json_scanner.h>

namespace bellwether {

/// A table of JSON objects, one a line:
///
///     {"obs": [-0.5, 0.01], "reward": -1, "done": false, "info": {"episode": "a7"}}
///
/// Its columns are those of the first object: `obs.0`, `obs.1`, `reward`, `done` and `info/episode`. Later objects may
/// have their keys in another order and have others, too; a key that is missing, and null, are empty cells; arrays keep
/// their length. Booleans are flags, or 0 and 1; strings are labels, or whatever their text is.
///
/// Nothing is built of a line: it is walked through once, beside the first one's shape.
class JsonLinesReader final : public TableReader {
 public:
  /// Waits for the first line.
  JsonLinesReader(Lines lines, const TableOptions& options);

  const std::string& name() const override { return lines_.name(); }
  const std::vector<std::string>& columns() const override { return columns_; }
  void select(std::vector<ColumnRequest> requests) override;
  bool read(TableBlock& block, std::size_t rows) override;
  std::optional<double> fraction() const override { return lines_.fraction(); }
  std::uint64_t skipped() const override { return skipped_.count(); }
  std::string first_skipped() const override { return skipped_.first(); }

 private:
  enum class Kind : std::uint8_t { value, array, object };

  /// What the first object has in a place.
  struct Shape {
    Kind kind = Kind::value;
    std::string name;                   // of the column, or what its names begin with
    std::size_t column = 0;             // of a value
    std::vector<std::string> keys;      // of an object: with quotes, and escapes as the first line has them
    std::vector<std::string> plain;     // the same without
    std::vector<Shape> parts;           // of an array or an object
    bool wanted = false;                // this or a part of it
    std::vector<std::size_t> requests;  // of a value
  };

  Shape shape_of(JsonScanner& scan, const std::string& name, const std::string& key, int depth);
  bool mark_wanted(Shape& shape);
  const char* read_line(TableBlock& block, const char* line, const char* end);
  void read_object(const Shape& shape, JsonScanner& scan, double* to);
  void read_array(const Shape& shape, JsonScanner& scan, double* to);
  void read_part(const Shape& shape, JsonScanner& scan, double* to);
  void read_value(const Shape& shape, JsonScanner& scan, double* to);
  void fill_missing(double* to) const;
  void accept_cell(std::size_t request, double value, double* to);

  Lines lines_;
  SkippedRows skipped_;
  Shape root_;
  std::vector<std::string> columns_;
  std::vector<std::string> keys_;  // what a column is part of, as a message names it when it is missing
  std::vector<ColumnRequest> requests_;
  std::vector<std::size_t> places_;  // of the requests' columns
  std::uint64_t row_ = 0;            // the one being read

  std::vector<std::uint64_t> found_in_;  // the last row that had the cell of a request
  std::size_t found_ = 0;                // how many this row has
  std::string decoded_;
};

}  // namespace bellwether
