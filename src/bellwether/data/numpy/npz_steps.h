#pragma once

#include <memory>
#include <string>

#include <bellwether/data/steps.h>

namespace bellwether {

/// Steps with ready-made features in an .npz, learned from as they are and in their order:
///
///   x, x_next     features (n, d), or in compressed rows: x_data, x_indices, x_indptr, x_next_data, ...;
///                 see npz_features.h
///   reward        (n,), or (n, K): one column a target
///   discount      (n,), in [0, 1]; 0 ends an episode
///   rho, pi, interest, restart
///                 (n,), optional: ratios >= 0, probabilities in [0, 1], interest >= 0, and whether a step does not
///                 follow from the one before, 0 or 1; see core/batch.h
///
/// All is checked, and a step with something wrong is rejected with file, row and array. If bad rows are skipped
/// instead, the step after one that is left out restarts. Memory is that of the block that is asked for. Where the
/// number of sparse features is not given by `x_shape`, `x_next_shape` or `dim`, opening reads all indices once.
std::unique_ptr<StepReader> open_npz_steps(const std::string& path, const TableOptions& options = {});

/// Whether a file is an .npz, by its ending, with the arrays above that are not optional. Throws IoError or
/// InvalidArgument for an .npz that cannot be read.
bool holds_steps(const std::string& path);

}  // namespace bellwether
