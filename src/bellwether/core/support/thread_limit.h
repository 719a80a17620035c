#pragma once

namespace bellwether {

/// How many threads a long computation that the calling thread begins may use: one for each processor, unless a
/// ThreadLimit says otherwise. Learners that solve large equations ask for it (`lstd_krylov`); the number changes how
/// long they take, never a bit of their results.
unsigned allowed_threads();

/// While it exists, computations that its thread begins use at most `threads` threads. Those who run learners on
/// threads of their own tell each of them so, since it would use all processors otherwise:
///
///     std::jthread worker([&] {
///       const ThreadLimit alone(1);
///       learner->learn(batch);
///       show(learner->weights());
///     });
///
/// parallel_for and the workers of studies do this by themselves. Limits may be nested; the innermost one counts.
class ThreadLimit {
 public:
  explicit ThreadLimit(unsigned threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  unsigned before_;
};

}  // namespace bellwether
