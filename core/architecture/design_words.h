#pragma once
/// A whole design in words: one sentence, the rules about racks, feeds, storage and management, and where it leaves its
/// document. Numbers of rules as in docs/method/architecture_bands.md.
#include <string>
#include <vector>

#include "architecture/choice.h"
#include "architecture/design_figures.h"

namespace podwright {

/// "DGX SuperPOD: 127 x DGX H100 with ...", as a sentence.
std::string design_summary(const ArchitectureDesign& choice, const Design<NoTrace>& design);

FiredRule rule_racks(const System& power_system, const NodesInRack<NoTrace>& in_rack);
FiredRule rule_feeds(const RackFeeds<NoTrace>& feeds, Watts rack_power);
FiredRule rule_storage(const StorageGuide& guide, const StorageBandwidth<NoTrace>& bandwidth);
FiredRule rule_management(const ManagementServers<NoTrace>& servers, const ReferenceArchitecture& architecture);
/// Those that the design has figures for.
std::vector<FiredRule> site_rules(const DesignParts& parts, const Design<NoTrace>& design);

/// Where racks and storage leave what the design's document says; one sentence each.
std::vector<Message> site_deviations(const DesignParts& parts, const RackPlan<NoTrace>& plan, const StorageGuide& guide,
                                     const StorageGuide& scaled);
/// The same of the whole design.
std::vector<Message> design_deviations(const DesignParts& parts, const Design<NoTrace>& design);

}  // namespace podwright
