#pragma once
/// Which nodes make all-reduces slow: a set of nodes is halved, each half runs its ring alone, and the slower half is
/// halved again, log2 N rounds for N nodes. Only decisions; who measures hands in the times. docs/operator.md.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "measure/probe_result.h"

namespace podwright::probes {

/// The pair of the node in the middle: one slow node of four or more does not move it.
struct TypicalPair {
  double delay_s = 0;      ///< of a small message one way
  double bytes_per_s = 0;  ///< of a large message one way
};
/// From the results of the tournament. Absent where no pair was measured.
std::optional<TypicalPair> typical_pair(const std::vector<ProbeResult>& exchanges);

/// A ring all-reduce if every link of the ring were a typical pair: 2 (n - 1) steps, each with one delay and one n-th
/// of the bytes. Patarasuk and Yuan 2009, doi 10.1016/j.jpdc.2008.09.002. What both directions at once and the sums
/// cost is not in it.
double ring_seconds(int ranks, double bytes, const TypicalPair& pair);

/// Time of a ring over what typical pairs predict for as many ranks, so that rings of unlike size compare.
struct RingSlowness {
  double median = 0;
  double low = 0;  ///< 95 % interval of the median
  double high = 0;
};
/// Absent where the result is invalid, wrong or without a time, or where its samples bound no median.
std::optional<RingSlowness> ring_slowness(const ProbeResult& ring, const TypicalPair& pair);

/// More than 5 % and beyond both intervals.
bool slower(const RingSlowness& a, const RingSlowness& b);
/// All together take more than 1.5 times what pairs predict, which leaves room for what the prediction leaves out.
bool slow_against_pairs(const RingSlowness& all);

inline constexpr int kLeastToHalve = 4;  ///< nodes; below it there is no other half that could run a ring

class Halving {
 public:
  enum class End {
    going_on,
    one_node,   ///< the slow set is one node
    both_slow,  ///< both halves are as slow as the whole set
    none_slow,  ///< each half alone is fast: slow is what lies between them
    unclear,    ///< the times do not tell
  };
  /// `ranks`: at least kLeastToHalve, in the order of the ring; `all` is the ring of all of them.
  Halving(std::vector<int> ranks, const RingSlowness& all);

  End end() const { return end_; }
  /// The two rings that come next. Where halves are too small or unlike, nodes that were found fast fill them up.
  const std::array<std::vector<int>, 2>& rings() const { return rings_; }
  /// What they showed; absent where no interval came about.
  void tell(const std::optional<RingSlowness>& first, const std::optional<RingSlowness>& second);

  /// The slow set: what is left. All nodes where the first round told no half from the other.
  const std::vector<int>& suspects() const { return suspects_; }
  bool found() const { return end_ != End::going_on && suspects_.size() < nodes_; }
  /// Times of the slow set over those of the fast half beside it; 1 where nothing was found.
  double slower_by() const { return slower_by_; }
  /// One sentence of how it ended.
  std::string sentence() const;

 private:
  void split();
  /// 0 or 1: the half that is slow while the other is not; absent: `end_` says why.
  std::optional<std::size_t> slow_half(const std::array<RingSlowness, 2>& halves);

  std::size_t nodes_;
  RingSlowness all_;
  std::vector<int> suspects_;
  std::vector<int> fast_;                  ///< nodes of halves that were not slow
  std::optional<RingSlowness> fast_half_;  ///< the last of them
  std::array<std::vector<int>, 2> halves_;
  std::array<std::vector<int>, 2> rings_;
  double slower_by_ = 1;
  End end_ = End::going_on;
};

}  // namespace podwright::probes
