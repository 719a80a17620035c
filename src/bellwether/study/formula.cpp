#include <bellwether/study/formula.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

namespace {

using List = std::vector<double>;

/// Recursive descent, from the weakest operator to the strongest.
class Parser {
 public:
  Parser(std::string_view text, const Constants& constants) : text_(text), constants_(constants) {}

  List formula() {
    // The variable is read first, since the values before it are made from it.
    const std::size_t comma = text_.find(',');
    if (comma == std::string_view::npos) return whole();
    Parser expression(text_.substr(0, comma), constants_);
    expression.original_ = text_;
    at_ = comma + 1;
    read_variable(expression.variable_, expression.variable_values_);
    return expression.whole();
  }

 private:
  static constexpr std::size_t most = 100000;

  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidArgument(fmt::format("formula '{}': {}", original_.empty() ? text_ : original_, what));
  }

  List whole() {
    List value = sum();
    if (peek() != '\0') fail(fmt::format("'{}' is not expected", text_.substr(at_)));
    for (const double v : value) {
      if (!std::isfinite(v)) fail("a value is not finite");
    }
    return value;
  }

  /// name = low..high [by step]
  void read_variable(std::string& name, List& values) {
    name = std::string(word());
    if (name.empty() || !take('=')) fail("after the comma a variable is expected, such as j = -3..3");
    const double low = number_of(sum());
    if (!take('.') || !take('.')) fail("a range is expected, such as j = -3..3");
    const double high = number_of(sum());
    double step = 1;
    if (const auto by = word(); by == "by") step = number_of(sum());
    else if (!by.empty()) fail(fmt::format("'{}' is not expected", by));
    if (peek() != '\0') fail(fmt::format("'{}' is not expected", text_.substr(at_)));
    if (!(step > 0)) fail("the step of a range must be above 0");
    if (!(low <= high)) fail("a range must not begin above its end");
    const double count = std::floor((high - low) / step + 1e-9) + 1;
    if (count > static_cast<double>(most)) fail(fmt::format("{:g} values are outside [1, {}]", count, most));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      values.push_back(low + step * static_cast<double>(i));
    }
  }

  double number_of(const List& list) const {
    if (list.size() != 1) fail("a range is made of single numbers, not of lists");
    if (!std::isfinite(list.front())) fail("a value is not finite");
    return list.front();
  }

  template <class F>
  List combine(const List& a, const List& b, F&& f) const {
    if (a.size() > 1 && b.size() > 1 && a.size() != b.size()) {
      fail(fmt::format("lists of {} and {} values do not go together", a.size(), b.size()));
    }
    List all(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = f(a[a.size() > 1 ? i : 0], b[b.size() > 1 ? i : 0]);
    return all;
  }

  List sum() {
    List value = product();
    while (true) {
      if (take('+')) value = combine(value, product(), [](double a, double b) { return a + b; });
      else if (take('-')) value = combine(value, product(), [](double a, double b) { return a - b; });
      else return value;
    }
  }

  List product() {
    List value = sign();
    while (true) {
      if (take('*')) value = combine(value, sign(), [](double a, double b) { return a * b; });
      else if (take('/')) value = combine(value, sign(), [](double a, double b) { return a / b; });
      else return value;
    }
  }

  /// Whatever is nested passes through here, so this is where its depth is limited.
  List sign() {
    constexpr int deepest = 100;
    if (++depth_ > deepest) fail("it is nested too deeply");
    const bool minus = peek() == '-';
    List value = minus || peek() == '+' ? (++at_, sign()) : power();
    if (minus) {
      for (double& v : value) v = -v;
    }
    --depth_;
    return value;
  }

  List power() {
    List base = operand();
    if (!take('^')) return base;
    return combine(base, sign(), [](double a, double b) { return std::pow(a, b); });
  }

  List operand() {
    if (take('(')) {
      List value = sum();
      if (!take(')')) fail("a parenthesis is not closed");
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(peek())) != 0 || peek() == '.') return {number()};
    const std::string_view name = word();
    if (name.empty())
      fail(at_ < text_.size() ? fmt::format("'{}' is not expected", text_.substr(at_)) : "it ends early");
    if (name == variable_) return variable_values_;
    if (const auto it = constants_.find(name); it != constants_.end()) {
      if (it->second.empty()) fail(fmt::format("the constant '{}' is an empty list", name));
      return it->second;
    }
    std::vector<std::string> known;
    for (const auto& constant : constants_) known.push_back(constant.first);
    fail(fmt::format("'{}' is neither its variable nor a constant{}", name, suggestion(name, known)));
  }

  double number() {
    // Two dots belong to a range: "1..5" begins with 1, not with "1.".
    const std::string_view rest = text_.substr(at_);
    const std::size_t dots = rest.find("..");
    double value = 0;
    const char* end = rest.data() + std::min(dots, rest.size());
    const auto [next, error] = std::from_chars(rest.data(), end, value);
    if (error != std::errc()) fail(fmt::format("'{}' is not a number", rest));
    at_ += static_cast<std::size_t>(next - rest.data());
    return value;
  }

  std::string_view word() {
    peek();
    const std::size_t begin = at_;
    const auto belongs = [&](char c) {
      const auto u = static_cast<unsigned char>(c);
      return c == '_' || std::isalpha(u) != 0 || (at_ > begin && std::isdigit(u) != 0);
    };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// The next character that is not a space, or '\0'.
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::string_view original_;
  const Constants& constants_;
  std::string variable_;
  List variable_values_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::vector<double> evaluate(std::string_view formula, const Constants& constants) {
  constexpr std::size_t longest = 10'000;
  if (formula.size() > longest) {
    throw InvalidArgument(fmt::format("formula '{}...': it has {} characters; {} are the most", formula.substr(0, 20),
                                      formula.size(), longest));
  }
  return Parser(formula, constants).formula();
}

}  // namespace bellwether
