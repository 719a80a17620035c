/// Every registered learner over millions of steps of a stream that changes: what drifts, grows or stalls. See
/// README.md.

#include <sys/resource.h>

#include <fmt/core.h>
#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <bellwether/learners/all.h>
#include <bellwether/learners/learners.h>

#include "changing_chain.h"
#include "usage.h"

namespace bellwether::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Eigen::MatrixXd;

constexpr std::size_t era = 100'000;   // steps after which the stream changes
constexpr std::size_t chunk = 10'000;  // steps drawn at once
constexpr double lambda = 0.9;
constexpr std::string_view stores_steps = "lstd_krylov";

/// Times of steps, in classes of 1 %, without memory of its own for each. A step that the system interrupted is left
/// out: its time is that of other programs.
class StepTimes {
 public:
  void add(double ns) {
    if (ns > 10'000 && interrupted()) {
      ++interruptions_;
      return;
    }
    most_ = std::max(most_, ns);
    ++counts_[std::min(counts_.size() - 1, static_cast<std::size_t>(std::log(std::max(ns, 1.0)) / width))];
    ++all_;
  }
  double quantile(double share) const {
    auto left = static_cast<std::uint64_t>(share * static_cast<double>(all_));
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] > left) return std::exp((static_cast<double>(i) + 0.5) * width);
      left -= counts_[i];
    }
    return most_;
  }
  double most() const { return most_; }
  std::uint64_t interruptions() const { return interruptions_; }

 private:
  static constexpr double width = 0.01;

  bool interrupted() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return std::exchange(switches_, usage.ru_nivcsw) != usage.ru_nivcsw;
  }

  std::array<std::uint64_t, 2600> counts_{};  // up to 200 s
  std::uint64_t all_ = 0;
  std::uint64_t interruptions_ = 0;
  long switches_ = 0;
  double most_ = 0;
};

/// S = sum of e d^T, added up term by term.
class ExactSum {
 public:
  explicit ExactSum(std::size_t dim) : S_(MatrixXd::Zero(Eigen::Index(dim), Eigen::Index(dim))), e_(dim) {
    e_.setZero();
  }

  void add(const Batch& steps) {
    for (std::size_t t = 0; t < steps.size; ++t) {
      e_ *= lambda * discount_;
      steps.x.as<SparseView>(t).for_each([&](std::size_t j, double v) { e_[Eigen::Index(j)] += v; });
      steps.x.as<SparseView>(t).for_each([&](std::size_t j, double v) { S_.col(Eigen::Index(j)) += v * e_; });
      discount_ = steps.discount[t];
      steps.x_next.as<SparseView>(t).for_each(
          [&](std::size_t j, double v) { S_.col(Eigen::Index(j)) -= discount_ * v * e_; });
    }
  }
  const MatrixXd& matrix() const { return S_; }

 private:
  MatrixXd S_;
  Eigen::VectorXd e_;
  double discount_ = 0;
};

/// The largest entry of |B^T B - I|.
double deviation(const MatrixXd& B) {
  return (B.transpose() * B - MatrixXd::Identity(B.cols(), B.cols())).cwiseAbs().maxCoeff();
}

const IncrementalSvd* svd_of(const Learner& learner) {
  if (const auto* atd = dynamic_cast<const ATD*>(&learner)) return &atd->state().system.svd;
  if (const auto* tlstd = dynamic_cast<const TLSTD*>(&learner)) return &tlstd->state().system.svd;
  return nullptr;
}

MatrixXd left_of(const IncrementalSvd& svd) {
  MatrixXd U(Eigen::Index(svd.dim()), Eigen::Index(svd.left_size()));
  for (std::size_t i = 0; i < svd.left_size(); ++i) {
    U.col(Eigen::Index(i)) = Eigen::Map<const Eigen::VectorXd>(svd.left(i).data(), U.rows());
  }
  return U;
}
MatrixXd right_of(const IncrementalSvd& svd) {
  MatrixXd V(Eigen::Index(svd.dim()), Eigen::Index(svd.right_size()));
  for (std::size_t i = 0; i < svd.right_size(); ++i) {
    V.col(Eigen::Index(i)) = Eigen::Map<const Eigen::VectorXd>(svd.right(i).data(), V.rows());
  }
  return V;
}

/// How far the bases that a learner keeps are from orthonormal; nothing when it keeps none.
std::optional<double> orthogonality(const Learner& learner) {
  if (const auto* svd = svd_of(learner)) return std::max(deviation(left_of(*svd)), deviation(right_of(*svd)));
  if (const auto* compensated = dynamic_cast<const ATDCompensated*>(&learner)) {
    const DiagonalPlusLowRank& S = compensated->state().matrix();
    MatrixXd U(Eigen::Index(S.rows()), Eigen::Index(S.rank()));
    for (Eigen::Index r = 0; r < U.rows(); ++r) {
      for (Eigen::Index k = 0; k < U.cols(); ++k) U(r, k) = S.uv()[r * Eigen::Index(S.uv_stride()) + k];
    }
    return deviation(U);
  }
  return std::nullopt;
}

struct Row {
  std::string title;
  std::string name;
  std::size_t dim;
  Settings settings;
  double ns = 0;  // a first estimate
};

struct Soaked {
  StepTimes times;
  double orthogonality = -1;   // the worst of all eras; -1: it keeps no basis
  double distance = -1;        // |U M V^T - S| / |S|; -1: it keeps no factorisation
  double best_distance = -1;   // the same of the best matrix of the same rank
  double megabytes_early = 0;  // after a tenth of the steps
  double megabytes_late = 0;   // at the end
  double error_early = 0;      // mean over the first tenth of the eras: |v^ - v| / |v|
  double error_late = 0;       // and over the last tenth
  double error_most = 0;
  std::optional<std::uint64_t> diverged;
};

Soaked soak(const Row& row, std::size_t steps) {
  Soaked result;
  ChangingChain chain(row.dim, 1);
  const auto learner = make_learner(row.name, row.dim, row.settings);
  std::optional<ExactSum> exact;
  if (svd_of(*learner) != nullptr) exact.emplace(row.dim);
  std::vector<double> errors;
  std::vector<double> predicted(chain.values().size());
  for (std::size_t done = 0; done < steps;) {
    const Batch batch = chain.next(std::min(chunk, steps - done));
    auto begin = Clock::now();
    for (std::size_t t = 0; t < batch.size; ++t) {
      learner->learn(batch.slice(t, 1));
      const auto end = Clock::now();
      result.times.add(std::chrono::duration<double, std::nano>(end - begin).count());
      begin = Clock::now();
    }
    if (exact) exact->add(batch);
    done += batch.size;
    if (done % era != 0 && done != steps) continue;
    learner->predict(chain.states(), predicted);
    double wrong = 0;
    double all = 0;
    for (std::size_t s = 0; s < predicted.size(); ++s) {
      wrong += std::pow(predicted[s] - chain.values()[s], 2);
      all += std::pow(chain.values()[s], 2);
    }
    errors.push_back(std::sqrt(wrong / all));
    if (const auto off = orthogonality(*learner)) result.orthogonality = std::max(result.orthogonality, *off);
    if (done <= std::max(steps / 10, era)) result.megabytes_early = status_megabytes("VmRSS");
    chain.change();
  }
  result.megabytes_late = status_megabytes("VmRSS");
  const std::size_t tenth = std::max<std::size_t>(1, errors.size() / 10);
  for (std::size_t i = 0; i < tenth; ++i) {
    result.error_early += errors[i] / static_cast<double>(tenth);
    result.error_late += errors[errors.size() - 1 - i] / static_cast<double>(tenth);
  }
  result.error_most = *std::max_element(errors.begin(), errors.end());
  result.diverged = learner->diverged_at();
  if (const auto* svd = svd_of(*learner)) {
    const MatrixXd M = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
        svd->core().data(), Eigen::Index(svd->left_size()), Eigen::Index(svd->right_size()));
    const MatrixXd& S = exact->matrix();
    result.distance = (left_of(*svd) * M * right_of(*svd).transpose() - S).norm() / S.norm();
    const Eigen::VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(S).singularValues();
    const auto rank = Eigen::Index(std::min(svd->left_size(), svd->right_size()));
    result.best_distance = sigma.tail(sigma.size() - rank).norm() / sigma.norm();
  }
  return result;
}

Settings settings_for(const LearnerEntry& entry, const Settings& wanted) {
  Settings settings;
  for (const auto& setting : wanted) {
    const bool known = std::any_of(entry.params.begin(), entry.params.end(),
                                   [&](const ParamInfo& param) { return param.name == setting.first; });
    if (known) settings.push_back(setting);
  }
  return settings;
}

/// Every learner, the fastest first; and atd with all its directions kept, which then is exact. lstd_krylov, which
/// stores the steps and solves for its weights when it is asked, comes last.
std::vector<Row> rows() {
  std::vector<Row> all;
  const std::string alpha = format_number(0.01 / ChangingChain::active);
  for (const LearnerEntry& entry : learners()) {
    all.push_back({entry.name, entry.name, 64,
                   settings_for(entry, {{"alpha", alpha}, {"lambda", format_number(lambda)}, {"rank", "8"}})});
  }
  all.push_back(
      {"atd, nothing dropped", "atd", 16, {{"lambda", format_number(lambda)}, {"rank", "16"}, {"cutoff", "0.001"}}});
  for (Row& row : all) {
    const double begin = cpu_seconds();
    (void)soak(row, 5000);
    row.ns = row.name == stores_steps ? 1e9 : (cpu_seconds() - begin) / 5000 * 1e9;
  }
  std::sort(all.begin(), all.end(), [](const Row& a, const Row& b) { return a.ns < b.ns; });
  return all;
}

/// What went wrong, or nothing. A learner that stores every step is allowed to grow.
std::string complaint(const Row& row, const Soaked& s) {
  if (s.diverged) return fmt::format("diverged at step {}", *s.diverged);
  if (!(s.error_most < 3)) return "error not bounded";
  if (s.orthogonality > 1e-9) return "basis not orthonormal";
  if (s.megabytes_late > s.megabytes_early + 2 && row.name != stores_steps) return "memory grows";
  if (s.best_distance >= 0 && s.distance > 2 * s.best_distance + 1e-9) return "factorisation off";
  return "";
}

std::string shown(double number) { return number < 0 ? "" : fmt::format("{:.2g}", number); }

int run(std::size_t steps, const char* csv) {
  std::FILE* file = nullptr;
  if (csv != nullptr && (file = std::fopen(csv, "w")) == nullptr) {
    std::perror(csv);
    return 1;
  }
  if (file != nullptr) {
    fmt::print(file,
               "learner,dim,steps,p50_ns,p99_ns,p999_ns,max_ns,interrupted_steps,orthogonality,factorisation,"
               "best_of_rank,megabytes_early,megabytes_late,error_early,error_late,error_most,complaint\n");
  }
  fmt::print("{:<22} {:>3} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7} {:>6} {:>6} {:>6}\n", "learner", "d",
             "p50 ns", "p99 ns", "p99.9 ns", "max ns", "drift", "distance", "best", "MB", "MB end", "error", "end",
             "most");
  bool well = true;
  for (const Row& row : rows()) {
    const Soaked s = soak(row, steps);
    const std::string wrong = complaint(row, s);
    well = well && wrong.empty();
    fmt::print(
        "{:<22} {:>3} {:>8.0f} {:>8.0f} {:>8.0f} {:>9.0f} {:>9} {:>9} {:>9} {:>7.1f} {:>7.1f} {:>6.3f} {:>6.3f} "
        "{:>6.3f} {}\n",
        row.title, row.dim, s.times.quantile(0.5), s.times.quantile(0.99), s.times.quantile(0.999), s.times.most(),
        shown(s.orthogonality), shown(s.distance), shown(s.best_distance), s.megabytes_early, s.megabytes_late,
        s.error_early, s.error_late, s.error_most, wrong);
    std::fflush(stdout);
    if (file == nullptr) continue;
    fmt::print(file, "\"{}\",{},{},{:.0f},{:.0f},{:.0f},{:.0f},{},{},{},{},{:.1f},{:.1f},{:.4f},{:.4f},{:.4f},{}\n",
               row.title, row.dim, steps, s.times.quantile(0.5), s.times.quantile(0.99), s.times.quantile(0.999),
               s.times.most(), s.times.interruptions(), shown(s.orthogonality), shown(s.distance),
               shown(s.best_distance), s.megabytes_early, s.megabytes_late, s.error_early, s.error_late, s.error_most,
               wrong);
    std::fflush(file);
  }
  if (file != nullptr) std::fclose(file);
  return well ? 0 : 1;
}

}  // namespace
}  // namespace bellwether::bench

int main(int argc, char** argv) {
  std::size_t steps = 10'000'000;
  const char* csv = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--steps") steps = std::strtoull(argv[i + 1], nullptr, 10);
    else if (std::string(argv[i]) == "--csv") csv = argv[i + 1];
    else argc = 0;
  }
  if (argc % 2 == 0 || steps == 0) {
    std::fprintf(stderr, "usage: %s [--steps N] [--csv FILE]\n", argv[0]);
    return 2;
  }
  return bellwether::bench::run(steps, csv);
}
