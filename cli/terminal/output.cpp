#include "terminal/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <bellwether/core/error.h>

namespace bellwether::cli {

namespace {

[[noreturn]] void fail() { throw IoError(fmt::format("cannot write standard output: {}", std::strerror(errno))); }

}  // namespace

Output::Output(const std::string& path) {
  if (!path.empty() && path != "-") file_.emplace(path);
}

void Output::write(const std::string& text) {
  if (file_) file_->write(text);
  else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void Output::finish() {
  if (file_) file_->commit();
  else if (std::fflush(stdout) != 0) fail();
}

void print(const std::string& text) {
  Output out("");
  out.write(text);
  out.finish();
}

}  // namespace bellwether::cli
