#include "export/topology_rows.h"

#include <algorithm>
#include <utility>

#include "base/whole.h"

namespace podwright {
namespace {

/// Units whose leaves share spine groups with no other unit's.
struct Island {
  Whole first = 0;
  Whole last = 0;
  Whole first_group = 0;
  Whole last_group = 0;
  bool single = false;
};

class GroupRule {
 public:
  GroupRule(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric)
      : rail_groups_(need.topology == FabricTopology::rail_groups),
        pods_(!rail_groups_ && fabric.core.per_plane > 0),
        rails_(whole(need.rails)),
        units_per_group_(std::max(1U, whole(std::min(need.units_per_group, fabric.scalable_units)))),
        leaves_of_unit_(whole(need.rails * fabric.leaves_of_rail)),
        leaves_of_pod_(std::max(1U, whole(need.switch_ports) / 2)) {}

  std::pair<Whole, Whole> of_unit(Whole unit) const {
    if (rail_groups_) {
      const Whole first = unit / units_per_group_ * rails_;
      return {first, first + rails_ - 1};
    }
    if (!pods_) return {0, 0};
    return {unit * leaves_of_unit_ / leaves_of_pod_, ((unit + 1) * leaves_of_unit_ - 1) / leaves_of_pod_};
  }

 private:
  bool rail_groups_;
  bool pods_;
  Whole rails_, units_per_group_, leaves_of_unit_, leaves_of_pod_;
};

std::vector<Island> islands_of(const GroupRule& rule, Whole units) {
  std::vector<Island> islands;
  for (Whole unit = 0; unit < units; ++unit) {
    const auto [first, last] = rule.of_unit(unit);
    if (islands.empty() || first > islands.back().last_group)
      islands.push_back({unit, unit, first, last, false});
    else
      islands.back() = {islands.back().first, unit, islands.back().first_group, last, false};
  }
  return islands;
}

std::vector<TopologyRow> rows_of(const Island& island, const std::vector<bool>& alone, const std::vector<bool>& open) {
  std::vector<TopologyRow> rows;
  for (Whole unit = island.first; unit <= island.last; ++unit) {
    const bool goes_on = !rows.empty() && !alone[unit] && !alone[unit - 1];
    if (goes_on)
      rows.back().last = unit;
    else
      rows.push_back({unit, unit, open[unit]});
  }
  return rows;
}

}  // namespace

std::vector<TopologyBlock> topology_blocks(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                                           const std::vector<std::uint32_t>& open) {
  const Whole units = whole(fabric.scalable_units);
  if (fabric.spine.per_plane == 0) return {{{{0, units - 1, true}}, 0, 0, true}};

  std::vector<bool> opened(units, false);
  std::vector<bool> alone(units, units <= kMostSingleUnits);
  for (const Whole unit : open)
    if (unit >= 1 && unit <= units) opened[unit - 1] = alone[unit - 1] = true;
  for (Whole unit = 0; unit < std::min(units, kFirstSingleUnits); ++unit) alone[unit] = true;

  std::vector<TopologyBlock> blocks;
  for (Island island : islands_of(GroupRule(need, fabric), units)) {
    for (Whole unit = island.first; unit <= island.last; ++unit) island.single = island.single || alone[unit];
    const bool joins = !island.single && !blocks.empty() && !blocks.back().single;
    if (joins) {
      blocks.back().rows.back().last = island.last;
      blocks.back().last_group = island.last_group;
    } else {
      blocks.push_back({rows_of(island, alone, opened), island.first_group, island.last_group, island.single});
    }
  }
  return blocks;
}

}  // namespace podwright
