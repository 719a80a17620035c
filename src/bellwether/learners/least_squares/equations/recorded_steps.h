#pragma once

#include <cmath>
#include <cstdint>
#include <tuple>

#include <bellwether/learners/least_squares/equations/transition_log.h>
#include <bellwether/traces/trace_change.h>
#include <bellwether/traces/transition.h>

namespace bellwether {

/// A TransitionLog together with the trace rule that says what a step adds to it.
class RecordedSteps {
 public:
  /// What happens when the room for `capacity` numbers of eight bytes is used up: further steps are left out, or every
  /// other piece of 512 steps is dropped, or the older half of the steps is.
  enum class WhenFull : std::uint8_t { leave_out, thin, drop_older };
  RecordedSteps(std::size_t dim, std::size_t capacity, TraceRule rule, WhenFull when_full = WhenFull::leave_out)
      : when_full_(when_full),
        log_(dim, capacity, rule == TraceRule::replacing),
        mover_(rule),
        e_(log_.with_additions() ? dim : 0),
        change_(log_.with_additions() ? dim : 0, rule) {}

  const TransitionLog& log() const { return log_; }
  const TraceMover& mover() const { return mover_; }
  std::uint64_t left_out() const { return left_out_; }  // steps that did not fit, or that were dropped
  std::uint64_t thinned() const { return thinned_; }    // how often steps were dropped

  /// Records a step, after which d.w is to equal `target`. Returns false, and records nothing, if its numbers are out
  /// of range. A step that does not fit is counted and left out.
  template <class X>
  bool record(const Transition<X>& s, double target) {
    const Motion m = mover_.next(s);
    const double mass = std::abs(m.f) * mass_ + std::abs(m.y);
    const double size = sum_of_sizes(s.x) + std::abs(s.gn) * sum_of_sizes(s.xn);
    if (!s.allows(m.f, mass, size, target)) return false;
    // The decay of a trace that is zero does not matter, but the product of many of them might overflow.
    const double f = mass_ == 0 ? 0 : m.f;
    mass_ = mass;
    if (log_.with_additions()) {
      const auto a = change_.additions(m, s.x, [this](std::size_t j) { return e_.trace_at(j); });
      append(s, {target, s.gn, f, 1.0}, a.values);
      mover_.move(e_, m, s.x);
    } else {
      append(s, {target, s.gn, f, m.y}, nullptr);
    }
    return true;
  }

  /// Drops all but the newest `count` steps, because they are no longer wanted: `left_out` does not count them.
  void keep_newest(std::size_t count) {
    if (log_.keep_newest(count) > 0) ++thinned_;
  }

  /// Appends the steps of `other`, as far as there is room.
  void append(const RecordedSteps& other) {
    left_out_ += log_.append(other.log_) + other.left_out_;
    mover_ = other.mover_;
    e_ = other.e_;
    mass_ = other.mass_;
  }

  static constexpr auto state() {
    return std::tuple{&RecordedSteps::log_,  &RecordedSteps::mover_,    &RecordedSteps::e_,
                      &RecordedSteps::mass_, &RecordedSteps::left_out_, &RecordedSteps::thinned_};
  }

 private:
  static constexpr std::size_t piece = 512;

  template <class X>
  void append(const Transition<X>& s, const TransitionLog::Numbers& numbers, const double* additions) {
    if (log_.append(s.x, s.xn, numbers, additions)) return;
    if (when_full_ != WhenFull::leave_out && log_.size() > piece) {
      left_out_ += when_full_ == WhenFull::thin ? log_.thin(piece) : log_.keep_newest(log_.size() / 2);
      ++thinned_;
      if (log_.append(s.x, s.xn, numbers, additions)) return;
    }
    ++left_out_;
  }

  template <class X>
  static double sum_of_sizes(const X& x) {
    double sum = 0;
    x.for_each([&](std::size_t, double value) { sum += std::abs(value); });
    return sum;
  }

  WhenFull when_full_;
  TransitionLog log_;
  TraceMover mover_;
  FollowedTrace<0> e_;  // for replacing traces; otherwise only its size is needed
  TraceChange change_;
  double mass_ = 0;  // an upper bound of max_j |e_j| / max_j |x_j|
  std::uint64_t left_out_ = 0;
  std::uint64_t thinned_ = 0;
};

}  // namespace bellwether
