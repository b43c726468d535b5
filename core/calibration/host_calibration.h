#pragma once
/// From a hardware profile to the rates that plans use, and the catalog with its rates scaled by them.
/// docs/method/probes.md#plans.
#include <vector>

#include "calibration/machine_calibration.h"
#include "catalog/catalog.h"
#include "measure/profile_file.h"

namespace podwright {

/// One for each kind of device of the profile: GPUs, or the processors where it has no GPU. Of several devices of a
/// kind the slowest one counts, rate by rate, since layouts wait for it. What was measured and not taken stands in
/// `notes`, and at each rate.
std::vector<HostCalibration> host_calibrations(const Catalog& catalog, const ReadProfile& read);

/// That of a device; null where plans take nothing of it.
const HostCalibration* host_of(const Catalog& catalog, const std::vector<HostCalibration>& hosts,
                               const ProfileDevice& device);

/// Whether a plan is another one with it: by a rate, by the memory, or as a device of its own. What `verify` says
/// before and `calibrate` ends by.
bool plans_take_from(const HostCalibration& host);

/// What whoever calibrates with this profile must know of it: scripted devices, an early end, verdicts that are not in
/// order. Sentences; empty where all is well.
std::vector<std::string> calibration_cautions(const Catalog& catalog, const HardwareProfile& profile);

/// `catalog` with its rates of the same GPU, operation, precision and number of ranks as `hosts` say (plan_rate()). A
/// device that the catalog lacks must stand in `devices`. The digest stays that of `catalog`, which
/// must outlive it.
Catalog with_hosts(const Catalog& catalog, std::vector<HostCalibration> hosts, const std::vector<Gpu>& devices);

/// The catalog's peaks of a device that it knows; else the best rates that the profile itself measured.
DevicePeaks device_peaks(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device);

}  // namespace podwright
