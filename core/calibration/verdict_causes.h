#pragma once
/// What was seen beside a judged rate that lowers it without being a fault, and what explains it.
#include <vector>

#include "calibration/device_roofs.h"
#include "calibration/judged_rate.h"
#include "calibration/profile_verdict.h"

namespace podwright {

/// A judged rate, and what it is told from.
struct JudgedOn {
  const HardwareProfile& profile;
  const JudgedRate& judged;
  const ProbeNorm& norm;
  const ProfileDevice& device;
  const DeviceRoofs& roofs;
};

/// Causes whose share of the norm is known: clocks that were locked, a power limit below the default, a slice, a device
/// that others use. The smallest share comes first.
std::vector<KnownCause> known_causes(const JudgedOn& on);

/// The explanation without its next command. `tile_loss_share`: what other tile shapes leave of the loss in half-empty
/// tiles and waves, 0..1.
VerdictExplanation explained(const JudgedOn& on, double tile_loss_share);

}  // namespace podwright
