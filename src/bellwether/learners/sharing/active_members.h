#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include <bellwether/core/params/params.h>

namespace bellwether {

/// Which members of an ensemble still learn.
///
/// If a member diverges while others go on, its final weights and findings are stored here and it is no longer updated.
/// The last active member is never dropped: if it diverges, the ensemble stops as a whole and still holds its weights.
class ActiveMembers {
 public:
  /// The final state of a member that diverged.
  struct Final {
    std::vector<double> w;
    Settings findings;
    std::uint64_t step;  // at which it diverged, from 0
  };

  explicit ActiveMembers(std::size_t size) : active_(size), final_(size) {
    std::iota(active_.begin(), active_.end(), std::size_t{0});
  }

  std::size_t size() const { return final_.size(); }

  /// The members that still learn, in the order in which `keep` asks them.
  const std::vector<std::size_t>& active() const { return active_; }

  /// Orders the active members by `key(member)`.
  template <class Key>
  void sort_by(Key&& key) {
    std::stable_sort(active_.begin(), active_.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  }

  /// The final state of a member, if it was dropped.
  const std::optional<Final>& dropped(std::size_t member) const { return final_[member]; }

  /// Asks `learns(k)` of every active member k and drops those for which it is false; `final_of(k)` returns their final
  /// state. Returns false if none is left, in which case the last one is not dropped. Allocates only if members are
  /// dropped.
  template <class Learns, class FinalOf>
  bool keep(Learns&& learns, FinalOf&& final_of) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
      const std::size_t k = active_[i];
      if (learns(k)) active_[kept++] = k;
      else if (kept > 0 || i + 1 < active_.size()) final_[k] = final_of(k);
      else return false;
    }
    active_.resize(kept);
    return true;
  }

 private:
  std::vector<std::size_t> active_;
  std::vector<std::optional<Final>> final_;
};

}  // namespace bellwether
