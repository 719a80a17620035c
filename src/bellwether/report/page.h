#pragma once

#include <string>
#include <string_view>

/// Pages of HTML that are one file each. The style and the script are part of the page, and its content security policy
/// lets it load nothing and run nothing else.
namespace bellwether {

/// A script for a page. A browser runs it only if it has this hash.
struct PageScript {
  std::string_view text;    // without "</script" and "<!--", which would end the element it stands in
  std::string_view sha256;  // in base64
};

/// A page that a script makes from data: JSON, which the script finds in the element `bellwether-data`. The script
/// fills the element `page`. Whatever texts the data holds, they do not end their element.
std::string page_of_script(std::string_view title, const PageScript& script, std::string_view data);

/// The style of all pages. Its source is written by the build from web/src/style.
std::string_view page_style();

}  // namespace bellwether
