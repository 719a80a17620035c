#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "support/dense_algebra.h"
#include "support/textbook_trace.h"

namespace bellwether::testing {

/// atd_compensated by its definition, with dense matrices, an inverse at every step and a full decomposition at every
/// renewal.
struct CompensatedReference {
  Eigen::Index rank;
  std::size_t block;
  double zeta;
  bool compensate = true;
  std::size_t replay = 0;

  Vector D{};
  std::optional<TextbookTrace> trace{};
  Eigen::MatrixXd low{};
  std::size_t gathered = 0;
  std::size_t reduced = 0;  // steps that were shortened
  std::vector<Vector> es{}, ds{};
  std::vector<double> rs{}, cs{}, deltas{};
  Vector before{};  // the weights before the replay that is on probation
  std::size_t first_watched = 0;
  std::size_t pause = 0;
  std::size_t next_pause = 1;
  std::size_t taken_back = 0;

  void step(const RuleStep& s, Vector& w, TraceRule rule) {
    const Eigen::Index n = s.x.size();
    if (D.size() == 0) {
      D = Vector::Constant(n, zeta);
      trace.emplace(rule, n);
      low = Eigen::MatrixXd::Zero(n, n);
    }
    const Vector& e = trace->next(s);
    const Vector d = s.x - s.gn * s.xn;
    low += e * d.transpose();
    const Vector gain = solve(Eigen::MatrixXd(D.asDiagonal()) + low, e);
    double f = 1;
    if (rank < n) {
      f /= std::max(1.0, std::abs(d.dot(gain)));
      const double sDs = gain.dot(D.cwiseProduct(gain));
      if (sDs > gain.dot(e)) f *= std::max(0.0, gain.dot(e) / sDs);
    }
    if (f < 1 - 1e-9) ++reduced;
    deltas.push_back(s.delta(w));
    cs.push_back(s.rho * s.g * s.l);
    w += f * s.delta(w) * gain;
    es.push_back(e);
    ds.push_back(d);
    rs.push_back(s.r);
    if (++gathered == block) renew(w);
  }

  void renew(Vector& w) {
    gathered = 0;
    if (rank < D.size()) {
      const Eigen::MatrixXd kept = Svd(low).truncated(rank);
      if (compensate) D += (low - kept).diagonal().cwiseMax(0.0);
      low = kept;
    }
    if (replay == 0) return;
    ASSERT_LE(rs.size(), replay) << "the definition here keeps all samples";
    judge(w);
    if (pause > 0) {
      --pause;
      return;
    }
    Vector q = -zeta * w;
    for (std::size_t i = 0; i < rs.size(); ++i) q += es[i] * (rs[i] - ds[i].dot(w));
    const Vector p = solve(Eigen::MatrixXd(D.asDiagonal()) + low, q);
    Vector y = zeta * p;
    for (std::size_t i = 0; i < rs.size(); ++i) y += es[i] * ds[i].dot(p);
    double f = std::clamp(y.dot(q) / y.dot(y), 0.0, 1.0);
    const double pDp = p.dot(D.cwiseProduct(p));
    if (pDp > p.dot(q)) f *= std::max(0.0, p.dot(q) / pDp);
    before = w;
    first_watched = rs.size();
    w += f * p;
  }

  void judge(Vector& w) {
    if (before.size() == 0) return;
    double with = 0;
    double without = 0;
    for (std::size_t j = first_watched; j < rs.size(); ++j) {
      double g = 0;
      double g_before = 0;
      double decay = 1;
      for (std::size_t i = j; i < rs.size(); ++i) {
        if (i > j) decay *= cs[i];
        g += decay * deltas[i];
        g_before += decay * (rs[i] - ds[i].dot(before));
      }
      with += g * g;
      without += g_before * g_before;
    }
    if (with > 1.5 * without) {
      w = before;
      ++taken_back;
      pause = next_pause;
      next_pause = std::min<std::size_t>(2 * next_pause, 64);
    } else {
      next_pause = std::max<std::size_t>(next_pause / 2, 1);
    }
    before.resize(0);
  }
};

}  // namespace bellwether::testing
