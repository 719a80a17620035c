#pragma once

#include <vector>

#include <bellwether/study/figure.h>
#include <bellwether/study/study.h>
#include <bellwether/study/study_file.h>

namespace bellwether {

/// The `[[figure]]` tables of a study file. Keys and types of values are checked.
std::vector<Figure> read_figures(const StudyFile& file);

/// Throws InvalidArgument when a figure of the file names a learner, a parameter or a metric that the study lacks.
void check_figures(const StudyFile& file, const Study& study);

}  // namespace bellwether
