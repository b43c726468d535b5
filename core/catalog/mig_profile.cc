#include "catalog/mig_profile.h"

#include "base/stable_sort.h"

namespace podwright {

std::vector<const MigProfile*> mig_profiles_of(const std::vector<MigProfile>& profiles, std::string_view gpu_id) {
  std::vector<const MigProfile*> of_gpu;
  for (const MigProfile& profile : profiles)
    if (profile.gpu_id == gpu_id) of_gpu.push_back(&profile);
  sort_stably(of_gpu, [](const MigProfile* a, const MigProfile* b) {
    if (a->memory_slices != b->memory_slices) return a->memory_slices < b->memory_slices;
    return a->compute_slices < b->compute_slices;
  });
  return of_gpu;
}

}  // namespace podwright
