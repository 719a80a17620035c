/// The rules of figures that depend on which learners are shown, so that the page has to apply them itself. The program
/// states them too, for the figures that it draws (src/bellwether/report/figure_rules.h); tests/unit/report/figure_rules.json
/// has examples that both must satisfy. What the other rules come to is in the data.

/// An error this many times the error before learning is far off: to show it would leave no room for the others.
export const farOff = 10;

/// The largest error that a figure has to show, given the error before learning and the error of each learner at its
/// best, smallest first: twice the error before learning, the best of all, and whatever else is not far off. Infinite
/// when the error before learning is infinite: it is not known, or the metric is no error and should be large.
export function ceiling(beforeLearning: number, best: number[]): number {
  return Math.max(2 * beforeLearning, ...best.slice(0, 1), ...best.filter((error) => error <= farOff * beforeLearning));
}

export interface CostPoint {
  cost: number;
  error: number;
  diverges: boolean; // in some of its runs, which its error leaves out
}

/// The Pareto front: the points that no other beats in both cost and error, cheapest first. Points that diverge take no
/// part. Where `largerIsBetter`, the error is a value that should be large.
export function front<T extends CostPoint>(points: T[], largerIsBetter = false): T[] {
  const errorOf = ({ error }: CostPoint) => (largerIsBetter ? -error : error);
  const order = points.filter(({ diverges }) => !diverges).sort((a, b) => a.cost - b.cost || errorOf(a) - errorOf(b));
  let least = Infinity;
  return order.filter((point) => errorOf(point) < least && ((least = errorOf(point)), true));
}

/// True when values are better compared by factors: all are positive, and the largest is more than 20 times the smallest.
export function suitsLog(values: number[]): boolean {
  const low = Math.min(...values);
  return low > 0 && Math.max(...values) > 20 * low;
}
