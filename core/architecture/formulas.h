#pragma once
/// Every formula of this room, for the pages that list them and the tests that compare text and code.
#include <tuple>

#include "architecture/cable_length.h"
#include "architecture/design_fabric.h"
#include "architecture/fabric_formulas.h"
#include "architecture/facility.h"
#include "architecture/side_fabrics.h"
#include "architecture/sizes.h"

namespace podwright {

inline constexpr auto kArchitectureFormulas = std::make_tuple(
    kHorizonGpuCount, kNodeCount, kInstalledGpus, kNodesPerScalableUnit, kScalableUnits, kNodesPerRack, kRackCount,
    kSystemsPower, kOneSwitchLimit, kTwoTierLimit, kThreeTierLimit, kSwitchCapacity, kMostLeafPortsDown, kLeavesPerRail,
    kEvenLeafPortsDown, kUplinksOfFullLeaf, kUplinksOfPartLeaf, kFabricUnits, kNodesOfShell, kShellEndpoints,
    kLeavesOfUnit, kLeafCount, kMostNodesTwoTiers, kLeastSpines, kEvenSpines, kHalfOfPorts, kFullPods,
    kLeavesBesideFullPods, kSpinesOfPods, kCoreCount, kRailGroupCount, kLeavesOfGroup, kSpinesOfGroups,
    kMostNodesOfPair, kInterSwitchLinks, kOverPlanes, kNodeLeafLinks, kLeafSpineLinks, kCableCount, kNodeTransceivers,
    kSwitchTransceivers, kTierOversubscription, kBisection, kInjection, kLeafPortsForNodes, kMostNodesOfShell, kOneMore,
    kStorageUplinks, kStorageCables, kStorageRatio, kStorageTransceivers, kLeavesForPorts, kSwitchesOfLayers,
    kInBandHosts, kFacilityPower, kInBandPairs, kInBandLeaves, kLinksOfEach, kFabricNodes, kFabricNodesPerUnit,
    kPortsPerCage, kLinkAtRadix, kRacksInRow, kRowPitch, kRiseToTray, kCableOverTray, kCableInRack, kPartsOfBlock,
    kBlockCount, kLinksOfTiers, kInBandPlaces);

}  // namespace podwright
