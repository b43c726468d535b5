#include "sizing/mig_packing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/number_text.h"
#include "base/stable_sort.h"
#include "base/trace.h"
#include "memory/gpu_memory.h"
#include "perf/estimate_serving.h"

namespace podwright {
namespace {

constexpr long kSearchSteps = 200000;

unsigned mask_of(const MigProfile& profile, int start) {
  return ((1u << static_cast<unsigned>(profile.memory_slices)) - 1u) << static_cast<unsigned>(start);
}

/// One GPU while it is filled.
struct Filling {
  unsigned taken = 0;
  double compute = 0;
  std::vector<MigInstance> instances;

  bool has_room(const MigProfile& profile, int start) const {
    if ((taken & mask_of(profile, start)) != 0) return false;
    if (compute + profile.compute_slices > profile.gpu_compute_slices) return false;
    return static_cast<double>(count(profile)) < profile.instances;
  }
  std::ptrdiff_t count(const MigProfile& profile) const {
    return std::count_if(instances.begin(), instances.end(),
                         [&](const MigInstance& one) { return one.profile == &profile; });
  }
  /// The same instances fit into both.
  bool like(const Filling& other) const {
    return taken == other.taken && compute == other.compute && instances.size() == other.instances.size() &&
           std::all_of(instances.begin(), instances.end(),
                       [&](const MigInstance& one) { return count(*one.profile) == other.count(*one.profile); });
  }
  void put(std::size_t workload, const MigProfile& profile, int start) {
    taken |= mask_of(profile, start);
    compute += profile.compute_slices;
    instances.push_back({workload, &profile, start});
  }
  void take_back() {
    taken &= ~mask_of(*instances.back().profile, instances.back().start);
    compute -= instances.back().profile->compute_slices;
    instances.pop_back();
  }
};

/// Copies to place, each with the slice that takes least of a GPU.
struct Copy {
  std::size_t workload;
  const MigProfile* profile;
};

std::vector<Copy> copies_of(const std::vector<MigWish>& wishes, MigPacking& packing) {
  std::vector<Copy> copies;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    packing.left_over.push_back(wishes[i].profiles.empty() ? wishes[i].copies : 0);
    if (wishes[i].profiles.empty()) continue;
    for (double copy = 0; copy < wishes[i].copies; ++copy) copies.push_back({i, wishes[i].profiles.front()});
  }
  sort_stably(copies, [](const Copy& a, const Copy& b) {
    if (a.profile->memory_slices != b.profile->memory_slices)
      return a.profile->memory_slices > b.profile->memory_slices;
    return a.profile->compute_slices > b.profile->compute_slices;
  });
  return copies;
}

/// GPUs that any packing needs: by memory slices and by compute slices.
std::size_t least_gpus(const std::vector<Copy>& copies) {
  double memory = 0;
  double compute = 0;
  for (const Copy& copy : copies) {
    memory += copy.profile->memory_slices / copy.profile->gpu_memory_slices;
    compute += copy.profile->compute_slices / copy.profile->gpu_compute_slices;
  }
  constexpr double kRounding = 1e-9;
  return static_cast<std::size_t>(std::ceil(std::max(memory, compute) - kRounding));
}

class Packer {
 public:
  explicit Packer(const std::vector<Copy>& copies) : copies_(copies) {}

  /// Tries to place all copies on `gpus` GPUs.
  bool fits(std::size_t gpus) {
    fillings_.assign(gpus, {});
    steps_ = 0;
    return place(0);
  }
  bool gave_up() const { return steps_ >= kSearchSteps; }
  const std::vector<Filling>& fillings() const { return fillings_; }

 private:
  bool place(std::size_t at) {
    if (at == copies_.size()) return true;
    if (++steps_ >= kSearchSteps) return false;
    const Copy& copy = copies_[at];
    for (std::size_t gpu = 0; gpu < fillings_.size(); ++gpu) {
      if (tried_before(gpu)) continue;
      // From the top: the last slice of a GPU has no start for the smallest profile, so larger ones cover it.
      for (auto start = copy.profile->starts.rbegin(); start != copy.profile->starts.rend(); ++start) {
        if (!fillings_[gpu].has_room(*copy.profile, *start)) continue;
        fillings_[gpu].put(copy.workload, *copy.profile, *start);
        if (place(at + 1)) return true;
        fillings_[gpu].take_back();
        if (gave_up()) return false;
      }
    }
    return false;
  }
  /// A GPU filled like one before it brings nothing new.
  bool tried_before(std::size_t gpu) const {
    for (std::size_t other = 0; other < gpu; ++other)
      if (fillings_[other].like(fillings_[gpu])) return true;
    return false;
  }

  const std::vector<Copy>& copies_;
  std::vector<Filling> fillings_;
  long steps_ = 0;
};

/// As many copies as go onto `gpus` GPUs, small ones first, each where least is left free.
std::vector<Filling> best_fit(std::vector<Copy> copies, std::size_t gpus, std::vector<double>& left_over) {
  std::reverse(copies.begin(), copies.end());
  std::vector<Filling> fillings(gpus);
  for (const Copy& copy : copies) {
    Filling* best = nullptr;
    int best_start = 0;
    for (Filling& filling : fillings)
      for (const int start : copy.profile->starts)
        if (filling.has_room(*copy.profile, start) && (best == nullptr || filling.compute > best->compute)) {
          best = &filling;
          best_start = start;
        }
    if (best == nullptr)
      left_over[copy.workload] += 1;
    else
      best->put(copy.workload, *copy.profile, best_start);
  }
  return fillings;
}

/// Compute that is left goes to instances whose place also takes a wider profile, the slowest first.
void widen(const std::vector<MigWish>& wishes, std::vector<MigInstance>& instances) {
  const std::vector<std::size_t> order = stable_order(instances.size(), [&](std::size_t a, std::size_t b) {
    return instances[a].profile->compute_slices < instances[b].profile->compute_slices;
  });
  for (const std::size_t at : order) {
    const std::vector<const MigProfile*>& profiles = wishes[instances[at].workload].profiles;
    for (auto wider = profiles.rbegin(); wider != profiles.rend(); ++wider) {
      const MigProfile* now = instances[at].profile;
      if ((*wider)->memory_slices != now->memory_slices || (*wider)->compute_slices <= now->compute_slices) continue;
      instances[at].profile = *wider;
      if (mig_legal(instances)) break;
      instances[at].profile = now;
    }
  }
}

}  // namespace

double mig_compute_share(const Gpu& gpu, const MigProfile& profile) {
  if (profile.sm_count && gpu.sm_count) return std::min(1.0, *profile.sm_count / *gpu.sm_count);
  return profile.compute_slices / profile.gpu_compute_slices;
}

double mig_memory_share(const MigProfile& profile) { return profile.memory_slices / profile.gpu_memory_slices; }

Gpu mig_slice(const Gpu& gpu, const MigProfile& profile) {
  Gpu slice = gpu;
  const double compute = mig_compute_share(gpu, profile);
  const double memory = mig_memory_share(profile);
  slice.id = profile.id;
  slice.name = gpu.name + " MIG " + profile.name;
  slice.origin = profile.origin;
  slice.sources.clear();
  slice.source = profile.source;
  for (auto& [precision, rate] : slice.peak_dense_flops) rate = rate * compute;
  for (auto& [precision, rate] : slice.measured_matmul_flops) rate = rate * compute;
  slice.memory = profile.memory.value_or(gpu_memory(gpu) * memory);
  slice.memory_driver = slice.memory;
  if (slice.memory_bandwidth) slice.memory_bandwidth = *slice.memory_bandwidth * memory;
  if (slice.sm_count) slice.sm_count = std::floor(*slice.sm_count * compute);
  if (slice.l2_mb) slice.l2_mb = *slice.l2_mb * memory;
  slice.link_name = "none";
  slice.link_bandwidth_one_way.reset();
  slice.link_domain_gpus = 1;
  slice.board_power.reset();
  slice.mig_max_instances = 0;
  slice.price.reset();
  return slice;
}

std::vector<MigFit> mig_fits(const Catalog& catalog, const Gpu& gpu, const MigWorkload& workload) {
  std::vector<MigFit> fits;
  for (const MigProfile* profile : mig_profiles_of(catalog.mig_profiles, gpu.id)) {
    NoTrace trace;
    const Gpu slice = mig_slice(gpu, *profile);
    const auto estimate =
        estimate_serving(trace, catalog, *workload.model, layer_stack(*workload.model), slice, workload.run, false);
    MigFit fit{.profile = profile};
    fit.assumptions = estimate.assumptions;
    if (estimate.memory) {
      fit.total = estimate.memory->total;
      fit.capacity = estimate.memory->capacity;
    }
    fit.holds = estimate.feasible;
    for (const Infeasible& reason : estimate.reasons)
      if (!fit.holds && fit.why_not.empty()) fit.why_not = reason.message.text();
    if (estimate.performance) {
      fit.ttft = estimate.performance->ttft;
      fit.tpot = estimate.performance->tpot;
      fit.output_tokens_per_s = estimate.performance->output_tokens_per_s;
      const double admitted = estimate.performance->admitted_concurrency;
      if (fit.holds && workload.run.load.kind == LoadKind::concurrency && admitted < workload.run.load.value) {
        fit.holds = false;
        fit.why_not = "Memory admits " + human_number(admitted, 6) + " of " + human_number(workload.run.load.value, 6) +
                      " requests in flight.";
      }
    }
    if (fit.holds && workload.tpot_max && (!fit.tpot || *fit.tpot > *workload.tpot_max)) {
      fit.holds = false;
      fit.why_not = fit.tpot ? "A token takes " + human_number(fit.tpot->base_units() * 1e3, 3) + " ms, the limit is " +
                                   human_number(workload.tpot_max->base_units() * 1e3, 3) + " ms."
                             : "The time per token is not known for this slice.";
    }
    fits.push_back(std::move(fit));
  }
  return fits;
}

bool mig_legal(const std::vector<MigInstance>& instances) {
  Filling filling;
  for (const MigInstance& instance : instances) {
    const std::vector<int>& starts = instance.profile->starts;
    if (std::find(starts.begin(), starts.end(), instance.start) == starts.end()) return false;
    if (!filling.has_room(*instance.profile, instance.start)) return false;
    filling.put(instance.workload, *instance.profile, instance.start);
  }
  return true;
}

MigPacking pack_mig(const std::vector<MigWish>& wishes, double gpus_most) {
  MigPacking packing;
  const std::vector<Copy> copies = copies_of(wishes, packing);
  const std::size_t most = static_cast<std::size_t>(std::min(gpus_most, static_cast<double>(copies.size())));
  Packer packer(copies);
  bool placed = copies.empty();
  std::vector<Filling> fillings;
  for (std::size_t gpus = std::max<std::size_t>(1, least_gpus(copies)); !placed && gpus <= most; ++gpus) {
    placed = packer.fits(gpus);
    if (placed) fillings = packer.fillings();
    if (!placed && packer.gave_up()) packing.fewest = false;
  }
  if (!placed) fillings = best_fit(copies, most, packing.left_over);
  for (Filling& filling : fillings) {
    if (filling.instances.empty()) continue;
    widen(wishes, filling.instances);
    sort_stably(filling.instances, [](const MigInstance& a, const MigInstance& b) { return a.start < b.start; });
    packing.gpus.push_back(std::move(filling.instances));
  }
  return packing;
}

}  // namespace podwright
