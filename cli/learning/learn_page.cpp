#include "learning/learn_page.h"

#include <nlohmann/json.hpp>

#include <bellwether/core/support/files.h>
#include <bellwether/core/version.h>
#include <bellwether/report/page.h>
#include <bellwether/report/report_script.h>

#include "terminal/command_line.h"
#include "terminal/flags.h"

namespace bellwether::cli {

void check_page_script() {
  if (report_script().empty()) {
    throw InvalidArgument(
        "this program was built without its pages, because Node.js was missing: install nodejs and npm and build it "
        "again");
  }
}

void write_page(const LearnResult& result, const std::string& path) {
  check_page_script();
  const LearnSummary& summary = result.summary;
  nlohmann::json texts = nlohmann::json::array();
  for (const TargetSummary& target : summary.targets) {
    texts.push_back({{"answer", text_of(target.value)},
                     {"whose", whose_mean(target.value)},
                     {"returns", target.returns ? text_of(*target.returns) : ""}});
  }
  const nlohmann::json page{{"learned",
                             {{"version", version()},
                              {"command", command_line()},
                              {"texts", texts},
                              {"summary", nlohmann::json::parse(with_flags(json_of(summary)))},
                              {"figures", nlohmann::json::parse(json_of(result.figures.value()))}}}};
  write_file(path, page_of_script(summary.targets.size() == 1 ? question_of(summary.targets[0]) : "What was learned",
                                  {report_script(), report_script_hash()},
                                  page.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

}  // namespace bellwether::cli
