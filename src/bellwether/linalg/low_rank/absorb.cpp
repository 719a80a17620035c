#include <algorithm>

#include <bellwether/linalg/dense/small_dense.h>
#include <bellwether/linalg/low_rank/diagonal_plus_low_rank.h>
#include <bellwether/linalg/simd/gemm.h>
#include <bellwether/linalg/simd/kernels.h>

/// How a matrix takes up samples: `DiagonalPlusLowRank::absorb`.
namespace bellwether {

void DiagonalPlusLowRank::absorb(GatheredSamples& samples, double zeta, RowPass* pass, double* w, bool complete) {
  const bool any = samples.count() > 0 && rows() > 0;
  const bool truncates = any && limit_ < rows();
  const std::size_t old_rank = rank_;
  zeta_ = zeta;
  if (truncates) {
    find_space(samples);
    std::fill(renewed_.begin(), renewed_.end(), 0.0);
  }
  if (truncates && !complete && postpones() && space_.rotated()) {
    sweep(w);
    absorb_touched(samples, *samples.rest(), old_rank, pass);
    return invert_small();
  }
  if (postponed_.enabled()) {
    for (std::size_t r = 0; r < rows(); ++r) {
      if (stale(r)) bring(r, w[r]);
    }
  }
  if (!truncates) {
    if (pass != nullptr) pass->before({0, rows()});
    if (any) absorb_everything(samples);
  }
  const auto rest = samples.rest();
  clear_sums();
  for (std::size_t first = 0; first < rows(); first += tile_rows) {
    const RowTile tile{first, std::min(tile_rows, rows() - first)};
    double* rows_of_tile = uv_.data() + first * uv_stride();
    if (truncates) {
      if (pass != nullptr) pass->before(tile);
      renew_tile(samples, rest, old_rank, tile, rows_of_tile);
      std::copy_n(renewed_.data(), tile.count * uv_stride(), rows_of_tile);
    }
    set_trace(tile, pass);
    for (std::size_t r = first; r < first + tile.count; ++r) inverse_[r] = 1 / D(r);
    add_sums(tile, rows_of_tile, rank_, 1);
  }
  postponed_.all_take_part();
  invert_small();
}

/// Whether U is the identity, with rows of zeros below.
bool DiagonalPlusLowRank::left_is_identity() const {
  for (std::size_t r = 0; r < rows(); ++r) {
    const double* u = uv_.data() + r * uv_stride();
    for (std::size_t j = 0; j < rank_; ++j) {
      if (u[j] != (j == r ? 1.0 : 0.0)) return false;
    }
  }
  return true;
}

/// With as many columns as rows, U is the identity and V = S^T.
void DiagonalPlusLowRank::absorb_everything(GatheredSamples& samples) {
  const std::size_t n = rows();
  const std::size_t m = samples.count();
  const std::size_t stride = shape_.rank + shape_.block;
  // V' = V U^T + Delta E^T: E is asked for as E I, its transpose then multiplies Delta.
  double* identity = GL_.data();
  double* E = GR_.data();
  std::fill(GL_.begin(), GL_.end(), 0.0);
  for (std::size_t i = 0; i < m; ++i) identity[i * stride + i] = 1;
  samples.prepare(identity, nullptr, stride, m);
  for (std::size_t r = 0; r < n; ++r) {
    std::fill_n(E + r * stride, m, 0.0);
    if (const auto rest = samples.rest(); rest && trace_[r] != 0) kernels::axpy(trace_[r], rest->z, E + r * stride, m);
    samples.add({r, 1}, E + r * stride, nullptr, stride);
  }
  double* E_transposed = GL_.data();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t r = 0; r < n; ++r) E_transposed[i * stride + r] = E[r * stride + i];
  }
  samples.prepare(nullptr, E_transposed, stride, n);
  double* V = GR_.data();
  const bool same_columns = left_is_identity();
  for (std::size_t r = 0; r < n; ++r) {
    const double* old = uv_.data() + r * uv_stride() + width_;
    std::fill_n(V + r * stride, n, 0.0);
    if (same_columns) std::copy_n(old, rank_, V + r * stride);
    else kernels::add_product(1, n, rank_, 1.0, {old, 0}, {uv_.data(), 1, uv_stride()}, V + r * stride, stride);
    samples.add({r, 1}, nullptr, V + r * stride, stride);
  }
  rank_ = n;
  dropped_ = 0;
  for (std::size_t r = 0; r < n; ++r) {
    double* row = uv_.data() + r * uv_stride();
    std::fill_n(row, 2 * width_, 0.0);
    row[r] = 1;
    std::copy_n(V + r * stride, n, row + width_);
  }
  std::fill(VV_.begin(), VV_.end(), 0.0);
  kernels::add_product(n, n, n, 1.0, {V, 1, stride}, {V, stride}, VV_.data(), width_);
}

/// Z and Y, by which [U E] and [V Delta] are multiplied to give the new U and V, and the new rank.
void DiagonalPlusLowRank::find_space(GatheredSamples& samples) {
  const std::size_t m = samples.count();
  const std::size_t n = rank_ + m;
  const auto p = samples.products();
  // [U E]^T [U E] and [V Delta]^T [V Delta]
  for (std::size_t i = 0; i < rank_; ++i) {
    std::fill_n(GL_.data() + i * n, rank_, 0.0);
    GL_[i * n + i] = 1;
    std::copy_n(VV_.data() + i * width_, rank_, GR_.data() + i * n);
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < rank_; ++j) {
      GL_[(rank_ + i) * n + j] = GL_[j * n + rank_ + i] = p.UE[i * p.rank_stride + j];
      GR_[(rank_ + i) * n + j] = GR_[j * n + rank_ + i] = p.VD[i * p.rank_stride + j];
    }
    for (std::size_t j = 0; j <= i; ++j) {
      GL_[(rank_ + i) * n + rank_ + j] = GL_[(rank_ + j) * n + rank_ + i] = p.EE[i * p.sample_stride + j];
      GR_[(rank_ + i) * n + rank_ + j] = GR_[(rank_ + j) * n + rank_ + i] = p.DD[i * p.sample_stride + j];
    }
  }
  const bool refined = !exact_ && limit_ > 0;
  if (refined) space_.refine(n, GL_.data(), GR_.data(), n, limit_, rank_);
  else space_.exact(n, GL_.data(), GR_.data(), n, limit_);
  dropped_ = space_.left_out();
  const std::size_t stride = space_.stride();
  samples.prepare(space_.Z() + rank_ * stride, space_.Y() + rank_ * stride, stride, space_.found());
  rank_ = space_.found();
  std::fill(VV_.begin(), VV_.end(), 0.0);
  if (!space_.rotated()) return;
  for (std::size_t i = 0; i < rank_; ++i) VV_[i * width_ + i] = space_.squares()[i];
}

/// The new U and V of some rows, in `renewed_`, and their C. `old` are their U and V so far.
void DiagonalPlusLowRank::renew_tile(const GatheredSamples& samples, const std::optional<GatheredSamples::Rest>& rest,
                                     std::size_t old_rank, const RowTile& tile, const double* old) {
  const std::size_t stride = uv_stride();
  const std::size_t count = tile.count;
  const std::size_t n = kernels::fours(std::max(old_rank, rank_));
  double* rows = renewed_.data();
  kernels::set_product(count, n, old_rank, 1.0, {old, stride}, {space_.Z(), space_.stride()}, rows, stride);
  kernels::set_product(count, n, old_rank, 1.0, {old + width_, stride}, {space_.Y(), space_.stride()}, rows + width_,
                       stride);
  if (rest) row_loops::add_outer(tile, trace_.data(), rest->z, n, rows, stride);
  samples.add(tile, rows, rows + width_, stride);
  if (!space_.rotated()) {
    const double* V = rows + width_;
    kernels::add_product(rank_, width_, count, 1.0, {V, 1, stride}, {V, stride}, VV_.data(), width_);
  }
  if (!compensate_) return;
  std::fill_n(diagonal_.data(), count, 0.0);
  samples.diagonal(tile, diagonal_.data());
  row_loops::add_row_products(count, old, old + width_, stride, n, diagonal_.data());
  row_loops::subtract_row_products(count, rows, rows + width_, stride, n, diagonal_.data());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t r = tile.row(i);
    extra_[r] += std::max(0.0, diagonal_[i] + owed_[r]);
    owed_[r] = 0;
  }
}

void DiagonalPlusLowRank::sweep(double* w) {
  const auto [first, end] = postponed_.sweep();
  for (std::size_t r = first; r < end; ++r) bring(r, w[r]);
}

/// The rows with samples leave all sums, which then follow the others, and come back renewed.
void DiagonalPlusLowRank::absorb_touched(const GatheredSamples& samples, const GatheredSamples::Rest& rest,
                                         std::size_t old_rank, RowPass* pass) {
  const std::size_t stride = uv_stride();
  const auto for_each_tile = [&](auto&& visit) {
    for (std::size_t first = 0; first < rest.touched.size(); first += tile_rows) {
      const RowTile tile{first, std::min(tile_rows, rest.touched.size() - first), rest.touched.data() + first};
      for (std::size_t i = 0; i < tile.count; ++i) {
        std::copy_n(uv_.data() + tile.row(i) * stride, stride, gathered_.data() + i * stride);
      }
      visit(tile);
    }
  };
  for_each_tile([&](const RowTile& tile) { add_sums(tile, gathered_.data(), old_rank, -1); });
  follow_untouched(rest, old_rank);
  postponed_.postpone({space_.Z(), space_.Y(), space_.stride(), old_rank, rest.z, rank_, rest.q, rest.c, rest.b});
  for_each_tile([&](const RowTile& tile) {
    if (pass != nullptr) pass->before(tile);
    renew_tile(samples, rest, old_rank, tile, gathered_.data());
    set_trace(tile, pass);
    for (std::size_t i = 0; i < tile.count; ++i) {
      const std::size_t r = tile.row(i);
      std::copy_n(renewed_.data() + i * stride, stride, uv_.data() + r * stride);
      inverse_[r] = 1 / D(r);
      postponed_.take_part(r);
    }
    add_sums(tile, renewed_.data(), rank_, 1);
  });
}

/// All sums, from the rows before a renewal to the same rows after it, when none is touched: u = u Z + e z, v = v Y,
/// e = c e.
void DiagonalPlusLowRank::follow_untouched(const GatheredSamples::Rest& rest, std::size_t old_rank) {
  const std::size_t n = width_;
  const std::size_t stride = space_.stride();
  const double* Z = space_.Z();
  const double* Y = space_.Y();
  double* UDU = products_.data();
  double* VDU = UDU + n * n;
  double* work = GL_.data();  // free after find_space
  auto& [Ue, Ue_weighted, Ve_weighted, ee, ee_weighted] = with_trace_;
  // x = A^T x, A being Z or Y
  const auto follow = [&](std::vector<double>& x, const double* A) {
    std::fill_n(work, n, 0.0);
    kernels::add_product(1, n, old_rank, 1.0, {x.data(), n}, {A, stride}, work, n);
    std::copy_n(work, n, x.data());
  };
  // P = A^T P Z
  const auto follow_both = [&](double* P, const double* A) {
    std::fill_n(work, n * n, 0.0);
    kernels::add_product(old_rank, n, old_rank, 1.0, {P, n}, {Z, stride}, work, n);
    std::fill_n(P, n * n, 0.0);
    kernels::add_product(rank_, n, old_rank, 1.0, {A, 1, stride}, {work, n}, P, n);
  };
  follow_both(UDU, Z);
  follow_both(VDU, Y);
  follow(Ue, Z);
  follow(Ue_weighted, Z);
  follow(Ve_weighted, Y);
  for (std::size_t i = 0; i < rank_; ++i) {
    for (std::size_t j = 0; j < rank_; ++j) {
      UDU[i * n + j] += Ue_weighted[i] * rest.z[j] + rest.z[i] * Ue_weighted[j] + ee_weighted * rest.z[i] * rest.z[j];
      VDU[i * n + j] += Ve_weighted[i] * rest.z[j];
    }
  }
  for (std::size_t i = 0; i < rank_; ++i) {
    Ue[i] = rest.c * (Ue[i] + ee * rest.z[i]);
    Ue_weighted[i] = rest.c * (Ue_weighted[i] + ee_weighted * rest.z[i]);
    Ve_weighted[i] *= rest.c;
  }
  ee *= rest.c * rest.c;
  ee_weighted *= rest.c * rest.c;
}

void DiagonalPlusLowRank::clear_sums() {
  for (std::vector<double>* sums : {&products_, &with_trace_.Ue, &with_trace_.Ue_weighted, &with_trace_.Ve_weighted}) {
    std::fill(sums->begin(), sums->end(), 0.0);
  }
  with_trace_.ee = with_trace_.ee_weighted = 0;
}

void DiagonalPlusLowRank::set_trace(const RowTile& tile, RowPass* pass) {
  if (pass == nullptr) return;
  pass->trace(tile, new_trace_.data());
  for (std::size_t i = 0; i < tile.count; ++i) trace_[tile.row(i)] = new_trace_[i];
}

/// Adds what these rows contribute to the sums over all rows, with the sign; `rows` are their U and V.
void DiagonalPlusLowRank::add_sums(const RowTile& tile, const double* rows, std::size_t rank, double sign) {
  const std::size_t stride = uv_stride();
  const std::size_t n = kernels::fours(rank);
  auto& [Ue, Ue_weighted, Ve_weighted, ee, ee_weighted] = with_trace_;
  double weights[tile_rows];
  double e[tile_rows];
  double e_weighted[tile_rows];
  for (std::size_t i = 0; i < tile.count; ++i) {
    weights[i] = sign * inverse_[tile.row(i)];
    const double trace = trace_[tile.row(i)];
    e[i] = sign * trace;
    e_weighted[i] = weights[i] * trace;
    ee += e[i] * trace;
    ee_weighted += e_weighted[i] * trace;
  }
  if (rank == 0) return;
  double* UDU = products_.data();
  row_loops::scale_rows(tile.count, weights, rows, stride, n, scaled_.data(), width_);
  kernels::add_product(rank, n, tile.count, 1.0, {rows, 1, stride}, {scaled_.data(), width_}, UDU, width_);
  kernels::add_product(rank, n, tile.count, 1.0, {rows + width_, 1, stride}, {scaled_.data(), width_},
                       UDU + width_ * width_, width_);
  row_loops::add_combinations(tile.count, e, e_weighted, rows, stride, width_, padded(rank), Ue.data(),
                              Ue_weighted.data(), Ve_weighted.data());
}

/// H, stored by columns: the inverse of (I + V^T D^-1 U)^T.
void DiagonalPlusLowRank::invert_small() {
  if (rank_ == 0) return;
  const double* VDU = products_.data() + width_ * width_;
  std::fill(H_.begin(), H_.end(), 0.0);
  for (std::size_t i = 0; i < rank_; ++i) {
    for (std::size_t j = 0; j < rank_; ++j) H_[j * width_ + i] = VDU[i * width_ + j] + (i == j ? 1.0 : 0.0);
  }
  if (invert(rank_, H_.data(), width_, order_.data())) return;
  std::fill(H_.begin(), H_.end(), 0.0);
  ++singular_;
}

}  // namespace bellwether
