#pragma once

#include <memory>
#include <string>

#include <bellwether/data/steps.h>

namespace bellwether {

/// Steps with ready-made features in an .npz, in their order:
///
///   x, x_next     features (n, d), or in compressed rows: x_data, x_indices, x_indptr, x_next_data, ...;
///                 see npz_features.h
///   reward        (n,), or (n, K): one column for each target
///   discount      (n,), in [0, 1]; 0 ends an episode
///   rho, pi, interest, restart
///                 (n,), optional: ratios >= 0, probabilities in [0, 1], interest >= 0, and 1 for a step that does
///                 not follow from the previous one, else 0; see core/batch.h
///
/// All values are checked; a bad step is rejected with file, row and array. If bad rows are skipped instead, the step
/// after a skipped one is a restart. Memory is that of the requested block. Unless `x_shape`, `x_next_shape` or `dim`
/// gives the number of sparse features, opening reads all indices once.
std::unique_ptr<StepReader> open_npz_steps(const std::string& path, const TableOptions& options = {});

/// Whether a file is an .npz, by its ending, that has all arrays above that are not optional. Throws IoError or
/// InvalidArgument for an .npz that cannot be read.
bool holds_steps(const std::string& path);

}  // namespace bellwether
