#pragma once

#include <functional>

#include <bellwether/core/ranks.h>

namespace bellwether::cli {

/// The processes that a launcher such as `mpirun` or `srun` started together with this one; nothing when it was started
/// alone. They stay until the program ends.
///
/// What speaks MPI is a module of its own beside the program, which is loaded only then: the program starts where there
/// is no MPI. Throws InvalidArgument when the program was built without the module, and IoError when it cannot be
/// loaded.
Ranks* launched_ranks();

/// Does work that all these processes take part in. One that fails must not leave the others waiting for it: it says
/// why and ends them all.
void with_all_ranks(const std::function<void()>& work);

}  // namespace bellwether::cli
