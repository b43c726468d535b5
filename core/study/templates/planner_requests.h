#pragma once
/// Requests of the planner that several topics write. What a question leaves open and a screen must know stands here,
/// once: its answer does not depend on it.
#include <string_view>

#include "catalog/gpu.h"
#include "catalog/system.h"
#include "study/draft.h"

namespace podwright {

/// An entry of the catalog whose facts the question takes.
inline void open_entry(Draft& d, std::string_view table, std::string_view id) {
  d.planner(planner::kData, [&](JsonWriter& r) {
    r.text("show", table);
    r.text("id", id);
  });
}
inline void open_gpu(Draft& d, const Gpu& gpu) { open_entry(d, "gpus", gpu.id); }
inline void open_system(Draft& d, const System& system) { open_entry(d, "systems", system.id); }

/// GPUs of a design whose size the question leaves open: the smallest of several racks.
inline constexpr double kAnyDesignGpus = 64;

/// A design of DGX systems with a given number of GPUs; `fill` adds what the question says of the site or the storage.
template <class Fill>
void open_design(Draft& d, std::string_view gpu, double gpus, const Fill& fill) {
  d.planner(planner::kArchitecture, [&](JsonWriter& r) {
    r.text("gpu", gpu);
    r.number("gpu_count", gpus);
    r.text("ownership", "dgx");
    fill(r);
  });
}
/// The same of H100, where the question names no GPU.
template <class Fill>
void open_any_design(Draft& d, double gpus, const Fill& fill) {
  open_design(d, "h100-sxm5-80gb", gpus, fill);
}

/// Data-parallel training with sharded states of 2 bytes of weights, 2 of gradients and 12 of the optimizer for each
/// parameter; sequences and batch are the least that use every GPU. `fill` adds what the question says of the run.
template <class Fill>
void open_sharded_training(Draft& d, const Model& model, std::string_view gpu, double gpus, double zero_stage,
                           const Fill& fill) {
  d.planner(planner::kTraining, [&](JsonWriter& r) {
    r.text("model", model.id);
    r.text("gpu", gpu);
    r.number("gpu_count", gpus);
    r.number("sequence_length", 2048);
    r.number("global_batch_size", gpus);
    r.begin_object("parallelism");
    r.number("data", gpus);
    r.number("zero_stage", zero_stage);
    r.end_object();
    r.text("activation_recompute", "full");
    r.text("framework", "deepspeed");
    fill(r);
  });
}

}  // namespace podwright
