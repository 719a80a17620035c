#pragma once

#include <bellwether/core/ranks.h>
#include <bellwether/experiment/sweep.h>

/// Units and their results as bytes, between processes of the same program.
namespace bellwether {

Ranks::Bytes to_bytes(const WorkUnit& work);
Ranks::Bytes to_bytes(const WorkResult& result);
WorkUnit work_from(const Ranks::Bytes& bytes);
WorkResult result_from(const Ranks::Bytes& bytes);

}  // namespace bellwether
