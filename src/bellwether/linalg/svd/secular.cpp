#include <bellwether/linalg/svd/secular.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/simd.h>

namespace bellwether::secular {
namespace {

constexpr std::size_t width = Eight::width;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr Eight lanes{{0, 1, 2, 3}, {4, 5, 6, 7}};

/// The secular function for eight roots, and its derivative, as sums over the poles below and above the root.
struct Sums {
  Eight psi, dpsi;  // poles 0 .. i
  Eight phi, dphi;  // poles i+1 ..
};

BELLWETHER_INLINE void add_term(double weight, const Eight& inverse, Eight& value, Eight& slope) {
  const Eight term = weight * inverse;
  value = value + term;
  slope = slope + term * inverse;
}

/// value += sum_j weight_j / (pole_j - mu), slope += its derivative, for poles from .. to-1 and mu = start + tau.
/// `distance` holds pole_j - start, eight per pole. One division serves four poles: 1/a = b c d / (a b c d).
BELLWETHER_INLINE void add_terms(std::size_t from, std::size_t to, const double* distance, const double* weight,
                                 const Eight& tau, Eight& value, Eight& slope) {
  std::size_t j = from;
  for (; j + 4 <= to; j += 4) {
    const Eight a = Eight::load(distance + width * j) - tau;
    const Eight b = Eight::load(distance + width * (j + 1)) - tau;
    const Eight c = Eight::load(distance + width * (j + 2)) - tau;
    const Eight d = Eight::load(distance + width * (j + 3)) - tau;
    const Eight ab = a * b;
    const Eight cd = c * d;
    const Eight inverse = 1.0 / (ab * cd);
    const Eight iab = cd * inverse;
    const Eight icd = ab * inverse;
    add_term(weight[j], b * iab, value, slope);
    add_term(weight[j + 1], a * iab, value, slope);
    add_term(weight[j + 2], d * icd, value, slope);
    add_term(weight[j + 3], c * icd, value, slope);
  }
  for (; j < to; ++j) add_term(weight[j], 1.0 / (Eight::load(distance + width * j) - tau), value, slope);
}

/// A term whose pole is below the roots of the lanes from `lane` on and above the others.
BELLWETHER_INLINE void add_split_term(std::size_t lane, double weight, const Eight& inverse, Sums& s) {
  const EightBools above = lanes < static_cast<double>(lane);
  const Eight term = weight * inverse;
  const Eight slope = term * inverse;
  s.psi = s.psi + choose(above, Eight{}, term);
  s.dpsi = s.dpsi + choose(above, Eight{}, slope);
  s.phi = s.phi + choose(above, term, Eight{});
  s.dphi = s.dphi + choose(above, slope, Eight{});
}

/// The sums for the roots first .. first+7, with tau of each in its lane.
BELLWETHER_INLINE Sums evaluate(std::size_t n, const double* distance, const double* weight, std::size_t first,
                                const Eight& tau) {
  Sums s{};
  const std::size_t last = std::min(first + width, n);
  add_terms(0, first + 1, distance, weight, tau, s.psi, s.dpsi);
  std::size_t j = first + 1;
  for (; j + 2 <= last; j += 2) {
    const Eight a = Eight::load(distance + width * j) - tau;
    const Eight b = Eight::load(distance + width * (j + 1)) - tau;
    const Eight inverse = 1.0 / (a * b);
    add_split_term(j - first, weight[j], b * inverse, s);
    add_split_term(j + 1 - first, weight[j + 1], a * inverse, s);
  }
  for (; j < last; ++j) add_split_term(j - first, weight[j], 1.0 / (Eight::load(distance + width * j) - tau), s);
  add_terms(last, n, distance, weight, tau, s.phi, s.dphi);
  return s;
}

/// sum_j weight_j / (pole_j - start - tau). Four fractions share a common denominator.
BELLWETHER_INLINE Eight value_of(std::size_t n, const Poles& pole, const double* weight, const Eight& high,
                                 const Eight& low, const Eight& tau) {
  Eight value{};
  std::size_t j = 0;
  const auto to_pole = [&](std::size_t i) { return ((pole.high[i] - high) + (pole.low[i] - low)) - tau; };
  for (; j + 4 <= n; j += 4) {
    const Eight a = to_pole(j);
    const Eight b = to_pole(j + 1);
    const Eight c = to_pole(j + 2);
    const Eight d = to_pole(j + 3);
    const Eight ab = a * b;
    const Eight cd = c * d;
    const Eight left = weight[j] * b + weight[j + 1] * a;
    const Eight right = weight[j + 2] * d + weight[j + 3] * c;
    value = value + (left * cd + right * ab) / (ab * cd);
  }
  for (; j < n; ++j) value = value + weight[j] / to_pole(j);
  return value;
}

/// The zero x in (0, gap) of c - near / x + far / (gap - x), near > 0, far >= 0.
BELLWETHER_INLINE Eight zero_between(const Eight& c, const Eight& near, const Eight& far, const Eight& gap) {
  const Eight sum = c * gap + near + far;
  const Eight difference = c * gap - near + far;
  const Eight root = square_root(difference * difference + 4.0 * near * far);
  return choose(sum < 0, (sum - root) / (2.0 * c), 2.0 * near * gap / (sum + root));
}

}  // namespace

// Iterates the "middle way" (Li, Solving secular equations stably and efficiently, LAPACK working note 89): the sums
// over the poles on either side of a root are replaced by r + s / (pole - mu) with the nearest pole and the same value
// and slope. That converges quadratically, mostly in three or four steps; a bracket guards it.
BELLWETHER_SIMD void solve(std::size_t n, double rho, Poles pole, const double* weight, std::uint32_t* near,
                           double* offset, double* room) {
  const double constant = 1 / rho;
  for (std::size_t first = 0; first < n; first += width) {
    // Lanes beyond the last root repeat it.
    const auto gather = [&](const double* numbers) {
      double gathered[width];
      for (std::size_t l = 0; l < width; ++l) gathered[l] = numbers[std::min(first + l, n - 1)];
      return Eight::load(gathered);
    };
    const Eight left = gather(pole.high);
    const Eight left_low = gather(pole.low);
    const Eight right = gather(pole.high + 1);
    const Eight right_low = gather(pole.low + 1);
    const Eight left_weight = gather(weight);
    const Eight right_weight = gather(weight + 1);
    const EightBools last = same<Eight>(static_cast<double>(n - 1 - first)) <= lanes;
    // The sign in the middle of the gap tells which pole is nearer to the root; x is the distance from it.
    const Eight gap = (right - left) + (right_low - left_low);
    const Eight half = 0.5 * gap;
    const Eight at_half = constant + value_of(n, pole, weight, left, left_low, half);
    const EightBools beyond_half = at_half < 0;
    const EightBools from_right = beyond_half & ~last;
    const Eight start = choose(from_right, right, left);
    const Eight start_low = choose(from_right, right_low, left_low);
    for (std::size_t j = 0; j < n; ++j) {
      ((pole.high[j] - start) + (pole.low[j] - start_low)).store(room + width * j);
    }
    const Eight sign = 1.0 - choose(from_right, same<Eight>(2), Eight{});
    Eight low = choose(beyond_half & last, half, Eight{});
    Eight high = choose(beyond_half & last, gap, half);

    const Eight far_poles = at_half + (left_weight - right_weight) / half;
    Eight x = zero_between(sign * far_poles, choose(from_right, right_weight, left_weight),
                           choose(from_right, left_weight, right_weight), gap);
    EightBools done{};
    for (int iteration = 0; iteration < 60; ++iteration) {
      const Eight inside = choose(Eight{} < low, 0.5 * (low + high), 0.01 * high);
      x = choose(done | ((low < x) & (x < high)), x, inside);
      const Sums s = evaluate(n, room, weight, first, sign * x);
      const Eight f = constant + (s.psi + s.phi);
      done = done | (magnitude(f) <= epsilon * (4.0 * (constant + (s.phi - s.psi)) + x * (s.dpsi + s.dphi)));
      if (all(done)) break;
      const EightBools root_is_nearer = Eight{} < sign * f;
      high = choose(root_is_nearer, x, high);
      low = choose(root_is_nearer, low, x);
      const Eight to_left = choose(from_right, x - gap, -x);  // pole - mu
      const Eight to_right = choose(from_right, x, gap - x);
      const Eight c = f - to_left * s.dpsi - to_right * s.dphi;
      const Eight below = to_left * to_left * s.dpsi;
      const Eight above = to_right * to_right * s.dphi;
      const Eight next =
          zero_between(sign * c, choose(from_right, above, below), choose(from_right, below, above), gap);
      // After a step of 1e-8 x the error is of the order of its square.
      const EightBools small = (magnitude(next - x) <= 1e-8 * x) & (low < next) & (next < high);
      x = choose(done, x, next);
      done = done | small | ((high - low) <= (2 * epsilon) * high);
      if (all(done)) break;
    }
    (sign * x).store(offset + first);
    for (std::size_t l = 0; l < width && first + l < n; ++l) {
      near[first + l] = static_cast<std::uint32_t>(first + l + (from_right[l] ? 1 : 0));
    }
  }
}

BELLWETHER_SIMD void exact_weights(std::size_t n, Poles pole, const std::uint32_t* near, const double* offset,
                                   double* weight) {
  for (std::size_t first = 0; first < n; first += width) {
    const Eight high = Eight::load(pole.high + first);
    const Eight low = Eight::load(pole.low + first);
    const auto distance = [&](std::size_t j) { return (pole.high[j] - high) + (pole.low[j] - low); };
    const auto to_root = [&](std::size_t j) { return offset[j] + distance(near[j]); };
    const auto to_pole = [&](std::size_t j) {  // one for its own pole
      const EightBools own = lanes == static_cast<double>(j) - static_cast<double>(first);
      return choose(own, same<Eight>(1), distance(j));
    };
    // Every root over its pole: the ratios are near one, and so is the product of four.
    auto product = same<Eight>(1);
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4) {
      const Eight numerator = (to_root(j) * to_root(j + 1)) * (to_root(j + 2) * to_root(j + 3));
      product = product * (numerator / ((to_pole(j) * to_pole(j + 1)) * (to_pole(j + 2) * to_pole(j + 3))));
    }
    for (; j < n; ++j) product = product * (to_root(j) / to_pole(j));
    product.store(weight + first);
  }
}

BELLWETHER_SIMD void vectors(std::size_t n, Poles pole, const double* z, Poles start, const double* offset,
                             double* entries, std::size_t stride, double* f) {
  for (std::size_t first = 0; first < n; first += width) {
    const Eight high = Eight::load(start.high + first);
    const Eight low = Eight::load(start.low + first);
    const Eight tau = Eight::load(offset + first);
    const auto to_pole = [&](std::size_t j) { return ((pole.high[j] - high) + (pole.low[j] - low)) - tau; };
    Eight squares{};
    std::size_t j = 0;
    for (; j + 2 <= n; j += 2) {
      const Eight a = to_pole(j);
      const Eight b = to_pole(j + 1);
      const Eight inverse = 1.0 / (a * b);
      const Eight one = z[j] * (b * inverse);
      const Eight other = z[j + 1] * (a * inverse);
      squares = squares + (one * one + other * other);
      one.store(entries + j * stride + first);
      other.store(entries + (j + 1) * stride + first);
    }
    for (; j < n; ++j) {
      const Eight entry = z[j] / to_pole(j);
      squares = squares + entry * entry;
      entry.store(entries + j * stride + first);
    }
    const Eight factor = 1.0 / square_root(squares);
    factor.store(f + first);
    for (j = 0; j < n; ++j) {
      double* row = entries + j * stride + first;
      (factor * Eight::load(row)).store(row);
    }
  }
}

BELLWETHER_SIMD void vectors_of_two_terms(std::size_t n, std::size_t columns, const double* pole, const TwoTerms& terms,
                                          const double* start, const double* first, const double* second,
                                          double* entries, std::size_t stride, const ColumnErrors& errors) {
  for (std::size_t c = 0; c < columns; c += width) {
    const Eight from = Eight::load(start + c);
    const Eight tau = Eight::load(first + c) + Eight::load(second + c);
    const Eight offsets = magnitude(Eight::load(first + c)) + magnitude(Eight::load(second + c));
    const Eight alpha = terms.p * Eight::load(terms.alpha + c);
    const Eight beta = terms.q * Eight::load(terms.beta + c);
    const Eight beta_size = magnitude(beta);
    const Eight alpha_size = Eight::load(terms.alpha_size + c);
    Eight worst{}, second_worst{}, worst_row{};
    const auto infinite = same<Eight>(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < n; ++i) {
      const Eight inverse = 1.0 / (tau - (pole[i] - from));
      const Eight entry = (terms.w[i] * alpha + terms.u[i] * beta) * inverse;
      entry.store(entries + i * stride + c);
      const Eight uncertain = std::abs(terms.w[i]) * alpha_size + terms.u_size[i] * beta_size;
      const Eight bound = (uncertain + offsets * magnitude(entry)) * magnitude(inverse);
      const Eight error = choose(bound < infinite, bound, infinite);  // where mu is a pole, the entry may be 0 / 0
      const EightBools fine = error <= worst;
      const Eight smaller = choose(fine, error, worst);
      second_worst = choose(smaller <= second_worst, second_worst, smaller);
      worst_row = choose(fine, worst_row, same<Eight>(static_cast<double>(i)));
      worst = choose(fine, worst, error);
    }
    worst.store(errors.worst + c);
    second_worst.store(errors.second_worst + c);
    worst_row.store(errors.worst_row + c);
  }
}

}  // namespace bellwether::secular
