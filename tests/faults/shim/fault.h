#pragma once

#include <array>
#include <atomic>
#include <cerrno>

/// Which call of the system fails, and how (shim.cpp).
namespace {

enum Kind : unsigned {
  opening,
  reading,
  writing,
  syncing,
  renaming,
  resizing,
  locking,
  memory,
  thread,
  ticking,
  kinds
};
constexpr std::array<const char*, kinds> names{"open",   "read", "write",  "sync",   "rename",
                                               "resize", "lock", "memory", "thread", "clock"};

// Set before `main`, and only read afterwards.
unsigned chosen = kinds;
long chosen_call = 0;
int error = 0;
bool goes_on = false;

std::atomic<bool> armed{false};
std::array<std::atomic<long>, kinds> calls{};

bool counts(unsigned kind) {
  if (!armed.load(std::memory_order_relaxed)) return false;
  const long n = ++calls[kind];
  return kind == chosen && chosen_call > 0 && (goes_on ? n >= chosen_call : n == chosen_call);
}

/// Whether this call is to fail; errno then says why.
bool fails(unsigned kind) {
  if (!counts(kind)) return false;
  errno = error;
  return true;
}

}  // namespace
