#pragma once
/// The measurements of a profile that may calibrate: usable results of one device, as points of the fits.
#include <optional>
#include <string_view>
#include <vector>

#include "calibration/product_fit.h"
#include "calibration/transfer_fit.h"
#include "measure/profile.h"

namespace podwright {

/// True where the device is among those that the result was measured on.
bool is_on(const ProbeResult& result, const ProfileDevice& device);

bool is_product_probe(std::string_view probe);     ///< gemm.*, cpu.gemm.*; no other ways
bool is_memory_probe(std::string_view probe);      ///< hbm.*, cpu.stream.*, decode.weights, pcie.*
bool is_collective_probe(std::string_view probe);  ///< coll.*

/// Usable results of the device whose probe is of the kind, in the order of the profile.
std::vector<const ProbeResult*> results_on(const HardwareProfile& profile, const ProfileDevice& device,
                                           bool (*kind)(std::string_view));

/// Size and time of a product result; absent where it is none.
std::optional<ProductPoint> product_point(const ProbeResult& result);
/// Counted bytes and time of a memory or link result; absent where it is none. Of a chain of layers (decode.weights)
/// those of one layer: a start-up time belongs to kernels, not to the length of the chain.
std::optional<TransferPoint> transfer_point(const ProbeResult& result);

/// What efficiencies of a memory or link probe are shares of: the memory's peak, or the best rate of the link itself.
BytesPerSecond transfer_peak(std::string_view probe, const std::vector<TransferPoint>& points, BytesPerSecond memory);

}  // namespace podwright
