#pragma once

#include <functional>

#include <bellwether/core/support/ranks.h>

namespace bellwether::cli {

/// The processes that a launcher such as `mpirun` or `srun` started together with this one; null when it was started
/// alone. The object lives until the program ends.
///
/// MPI is used by a module beside the program, which is loaded only then, so that the program also starts where there
/// is no MPI. Throws InvalidArgument when the program was built without the module, and IoError when it cannot be
/// loaded.
Ranks* launched_ranks();

/// Does work in which all these processes take part. A process that fails must not leave the others waiting: it says
/// why and ends them all.
void with_all_ranks(const std::function<void()>& work);

}  // namespace bellwether::cli
