#pragma once
/// From the facts that a worker tells of a device to its place in the profile.
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "measure/health_reading.h"
#include "measure/profile.h"
#include "probes/worker.h"

namespace podwright::probes {

/// Its name in the profile: "d0".
std::string device_id(int device);

double fact_number(const std::vector<Fact>& facts, std::string_view key, double otherwise);

/// The device, and versions of libraries into `environment`. `catalog` may be null.
ProfileDevice device_of(const std::vector<Fact>& facts, int number, const std::string& backend, const Catalog* catalog,
                        ProfileEnvironment& environment);

/// What health checks judge of a GPU.
GpuReading gpu_reading(const std::vector<Fact>& facts);

}  // namespace podwright::probes
