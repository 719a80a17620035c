#pragma once

#include <string>
#include <string_view>

#include <bellwether/core/support/text_table.h>
#include <bellwether/report/plot/plot.h>

/// Pages of HTML that are one file each. The style is part of the page, and its content security policy lets it load
/// nothing. Every text is shown letter for letter, whatever it holds.
namespace bellwether {

/// A page of text, tables and figures that runs no script.
///
///     Page page("Value of the policy");
///     page.value("19.2 \u00b1 0.4");
///     page.heading("How it was made");
///     page.paragraph("5,000 steps of 25 episodes.");
///     page.figure(plot);
///     std::string file = page.html();
class Page {
 public:
  /// The title is the first heading, and names the window.
  explicit Page(std::string_view title);

  void heading(std::string_view text);
  void paragraph(std::string_view text) { element("p", "", text); }
  void note(std::string_view text) { element("p", "note", text); }       // smaller
  void warning(std::string_view text) { element("p", "banner", text); }  // stands out
  void value(std::string_view text) { element("p", "value", text); }     // the answer, in large letters
  void command(std::string_view text);
  void table(const TextTable& table);

  /// A plot as wide as the page that follows its colours, light or dark.
  void figure(Plot plot);

  /// The whole page, with the version of the library at its end.
  std::string html() const;

 private:
  void element(std::string_view name, std::string_view kind, std::string_view text);

  std::string title_;
  std::string body_;
};

/// A script for a page. A browser runs it only if it has this hash.
struct PageScript {
  std::string_view text;    // without "</script" and "<!--", which would end the element it stands in
  std::string_view sha256;  // in base64
};

/// A page that a script makes from data: JSON without "<", which the script finds in the element `bellwether-data`. The
/// script fills the element `page`.
std::string page_of_script(std::string_view title, const PageScript& script, std::string_view data);

/// The style of all pages. Its source is written by the build from web/src/style.
std::string_view page_style();

}  // namespace bellwether
