#include <bellwether/linalg/svd/incremental_svd.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <bellwether/linalg/dense/orthonormalise.h>
#include <bellwether/linalg/simd/eight.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/linalg/simd/matvec.h>

namespace bellwether {
namespace {

constexpr double negligible = 1e-13;         // of the largest singular value: rounding
constexpr double least_invertible = 1e-140;  // squares of numbers below it lose their digits
constexpr double least_term = 1e-100;        // of z d^T; the quotients of squares of smaller ones are not finite
constexpr double dependent = 1e-10;          // of the length of z: a shorter remainder is rounding
constexpr std::size_t refresh_after = 100;   // terms; rounding of that many updates adds up to about 1e-14

double norm(const double* v, std::size_t n) { return std::sqrt(kernels::dot(v, v, n)); }

}  // namespace

IncrementalSvd::IncrementalSvd(std::size_t dim, std::size_t rank, std::size_t room, Solves solves)
    : rank_(std::min(rank, dim)),
      limit_(rank_ + room),
      stride_(padded(std::min(limit_, dim))),
      solves_(solves),
      U_(dim, std::min(limit_, dim)),
      V_(dim, std::min(limit_, dim)),
      M_(stride_ * stride_),
      z_(stride_),
      carried_(dim),
      gram_(solves == Solves::every_term ? std::min(limit_, dim) : 0),
      svd_(std::min(limit_, dim)),
      sigma_(stride_),
      n_(stride_),
      h_(stride_),
      s_(stride_),
      left_rotation_(stride_ * stride_),
      right_rotation_(stride_ * stride_) {}

double IncrementalSvd::magnitude() const {
  const double z = std::abs(f_) * norm(z_.data(), U_.size()) + norm(U_.coordinates(), U_.size()) + U_.residual();
  const double d = norm(V_.coordinates(), V_.size()) + V_.residual();
  return z < d ? d : z + 0 * d;
}

void IncrementalSvd::commit(double c, double s) {
  const auto row = [this](std::size_t i) { return M_.data() + i * stride_; };
  for (std::size_t i = 0; i < U_.size(); ++i) z_[i] = f_ * z_[i] + U_.coordinates()[i];
  std::copy_n(V_.coordinates(), V_.size(), n_.begin());
  if (U_.residual() > 0) {
    z_[U_.size()] = U_.residual();
    U_.extend();
    if (solves_ == Solves::every_term) gram_.grow();
  }
  if (V_.residual() > 0) {
    n_[V_.size()] = V_.residual();
    V_.extend();
  }
  std::fill(n_.begin() + static_cast<std::ptrdiff_t>(V_.size()), n_.end(), 0.0);
  carries_ = false;
  const std::size_t a = U_.size();
  const std::size_t b = V_.size();
  const double nn = kernels::dot(n_.data(), n_.data(), b);
  if (norm(z_.data(), a) * std::sqrt(nn) < least_term) s = 0;
  if (solves_ == Solves::every_term && s == 0) {
    if (c != 1) gram_.scale(c * c);
  } else if (solves_ == Solves::every_term) {
    // M' M'^T = c^2 M M^T + c s (h z^T + z h^T) + s^2 |n|^2 z z^T with h = M n
    std::fill_n(h_.begin(), a, 0.0);
    kernels::add_matvec(a, padded(b), M_.data(), stride_, c * s, n_.data(), h_.data());
    if (c != 1) gram_.scale(c * c);
    gram_.add_pair(h_.data(), z_.data(), s * s * nn);
  }
  for (std::size_t i = 0; i < a; ++i) kernels::scale_axpy(c, s * z_[i], n_.data(), row(i), b);
  if (solves_ == Solves::every_term && ++since_refresh_ >= refresh_after) refresh();
}

/// The singular value decomposition of M from the eigenvectors of M M^T, which are replaced by accurate ones: after a
/// hundred updates they are orthogonal to about 1e-13.
void IncrementalSvd::refresh() {
  const std::size_t a = U_.size();
  orthonormalise(a, a, gram_.vector(0), left_rotation_.data(), stride_, right_rotation_.data());
  svd_.compute(M_.data(), a, V_.size(), left_rotation_.data(), stride_);
  for (std::size_t i = 0; i < a; ++i) {
    const double sigma = svd_.values()[i];
    gram_.replace(i, sigma * sigma, svd_.left(i));
  }
  since_refresh_ = 0;
}

void IncrementalSvd::truncate() {
  const std::size_t a = U_.size();
  const std::size_t b = V_.size();
  if (solves_ == Solves::every_term) svd_.compute(M_.data(), a, b, gram_.vector(0), stride_);
  else svd_.compute(M_.data(), a, b, stride_);
  truncated_ = 0;
  while (truncated_ < std::min(rank_, a) && svd_.values()[truncated_] > negligible * svd_.values()[0]) ++truncated_;

  // U = U L, V = V R, M = diag(sigma)
  double* L = left_rotation_.data();
  double* R = right_rotation_.data();
  for (std::size_t j = 0; j < truncated_; ++j) {
    for (std::size_t i = 0; i < a; ++i) R[i * stride_ + j] = svd_.left(j)[i];
  }
  orthonormalise(a, truncated_, R, L, stride_, M_.data());
  std::fill(M_.begin(), M_.end(), 0.0);
  for (std::size_t j = 0; j < truncated_; ++j) {
    sigma_[j] = M_[j * stride_ + j] = svd_.values()[j];
    for (std::size_t i = 0; i < b; ++i) R[i * stride_ + j] = svd_.scaled_right(j)[i] / sigma_[j];
  }

  // z = U z_: its part in the new columns is L^T z_; the rest is carried on as a vector.
  const double length = norm(z_.data(), a);
  std::fill(h_.begin(), h_.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    std::fill(n_.begin(), n_.end(), 0.0);
    kernels::add_transposed_matvec(a, padded(truncated_), L, stride_, z_.data(), n_.data());
    std::fill(n_.begin() + static_cast<std::ptrdiff_t>(truncated_), n_.end(), 0.0);
    kernels::add_matvec(a, padded(truncated_), L, stride_, -1.0, n_.data(), z_.data());
    kernels::axpy(1.0, n_.data(), h_.data(), truncated_);
  }
  carries_ = norm(z_.data(), a) > dependent * length;
  if (carries_) {
    std::fill(carried_.begin(), carried_.end(), 0.0);
    U_.combine(z_.data(), carried_.data());
  }
  std::swap(z_, h_);

  U_.rotate(L, truncated_, stride_);
  V_.rotate(R, truncated_, stride_);
  if (solves_ == Solves::every_term) {
    for (std::size_t j = 0; j < truncated_; ++j) h_[j] = sigma_[j] * sigma_[j];
    gram_.reset({h_.data(), truncated_});
  }
  since_refresh_ = 0;
}

const double* IncrementalSvd::solve(double cutoff, std::size_t most) {
  assert(solves_ == Solves::every_term);
  if (cutoff < trusted_cutoff && since_refresh_ != 0) refresh();
  const std::size_t a = U_.size();
  const std::size_t b = V_.size();
  if (full()) most = std::min(most, rank_);
  const double least = std::max(cutoff, negligible);
  // s = M^T L diag(1/sigma^2) L^T z
  const auto find = [&] {
    used_ = {};
    gram_.to_eigenbasis(z_.data(), h_.data());
    for (std::size_t i = 0; i < a; ++i) {
      const double value = gram_.values()[i];
      if (i < most && used_.count == i && value > least * least * gram_.values()[0] &&
          value > least_invertible * least_invertible) {
        used_ = {i + 1, std::sqrt(gram_.values()[0]), std::sqrt(value)};
        h_[i] /= value;
      } else {
        h_[i] = 0;
      }
    }
    std::fill(s_.begin(), s_.end(), 0.0);
    if (used_.count == 0) return true;
    gram_.from_eigenbasis(h_.data(), n_.data());
    kernels::add_transposed_matvec(a, padded(b), M_.data(), stride_, n_.data(), s_.data());
    return std::all_of(s_.begin(), s_.begin() + static_cast<std::ptrdiff_t>(b),
                       [](double v) { return std::isfinite(v); });
  };
  if (find()) return s_.data();
  // Updating eigenvectors fails where a root of the secular equation is a pole: they are found anew.
  svd_.compute(M_.data(), a, b, stride_);
  for (std::size_t i = 0; i < a; ++i) gram_.replace(i, svd_.values()[i] * svd_.values()[i], svd_.left(i));
  since_refresh_ = 0;
  if (!find()) std::fill(s_.begin(), s_.end(), 0.0);
  return s_.data();
}

const double* IncrementalSvd::solve_truncated(double cutoff, std::size_t most) {
  std::fill_n(s_.begin(), V_.size(), 0.0);
  used_ = {};
  for (std::size_t i = 0; i < std::min(truncated_, most); ++i) {
    if (!(sigma_[i] > std::max(std::max(cutoff, negligible) * sigma_[0], least_invertible))) break;
    s_[i] = z_[i] / sigma_[i];
    used_ = {i + 1, sigma_[0], sigma_[i]};
  }
  return s_.data();
}

JacobiSvd IncrementalSvd::decomposition() const {
  JacobiSvd svd(U_.capacity());
  svd.compute(M_.data(), U_.size(), V_.size(), stride_);
  return svd;
}

std::vector<double> IncrementalSvd::pseudo_inverse(const JacobiSvd& svd, std::span<const double> v, double cutoff,
                                                   std::size_t most) const {
  std::vector<double> y(stride_);
  std::vector<double> s(stride_);
  std::vector<double> out(dim());
  U_.project(v.data(), y.data());
  for (std::size_t i = 0; i < std::min(most, U_.size()); ++i) {
    const double sigma = svd.values()[i];
    if (!(sigma > std::max(std::max(cutoff, negligible) * svd.values()[0], least_invertible))) break;
    kernels::axpy(kernels::dot(svd.left(i), y.data(), U_.size()) / (sigma * sigma), svd.scaled_right(i), s.data(),
                  V_.size());
  }
  V_.combine(s.data(), out.data());
  return out;
}

std::vector<double> IncrementalSvd::singular_values() const {
  const JacobiSvd svd = decomposition();
  std::vector<double> all(svd.values().begin(), svd.values().end());
  all.resize(std::min(all.size(), V_.size()));
  return all;
}

std::vector<double> IncrementalSvd::written_out(const GrowingBasis& basis, std::size_t column) {
  std::vector<double> unit(padded(basis.capacity()));
  std::vector<double> out(basis.dim());
  unit[column] = 1;
  basis.combine(unit.data(), out.data());
  return out;
}

std::vector<double> IncrementalSvd::core() const {
  std::vector<double> all;
  for (std::size_t i = 0; i < U_.size(); ++i) {
    const double* row = M_.data() + i * stride_;
    all.insert(all.end(), row, row + V_.size());
  }
  return all;
}

std::vector<double> IncrementalSvd::times(std::span<const double> v) const {
  std::vector<double> y(stride_);
  std::vector<double> t(stride_);
  std::vector<double> out(dim());
  V_.project(v.data(), y.data());
  for (std::size_t i = 0; i < U_.size(); ++i) t[i] = kernels::dot(M_.data() + i * stride_, y.data(), V_.size());
  U_.combine(t.data(), out.data());
  return out;
}

void IncrementalSvd::continue_from(std::span<const double> z) {
  std::copy(z.begin(), z.end(), carried_.begin());
  std::fill(z_.begin(), z_.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    U_.project(carried_.data(), h_.data());
    kernels::axpy(1.0, h_.data(), z_.data(), U_.size());
    kernels::scale(-1.0, h_.data(), U_.size());
    U_.combine(h_.data(), carried_.data());
  }
  carries_ = norm(carried_.data(), dim()) > dependent * norm(z.data(), dim());
}

void IncrementalSvd::merge(const IncrementalSvd& other) {
  IncrementalSvd part = other;
  part.truncate();
  std::fill(z_.begin(), z_.end(), 0.0);
  carries_ = false;
  if (std::max(U_.size(), V_.size()) + part.truncated_ > limit_) truncate();
  for (std::size_t j = 0; j < part.truncated_; ++j) {
    const auto u = part.left(j);
    const auto v = part.right(j);
    if (full()) truncate();
    resolve(0, part.sigma_[j], DenseView{u.data(), dim()}, DenseView{v.data(), dim()});
    commit(1, 1);
  }
  if (std::max(U_.size(), V_.size()) > rank_) truncate();
  std::fill(z_.begin(), z_.end(), 0.0);
  carries_ = false;
}

}  // namespace bellwether
