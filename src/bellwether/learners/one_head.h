#pragma once

namespace bellwether {

/// Some learners are made of two parts, so that an ensemble can share the first between its members
/// (learners/sharing/shared_system.h):
///
///   a system   what follows from the data alone: a trace, a matrix, its factorisation
///   a head     what one learner adds: its step sizes, its weights
///
/// A step is written once, in the system, over its heads. `first()` is any one of them, `for_each(f)` calls f(head) for
/// all, and `keep(f)` does so too, but f tells whether the head can go on; `keep` is false when none can.
///
/// This is the learner alone: a system with one head.
template <class Head>
struct OneHead {
  Head& head;

  Head& first() const { return head; }

  template <class F>
  void for_each(F&& f) const {
    f(head);
  }

  template <class F>
  bool keep(F&& f) const {
    return f(head);
  }
};
template <class Head>
OneHead(Head&) -> OneHead<Head>;

}  // namespace bellwether
