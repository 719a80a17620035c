#pragma once

#include <optional>
#include <string>

#include <bellwether/model/learning/learn_request.h>
#include <bellwether/model/recipe.h>

namespace bellwether {

/// Throws InvalidArgument when a request to continue with a model asks for something that the model does not have:
/// another learner, other features, parameters, discounts or columns.
void check_agreement(const LearnRequest& request, const Recipe& recipe);

/// The number that one of `LearnRequest::discount` is; nothing when it is the name of a column.
std::optional<double> discount_number(const std::string& text);

}  // namespace bellwether
