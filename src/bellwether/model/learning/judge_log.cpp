#include <bellwether/model/learning/judge_log.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/data/skipped_rows.h>
#include <bellwether/model/learning/open_log.h>

namespace bellwether {
namespace {

StepBlock all_steps(const Model& model, const LearnRequest& request) {
  const Recipe& recipe = model.recipe();
  const OpenLog log = open_log(request, recipe);
  StepBlock all;
  all.clear(recipe.layout, recipe.dim, recipe.rewards().size());
  while (const StepBlock* block = log.steps->next()) all.append(*block, 0, block->size());
  return all;
}

}  // namespace

std::vector<Judgement> judge_log(const Model& model, const LearnRequest& request) {
  if (request.files.empty()) throw InvalidArgument("judge: there are no files to judge by");
  try {
    const StepBlock steps = all_steps(model, request);
    if (steps.size() == 0) {
      throw InvalidArgument(fmt::format("{}: holds no step to judge by", request.files.front().name));
    }
    std::vector<Judgement> judgements;
    for (std::size_t k = 0; k < model.targets(); ++k) judgements.push_back(model.judged(k, steps));
    return judgements;
  } catch (const BadRow& bad) {
    throw bad.with_advice();
  }
}

}  // namespace bellwether
