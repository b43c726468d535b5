#include "probes/device_facts.h"

#include <cmath>

#include "measure/device_key.h"
#include "measure/profile_fields.h"
#include "probes/probe_case.h"

namespace podwright::probes {
namespace {

const Fact* find(const std::vector<Fact>& facts, std::string_view key) {
  for (const Fact& fact : facts)
    if (fact.key == key) return &fact;
  return nullptr;
}

std::optional<double> number_of(const std::vector<Fact>& facts, std::string_view key) {
  const Fact* fact = find(facts, key);
  return fact == nullptr ? std::nullopt : std::optional<double>(fact->number);
}

/// Facts are told under the names of the profile's fields; what stands there in GiB is told in bytes. One that no
/// profile can hold is not known.
struct FactReader {
  const std::vector<Fact>& facts;

  void text(std::string_view key, std::string& to) const {
    if (const Fact* fact = find(facts, key)) to = fact->text;
  }
  void number(std::string_view key, std::optional<double>& to, const Range& range) const {
    constexpr std::string_view kInGib = "_gib";
    const bool in_gib = key.ends_with(kInGib);
    const std::string name =
        in_gib ? std::string(key.substr(0, key.size() - kInGib.size())) + "_bytes" : std::string(key);
    const double told = number_of(facts, name).value_or(std::nan("")) / (in_gib ? kGiB : 1);
    if (told >= range.min && told <= range.max) to = told;
  }
  void flag(std::string_view key, std::optional<bool>& to) const {
    if (const auto told = number_of(facts, key)) to = *told > 0;
  }
  /// What is no fact.
  void needed_text(std::string_view, const std::string&) const {}
  void flag(std::string_view, const bool&) const {}
  void list(std::string_view, const auto&) const {}
  void word(std::string_view, const KeyMatch&, const auto&) const {}
};

void name_from_catalog(ProfileDevice& device, const Catalog& catalog) {
  name_device(catalog, device);
  if (const auto gpu = find_gpu(catalog, device.key); gpu && (*gpu)->memory_bandwidth)
    device.datasheet_bytes_per_s = raw(*(*gpu)->memory_bandwidth);
}

}  // namespace

std::string device_id(int device) { return "d" + std::to_string(device); }

double fact_number(const std::vector<Fact>& facts, std::string_view key, double otherwise) {
  return number_of(facts, key).value_or(otherwise);
}

ProfileDevice device_of(const std::vector<Fact>& facts, int number, const std::string& backend, const Catalog* catalog,
                        ProfileEnvironment& environment) {
  ProfileDevice device;
  device.id = device_id(number);
  device.kind = backend == "cpu" ? "cpu" : "gpu";
  FactReader reader{facts};
  describe_profile(reader, device);
  describe_profile(reader, environment);
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
