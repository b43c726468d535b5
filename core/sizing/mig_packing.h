#pragma once
/// Small models on slices of GPUs: what a slice is worth, and the fewest GPUs that hold all of them.
/// docs/method/mig.md.
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "memory/serving_run.h"

namespace podwright {

/// Share of a GPU's multiprocessors: by the driver's counts where both are known, else by compute slices.
double mig_compute_share(const Gpu& gpu, const MigProfile& profile);
/// Share of its memory slices, each with its own controllers and cache: also that of the bandwidth.
double mig_memory_share(const MigProfile& profile);

/// The slice as a GPU of its own: memory as listed (else its share), rates by their shares, no links, no price.
Gpu mig_slice(const Gpu& gpu, const MigProfile& profile);

/// One model on one slice.
struct MigFit {
  const MigProfile* profile = nullptr;
  bool holds = false;
  std::string why_not;  ///< where it does not
  std::optional<Bytes> total;
  std::optional<Bytes> capacity;
  std::optional<Seconds> ttft;
  std::optional<Seconds> tpot;
  std::optional<PerSecond> output_tokens_per_s;
  std::vector<std::string> assumptions;
};

/// What one copy must do. `run` stands on one GPU: every parallel size is 1.
struct MigWorkload {
  std::string name;
  std::optional<Model> model;
  ServingRun run;
  double copies = 1;
  std::optional<Seconds> tpot_max;
};

/// Every slice of the GPU, smallest first.
std::vector<MigFit> mig_fits(const Catalog& catalog, const Gpu& gpu, const MigWorkload& workload);

struct MigInstance {
  std::size_t workload = 0;
  const MigProfile* profile = nullptr;
  int start = 0;  ///< first memory slice
};

/// True where every instance stands on a start of its profile, none overlap, and neither compute slices nor instances
/// of a profile exceed what the GPU has.
bool mig_legal(const std::vector<MigInstance>& instances);

/// Slices that hold one copy of a workload, smallest first; none: no slice does.
struct MigWish {
  std::vector<const MigProfile*> profiles;
  double copies = 1;
};

struct MigPacking {
  std::vector<std::vector<MigInstance>> gpus;
  std::vector<double> left_over;  ///< copies of each workload that found no place
  bool fewest = true;             ///< no packing with fewer GPUs exists; false: the search ended before it knew
};

/// Packs all copies on at most `gpus_most` GPUs. Exact for what a search of bounded length can decide. What is left of
/// a GPU's compute then widens its instances.
MigPacking pack_mig(const std::vector<MigWish>& wishes, double gpus_most);

}  // namespace podwright
