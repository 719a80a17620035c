// Recipes, and the models that they describe, which read a table.
#include <bellwether/model/model.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"
#include "support/table_of_model.h"

namespace bellwether::fuzz {

const Registered recipe_target({.name = "recipe", .run = [](const std::string& bytes) {
                                  Model model(parse_recipe(bytes));
                                  for (std::size_t k = 0; k < model.targets(); ++k) model.policy_value(k);
                                  parse_recipe(text_of(model.recipe()));
                                  testing::read_table(model, as_file(testing::small_table, ".csv"));
                                }});

}  // namespace bellwether::fuzz
