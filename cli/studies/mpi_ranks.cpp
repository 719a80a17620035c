#include "studies/mpi_ranks.h"

#include <dlfcn.h>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <bellwether/core/error.h>

#include "terminal/flags.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"

namespace bellwether::cli {

namespace {

/// Whether the launcher says which process this is, but not how many there are.
bool only_ranked() {
  const auto has = [](const char* mark) { return std::getenv(mark) != nullptr; };  // NOLINT(concurrency-mt-unsafe)
  return has("PMIX_RANK") && !has("OMPI_COMM_WORLD_SIZE") && !has("PMI_SIZE");
}

/// Asking MPI itself would start its machinery for everyone; launchers leave their marks.
bool launched() {
  for (const char* mark : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    const char* value = std::getenv(mark);  // NOLINT(concurrency-mt-unsafe): nothing sets variables
    if (value == nullptr) continue;
    const bool counts = std::string(mark).ends_with("SIZE");
    return !counts || std::string(value) != "1";
  }
  return false;
}

std::unique_ptr<Ranks> loaded() {
#ifdef BELLWETHER_MPI_FOLDER
  namespace fs = std::filesystem;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here, here / BELLWETHER_MPI_FOLDER}) {
    const fs::path file = folder / "bellwether_mpi.so";
    if (!fs::exists(file)) continue;
    // MPI loads modules of its own, which look for its functions among those that everybody sees.
    void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) throw IoError(fmt::format("MPI cannot be loaded: {}", dlerror()));
    const auto make = reinterpret_cast<Ranks* (*)()>(dlsym(module, "bellwether_mpi_ranks"));
    return std::unique_ptr<Ranks>(make());
  }
#endif
  // Job managers set PMIX_RANK for single processes too, and that one can work alone.
  if (const char* rank = std::getenv("PMIX_RANK"); only_ranked() && std::string(rank) == "0") return nullptr;  // NOLINT
  throw InvalidArgument("this program was built without MPI: start it alone, or build it where OpenMPI is installed");
}

}  // namespace

Ranks* launched_ranks() {
  static const std::unique_ptr<Ranks> all = launched() ? loaded() : nullptr;
  return all.get();
}

void with_all_ranks(const std::function<void()>& work) {
  Ranks* ranks = launched_ranks();
  if (ranks == nullptr) return work();
  const auto give_up = [ranks](const std::string& why, int code) {
    if (!why.empty()) tell("bellwether: {}\n", with_flags(why));
    ranks->abandon(code);
  };
  try {
    work();
    ranks->meet();
  } catch (const Stopped&) {
    give_up("", Stopped::code);
  } catch (const InvalidArgument& error) {
    give_up(error.what(), 2);
  } catch (const std::exception& error) {
    give_up(error.what(), 1);
  }
}

}  // namespace bellwether::cli
