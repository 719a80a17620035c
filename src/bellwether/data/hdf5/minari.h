#pragma once

#include <memory>
#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// Opens the table in a Minari dataset (https://minari.farama.org), an HDF5 file with a group for each episode:
///
///     episode_0/observations      n+1 rows: an array, or a group of arrays for a dictionary or a tuple, whose
///                                 members are called _index_0, _index_1, ...
///              /actions           n rows; likewise
///              /rewards, terminations, truncations
///              /infos             n+1 or n rows; likewise
///     episode_1/...
///
/// An episode of n transitions gives n+1 rows. Row t holds the observation S_t, the action A_t, the reward R_{t+1} and
/// both flags. The last row holds S_n alone: its actions, rewards and flags are empty (NaN), whether or not the request
/// allows it. Any other empty cell of these columns is rejected.
///
/// Columns are named after the arrays: `rewards` for one number per row, `observations.0`, `observations.1`, ... for
/// several (further dimensions are laid out row by row), `observations/goal.0` within dictionaries, and `episode`, the
/// number in the name of the group. Episodes are read in the order of their numbers. Arrays that do not hold numbers,
/// such as strings and compressed images, cannot be selected.
///
/// `path` is the file, or the folder of the dataset, which holds data/main_data.hdf5. Throws InvalidArgument when there
/// are no episodes, when one does not have the layout above, or when it differs from the first ("mixed dimensions").
/// The first episode defines the columns; the others are checked when they are reached. Memory does not grow with the
/// file or with an episode, except for a few bytes per episode. Not for several threads at once, since the HDF5 library
/// is not.
std::unique_ptr<TableReader> open_minari(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
