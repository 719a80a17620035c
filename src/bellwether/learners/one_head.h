#pragma once

#include <span>

#include <bellwether/core/params/settings.h>

namespace bellwether {

/// One head, as a system sees it.
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

/// Some learners are made of two parts, so that an ensemble can share the first between its members
/// (learners/sharing/shared_system.h):
///
///   a system   what follows from the data alone: a trace, a matrix, its factorisation
///   a head     what one learner adds: its step sizes, its weights
///
/// Their rules have `name`, `doc`, `Params` and
///
///     static Params in_common(Params params);           // without the parameters in which members may differ
///     System(std::size_t dim, const Params& params);    // uses only what members have in common
///     Head(const System& system, const Params& params);
///     void state(System&, Head&, Visit&&);              // optional, static: the order in which files have both
///
/// and the system
///
///     bool step(const Step& s, const Heads& heads);               // false: no head can go on
///     void assign(std::span<const double> w, const Heads& heads);
///     double value(const Head& head, const X& x) const;           // w.x
///     void read(const Head& head, std::span<double> w) const;     // the weights of one head
///     Settings findings(const Head& head) const;
///     void merge(Head& head, const System& other, const Head& other_head, double share);
///     bool consistent() const;                                    // optional: whether a state that was read can go on
///
/// A step is written once, over `heads`. `first()` is any one of them, `for_each(f)` calls f(head) for all, and
/// `keep(f)` does so too, but f tells whether the head can go on; `keep` is false when none can.
///
/// This is the state of the learner alone: a system with one head.
template <class Rule>
struct SystemAndHead {
  typename Rule::System system;
  typename Rule::Head head;

  SystemAndHead(std::size_t dim, const typename Rule::Params& params) : system(dim, params), head(system, params) {}

  template <class Step>
  bool update(const Step& s) {
    return system.step(s, OneHead{head});
  }
  template <class X>
  double value(const X& x) const {
    return system.value(head, x);
  }
  void read(std::span<double> w) const { system.read(head, w); }
  void assign(std::span<const double> w) { system.assign(w, OneHead{head}); }
  Settings findings() const { return system.findings(head); }
  void merge(const SystemAndHead& other, double share) { system.merge(head, other.system, other.head, share); }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    if constexpr (requires { Rule::state(self.system, self.head, visit); }) Rule::state(self.system, self.head, visit);
    else visit(self.system, self.head);
    if constexpr (requires { self.system.counts; }) visit(self.system.counts);  // last, as files have it
    if constexpr (requires { self.system.consistent(); }) visit.require([&] { return self.system.consistent(); });
  }
};

}  // namespace bellwether
