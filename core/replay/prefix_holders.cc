#include "replay/prefix_holders.h"

#include <algorithm>

namespace podwright::replay {

std::span<const std::size_t> PrefixHolders::of(std::uint64_t part) const {
  const auto found = holders_.find(part);
  if (found == holders_.end()) return {};
  const Holder& holder = found->second;
  if (holder.several == kOne) return {&holder.lane, 1};
  return several_[holder.several];
}

void PrefixHolders::add(std::uint64_t part, std::size_t lane) {
  const auto [place, is_new] = holders_.try_emplace(part, Holder{.lane = lane});
  if (is_new) return;
  Holder& holder = place->second;
  if (holder.several == kOne) {
    if (holder.lane == lane) return;
    holder.several = several_.size();
    several_.push_back({holder.lane, lane});
    return;
  }
  std::vector<std::size_t>& lanes = several_[holder.several];
  if (std::find(lanes.begin(), lanes.end(), lane) == lanes.end()) lanes.push_back(lane);
}

void PrefixHolders::set(std::uint64_t part, std::size_t lane) { holders_[part] = {.lane = lane}; }

}  // namespace podwright::replay
