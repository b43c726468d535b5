#pragma once
/// Multi-Instance GPU: the slices that a GPU can be cut into. docs/method/mig.md.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "catalog/item.h"

namespace podwright {

/// One profile of one GPU. Places are memory slices, counted from 0.
struct MigProfile : CatalogItem {
  std::string gpu_id;
  double compute_slices = 0;
  double memory_slices = 0;  ///< that an instance occupies
  double gpu_compute_slices = 0;
  double gpu_memory_slices = 0;
  std::vector<int> starts;         ///< first memory slice of an instance
  double instances = 0;            ///< of this profile on one GPU at most
  std::optional<Bytes> memory;     ///< as the driver lists it
  std::optional<double> sm_count;  ///< as the driver lists it
};

/// Profiles of a GPU, smallest first; empty where it cannot be cut.
std::vector<const MigProfile*> mig_profiles_of(const std::vector<MigProfile>& profiles, std::string_view gpu_id);

}  // namespace podwright
