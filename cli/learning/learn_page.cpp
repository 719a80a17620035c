#include "learning/learn_page.h"

#include <bellwether/core/files/files.h>
#include <bellwether/model/learning/learned_page.h>
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
  const LearnedPage page = learned_page(result, command_line(), with_flags);
  write_file(path, page_of_script(page.title, {report_script(), report_script_hash()}, page.data));
}

}  // namespace bellwether::cli
