#pragma once
/// Level, bandwidth and capacity of the storage of a design, and what its checkpoints cost. docs/method/storage.md.
#include "architecture/design_figures.h"
#include "base/arithmetic.h"
#include "reliability/failures.h"

namespace podwright {

/// Bytes of one checkpoint of the model that is trained; absent where nothing is saved. Weights of 2 bytes, their
/// 32-bit copy and two 32-bit moments, as with AdamW.
template <class Tracer>
std::optional<Known<Tracer, Bytes>> design_checkpoint(Tracer& trace, const StorageRequest& request) {
  if (request.checkpoint_gb) return trace.input("/storage/checkpoint_gb", gb(*request.checkpoint_gb));
  if (!request.model_parameters) return std::nullopt;
  const auto per_parameter =
      named("reliability.checkpoint_bytes_per_parameter",
            checkpoint_bytes_per_parameter(trace.constant("bf16_weight", Bytes(2), "definition"),
                                           trace.constant("fp32_copy", Bytes(4), "definition"),
                                           trace.constant("adamw_moments", Bytes(8), "two moments of 32 bits")));
  return named("architecture.checkpoint",
               trace.input("/storage/model_parameters", *request.model_parameters) * per_parameter);
}

/// Mean time between failures of all GPUs; absent where no fleet's failures are known.
template <class Tracer>
std::optional<Known<Tracer, Seconds>> design_failures(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                      const StorageRequest& request,
                                                      const Known<Tracer, double>& gpus) {
  const FailureRate* rate = failure_rate_of(catalog, gpu);
  if (!request.gpu_hours_per_failure && rate == nullptr) return std::nullopt;
  const auto per_failure = request.gpu_hours_per_failure
                               ? trace.input("/storage/gpu_hours_per_failure", hours(*request.gpu_hours_per_failure))
                               : trace.fact(*rate, "gpu_hours_per_failure", hours(*rate->gpu_hours_per_failure));
  return named("architecture.mean_time_between_failures", mean_time_between_failures(per_failure, gpus));
}

template <class Tracer>
std::optional<DesignStorage<Tracer>> design_storage(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                    const DesignParts& parts, const SiteGuides& guides,
                                                    const DesignSize<Tracer>& size,
                                                    const std::optional<Known<Tracer, double>>& units,
                                                    const StorageRequest& request) {
  using Time = Known<Tracer, Seconds>;
  DesignStorage<Tracer> storage;
  storage.guide = storage_guide(catalog, guides.document);
  if (storage.guide.architecture == nullptr) return std::nullopt;
  storage.checkpoint = design_checkpoint(trace, request);
  storage.mean_time_between_failures = design_failures(trace, catalog, gpu, request, *size.gpus);
  const OperatingFigure* restart = find_operating_figure(catalog.operating_figures, "restart-time");
  const bool saves =
      storage.checkpoint && storage.mean_time_between_failures && (request.restart_s || restart != nullptr);
  std::optional<Time> start;
  if (request.restart_s)
    start = trace.input("/storage/restart_s", Seconds(*request.restart_s));
  else if (restart != nullptr)
    start = trace.fact(*restart, "typical", Seconds(restart->typical));
  if (request.samples_per_s_per_gpu && request.sample_kb)
    storage.steady_read =
        named("architecture.steady_read",
              steady_read_rate(
                  *size.gpus, trace.input("/storage/samples_per_s_per_gpu", per_second(*request.samples_per_s_per_gpu)),
                  trace.input("/storage/sample_kb", Bytes(*request.sample_kb * 1e3))));

  StorageNeed need{.pattern = request.data, .gpus = value_of(*size.gpus), .nodes = value_of(*size.nodes)};
  if (units) need.scalable_units = value_of(*units);
  if (storage.steady_read) need.steady_read = value_of(*storage.steady_read);
  if (saves) {
    need.checkpoint = value_of(*storage.checkpoint);
    need.start = value_of(*start);
    need.mean_time_between_failures = value_of(*storage.mean_time_between_failures);
  }
  need.readers = request.restart_readers;
  need.most_lost_share = request.most_lost_share;
  const std::optional<StorageLevelChoice> choice = choose_storage_level(storage.guide, need);
  if (!choice) return std::nullopt;
  storage.choice = *choice;
  const std::vector<StorageLevel>& levels = storage.guide.architecture->site.storage_levels;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i].name == request.level) storage.choice.level = i;
  const auto bandwidth =
      storage_bandwidth(trace, storage.guide, levels[storage.choice.level], units, *size.gpus, *size.nodes);
  if (!bandwidth) return std::nullopt;
  storage.bandwidth = *bandwidth;
  storage.scaled_guide = scaled_storage_guide(catalog, storage.guide);
  if (storage.scaled_guide.architecture != nullptr) {
    const std::size_t level = level_from_the_top(storage.guide, storage.choice.level, storage.scaled_guide);
    storage.scaled =
        storage_bandwidth(trace, storage.scaled_guide, storage.scaled_guide.architecture->site.storage_levels[level],
                          units, *size.gpus, *size.nodes);
  }

  if (request.dataset_tb || storage.checkpoint) {
    StorageContent<Tracer> content;
    content.dataset = request.dataset_tb ? trace.input("/storage/dataset_tb", tb(*request.dataset_tb)) : Bytes(0);
    const auto copies = request.dataset_copies ? std::nullopt : usual_figure(trace, catalog, "dataset-copies");
    content.copies = copies ? *copies : trace.input("/storage/dataset_copies", request.dataset_copies.value_or(2));
    content.checkpoint = storage.checkpoint ? *storage.checkpoint : Bytes(0);
    content.checkpoints = trace.input("/storage/checkpoints_kept", request.checkpoints_kept);
    content.recent_checkpoints = trace.input("/storage/recent_checkpoints", request.recent_checkpoints);
    content.logs = trace.input("/storage/logs_tb", tb(request.logs_tb));
    storage.capacity = storage_capacity_in_tiers(trace, content, parts.system, *size.nodes);
    if (request.dataset_tb)
      storage.first_pass = named("architecture.first_pass", content.dataset / storage.bandwidth.read);
  }
  if (saves)
    storage.checkpoints = checkpoint_cost(trace, *storage.checkpoint, storage.bandwidth.write, storage.bandwidth.read,
                                          trace.input("/storage/restart_readers", request.restart_readers), *start,
                                          *storage.mean_time_between_failures);
  return storage;
}

}  // namespace podwright
