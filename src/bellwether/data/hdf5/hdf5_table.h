#pragma once

#include <memory>
#include <string>

#include <bellwether/data/table.h>

namespace bellwether {

/// Opens the table in an HDF5 file, or in the folder of a Minari dataset. What the file holds tells its layout:
///
///     episode_0/observations, ...               Minari (data/hdf5/minari.h)
///     observations_0, actions_0, ...            d3rlpy 2, as ReplayBuffer.dump writes it
///     observations, actions, rewards, ...       D4RL, and d3rlpy 1: arrays with a row for each step
///
/// Throws InvalidArgument when it is none of these.
std::unique_ptr<TableReader> open_hdf5_table(const std::string& path, const TableOptions& options = {});

/// The table in a file of D4RL: every array with as many rows as `rewards` has is a column, or several; arrays in
/// groups have the names of both, `infos/qpos.0`. An array of one number in each row is one column. Where there are
/// `episode_terminals` and no `timeouts` (d3rlpy 1), a timeout is the end of an episode that is not terminal.
std::unique_ptr<TableReader> open_flat_hdf5(const std::string& path, const TableOptions& options = {});

/// The table in a file of d3rlpy 2, which has the arrays NAME_0 of the first episode, NAME_1 of the second, and so on:
///
///     observations_0    n rows; or observations_0_0, observations_0_1, ... for a tuple
///     actions_0         n rows
///     rewards_0         n rows of one number
///     terminated_0      whether the episode ended; otherwise it was cut short
///
/// Columns are `observations.0`, ... (or `observations/0.0`, ...), `actions`, `rewards`, and `terminated`, `truncated`
/// and `episode`. The observation after the last action is not in the file.
std::unique_ptr<TableReader> open_d3rlpy(const std::string& path, const TableOptions& options = {});

}  // namespace bellwether
