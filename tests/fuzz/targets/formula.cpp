// Formulas of study files.
#include <bellwether/study/formula.h>

#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered formula_target(
    {.name = "formula", .run = [](const std::string& bytes) {
       static const Constants constants{{"alpha", {0.5}}, {"alphas", {0.1, 0.2, 0.4}}, {"no", {}}};
       evaluate(bytes, constants);
     }});

}  // namespace bellwether::fuzz
