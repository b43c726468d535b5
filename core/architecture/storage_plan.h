#pragma once
/// Storage of a design: level, bandwidth, capacity in tiers, and what checkpoints cost at that bandwidth. One code for
/// search and explanation: templates over the tracer. docs/method/storage.md.
#include <optional>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "reliability/checkpoint.h"
#include "reliability/goodput.h"

namespace podwright {

// Capacity and bandwidth of the storage. Checkpoints, their interval and what they cost are formulas of reliability.
// docs/method/storage.md.

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

/// The document whose storage levels hold for a design.
struct StorageGuide {
  const ReferenceArchitecture* architecture = nullptr;  ///< null: the catalog has none
  bool borrowed = false;  ///< the design's own document has no table: the shares of one GPU are those of another's
};

/// The design's own table, else that of dgx-superpod-h100, whose levels per GPU most later documents repeat.
StorageGuide storage_guide(const Catalog& catalog, const ReferenceArchitecture* architecture);

/// A document may print less for a GPU than that of dgx-superpod-h100 at the same place from the top (GB200 repeats the
/// figures of a smaller unit). Then this is the guide to show beside it, `borrowed`; else its architecture is null.
StorageGuide scaled_storage_guide(const Catalog& catalog, const StorageGuide& guide);

/// The level of `other` at the same place from the top as `level` of `guide`; the lowest where there are fewer below.
std::size_t level_from_the_top(const StorageGuide& guide, std::size_t level, const StorageGuide& other);

/// Bandwidth of one level for a number of GPUs.
template <class Tracer>
struct StorageBandwidth {
  using Rate = Known<Tracer, BytesPerSecond>;
  std::string_view level;
  Rate read;
  Rate write;
  Rate read_per_gpu;
  std::optional<Rate> node_read;         ///< of one node while all read; absent where the document has no node maximum
  std::optional<Rate> single_node_read;  ///< of one node alone
  std::optional<Rate> single_node_write;
  std::optional<Rate> gds_read;  ///< of one node with GPUDirect Storage
  bool wants_gds = false;        ///< one node alone is to read as fast as only GPUDirect Storage is documented to
};

/// Storage is bought for whole units of the guide; `scalable_units` of the design serve where it is the design's own
/// guide, else the GPUs times the guide's share of one GPU. Absent where the level has no figures for a unit.
template <class Tracer>
std::optional<StorageBandwidth<Tracer>> storage_bandwidth(Tracer& trace, const StorageGuide& guide,
                                                          const StorageLevel& level,
                                                          const std::optional<Known<Tracer, double>>& scalable_units,
                                                          const Known<Tracer, double>& gpus,
                                                          const Known<Tracer, double>& nodes) {
  if (guide.architecture == nullptr || !level.unit_read || !level.unit_write ||
      !guide.architecture->gpus_per_scalable_unit)
    return std::nullopt;
  const ReferenceArchitecture& document = *guide.architecture;
  const auto fact = [&](std::string_view column, const std::optional<BytesPerSecond>& rate) {
    return trace.fact(document, "storage_performance." + std::string(column) + "." + level.name, *rate);
  };
  const auto unit_read = fact("one_su_read", level.unit_read);
  const auto unit_write = fact("one_su_write", level.unit_write);
  const auto unit_gpus = trace.fact(document, "scalable_unit.gpus", *document.gpus_per_scalable_unit);
  StorageBandwidth<Tracer> bandwidth;
  bandwidth.level = level.name;
  bandwidth.read_per_gpu = named("architecture.storage_read_per_gpu", storage_rate_per_gpu(unit_read, unit_gpus));
  if (scalable_units && !guide.borrowed) {
    bandwidth.read = named("architecture.storage_read", aggregate_rate(*scalable_units, unit_read));
    bandwidth.write = named("architecture.storage_write", aggregate_rate(*scalable_units, unit_write));
  } else {
    const auto write_per_gpu = named("architecture.storage_write_per_gpu", storage_rate_per_gpu(unit_write, unit_gpus));
    bandwidth.read = named("architecture.storage_read", storage_rate_of_gpus(gpus, bandwidth.read_per_gpu));
    bandwidth.write = named("architecture.storage_write", storage_rate_of_gpus(gpus, write_per_gpu));
  }
  if (document.site.node_maximum)
    bandwidth.node_read =
        named("architecture.storage_node_read",
              node_rate(trace.fact(document, "storage_performance.node_maximum_gb_per_s", *document.site.node_maximum),
                        bandwidth.read, nodes));
  if (level.node_read) bandwidth.single_node_read = fact("single_node_read", level.node_read);
  if (level.node_write) bandwidth.single_node_write = fact("single_node_write", level.node_write);
  if (document.site.gds_read) {
    bandwidth.gds_read =
        trace.fact(document, "storage_performance.gds_read_gb_per_s_per_node", *document.site.gds_read);
    bandwidth.wants_gds = level.node_read && *level.node_read >= *document.site.gds_read;
  }
  return bandwidth;
}

/// What the storage must hold.
template <class Tracer>
struct StorageContent {
  using Size = Known<Tracer, Bytes>;
  using Count = Known<Tracer, double>;
  Size dataset{};
  Count copies{};  ///< working copies; at least two: one hot, one cold
  Size checkpoint{};
  Count checkpoints{};         ///< that are kept
  Count recent_checkpoints{};  ///< of them on the fast tier, that a restart may need
  Size logs{};
};

template <class Tracer>
struct StorageCapacity {
  using Size = Known<Tracer, Bytes>;
  Size dataset;
  Size checkpoints;
  Size total;
  std::optional<Size> local_cache;  ///< on the drives of the nodes, beside the total
  Size hot;
  Size warm;
  Size cold;
};

template <class Tracer>
StorageCapacity<Tracer> storage_capacity_in_tiers(Tracer& trace, const StorageContent<Tracer>& content,
                                                  const System* system, const Known<Tracer, double>& nodes) {
  StorageCapacity<Tracer> capacity;
  capacity.dataset = named("architecture.dataset_capacity", dataset_capacity(content.dataset, content.copies));
  capacity.checkpoints =
      named("architecture.checkpoint_capacity", checkpoint_capacity(content.checkpoints, content.checkpoint));
  capacity.total =
      named("architecture.storage_capacity", storage_capacity(capacity.dataset, capacity.checkpoints, content.logs));
  if (system != nullptr && system->cache_drives && system->cache_drive)
    capacity.local_cache =
        named("architecture.local_cache",
              podwright::local_cache(nodes, trace.fact(*system, "cache_drive_count", *system->cache_drives),
                                     trace.fact(*system, "cache_drive_tb", *system->cache_drive)));
  capacity.hot =
      named("architecture.hot_tier", hot_tier(content.dataset, content.recent_checkpoints, content.checkpoint));
  capacity.cold =
      named("architecture.cold_tier", cited("docs/method/storage.md#tiers", content.dataset + content.logs));
  capacity.warm = named("architecture.warm_tier", warm_tier(capacity.total, capacity.hot, capacity.cold));
  return capacity;
}

/// What checkpoints cost at a write rate.
template <class Tracer>
struct CheckpointCost {
  using Time = Known<Tracer, Seconds>;
  Time write;
  Time restart_read;
  Time restart;  ///< reading and starting again
  Goodput<Tracer> goodput;
};

/// `start` is the time from a failure to the first step without the reading; `readers` are the replicas that each read
/// the whole checkpoint. The training stands while a checkpoint is written.
template <class Tracer>
CheckpointCost<Tracer> checkpoint_cost(Tracer& trace, const Known<Tracer, Bytes>& checkpoint,
                                       const Known<Tracer, BytesPerSecond>& write_rate,
                                       const Known<Tracer, BytesPerSecond>& read_rate,
                                       const Known<Tracer, double>& readers, const Known<Tracer, Seconds>& start,
                                       const Known<Tracer, Seconds>& mean_time_between_failures) {
  using Time = Known<Tracer, Seconds>;
  CheckpointCost<Tracer> cost;
  cost.write = named("architecture.checkpoint_write", checkpoint / write_rate);
  cost.restart_read = named("architecture.restart_read", restart_read_time(checkpoint, readers, read_rate));
  cost.restart = trace.sum("architecture.restart", std::vector<Time>{start, cost.restart_read});
  cost.goodput = run_goodput(trace, Interruptions<Tracer>{.mean_time_between_failures = mean_time_between_failures,
                                                          .restart = cost.restart,
                                                          .write = cost.write,
                                                          .pause = cost.write,
                                                          .interval = std::nullopt});
  return cost;
}

/// What the workload does with its data; decides the least level (docs/method/storage.md#levels).
enum class DataPattern { language, compressed_images, single_pass };

/// Index into the guide's levels that suits the data: of three levels the first, second, third; of two the first for
/// language and compressed images, the second for data read once.
std::size_t level_for(DataPattern pattern, std::size_t levels);

/// What a run asks of its storage.
struct StorageNeed {
  DataPattern pattern = DataPattern::language;
  double gpus = 0;
  double nodes = 0;
  std::optional<double> scalable_units;
  std::optional<BytesPerSecond> steady_read;  ///< absent: not looked at
  std::optional<Bytes> checkpoint;            ///< absent: nothing is saved, and the figures below are not looked at
  double readers = 1;                         ///< replicas that each read the whole checkpoint at a restart
  Seconds start;                              ///< from a failure to the first step, without the reading
  Seconds mean_time_between_failures;
  double most_lost_share = 1;  ///< of time to checkpoints, repeated work and restarts that the user accepts
};

struct StorageLevelChoice {
  std::size_t level = 0;           ///< index into the guide's levels
  bool reads_enough = true;        ///< false: not even the highest level feeds the job
  bool loses_little = true;        ///< false: not even the highest level keeps the lost share
  std::vector<double> lost_share;  ///< at each level; empty where nothing is saved
};

/// The least level from the one that suits the data on that reads fast enough and loses little enough; the highest
/// where none does. Absent where the guide has no levels with figures.
std::optional<StorageLevelChoice> choose_storage_level(const StorageGuide& guide, const StorageNeed& need);

}  // namespace podwright
