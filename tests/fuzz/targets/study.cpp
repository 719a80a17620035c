// Study files, at every scale that they have.
#include <bellwether/study/study.h>

#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered study_target({.name = "study", .run = [](const std::string& bytes) {
                                 for (const char* scale : {"", "quick"})
                                   parse_study(bytes, "study.toml", scale).protocol();
                               }});

}  // namespace bellwether::fuzz
