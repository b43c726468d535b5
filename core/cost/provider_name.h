#pragma once
/// How providers of rented machines write their own names.
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace podwright {

/// By the id of the price table.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 35> kProviderNames{
    {{"acecloud", "AceCloud"},
     {"akash", "Akash"},
     {"aws", "AWS"},
     {"azure", "Azure"},
     {"beam", "Beam"},
     {"cerebrium", "Cerebrium"},
     {"cirrascale", "Cirrascale"},
     {"civo", "Civo"},
     {"coreweave", "CoreWeave"},
     {"crusoe", "Crusoe"},
     {"cudo", "CUDO Compute"},
     {"digitalocean", "DigitalOcean"},
     {"enverge", "Enverge"},
     {"fluidstack", "Fluidstack"},
     {"flyio", "Fly.io"},
     {"gcore", "Gcore"},
     {"gcp", "Google Cloud"},
     {"hotaisle", "Hot Aisle"},
     {"hyperbolic", "Hyperbolic"},
     {"hyperstack", "Hyperstack"},
     {"jarvislabs", "Jarvislabs.ai"},
     {"koyeb", "Koyeb"},
     {"lambda", "Lambda"},
     {"latitude", "Latitude.sh"},
     {"nebius", "Nebius"},
     {"oci", "Oracle Cloud"},
     {"paperspace", "Paperspace"},
     {"runpod", "Runpod"},
     {"scaleway", "Scaleway"},
     {"spheron", "Spheron"},
     {"tensorwave", "TensorWave"},
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
