#include "manual/man_page.h"

#include <sstream>

#include <fmt/format.h>

#include <bellwether/core/version.h>

namespace bellwether::cli {

namespace {

/// The text letter for letter: no dash becomes a hyphen, and no line a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((out.empty() || out.back() == '\n') && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out += c;
  }
  return out;
}

/// Prose: roff fills lines by itself, and wants short ones.
std::string prose(const std::string& text) {
  constexpr std::size_t longest = 72;
  std::string out, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + word.size() >= longest) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return roff(out + line);
}

/// Remarks and examples, line for line, as they were written.
std::string verbatim(const std::string& text) {
  if (text.empty()) return "";
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? ".sp\n" : roff(line) + "\n";
  return ".PP\n.nf\n" + out + ".fi\n";
}

std::string synopsis(const Command& command) {
  std::string out = fmt::format("\\fBbellwether {}\\fR [options]", roff(command.name));
  for (const Argument& a : command.arguments) {
    if (!a.positional()) continue;
    const std::string value = "\\fI" + roff(a.value) + "\\fR" + (a.repeats && !a.value.ends_with("...") ? "..." : "");
    out += a.required ? " " + value : " [" + value + "]";
  }
  return out;
}

std::string entry(const Argument& a) {
  std::string head;
  for (const std::string& name : a.names) head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!a.value.empty()) head += (head.empty() ? "\\fI" : " \\fI") + roff(a.value) + "\\fR";
  return fmt::format(".TP\n{}\n{}\n", head, prose(a.text));
}

constexpr const char* rest = R"(.SH EXIT STATUS
.TP
0
done
.TP
1
the outside failed, such as a file or a disk
.TP
2
the request makes no sense
.TP
130
interrupted; the same command continues a sweep
.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
no colours, even on a terminal
.TP
\fBBELLWETHER_CACHE\fR, \fBXDG_CACHE_HOME\fR
where true values that take long to compute are kept
.TP
\fBBELLWETHER_HDF5\fR, \fBBELLWETHER_LIBZIP\fR, \fBBELLWETHER_ARROW\fR
the libraries to load for HDF5, .npz, and Parquet and Arrow files
.TP
\fBTMPDIR\fR
where rows wait that have to be sorted and do not fit into memory
)";

}  // namespace

std::string man_page(const std::vector<Command>& commands, const std::string& about) {
  std::string out = fmt::format(
      ".TH BELLWETHER 1 \"\" \"bellwether {}\" \"User Commands\"\n.SH NAME\nbellwether \\- evaluate policies\n"
      ".SH SYNOPSIS\n\\fBbellwether\\fR \\fICOMMAND\\fR [options]\n.SH DESCRIPTION\n{}\n",
      roff(version()), prose(about));
  out +=
      ".PP\n\\fBbellwether help\\fR \\fINAME\\fR explains a command,\na learner, a domain or a feature map, and "
      "\\fBbellwether help features\\fR\nhow features are described.\n";
  std::string group;
  for (const Command& command : commands) {
    if (command.group != group) {
      group = command.group;
      std::string title = group;
      for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      out += fmt::format(".SH {}\n", roff(title));
    }
    out += fmt::format(".SS {}\n{}\n.PP\n{}\n", roff(command.name), synopsis(command), prose(command.text + "."));
    for (const Argument& a : command.arguments) out += entry(a);
    out += verbatim(command.notes);
  }
  return out + rest;
}

}  // namespace bellwether::cli
