#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/array_table.h>
#include <bellwether/data/arrow/arrow_column.h>
#include <bellwether/data/bytes/text_filter.h>

namespace bellwether {

namespace {

using Kind = ArrowType::Kind;
using Step = ArrowColumn::Step;

constexpr int deepest_nesting = 16;
constexpr std::int64_t unknown_width = -1;

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

/// Follows a schema, and on the way remembers the steps to where it is.
class ColumnFinder {
 public:
  explicit ColumnFinder(const ArrowArray* first) : first_(first) {}

  void visit(const ArrowSchema* schema, const std::string& name) {
    if (schema == nullptr || schema->release == nullptr || schema->format == nullptr) {
      throw InvalidArgument(fmt::format("column '{}': its type is missing", name));
    }
    const ArrowType type = arrow_type(schema->format);
    if (path_.size() > deepest_nesting) refuse(name, "is nested too deeply");
    else if (schema->dictionary != nullptr) visit_dictionary(*schema, type, name);
    else if (type.kind == Kind::other) refuse(name, fmt::format("holds '{}', which is not read", schema->format));
    else if (type.kind == Kind::record) visit_record(*schema, type, name);
    else if (type.has_children()) visit_list(*schema, type, name);
    else add(name, type);
  }

  ArrowColumns take() { return std::move(found_); }

 private:
  void refuse(const std::string& name, const std::string& why) {
    found_.unreadable.emplace_back(name, fmt::format("column '{}' {}", name, why));
  }

  void add(const std::string& name, const ArrowType& type) {
    if (found_.columns.size() == ArrayTable::most_columns) {
      throw InvalidArgument(fmt::format("there are more than {} columns", ArrayTable::most_columns));
    }
    found_.columns.emplace_back(name, path_, type);
  }

  void require_children(const ArrowSchema& schema, std::int64_t least, const std::string& name) {
    if (schema.n_children >= least && (schema.n_children == 0 || schema.children != nullptr)) return;
    throw InvalidArgument(
        fmt::format("column '{}': type '{}' has {} children", name, schema.format, schema.n_children));
  }

  void visit_record(const ArrowSchema& schema, const ArrowType& type, const std::string& name) {
    require_children(schema, 0, name);
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      const ArrowSchema* const child = schema.children[i];
      const std::string inner = child == nullptr ? std::string() : as_utf8(text_of(child->name));
      path_.push_back({.from = type, .which = i});
      visit(child, path_.size() == 1 ? inner : fmt::format("{}/{}", name, inner));
      path_.pop_back();
    }
  }

  void visit_list(const ArrowSchema& schema, const ArrowType& type, const std::string& name) {
    require_children(schema, 1, name);
    const std::int64_t width = type.kind == Kind::fixed_list ? type.width : width_of_first(type);
    if (width == unknown_width) return refuse(name, "has no list in the first rows, so that its length is not known");
    if (width > static_cast<std::int64_t>(ArrayTable::most_columns)) {
      return refuse(name, fmt::format("has lists of {} values; {} can be read", width, ArrayTable::most_columns));
    }
    for (std::int64_t i = 0; i < width; ++i) {
      path_.push_back({.from = type, .which = i, .width = width});
      visit(schema.children[0], fmt::format("{}.{}", name, i));
      path_.pop_back();
    }
  }

  void visit_dictionary(const ArrowSchema& schema, const ArrowType& keys, const std::string& name) {
    const char* const format = schema.dictionary->format;
    const ArrowType values = format == nullptr ? ArrowType{} : arrow_type(format);
    const bool integers = keys.kind == Kind::number && keys.number.integer();
    if (!integers || values.kind == Kind::other || values.has_children() || schema.dictionary->dictionary != nullptr) {
      return refuse(name, fmt::format("holds a dictionary of '{}', which is not read", text_of(format)));
    }
    path_.push_back({.from = keys, .dictionary = true});
    add(name, values);
    path_.pop_back();
  }

  /// The length of the first list at the end of the path.
  std::int64_t width_of_first(const ArrowType& type) const {
    if (first_ == nullptr) return unknown_width;
    ArrowColumn lists("", path_, type);
    lists.attach(*first_);
    for (std::int64_t row = 0; row < first_->length; ++row) {
      const std::int64_t position = lists.locate(row, 1)[0];
      if (position < 0) continue;
      return lists.list_length(position);
    }
    return unknown_width;
  }

  const ArrowArray* first_;
  std::vector<Step> path_;
  ArrowColumns found_;
};

}  // namespace

ArrowColumns arrow_columns(const ArrowSchema& schema, const ArrowArray* first) {
  const std::string format = text_of(schema.format);
  if (format != "+s") {
    throw InvalidArgument(fmt::format("is a stream of '{}', not of rows with columns ('+s')", format));
  }
  ColumnFinder finder(first);
  finder.visit(&schema, "");
  return finder.take();
}

}  // namespace bellwether
