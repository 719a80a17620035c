#include <bellwether/model/learning/learned_page.h>

#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/core/version.h>

namespace bellwether {

LearnedPage learned_page(const LearnResult& result, const std::string& command,
                         const std::function<std::string(std::string_view)>& spelled) {
  const LearnSummary& summary = result.summary;
  nlohmann::json texts = nlohmann::json::array();
  for (const TargetSummary& target : summary.targets) {
    texts.push_back({{"answer", text_of(target.value)},
                     {"whose", whose_mean(target.value)},
                     {"returns", target.returns ? text_of(*target.returns) : ""}});
  }
  const std::string told = json_of(summary);
  const nlohmann::json page{{"learned",
                             {{"version", version()},
                              {"command", command},
                              {"texts", texts},
                              {"summary", nlohmann::json::parse(spelled ? spelled(told) : told)},
                              {"figures", nlohmann::json::parse(json_of(result.figures.value()))}}}};
  return {summary.targets.size() == 1 ? question_of(summary.targets[0]) : "What was learned", json_text(page)};
}

}  // namespace bellwether
