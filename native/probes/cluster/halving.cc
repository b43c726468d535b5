#include "probes/cluster/halving.h"

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "measure/median_interval.h"

namespace podwright::probes {
namespace {

constexpr double kLeastDifference = 0.05;
constexpr double kSlowAgainstPairs = 1.5;

/// "node 4", "nodes 0-3, 6"; of ranks in rising order.
std::string nodes_text(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "node " : "nodes ";
  for (std::size_t first = 0, last = 0; first < ranks.size(); first = ++last) {
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += (first > 0 ? ", " : "") + std::to_string(ranks[first]);
    if (last > first) text += "-" + std::to_string(ranks[last]);
  }
  return text;
}

using ByNode = std::map<std::string, std::vector<double>>;

/// Each node's median over its pairs, and the median of the nodes. Of four nodes a slow one is in half of all pairs,
/// but in one of three of each other node.
double typical(const ByNode& values) {
  std::vector<double> medians;
  for (const auto& node : values) medians.push_back(median_of(node.second));
  return median_of(medians);
}

}  // namespace

std::optional<TypicalPair> typical_pair(const std::vector<ProbeResult>& exchanges) {
  ByNode delays;
  ByNode rates;
  for (const ProbeResult& one : exchanges) {
    if (!one.time_s || one.time_s->median <= 0) continue;
    for (const std::string& node : one.devices) {
      if (one.probe == "cpu.coll.pingpong") delays[node].push_back(one.time_s->median / 2);
      if (one.probe == "cpu.coll.sendrecv") rates[node].push_back(one.counted.bytes / one.time_s->median);
    }
  }
  if (delays.empty() || rates.empty()) return std::nullopt;
  return TypicalPair{typical(delays), typical(rates)};
}

double ring_seconds(int ranks, double bytes, const TypicalPair& pair) {
  return 2.0 * (ranks - 1) * (pair.delay_s + bytes / ranks / pair.bytes_per_s);
}

std::optional<RingSlowness> ring_slowness(const ProbeResult& ring, const TypicalPair& pair) {
  if (!ring.usable() || !ring.time_s->lo95 || !ring.time_s->hi95 || !ring.size.ranks || !ring.size.bytes)
    return std::nullopt;
  const double predicted = ring_seconds(static_cast<int>(*ring.size.ranks), *ring.size.bytes, pair);
  return RingSlowness{ring.time_s->median / predicted, *ring.time_s->lo95 / predicted, *ring.time_s->hi95 / predicted};
}

bool slower(const RingSlowness& a, const RingSlowness& b) {
  return a.low > b.high && a.median > (1 + kLeastDifference) * b.median;
}

bool slow_against_pairs(const RingSlowness& all) { return all.low > kSlowAgainstPairs; }

Halving::Halving(std::vector<int> ranks, const RingSlowness& all)
    : nodes_(ranks.size()), all_(all), suspects_(std::move(ranks)) {
  split();
}

void Halving::split() {
  const auto middle = suspects_.begin() + static_cast<std::ptrdiff_t>((suspects_.size() + 1) / 2);
  halves_ = {std::vector<int>(suspects_.begin(), middle), std::vector<int>(middle, suspects_.end())};
  const std::size_t least = std::max<std::size_t>(2, halves_.front().size());
  rings_ = halves_;
  for (std::vector<int>& ring : rings_)
    for (std::size_t i = 0; ring.size() < least && i < fast_.size(); ++i) ring.push_back(fast_[i]);
}

std::optional<std::size_t> Halving::slow_half(const std::array<RingSlowness, 2>& halves) {
  const bool first = slower(halves[0], halves[1]);
  const bool second = slower(halves[1], halves[0]);
  if (fast_half_) {
    const bool first_slow = slower(halves[0], *fast_half_);
    const bool second_slow = slower(halves[1], *fast_half_);
    if (first_slow && second_slow) end_ = End::both_slow;
    if (!first_slow && !second_slow) end_ = End::none_slow;
    if (end_ != End::going_on) return std::nullopt;
    if (first_slow ? first : second) return first_slow ? 0 : 1;
  } else {
    if (first || second) return first ? 0 : 1;
    const bool first_fast = slower(all_, halves[0]);
    const bool second_fast = slower(all_, halves[1]);
    if (first_fast && second_fast) end_ = End::none_slow;
    if (!first_fast && !second_fast) end_ = End::both_slow;
    if (end_ != End::going_on) return std::nullopt;
  }
  end_ = End::unclear;
  return std::nullopt;
}

void Halving::tell(const std::optional<RingSlowness>& first, const std::optional<RingSlowness>& second) {
  if (end_ != End::going_on) return;
  if (!first || !second) {
    end_ = End::unclear;
    return;
  }
  const std::array<RingSlowness, 2> shown = {*first, *second};
  const auto slow = slow_half(shown);
  if (!slow) return;
  const std::size_t other = 1 - *slow;
  fast_.insert(fast_.end(), halves_[other].begin(), halves_[other].end());
  fast_half_ = shown[other];
  slower_by_ = shown[*slow].median / shown[other].median;
  suspects_ = halves_[*slow];
  if (suspects_.size() == 1) {
    end_ = End::one_node;
  } else {
    split();
  }
}

std::string Halving::sentence() const {
  const bool all = suspects_.size() == nodes_;
  const std::string whole = all ? "all nodes" : nodes_text(suspects_);
  const std::string halves = nodes_text(halves_[0]) + " and " + nodes_text(halves_[1]);
  const std::string times = "An all-reduce with " + whole + " takes " + human_number(slower_by_) +
                            " times as long as with as many fast nodes";
  switch (end_) {
    case End::going_on:
      return "Halving did not come to its end.";
    case End::one_node:
      return times + ".";
    case End::both_slow:
      if (!all) return times + ", and both halves are slow: " + halves + ".";
      return "Halving blames no node: " + halves + " are alike, and neither half is faster alone than all together.";
    case End::none_slow:
      if (!all) return times + ", but neither half is slow alone: " + halves + ". What is slow lies between them.";
      return "Halving blames no node: neither of " + halves +
             " is slow alone. What is slower together lies between them or in what they share.";
    case End::unclear:
      if (!all) return times + "; which of " + halves + " is slow the times do not tell.";
      return "Halving blames no node: which of " + halves + " is slow the times do not tell.";
  }
  return "";
}

}  // namespace podwright::probes
