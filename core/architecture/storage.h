#pragma once
/// Capacity and bandwidth of the storage. Checkpoints, their interval and what they cost are formulas of reliability.
/// docs/method/storage.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// A data set in all its working copies (raw, prepared, shuffled, per tokenizer).
constexpr auto dataset_capacity(Of<Bytes> auto dataset, Of<double> auto copies) {
  return cited("docs/method/storage.md#capacity", dataset * copies);
}

constexpr auto checkpoint_capacity(Of<double> auto checkpoints, Of<Bytes> auto checkpoint) {
  return cited("docs/method/storage.md#capacity", checkpoints * checkpoint);
}

constexpr auto storage_capacity(Of<Bytes> auto dataset_capacity, Of<Bytes> auto checkpoint_capacity,
                                Of<Bytes> auto logs) {
  return cited("docs/method/storage.md#capacity", dataset_capacity + checkpoint_capacity + logs);
}

/// Capacity of all local drives of a cluster.
constexpr auto local_cache(Of<double> auto nodes, Of<double> auto drives, Of<Bytes> auto drive) {
  return cited("docs/method/storage.md#tiers", nodes * drives * drive);
}

/// What the shared flash holds: one working copy of the data and the checkpoints that a restart may need.
constexpr auto hot_tier(Of<Bytes> auto dataset, Of<double> auto recent_checkpoints, Of<Bytes> auto checkpoint) {
  return cited("docs/method/storage.md#tiers", dataset + recent_checkpoints * checkpoint);
}

/// The rest of the capacity that is in use while a project runs.
constexpr auto warm_tier(Of<Bytes> auto storage_capacity, Of<Bytes> auto hot_tier, Of<Bytes> auto cold_tier) {
  return cited("docs/method/storage.md#tiers", storage_capacity - hot_tier - cold_tier);
}

/// Bandwidth of storage bought for whole scalable units.
constexpr auto aggregate_rate(Of<double> auto units, Of<BytesPerSecond> auto unit_rate) {
  return cited("docs/method/storage.md#levels", units * unit_rate);
}

/// Share of one GPU in the rate of a scalable unit: what storage guides of different unit sizes are compared by.
constexpr auto storage_rate_per_gpu(Of<BytesPerSecond> auto unit_rate, Of<double> auto unit_gpus) {
  return cited("docs/method/storage.md#levels", unit_rate / unit_gpus);
}

constexpr auto storage_rate_of_gpus(Of<double> auto gpus, Of<BytesPerSecond> auto storage_rate_per_gpu) {
  return cited("docs/method/storage.md#levels", gpus * storage_rate_per_gpu);
}

/// What one node gets while `nodes` read at the same time.
constexpr auto node_rate(Of<BytesPerSecond> auto node_maximum, Of<BytesPerSecond> auto aggregate,
                         Of<double> auto nodes) {
  return cited("docs/method/storage.md#levels", min(node_maximum, aggregate / nodes));
}

/// Read rate that keeps the GPUs of a job fed.
constexpr auto steady_read_rate(Of<double> auto gpus, Of<PerSecond> auto samples_per_gpu, Of<Bytes> auto sample) {
  return cited("docs/method/storage.md#levels", gpus * samples_per_gpu * sample);
}

/// Time in which every one of `readers` replicas has read the checkpoint.
constexpr auto restart_read_time(Of<Bytes> auto checkpoint, Of<double> auto readers, Of<BytesPerSecond> auto rate) {
  return cited("docs/method/storage.md#checkpoints", checkpoint * readers / rate);
}

}  // namespace podwright
