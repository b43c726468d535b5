#pragma once
/// The rates of kernel_rates.csv, as the probes of one device tell them. docs/method/probes.md#plans.
#include <string>
#include <string_view>
#include <vector>

#include "calibration/machine_calibration.h"
#include "catalog/kernel_rate.h"

namespace podwright {

struct HostRates {
  std::vector<KernelRate> rates;   ///< `gpu_id` is the device's key; low and high enclose the median over the sizes
  std::vector<std::string> notes;  ///< what was measured and is not taken, and why
};

/// Only usable bursts count: the constants of engines were fitted on rates of bursts.
HostRates host_rates(const HardwareProfile& profile, const ProfileDevice& device);

/// Start-up times: less is better.
inline bool is_time(const KernelRate& rate) { return rate.operation.find("latency") != std::string::npos; }

/// Of the same GPU, operation, precision and number of ranks.
bool same_quantity(const KernelRate& a, const KernelRate& b);

/// The catalog's word for products of a dtype of the probes; empty where plans have no use for it.
std::string product_precision(std::string_view dtype);

}  // namespace podwright
