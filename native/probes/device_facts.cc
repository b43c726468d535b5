#include "probes/device_facts.h"

#include "measure/device_key.h"
#include "probes/probe_case.h"

namespace podwright::probes {
namespace {

struct NumberFact {
  const char* key;
  std::optional<double> ProfileDevice::*member;
  double unit;  ///< one unit of the member, in that of the fact
};
constexpr NumberFact kNumbers[] = {
    {"sm_count", &ProfileDevice::sm_count, 1},
    {"l2_bytes", &ProfileDevice::l2_bytes, 1},
    {"memory_bus_bits", &ProfileDevice::memory_bus_bits, 1},
    {"memory_clock_hz", &ProfileDevice::memory_clock_hz, 1},
    {"sm_clock_max_hz", &ProfileDevice::sm_clock_max_hz, 1},
    {"power_limit_w", &ProfileDevice::power_limit_w, 1},
    {"power_limit_default_w", &ProfileDevice::power_limit_default_w, 1},
    {"pcie_generation_max", &ProfileDevice::pcie_generation_max, 1},
    {"pcie_width_max", &ProfileDevice::pcie_width_max, 1},
    {"nvlinks", &ProfileDevice::nvlinks, 1},
    {"memory_total_bytes", &ProfileDevice::memory_total_gib, kGiB},
    {"memory_free_bytes", &ProfileDevice::memory_free_gib, kGiB},
    {"context_bytes", &ProfileDevice::context_gib, kGiB},
    {"idle_power_w", &ProfileDevice::idle_power_w, 1},
    {"driver_bytes_per_s", &ProfileDevice::driver_bytes_per_s, 1},
};

const Fact* find(const std::vector<Fact>& facts, const std::string& key) {
  for (const Fact& fact : facts)
    if (fact.key == key) return &fact;
  return nullptr;
}

std::optional<double> number_of(const std::vector<Fact>& facts, const std::string& key) {
  const Fact* fact = find(facts, key);
  return fact == nullptr ? std::nullopt : std::optional<double>(fact->number);
}

void name_from_catalog(ProfileDevice& device, const Catalog& catalog) {
  name_device(catalog, device);
  if (const auto gpu = find_gpu(catalog, device.key); gpu && (*gpu)->memory_bandwidth)
    device.datasheet_bytes_per_s = raw(*(*gpu)->memory_bandwidth);
}

}  // namespace

double fact_number(const std::vector<Fact>& facts, const std::string& key, double otherwise) {
  return number_of(facts, key).value_or(otherwise);
}

std::string fact_text(const std::vector<Fact>& facts, const std::string& key) {
  const Fact* fact = find(facts, key);
  return fact == nullptr ? "" : fact->text;
}

ProfileDevice device_of(const std::vector<Fact>& facts, int number, const std::string& backend, const Catalog* catalog,
                        ProfileEnvironment& environment) {
  ProfileDevice device;
  device.id = "d" + std::to_string(number);
  device.kind = backend == "cpu" ? "cpu" : "gpu";
  device.name = fact_text(facts, "name");
  device.pci_bus_id = fact_text(facts, "pci_bus_id");
  device.vbios = fact_text(facts, "vbios");
  device.compute_capability = fact_text(facts, "compute_capability");
  device.virtualization = fact_text(facts, "virtualization");
  device.mig_slice = fact_text(facts, "mig_slice");
  for (const NumberFact& one : kNumbers)
    if (const auto told = number_of(facts, one.key)) device.*one.member = *told / one.unit;
  if (const auto on = number_of(facts, "ecc")) device.ecc = *on > 0;
  if (const auto locked = number_of(facts, "clocks_locked")) device.clocks_locked = *locked > 0;
  for (const auto& [key, member] : {std::pair{"driver", &ProfileEnvironment::driver},
                                    {"cuda_driver", &ProfileEnvironment::cuda_driver},
                                    {"cuda_runtime", &ProfileEnvironment::cuda_runtime},
                                    {"cublaslt", &ProfileEnvironment::cublaslt},
                                    {"nccl", &ProfileEnvironment::nccl}})
    if (const Fact* fact = find(facts, key); fact != nullptr) environment.*member = fact->text;
  if (catalog != nullptr && device.kind == "gpu") name_from_catalog(device, *catalog);
  return device;
}

GpuReading gpu_reading(const std::vector<Fact>& facts) {
  GpuReading reading;
  const auto number = [&](const char* key) { return number_of(facts, key); };
  if (const auto on = number("persistence_mode")) reading.persistence = *on > 0;
  reading.fabric_state = number("fabric_state");
  reading.fabric_status = number("fabric_status");
  reading.fabric_health = number("fabric_health");
  if (const auto most = number("remap_banks_max"))
    reading.remap_banks = {*most, number("remap_banks_high").value_or(0), number("remap_banks_partial").value_or(0),
                           number("remap_banks_low").value_or(0), number("remap_banks_none").value_or(0)};
  return reading;
}

}  // namespace podwright::probes
