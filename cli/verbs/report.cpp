#include <algorithm>
#include <filesystem>
#include <set>

#include <bellwether/core/error.h>
#include <bellwether/core/files/files.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/report/figures.h>
#include <bellwether/report/page.h>
#include <bellwether/report/report_data.h>
#include <bellwether/report/report_files.h>
#include <bellwether/report/report_script.h>

#include "studies/picture_converter.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace fs = std::filesystem;

namespace {

struct ReportParams {
  CurvesKept curves = CurvesKept::all;

  static constexpr auto fields() {
    return std::tuple{Field("curves", &ReportParams::curves,
                            "the learning curves in the page: those of all settings, or only of the best of each "
                            "learner, which makes a smaller page")};
  }
};

struct ReportVerb {
  explicit ReportVerb(CLI::App& app)
      : verb(*app.add_subcommand("report",
                                 "Make a page for the browser, or figures for a paper, from files of results")),
        options(verb) {
    verb.add_option("FILE", files, "files of results, written by bellwether sweep")->required();
    verb.add_option("-o,--out", out,
                    "write the page to this file (report.html, unless only --figures is given; -: standard output)")
        ->type_name("FILE");
    verb.add_option("--figures", figures,
                    "write the figures of every study into this folder, as SVG, and also as PDF and "
                    "PNG if rsvg-convert is installed")
        ->type_name("DIR");
    verb.add_option("--study", study, "report only the study of this name")->type_name("NAME");
    verb.footer(
        "Examples:\n"
        "  bellwether report boyan.db -o boyan.html\n"
        "  bellwether report boyan.db mountain_car.db --figures figures\n\n"
        "The page is one file that needs no network and opens in any browser from 2024 or later. You can report on a "
        "study\n"
        "while a sweep is running; the page then says that it is not complete.");
  }

  void run() const;
  void write_page(const ReportFiles& read) const;
  void write_figures(const std::vector<ReportStudy>& studies) const;

  CLI::App& verb;
  FieldOptions<ReportParams> options;
  std::vector<std::string> files;
  std::string out, figures, study;
};

/// A text as a file name: everything but letters and digits becomes a dash.
std::string slug(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    const bool plain_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain_letter) plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!plain.empty() && plain.back() != '-') plain += '-';
  }
  constexpr std::size_t longest = 80;
  plain.resize(std::min(plain.size(), longest));
  while (!plain.empty() && plain.back() == '-') plain.pop_back();
  return plain.empty() ? "figure" : plain;
}

/// "2.3 MB"
std::string size_text(std::size_t bytes) {
  constexpr double kilo = 1000;
  const auto size = static_cast<double>(bytes);
  return size < kilo * kilo ? fmt::format("{:.0f} kB", size / kilo) : fmt::format("{:.1f} MB", size / kilo / kilo);
}

void ReportVerb::write_page(const ReportFiles& read) const {
  const PageScript script{report_script(), report_script_hash()};
  if (script.text.empty()) {
    throw InvalidArgument(
        "this program was built without its pages, because Node.js was missing: install nodejs and npm and build it "
        "again, or use --figures, which does not need them");
  }
  const std::string path = out.empty() ? "report.html" : out;
  read.check_output(path);
  Output page(path);
  const std::string text =
      page_of_script("Bellwether report", script, report_data(read.studies(), options.parsed().curves));
  page.write(text);
  page.finish();
  if (path != "-") tell("wrote {} ({}): open it in a browser\n", path, size_text(text.size()));
}

void ReportVerb::write_figures(const std::vector<ReportStudy>& studies) const {
  make_folders(figures);
  std::vector<std::pair<std::string, std::string>> pictures;  // name without extension, SVG
  std::set<std::string> taken;
  ProgressLine progress("drawing");
  for (std::size_t s = 0; s < studies.size(); ++s) {
    const StudyResults& results = studies[s].results;
    const StudyRecord& record = results.study.record;
    progress(static_cast<double>(s) / static_cast<double>(studies.size()), record.name);
    for (const Figure& figure : figures_of(results)) {
      for (std::size_t c = 0; c < results.cases.size(); ++c) {
        const std::string title = figure.title.empty() ? detail::format(figure.shows) : figure.title;
        std::string name = slug(fmt::format("{}-{}-{}", record.name, record.scale, title));
        if (results.cases.size() > 1) name += fmt::format("-case-{}", c + 1);
        while (!taken.insert(name).second) name += "-again";
        if (std::string svg = draw(*studies[s].reader, results, c, figure); !svg.empty()) {
          pictures.emplace_back(std::move(name), std::move(svg));
        }
      }
    }
  }

  const PictureConverter converter;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(pictures.size()), pictures[i].first);
    const std::string path = (fs::path(figures) / (pictures[i].first + ".svg")).string();
    write_file(path, pictures[i].second);
    for (const char* format : {"pdf", "png"}) {
      if (converter.found()) converter.convert(path, format);
    }
  }
  progress.clear();
  tell("wrote {} figure{} to {} as {}\n", pictures.size(), pictures.size() == 1 ? "" : "s", figures,
       converter.found() ? "SVG, PDF and PNG" : "SVG (PDF and PNG need rsvg-convert, in Debian's librsvg2-bin)");
}

void ReportVerb::run() const {
  options.parsed();
  ProgressLine progress("reading");
  const ReportFiles read(files, study, std::ref(progress));
  progress.clear();
  if (!out.empty() || figures.empty()) write_page(read);
  if (!figures.empty()) write_figures(read.studies());
}

}  // namespace

void add_report(CLI::App& app) { add_verb<ReportVerb>(app); }

}  // namespace bellwether::cli
