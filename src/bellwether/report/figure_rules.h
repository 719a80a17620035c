#pragma once

#include <span>
#include <vector>

/// The rules that decide what a figure shows.
///
/// The page of a report shows the same figures. It is given what most rules come to (report_data.h), but `ceiling`,
/// `front` and `suits_log` depend on the learners that its reader hides, so web/src/rules.ts states these three again.
/// tests/unit/report/figure_rules.json holds examples that both must satisfy.
namespace bellwether {

/// An error this many times the error before learning is far off: to show it would leave no room for the others.
inline constexpr double far_off = 10;

/// True when a learning curve ends far above the error it began with, or with no error at all.
bool explodes(double before_learning, double last);

/// The largest error that a figure has to show, given the error before learning and the error of each learner at its
/// best, smallest first: twice the error before learning, the best of all, and whatever else is not far off. Infinite
/// when the error before learning is infinite: it is not known, or the metric is no error and should be large.
double ceiling(double before_learning, std::span<const double> best);

struct CostPoint {
  double cost = 0;
  double error = 0;
  bool diverges = false;  // in some of its runs, which its error leaves out
};

/// The Pareto front: the points that no other beats in both cost and error, as indices, cheapest first. Points that
/// diverge take no part. Where `larger_is_better`, the error is a value that should be large.
std::vector<std::size_t> front(std::span<const CostPoint> points, bool larger_is_better = false);

/// True when values are better compared by factors: all are positive, and the largest is more than 20 times the
/// smallest.
bool suits_log(std::span<const double> values);

}  // namespace bellwether
