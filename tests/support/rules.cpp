#include "support/rules.h"

namespace bellwether::testing {

std::vector<RuleStep> rule_steps(const Batch& batch, const RuleOptions& options) {
  std::vector<RuleStep> steps;
  const auto d = static_cast<Eigen::Index>(batch.dim());
  double n = 0;
  for (std::size_t t = 0; t < batch.size; ++t) {
    const bool starts = t == 0 || batch.discount[t - 1] == 0 || batch.restart[t] != 0;
    if (starts) n += 1;
    RuleStep s;
    s.x = Eigen::Map<const Vector>(batch.x.as<DenseView>(t).values, d);
    s.xn = Eigen::Map<const Vector>(batch.x_next.as<DenseView>(t).values, d);
    s.r = batch.reward[t];
    s.g = starts ? 0 : batch.discount[t - 1];
    s.gn = batch.discount[t];
    s.l = t == 0 ? options.lambda : options.lambda * batch.lambda[t - 1];
    s.ln = options.lambda * batch.lambda[t];
    s.rho = batch.rho[t];
    s.rhop = t == 0 ? 1 : batch.rho[t - 1];
    s.pi = batch.pi[t];
    s.pip = t == 0 ? 1 : batch.pi[t - 1];
    s.i = batch.interest[t];
    s.factor = options.schedule == Schedule::constant ? 1
               : options.schedule == Schedule::boyan  ? (options.n0 + 1) / (options.n0 + n)
                                                      : 1 / (static_cast<double>(t) + 1);
    steps.push_back(s);
  }
  return steps;
}

std::vector<Vector> forward_view(const std::vector<RuleStep>& steps, const std::vector<double>& step_size,
                                 const std::vector<double>& weight) {
  const Vector zero = Vector::Zero(steps.front().x.size());
  std::vector<Vector> w{zero};
  std::vector<double> V;  // w_k.x_{k+1}
  for (std::size_t h = 1; h <= steps.size(); ++h) {
    V.push_back(w[h - 1].dot(steps[h - 1].xn));
    std::vector<double> G(h);
    for (std::size_t k = h; k-- > 0;) {
      const RuleStep& s = steps[k];
      const bool cut = k + 1 == h || steps[k + 1].g == 0;
      G[k] = s.r + s.gn * (V[k] + (cut ? 0 : s.ln * weight[k + 1] * (G[k + 1] - V[k])));
    }
    Vector u = zero;
    for (std::size_t k = 0; k < h; ++k) u += step_size[k] * (G[k] - u.dot(steps[k].x)) * steps[k].x;
    w.push_back(u);
  }
  w.erase(w.begin());
  return w;
}

}  // namespace bellwether::testing
