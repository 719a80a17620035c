#include <bellwether/study/stray_characters.h>

#include <algorithm>

namespace bellwether {

namespace {

constexpr std::string_view white_space = " \t\r\n";
constexpr std::string_view begins_text = "\r\n=,[{.";  // after these a quote begins a text, elsewhere it is a mistake

/// A walk through the text of a TOML file.
class Walk {
 public:
  explicit Walk(std::string_view text) : left_(text) {}

  bool over() const { return left_.empty(); }
  std::size_t line() const { return line_; }
  bool beyond_ascii() const { return !over() && static_cast<unsigned char>(left_[0]) >= 0x80; }
  bool at(std::string_view what) const { return left_.starts_with(what); }
  bool at_quote() const { return next() == '"' || next() == '\''; }
  char next() const { return left_[0]; }

  void skip(std::size_t count) {
    count = std::min(count, left_.size());
    line_ +=
        static_cast<std::size_t>(std::count(left_.begin(), left_.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
    left_.remove_prefix(count);
  }
  void skip_to(char end) { skip(std::min(left_.find(end), left_.size())); }

  /// Skips a text in quotes; false when a character beyond ASCII follows a backslash in it.
  bool skip_quoted() {
    const char quote = left_[0];
    const std::string_view three = quote == '"' ? R"(""")" : "'''";
    const bool many_lines = at(three);
    const std::string_view end = many_lines ? three : three.substr(0, 1);
    skip(end.size());
    while (!over() && !at(end) && (many_lines || left_[0] != '\n')) {
      const bool escapes = quote == '"' && left_[0] == '\\';
      skip(1);
      if (!escapes) continue;
      const bool continues = many_lines && !over() && white_space.find(left_[0]) != std::string_view::npos;
      if (continues) skip(std::min(left_.find_first_not_of(white_space), left_.size()));
      if (beyond_ascii()) return false;
      if (!continues) skip(1);
    }
    skip(end.size());
    for (int more = 0; many_lines && more < 2 && at(end.substr(0, 1)); ++more) skip(1);  // they belong to the text
    return true;
  }

 private:
  std::string_view left_;
  std::size_t line_ = 1;
};

}  // namespace

std::size_t line_of_stray_character(std::string_view text) {
  Walk walk(text);
  if (walk.at("\xEF\xBB\xBF")) walk.skip(3);
  char before = '\n';  // the last character that is neither a blank nor in quotes or a comment
  while (!walk.over()) {
    if (walk.at("#")) walk.skip_to('\n');
    else if (walk.at_quote() && begins_text.find(before) != std::string_view::npos) {
      before = walk.next();
      if (!walk.skip_quoted()) return walk.line();
    } else if (walk.beyond_ascii()) return walk.line();
    else {
      if (walk.next() != ' ' && walk.next() != '\t') before = walk.next();
      walk.skip(1);
    }
  }
  return 0;
}

}  // namespace bellwether
