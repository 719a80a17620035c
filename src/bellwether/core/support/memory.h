#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace bellwether {

/// The bytes that this process can still have: the least of what the system says is available, what its control groups
/// leave (containers, jobs of batch systems), and what its own limits allow (ulimit -v). Where none of them is known,
/// as much as can be addressed.
std::uint64_t free_memory();

/// The least that one of the control groups leaves in which a file like /proc/self/cgroup says that a process is, and
/// the groups around them, below `mount`.
std::uint64_t free_in_groups(const std::filesystem::path& membership, const std::filesystem::path& mount);

/// Lets requests beyond what is free now, swap included, fail (std::bad_alloc) for as long as this process runs.
/// Without it the system grants them all, and ends the process when the memory is used. For a program, at its
/// beginning.
void limit_memory();

/// Throws InvalidArgument when so many bytes are not free: "lstd with 30,000 features needs 7.2 GB; 3.9 GB are free:
/// take lstd_krylov". To be called before memory is allocated whose size a request or a file decides: the system
/// promises memory that it does not have, and ends the process when it is used. Small requests are granted without
/// looking.
void require_memory(double bytes, std::string_view what, std::string_view advice);

/// A number of bytes for people: "7.2 GB".
std::string bytes_text(double bytes);

}  // namespace bellwether
