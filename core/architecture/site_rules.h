#pragma once
/// The rules about feeds, storage and management in words, for the answer. Numbers as in
/// docs/method/architecture_bands.md.
#include <string>
#include <vector>

#include "architecture/management_plan.h"
#include "architecture/rack_plan.h"
#include "architecture/selection.h"
#include "architecture/storage_plan.h"

namespace podwright {

FiredRule rule_racks(const System& power_system, const NodesInRack<NoTrace>& in_rack);
FiredRule rule_feeds(const RackFeeds<NoTrace>& feeds, Watts rack_power);
FiredRule rule_storage(const StorageGuide& guide, const StorageBandwidth<NoTrace>& bandwidth);
FiredRule rule_management(const ManagementServers<NoTrace>& servers, const ReferenceArchitecture& architecture);

/// Where racks and storage leave what the design's document says; one sentence each.
std::vector<Message> site_deviations(const DesignParts& parts, const RackPlan<NoTrace>& plan, const StorageGuide& guide,
                                     const StorageGuide& scaled);

}  // namespace podwright
