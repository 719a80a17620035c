#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <bellwether/model/learning/learn.h>

namespace bellwether {

/// What the page of what was learned is made from: its title, and its data for the script of pages (report/page.h).
struct LearnedPage {
  std::string title;  // the question that the value answers
  std::string data;   // JSON
};

/// The page of a result, which must have figures. `command` is what made it, for people; `spelled` replaces the fields
/// that sentences of the library name in backticks.
LearnedPage learned_page(const LearnResult& result, const std::string& command,
                         const std::function<std::string(std::string_view)>& spelled = {});

}  // namespace bellwether
