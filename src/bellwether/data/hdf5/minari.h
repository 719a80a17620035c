#pragma once

#include <memory>
#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// The table in a dataset of Minari (https://minari.farama.org), an HDF5 file with a group for each episode:
///
///     episode_0/observations      n+1 rows: an array, or groups of arrays for dictionaries, and for tuples, whose
///                                 members are called _index_0, _index_1, ...
///              /actions           n rows; likewise
///              /rewards, terminations, truncations
///              /infos             n+1 or n rows; likewise
///     episode_1/...
///
/// An episode of n transitions gives n+1 rows. Row t holds the observation S_t, the action A_t, and what came of it:
/// reward R_{t+1} and both flags. The last row holds S_n alone: its actions, rewards and flags are empty, that is NaN,
/// whether or not the request lets them be. No other cell of these columns is empty without being rejected.
///
/// Columns are called as the arrays: `rewards` for one number a row, `observations.0`, `observations.1`, ... for
/// several (further dimensions are laid out row by row), `observations/goal.0` within dictionaries, and `episode`, the
/// number in the name of the group. Episodes come in the order of their numbers. What holds no numbers, such as texts
/// and compressed pictures, cannot be selected.
///
/// `path` is the file, or the folder of the dataset, which holds data/main_data.hdf5. Throws InvalidArgument when there
/// are no episodes, or one is not as above or not as the first: "mixed dimensions". Columns are known from the first
/// episode; others are looked at when they are reached. Memory does not grow with the file, nor with an episode, but
/// for some bytes an episode. Not for several threads at once, as the library of HDF5 is not.
std::unique_ptr<TableReader> open_minari(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
