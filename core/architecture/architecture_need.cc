#include "architecture/architecture_need.h"

namespace podwright {
namespace {

template <class Read>
void change(const JsonNode& patch, std::string_view key, const Read& read) {
  if (const JsonNode* node = patch.find(key)) read(*node);
}

void change(const JsonNode& patch, std::string_view key, std::string& word) {
  change(patch, key, [&](const JsonNode& node) {
    if (node.is_text()) word = node.text;
  });
}

template <class Enum, std::size_t N>
void change(const JsonNode& patch, std::string_view key, Enum& value, const std::array<std::string_view, N>& words) {
  change(patch, key, [&](const JsonNode& node) { value = of_word<Enum>(node.text, words).value_or(value); });
}

void change(const JsonNode& patch, std::string_view key, std::optional<double>& number) {
  change(patch, key, [&](const JsonNode& node) {
    if (node.is_number()) number = node.number;
    if (node.type == JsonType::null) number.reset();
  });
}

void change_kilowatts(const JsonNode& patch, std::string_view key, std::optional<Watts>& power) {
  std::optional<double> kilowatts = power ? std::optional(*power / kw(1)) : std::nullopt;
  change(patch, key, kilowatts);
  power = kilowatts ? std::optional(kw(*kilowatts)) : std::nullopt;
}

}  // namespace

ArchitectureNeed patched(ArchitectureNeed need, const Patch& changes) {
  const JsonNode patch = changes.merge_patch();
  change(patch, "gpu_count", [&](const JsonNode& node) { need.gpu_count = node.number; });
  change(patch, "growth_gpu_count", need.growth_gpu_count);
  change(patch, "ownership", need.ownership, kOwnershipWords);
  change(patch, "fabric", need.fabric, kFabricFamilyWords);
  change(patch, "workload", need.workload);
  change_kilowatts(patch, "rack_power_kw", need.rack_power);
  change(patch, "liquid_cooling", [&](const JsonNode& node) { need.liquid_cooling = node.boolean; });
  change(patch, "sovereignty", need.sovereignty, kSovereigntyWords);
  change(patch, "services", need.services, kServicesWords);
  change(patch, "tenancy", need.tenancy, kTenancyWords);
  change(patch, "replica_gpus", need.replica_gpus);
  change(patch, "rack_units", need.rack_units);
  change(patch, "rack_load_kg", need.rack_load_kg);
  change_kilowatts(patch, "site_power_kw", need.site_power);
  return need;
}

}  // namespace podwright
