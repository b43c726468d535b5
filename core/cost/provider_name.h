#pragma once
/// How providers of rented machines write their own names.
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace podwright {

/// By the id of the price table.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 23> kProviderNames{
    {{"aws", "AWS"},
     {"azure", "Azure"},
     {"cirrascale", "Cirrascale"},
     {"civo", "Civo"},
     {"coreweave", "CoreWeave"},
     {"crusoe", "Crusoe"},
     {"digitalocean", "DigitalOcean"},
     {"gcore", "Gcore"},
     {"gcp", "Google Cloud"},
     {"hyperbolic", "Hyperbolic"},
     {"hyperstack", "Hyperstack"},
     {"jarvislabs", "Jarvislabs.ai"},
     {"lambda", "Lambda"},
     {"latitude", "Latitude.sh"},
     {"nebius", "Nebius"},
     {"oci", "Oracle Cloud"},
     {"paperspace", "Paperspace"},
     {"runpod", "Runpod"},
     {"scaleway", "Scaleway"},
     {"together", "Together AI"},
     {"vast", "Vast.ai"},
     {"verda", "Verda"},
     {"vultr", "Vultr"}}};

/// For sentences; an id that the table lacks is its own name.
inline std::string provider_name(std::string_view id) {
  for (const auto& [known, name] : kProviderNames)
    if (known == id) return std::string(name);
  return std::string(id);
}

}  // namespace podwright
