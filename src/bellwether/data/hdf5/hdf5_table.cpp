#include <bellwether/data/hdf5/hdf5_table.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include <bellwether/core/error.h>
#include <bellwether/data/hdf5/hdf5_file.h>
#include <bellwether/data/hdf5/minari.h>

namespace bellwether {

std::unique_ptr<TableReader> open_hdf5_table(const std::string& path, const TableOptions& options) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return open_minari(path, options);
  std::vector<std::string> members;
  {
    const Hdf5Object file = open_hdf5(path);
    const Hdf5Silence silence;
    members = file.members();
  }
  const auto some = [&](const char* prefix) {
    return std::any_of(members.begin(), members.end(), [&](const auto& name) { return name.starts_with(prefix); });
  };
  if (some("episode_") && !some("rewards")) return open_minari(path, options);
  if (some("rewards_")) return open_d3rlpy(path, options);
  if (some("rewards")) return open_flat_hdf5(path, options);
  throw InvalidArgument(
      path +
      " holds no episodes (groups episode_0, episode_1, ..., as of Minari; arrays rewards_0, ..., as of d3rlpy; "
      "or arrays observations, rewards, ..., as of D4RL)");
}

}  // namespace bellwether
