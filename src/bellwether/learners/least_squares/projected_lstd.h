#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/linalg/dense/tall_matrix.h>
#include <bellwether/linalg/svd/sketch.h>
#include <bellwether/traces/last_features.h>
#include <bellwether/traces/trace_rule.h>

namespace bellwether {

/// The traces that commute with a projection; the maximum in replacing traces does not.
enum class ProjectedTrace : std::uint8_t { accumulating, emphatic };
constexpr auto names(ProjectedTrace) { return std::array{"accumulating", "emphatic"}; }

struct ProjectedLSTDRule {
  static constexpr const char* name = "projected_lstd";
  static constexpr Doc doc{
      .summary = "LSTD(lambda) on a few random projections of the features; the predictions are averaged.",
      .detail = R"(
For each of the projections S (k x d, drawn once), with f = S x and f' = S x' in R^k:

e     = rho (gamma lambda e + f)         emphatic: rho (gamma lambda e + M f), M the emphasis as in etd
d     = f - gamma' f'
u     = P e ; q = P^T d ; c = 1 + d.u    P = inverse_init I at first
P    -= u q^T / c
v    += (r - d.v) / c u                  so that (I / inverse_init + sum e d^T) v = sum e r

w     = mean over the projections of S^T v

Starting weights w0 stay outside the projections, which learn the rest, from r - w0.(x - gamma' x').
)",
      .reference =
          "Ghavamzadeh, Lazaric, Maillard, Munos (2010), LSTD with random projections, NIPS; averaged over five "
          "projections in Pan, White, White (2017), Accelerated gradient temporal difference learning, AAAI",
      .note =
          "O(projections (k^2 + cost of S x)) a step: S x costs k d with dense features and k active with sparse ones "
          "for gaussian, d log d and k active for srht, d and active for count_sketch and aggregation. gaussian "
          "stores projections k d numbers, the others next to nothing. Only what k random combinations of the "
          "features can express is learned: more data do not remove that bias, a larger rank does; with rank = d it "
          "is LSTD except for the regulariser. inverse_init should be well above 1 / |x|^2, but not by more than ten "
          "orders of magnitude, or the inverse is lost in rounding. A step that would make the matrix singular is "
          "left out and counted."};

  struct Params {
    double inverse_init = 1;
    double lambda = 0.0;
    ProjectedTrace trace = ProjectedTrace::accumulating;
    std::int64_t rank = 50;
    std::int64_t projections = 5;
    SketchKind sketch = SketchKind::gaussian;
    std::int64_t seed = 1;

    static constexpr auto fields() {
      return std::tuple{
          RidgeField("inverse_init", &Params::inverse_init, positive,
                     "P starts as this times I; large values regularise little"),
          lambda_field<Params>(),
          Field("trace", &Params::trace, "what a visit does to the trace; emphatic is stable off-policy"),
          Field("rank", &Params::rank, at_least(1), "rows k of a projection; more than d means d"),
          Field("projections", &Params::projections, between(1, 1000), "independent projections that are averaged"),
          Field("sketch", &Params::sketch, "how projections are drawn"),
          Field("seed", &Params::seed, "seed of the projections")};
    }
  };

  struct Head;

  /// The projections of the steps, which follow from the data and the trace. They are most of the work where many
  /// features are active.
  struct System {
    System(std::size_t dim, const Params& params);

    template <class Step, class Heads>
    bool step(const Step& s, const Heads& heads) {
      const double r =
          start.empty() ? s.r : s.r + s.gn * kernels::dot(s.xn, start.data()) - kernels::dot(s.x, start.data());
      const Motion m = mover.next(s);
      if (!s.allows(r, m.f, m.y)) return false;
      project(s, m);
      const bool any = heads.keep([&](Head& h) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
          if (!h.parts[i].prepare(s, r, parts[i])) return false;
        }
        return true;
      });
      if (!any) return false;
      for (Part& part : parts) std::swap(part.e, part.next_e);
      heads.for_each([](Head& h) { h.learn(); });
      return true;
    }

    template <class Heads>
    void assign(std::span<const double> w, const Heads&) {
      start.assign(w.begin(), w.end());
    }

    template <class X>
    double value(const Head& head, const X& x) const {
      std::vector<double> f(rank);
      std::vector<double> room(work.size());
      double sum = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].S.apply(x, f.data(), room.data());
        sum += kernels::dot(f.data(), head.parts[i].v.data(), rank);
      }
      return sum / static_cast<double>(parts.size()) + (start.empty() ? 0 : kernels::dot(x, start.data()));
    }

    void read(const Head& head, std::span<double> w) const;
    Settings findings(const Head& head) const;

    /// Exact except for rounding, as the projections are the same.
    void merge(Head& head, const System& other, const Head& other_head, double share);

    /// A step in the coordinates of one projection.
    struct Part {
      explicit Part(Sketch sketch);

      Sketch S;
      std::vector<double> f, fn;  // S x and S x'
      std::vector<double> d;      // f - gamma' f'
      std::vector<double> e, next_e;
      double dd = 0;  // |d|^2
      double ee = 0;  // |next_e|^2
    };

    /// Finds d and the next e of every part. S x is known when x was x' in the step before.
    template <class Step>
    void project(const Step& s, Motion m) {
      const bool known = last.equal(s.x);
      for (Part& part : parts) {
        if (known) std::swap(part.f, part.fn);
        else part.S.apply(s.x, part.f.data(), work.data());
        for (std::size_t i = 0; i < rank; ++i) part.next_e[i] = m.f * part.e[i] + m.y * part.f[i];
        std::copy(part.f.begin(), part.f.end(), part.d.begin());
        if (s.gn != 0) {
          part.S.apply(s.xn, part.fn.data(), work.data());
          kernels::axpy(-s.gn, part.fn.data(), part.d.data(), rank);
        }
        part.dd = kernels::dot(part.d.data(), part.d.data(), rank);
        part.ee = kernels::dot(part.next_e.data(), part.next_e.data(), rank);
      }
      if (s.gn != 0) last.remember(s.xn);
      else last.forget();
    }

    std::size_t rank;
    TraceMover mover;
    std::vector<Part> parts;
    LastFeatures last;  // those that every fn belongs to
    std::vector<double> work;
    std::vector<double> start;  // w0; empty: 0
  };

  /// What one learner adds: the inverses for its inverse_init.
  struct Head {
    Head(const System& system, const Params& params);

    /// LSTD in the coordinates of one projection.
    struct Part {
      Part(std::size_t rank, double inverse_init);

      /// Computes the step without taking it; false if it is not allowed.
      template <class Step>
      bool prepare(const Step& s, double r, const System::Part& step) {
        const std::size_t k = v.size();
        const double* d = step.d.data();
        P.times(step.next_e.data(), u.data());
        P.transposed_times(DenseView{d, k}, q.data());
        c = 1 + kernels::dot(d, u.data(), k);
        delta = r - kernels::dot(d, v.data(), k);
        const double uu = kernels::dot(u.data(), u.data(), k);
        const double qq = kernels::dot(q.data(), q.data(), k);
        // What rounding can leave of a c that should be 0.
        singular = std::abs(c) <= 1e-12 * (1 + std::sqrt(step.dd * uu));
        return s.allows(delta, c, step.dd, uu, qq, step.ee);
      }

      /// Takes the step; false when P has to stay as it is.
      bool learn();

      TallMatrix P;  // k x k
      std::vector<double> v, u, q;
      double c = 1;
      double delta = 0;
      bool singular = false;
    };

    /// Takes the step that was prepared.
    void learn();

    double inverse_init;
    std::vector<Part> parts;
    std::uint64_t skipped = 0;
    std::uint64_t lost = 0;
  };

  /// The parameters without those in which settings that share the projections may differ.
  static Params in_common(Params params) {
    params.inverse_init = Params{}.inverse_init;
    return params;
  }

  static double least_numbers(std::size_t dim, const Params& params) {
    return 2 * static_cast<double>(dim) * std::min(static_cast<double>(dim), static_cast<double>(params.rank));
  }

  /// Files have the projections one after another, each with what is the system's and what is the head's.
  template <class S, class H, class Visit>
  static void state(S& system, H& head, Visit&& visit) {
    visit(system.mover);
    for (std::size_t i = 0; i < system.parts.size(); ++i) {
      visit(head.parts[i].P);
      visit.fixed(head.parts[i].v, system.parts[i].e);
    }
    visit(system.start, head.skipped, head.lost);
    visit.require(system.start.empty() || system.start.size() == system.parts.front().S.columns());
  }
};

using ProjectedLSTD = LinearLearner<ProjectedLSTDRule>;

}  // namespace bellwether
