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
#include <bellwether/core/params/params.h>
#include <bellwether/study/formula.h>

namespace bellwether {

/// A key of the file with its value. Where a scale replaces a key, the value is the scale's.
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

/// The keys of a table, in the order of the file.
Items items_of(const toml::table& table);

/// The value of a node that is a number.
double toml_number(const toml::node& node);

/// A study file as TOML: its tables at one scale, the values of parameters, and where in the file each of them is, so
/// that messages name file and line. What the keys mean is the business of study.cpp.
class StudyFile {
 public:
  /// Throws InvalidArgument when the text is not TOML or has no such scale; empty means paper.
  StudyFile(std::string_view text, const std::filesystem::path& file, std::string_view scale);

  const std::string& scale() const { return scale_; }
  std::vector<std::string> scales() const;

  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail(const toml::node& where, const std::string& what) const {
    fail(where.source().begin.line, what);
  }

  /// Runs a check of the library; its objection is passed on with file and line.
  template <class F>
  auto checked_at(const toml::node& where, F&& check) const {
    try {
      return check();
    } catch (const InvalidArgument& error) {
      fail(where, error.what());
    }
  }

  /// The keys of a table, "" being the file itself; none when it is missing. A key that a scale replaces keeps its
  /// position. If there is a list of known keys, others are errors.
  Items items(std::string_view name, const std::vector<std::string>& known = {}) const;

  /// The value of a key of the file, the scale's if it has one; null when there is none.
  const toml::node* find(std::string_view key) const;

  /// The tables of a list, [[name]]; none when it is missing. A scale replaces the whole list.
  std::vector<const toml::table*> tables(std::string_view name) const;

  /// A text in quotes, in one line but for `about`.
  std::string string(const Item& item) const;

  /// The values of a parameter: one, or a list to be swept, in which none comes twice.
  std::vector<Value> values_of(const ParamInfo& info, const std::string& owner, const toml::node& node) const;

  using Resolve = std::function<Settings(const Settings&)>;

  /// Every combination of the values given for parameters, each checked; the last parameter varies fastest.
  std::vector<Settings> combinations(const std::string& owner, const std::vector<ParamInfo>& infos, const Items& given,
                                     const Resolve& resolve) const;

 private:
  [[noreturn]] void fail(std::size_t line, std::string_view what) const;

  /// The table called `name` in another; null when there is none, or no other. The empty name is the other itself.
  const toml::table* table_in(const toml::table* parent, std::string_view name) const;
  std::vector<double> numbers(const std::string& name, const toml::node& node) const;
  std::vector<std::string> texts_of(const ParamInfo& info, const std::string& owner, const toml::node& node) const;

  std::string file_;
  toml::table root_;
  std::string scale_;
  const toml::table* override_ = nullptr;  // the table of the scale
  Constants constants_;
};

}  // namespace bellwether
