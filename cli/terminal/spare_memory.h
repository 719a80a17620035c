#pragma once

namespace bellwether::cli {

/// Puts memory by for the time when there is none left. To be called once, at the beginning.
///
/// The first request that fails gives it back and fails all the same (std::bad_alloc). What has to be done then, to
/// undo things and to say what happened, takes some memory too; without it the program would be aborted on the way.
/// Where a library cannot do without memory, the program ends at once, with one line and code 1, and leaves what a kill
/// leaves, but no unfinished files.
void keep_spare_memory();

}  // namespace bellwether::cli
