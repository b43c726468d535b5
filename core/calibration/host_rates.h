#pragma once
/// The rates of kernel_rates.csv, as the probes of one device tell them, beside those of the reference machine of its
/// GPU. docs/method/probes.md#plans.
#include <string>
#include <string_view>
#include <vector>

#include "calibration/machine_calibration.h"
#include "catalog/catalog.h"

namespace podwright {

/// One for each operation, precision and number of ranks; `gpu_id` is the device's key. Rates are those of bursts,
/// since the constants of engines were fitted on such; products are compared with the reference under sustained load
/// where both measured it. decide_uses() says what plans take.
std::vector<HostRate> host_rates(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device);

/// The catalog's word for products of a dtype of the probes; empty where plans have no use for it.
std::string product_precision(std::string_view dtype);

}  // namespace podwright
