#pragma once
/// How providers of rented machines write their own names.
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace podwright {

/// By the id of the price table.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kProviderNames{
    {{"aws", "AWS"},
     {"azure", "Azure"},
     {"coreweave", "CoreWeave"},
     {"crusoe", "Crusoe"},
     {"digitalocean", "DigitalOcean"},
     {"fluidstack", "Fluidstack"},
     {"gcp", "Google Cloud"},
     {"hyperstack", "Hyperstack"},
     {"jarvislabs", "Jarvislabs.ai"},
     {"lambda", "Lambda"},
     {"nebius", "Nebius"},
     {"oci", "Oracle Cloud"},
     {"runpod", "Runpod"},
     {"vast", "Vast.ai"},
     {"verda", "Verda"}}};

/// For sentences; an id that the table lacks is its own name.
inline std::string provider_name(std::string_view id) {
  for (const auto& [known, name] : kProviderNames)
    if (known == id) return std::string(name);
  return std::string(id);
}

}  // namespace podwright
