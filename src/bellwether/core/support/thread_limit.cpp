#include <bellwether/core/support/thread_limit.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace bellwether {
namespace {

thread_local unsigned limit = 0;  // 0: none

}  // namespace

unsigned allowed_threads() { return limit > 0 ? limit : std::max(1U, std::thread::hardware_concurrency()); }

ThreadLimit::ThreadLimit(unsigned threads) : before_(std::exchange(limit, std::max(1U, threads))) {}

ThreadLimit::~ThreadLimit() { limit = before_; }

}  // namespace bellwether
