#pragma once

#include <bellwether/data/steps.h>

#include "support/experience.h"

namespace bellwether::testing {

/// Random steps with one target, as a reader of logs yields them.
inline StepBlock steps_of(const Experience& experience, Layout layout) {
  const BatchBuffer buffer = experience.as(layout);
  const Batch batch = buffer.view();
  StepBlock block;
  block.clear(layout, experience.dim, 1);
  for (std::size_t i = 0; i < batch.size; ++i) {
    block.x.append(batch.x.row(i));
    block.x_next.append(batch.x_next.row(i));
    block.rewards[0].push_back(batch.reward[i]);
    block.discount.push_back(batch.discount[i]);
    block.rho.push_back(batch.rho[i]);
    block.restart.push_back(batch.restart[i]);
  }
  return block;
}

/// Steps first .. first+count-1 as a block of their own.
inline StepBlock part_of(const StepBlock& all, std::size_t first, std::size_t count) {
  StepBlock block;
  block.clear(all.x.layout(), all.x.dim(), all.rewards.size());
  block.append(all, first, count);
  return block;
}

}  // namespace bellwether::testing
