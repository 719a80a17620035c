// Recipes, and the models that they describe.
#include <bellwether/model/model.h>

#include "fuzz/target.h"

namespace bellwether::fuzz {

const Registered recipe_target({.name = "recipe", .run = [](const std::string& bytes) {
                                  const Model model(parse_recipe(bytes));
                                  for (std::size_t k = 0; k < model.targets(); ++k) model.policy_value(k);
                                  parse_recipe(text_of(model.recipe()));
                                }});

}  // namespace bellwether::fuzz
