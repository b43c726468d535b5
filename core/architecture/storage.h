#pragma once
/// Capacity and bandwidth of the storage. Checkpoints, their interval and what they cost are formulas of reliability.
/// docs/method/storage.md.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// A data set in all its working copies (raw, prepared, shuffled, per tokenizer).
constexpr Bytes dataset_capacity(Bytes dataset, double copies) { return dataset * copies; }
inline constexpr Formula<dataset_capacity> kDatasetCapacity{.id = "architecture.dataset_capacity",
                                                            .inputs = {"dataset", "copies"},
                                                            .equation = "dataset * copies",
                                                            .source = "docs/method/storage.md#capacity"};

constexpr Bytes checkpoint_capacity(double checkpoints, Bytes checkpoint) { return checkpoints * checkpoint; }
inline constexpr Formula<checkpoint_capacity> kCheckpointCapacity{.id = "architecture.checkpoint_capacity",
                                                                  .inputs = {"checkpoints", "checkpoint"},
                                                                  .equation = "checkpoints * checkpoint",
                                                                  .source = "docs/method/storage.md#capacity"};

constexpr Bytes storage_capacity(Bytes dataset_capacity, Bytes checkpoint_capacity, Bytes logs) {
  return dataset_capacity + checkpoint_capacity + logs;
}
inline constexpr Formula<storage_capacity> kStorageCapacity{
    .id = "architecture.storage_capacity",
    .inputs = {"dataset_capacity", "checkpoint_capacity", "logs"},
    .equation = "dataset_capacity + checkpoint_capacity + logs",
    .source = "docs/method/storage.md#capacity"};

/// Capacity of all local drives of a cluster.
constexpr Bytes local_cache(double nodes, double drives, Bytes drive) { return nodes * drives * drive; }
inline constexpr Formula<local_cache> kLocalCache{.id = "architecture.local_cache",
                                                  .inputs = {"nodes", "drives", "drive"},
                                                  .equation = "nodes * drives * drive",
                                                  .source = "docs/method/storage.md#tiers"};

/// What the shared flash holds: one working copy of the data and the checkpoints that a restart may need.
constexpr Bytes hot_tier(Bytes dataset, double recent_checkpoints, Bytes checkpoint) {
  return dataset + recent_checkpoints * checkpoint;
}
inline constexpr Formula<hot_tier> kHotTier{.id = "architecture.hot_tier",
                                            .inputs = {"dataset", "recent_checkpoints", "checkpoint"},
                                            .equation = "dataset + recent_checkpoints * checkpoint",
                                            .source = "docs/method/storage.md#tiers"};

/// The rest of the capacity that is in use while a project runs.
constexpr Bytes warm_tier(Bytes storage_capacity, Bytes hot_tier, Bytes cold_tier) {
  return storage_capacity - hot_tier - cold_tier;
}
inline constexpr Formula<warm_tier> kWarmTier{.id = "architecture.warm_tier",
                                              .inputs = {"storage_capacity", "hot_tier", "cold_tier"},
                                              .equation = "storage_capacity - hot_tier - cold_tier",
                                              .source = "docs/method/storage.md#tiers"};

/// What is kept and rarely read: the original of the data, and logs.
constexpr Bytes cold_tier(Bytes dataset, Bytes logs) { return dataset + logs; }
inline constexpr Formula<cold_tier> kColdTier{.id = "architecture.cold_tier",
                                              .inputs = {"dataset", "logs"},
                                              .equation = "dataset + logs",
                                              .source = "docs/method/storage.md#tiers"};

/// Bandwidth of storage bought for whole scalable units.
constexpr BytesPerSecond aggregate_rate(double units, BytesPerSecond unit_rate) { return units * unit_rate; }
inline constexpr Formula<aggregate_rate> kAggregateRate{.id = "architecture.aggregate_rate",
                                                        .inputs = {"units", "unit_rate"},
                                                        .equation = "units * unit_rate",
                                                        .source = "docs/method/storage.md#levels"};

/// Share of one GPU in the rate of a scalable unit: what storage guides of different unit sizes are compared by.
constexpr BytesPerSecond storage_rate_per_gpu(BytesPerSecond unit_rate, double unit_gpus) {
  return unit_rate / unit_gpus;
}
inline constexpr Formula<storage_rate_per_gpu> kStorageRatePerGpu{.id = "architecture.storage_rate_per_gpu",
                                                                  .inputs = {"unit_rate", "unit_gpus"},
                                                                  .equation = "unit_rate / unit_gpus",
                                                                  .source = "docs/method/storage.md#levels"};

constexpr BytesPerSecond storage_rate_of_gpus(double gpus, BytesPerSecond storage_rate_per_gpu) {
  return gpus * storage_rate_per_gpu;
}
inline constexpr Formula<storage_rate_of_gpus> kStorageRateOfGpus{.id = "architecture.storage_rate_of_gpus",
                                                                  .inputs = {"gpus", "storage_rate_per_gpu"},
                                                                  .equation = "gpus * storage_rate_per_gpu",
                                                                  .source = "docs/method/storage.md#levels"};

/// What one node gets while `nodes` read at the same time.
constexpr BytesPerSecond node_rate(BytesPerSecond node_maximum, BytesPerSecond aggregate, double nodes) {
  return std::min(node_maximum, aggregate / nodes);
}
inline constexpr Formula<node_rate> kNodeRate{.id = "architecture.node_rate",
                                              .inputs = {"node_maximum", "aggregate", "nodes"},
                                              .equation = "min(node_maximum, aggregate / nodes)",
                                              .source = "docs/method/storage.md#levels"};

/// Read rate that keeps the GPUs of a job fed.
constexpr BytesPerSecond steady_read_rate(double gpus, PerSecond samples_per_gpu, Bytes sample) {
  return gpus * samples_per_gpu * sample;
}
inline constexpr Formula<steady_read_rate> kSteadyReadRate{.id = "architecture.steady_read_rate",
                                                           .inputs = {"gpus", "samples_per_gpu", "sample"},
                                                           .equation = "gpus * samples_per_gpu * sample",
                                                           .source = "docs/method/storage.md#levels"};

/// Write rate that saves a checkpoint in a given time.
constexpr BytesPerSecond needed_write_rate(Bytes checkpoint, Seconds time) { return checkpoint / time; }
inline constexpr Formula<needed_write_rate> kNeededWriteRate{.id = "architecture.needed_write_rate",
                                                             .inputs = {"checkpoint", "time"},
                                                             .equation = "checkpoint / time",
                                                             .source = "definition"};

/// Time in which every one of `readers` replicas has read the checkpoint.
constexpr Seconds restart_read_time(Bytes checkpoint, double readers, BytesPerSecond rate) {
  return checkpoint * readers / rate;
}
inline constexpr Formula<restart_read_time> kRestartReadTime{.id = "architecture.restart_read_time",
                                                             .inputs = {"checkpoint", "readers", "rate"},
                                                             .equation = "checkpoint * readers / rate",
                                                             .source = "docs/method/storage.md#checkpoints"};

/// Time of the first pass over the data, before any cache holds it.
constexpr Seconds first_pass_time(Bytes dataset, BytesPerSecond rate) { return dataset / rate; }
inline constexpr Formula<first_pass_time> kFirstPassTime{.id = "architecture.first_pass_time",
                                                         .inputs = {"dataset", "rate"},
                                                         .equation = "dataset / rate",
                                                         .source = "definition"};

}  // namespace podwright
