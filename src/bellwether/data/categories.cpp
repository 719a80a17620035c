#include <bellwether/data/categories.h>

#include <fmt/format.h>

#include <bellwether/core/variable.h>
#include <bellwether/data/bytes/text_filter.h>

namespace bellwether {

Categories::Categories(const std::vector<std::string>& texts) : texts_(texts), open_(false) {
  for (std::size_t i = 0; i < texts.size(); ++i) numbers_.emplace(texts[i], static_cast<double>(i));
}

double Categories::number(std::string_view text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  if (!is_utf8(text)) return number(as_utf8(text));
  const auto next = static_cast<double>(texts_.size());
  if (!open_) return next;
  if (texts_.size() == most || bytes_ + text.size() > most_bytes) {
    overflowed_ = true;
    open_ = false;
    return next;
  }
  bytes_ += text.size();
  texts_.emplace_back(text);
  numbers_.emplace(text, next);
  return next;
}

std::vector<ColumnRequest> state_requests(const std::vector<std::string>& names,
                                          const std::vector<Variable>& variables) {
  std::vector<ColumnRequest> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ColumnRequest request{.name = names[i]};
    if (i < variables.size() && !variables[i].categories.empty()) {
      request.kind = CellKind::category;
      request.categories = std::make_shared<Categories>(variables[i].categories);
    }
    all.push_back(std::move(request));
  }
  return all;
}

std::string shown(const Variable& variable, double value) {
  if (variable.categories.empty()) return fmt::format("{}", value);
  const auto known = static_cast<double>(variable.categories.size());
  return value >= 0 && value < known ? fmt::format("'{}'", variable.categories[static_cast<std::size_t>(value)])
                                     : "a category that was not known";
}

}  // namespace bellwether
