#pragma once
/// The formulas of racks, feeds, cooling, storage and management, for the pages that list them and the tests that
/// compare text and code.
#include <tuple>

#include "architecture/cooling.h"
#include "architecture/feeds.h"
#include "architecture/management.h"
#include "architecture/racks.h"
#include "architecture/storage.h"

namespace podwright {

inline constexpr auto kSiteFormulas = std::make_tuple(
    kNodesByHeight, kNodesByWeight, kTighterLimit, kRackWeight, kScaledDrawing, kAtLeast, kOtherRacks, kAllRacks,
    kRackFloor, kFloor, kFloorLoad, kFeedApparentPower, kFeedPower, kFeedsPerRack, kFeedLoadAfterLoss, kRackPdus,
    kDrawnPdusPerRack, kUpsModules, kUpsEnergy, kDevicesPower, kPowerOfEach, kHeatBtuPerH, kAirFlow, kAirFlowCfm,
    kAirFlowM3PerH, kWaterFlow, kLiquidHeat, kAirHeat, kDatasetCapacity, kCheckpointCapacity, kStorageCapacity,
    kLocalCache, kHotTier, kWarmTier, kColdTier, kAggregateRate, kStorageRatePerGpu, kStorageRateOfGpus, kNodeRate,
    kSteadyReadRate, kNeededWriteRate, kRestartReadTime, kFirstPassTime, kInBandNodePorts, kInBandPorts,
    kOutOfBandDevices, kOutOfBandPorts, kLicenceCount);

}  // namespace podwright
