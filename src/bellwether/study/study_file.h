#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#define TOML_HEADER_ONLY 1
// It asserts that a key begins as keys do, and says what is wrong with "[,]" only where it does not.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params.h>
#include <bellwether/study/formula.h>

namespace bellwether {

/// A key of the file with its value; of a scale's keys and those they replace, the former.
struct Item {
  std::string key;
  const toml::node* value;
};
using Items = std::vector<Item>;

/// A value as text, and where it is in the file.
struct Value {
  std::string text;
  const toml::node* where;
};

/// The keys of a table as the file has them, which the table itself does not keep.
Items in_order(const toml::table& table);

/// A study file as TOML: its tables at one scale, the values of parameters, and where in the file each of them is, so
/// that whatever is wrong is said with file and line. What the keys mean is study.cpp's. For the sources of the library
/// alone: it shows toml++.
class StudyFile {
 public:
  /// Throws InvalidArgument when the text is not TOML or has no such scale; empty means paper.
  StudyFile(std::string_view text, const std::filesystem::path& file, std::string_view scale);

  const std::string& scale() const { return scale_; }
  std::vector<std::string> scales() const;

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const toml::node& where, const std::string& what) const { fail(where.source(), what); }
  [[noreturn]] void fail(const toml::source_region& where, std::string_view what) const;

  /// Runs a check of the library's; what it objects to is said with file and line.
  template <class F>
  auto checked_at(const toml::node& where, F&& check) const {
    try {
      return check();
    } catch (const InvalidArgument& error) {
      fail(where, error.what());
    }
  }

  /// The keys of a table, "" being the file itself; none when it is missing. A key that a scale replaces keeps its
  /// place. With a list of known keys others are errors.
  Items items(std::string_view name, const std::vector<std::string>& known = {}) const;

  /// The value of a key of the file, the scale's if it has one; null when there is none.
  const toml::node* find(std::string_view key) const;

  /// A text in quotes, in one line but for `about`.
  std::string string(const Item& item) const;

  /// The values of a parameter: one, or a list to be swept, in which none comes twice.
  std::vector<Value> values_of(const ParamInfo& info, const std::string& owner, const toml::node& node) const;

  using Resolve = std::function<Settings(const Settings&)>;

  /// Every combination of the values given for parameters, each checked; the last parameter varies fastest.
  std::vector<Settings> combinations(const std::string& owner, const std::vector<ParamInfo>& infos, const Items& given,
                                     const Resolve& resolve) const;

 private:
  const toml::table* table_in(const toml::table* parent, std::string_view name) const;
  std::vector<double> numbers(const std::string& name, const toml::node& node) const;
  std::vector<std::string> texts_of(const ParamInfo& info, const std::string& owner, const toml::node& node) const;

  std::string file_;
  toml::table root_;
  std::string scale_;
  const toml::table* override_ = nullptr;
  Constants constants_;
};

}  // namespace bellwether
