#include "catalog/mig_profile.h"

#include <algorithm>
#include <cstdlib>

#include "catalog/table_reader.h"

namespace podwright {
namespace {

std::vector<int> starts_of(const std::string& cell) {
  std::vector<int> starts;
  const char* at = cell.c_str();
  for (char* end = nullptr;; at = end) {
    const long start = std::strtol(at, &end, 10);
    if (end == at) return starts;
    starts.push_back(static_cast<int>(start));
  }
}

}  // namespace

std::vector<const MigProfile*> mig_profiles_of(const std::vector<MigProfile>& profiles, std::string_view gpu_id) {
  std::vector<const MigProfile*> of_gpu;
  for (const MigProfile& profile : profiles)
    if (profile.gpu_id == gpu_id) of_gpu.push_back(&profile);
  std::stable_sort(of_gpu.begin(), of_gpu.end(), [](const MigProfile* a, const MigProfile* b) {
    if (a->memory_slices != b->memory_slices) return a->memory_slices < b->memory_slices;
    return a->compute_slices < b->compute_slices;
  });
  return of_gpu;
}

void read_mig_profiles(const std::string& path, std::string_view text, std::vector<MigProfile>& profiles,
                       Errors& errors) {
  TableReader table(path, text,
                    {"gpu_id", "profile", "compute_slices", "memory_slices", "gpu_memory_slices", "gpu_compute_slices",
                     "starts", "instances", "memory_gib", "sm_count", "source"},
                    errors);
  std::vector<MigProfile> read;
  while (table.next()) {
    MigProfile profile;
    profile.gpu_id = table.needed_text("gpu_id");
    const std::string name = table.needed_text("profile");
    table.head(profile, profile.gpu_id + "/" + name, name);
    profile.gpu_memory_slices = table.needed("gpu_memory_slices", 1, 8);
    profile.gpu_compute_slices = table.needed("gpu_compute_slices", 1, 8);
    profile.memory_slices = table.needed("memory_slices", 1, profile.gpu_memory_slices);
    profile.compute_slices = table.needed("compute_slices", 1, profile.gpu_compute_slices);
    profile.instances = table.needed("instances", 1, profile.gpu_memory_slices);
    profile.starts = starts_of(table.needed_text("starts"));
    for (const int start : profile.starts)
      if (start < 0 || start + profile.memory_slices > profile.gpu_memory_slices)
        table.error("out-of-range", "An instance would end after the GPU's last slice.", "Starts from 0.");
    if (const auto memory = table.number("memory_gib", 0.1, 1e4)) profile.memory = gib(*memory);
    profile.sm_count = table.number("sm_count", 1, 1e4);
    read.push_back(std::move(profile));
  }
  profiles = std::move(read);
}

}  // namespace podwright
