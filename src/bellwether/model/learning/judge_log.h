#pragma once

#include <vector>

#include <bellwether/model/judgement.h>
#include <bellwether/model/learning/learn_request.h>
#include <bellwether/model/model.h>

namespace bellwether {

/// Judges a model by a log that it has not learned from: how well each target's values predict its steps and returns.
/// Columns, features and targets are those of the model; what else the request says of reading applies.
///
///     const Judgement held_out = judge_log(model, {.files = {"held_out.csv"}})[0];
///     if (held_out.returns > 0) std::printf("error of returns: %g\n", held_out.return_error);
///
/// All of its steps are kept in memory. Throws what `learn` throws.
std::vector<Judgement> judge_log(const Model& model, const LearnRequest& request);

}  // namespace bellwether
