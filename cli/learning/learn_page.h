#pragma once

#include <string>

#include <bellwether/model/learning/learn.h>

namespace bellwether::cli {

/// Throws InvalidArgument when the program was built without the script of its pages.
void check_page_script();

/// Writes what was learned as a page of HTML in one file: the question and its answer, the warnings with what to do,
/// the columns, figures, and how it was made. The result must have figures.
void write_page(const LearnResult& result, const std::string& path);

}  // namespace bellwether::cli
