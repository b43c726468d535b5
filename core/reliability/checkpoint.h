#pragma once
/// Checkpoints: how many bytes, how long they take to write, how often they are worth it.
/// docs/method/calendar.md#checkpoints.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// What a trained parameter leaves in a checkpoint: the weight, its 32-bit copy and the optimizer's moments. Gradients
/// are not saved; `master` of some software holds them beside the copy, so 4 bytes of it count.
constexpr Bytes checkpoint_bytes_per_parameter(Bytes weight, Bytes master, Bytes moments) {
  return weight + std::min(master, Bytes(4)) + moments;
}
inline constexpr Formula<checkpoint_bytes_per_parameter> kCheckpointBytesPerParameter{
    .id = "reliability.checkpoint_bytes_per_parameter",
    .inputs = {"weight", "master", "moments"},
    .equation = "weight + min(master, 4) + moments",
    .source = "arXiv 1910.02054 section 3.1"};

constexpr Bytes checkpoint_size(double parameters, Bytes per_parameter) { return parameters * per_parameter; }
inline constexpr Formula<checkpoint_size> kCheckpointSize{.id = "reliability.checkpoint_size",
                                                          .inputs = {"parameters", "per_parameter"},
                                                          .equation = "parameters * per_parameter",
                                                          .source = "definition"};

/// Rate at which a cluster writes: what its nodes can send, or what its storage takes. Storage is bought for whole
/// units of `unit_gpus` GPUs; a part of the first unit has the first unit's storage.
constexpr BytesPerSecond storage_write_rate(double nodes, BytesPerSecond per_node, double units,
                                            BytesPerSecond per_unit) {
  return std::min(nodes * per_node, std::max(1.0, units) * per_unit);
}
inline constexpr Formula<storage_write_rate> kStorageWriteRate{
    .id = "reliability.storage_write_rate",
    .inputs = {"nodes", "per_node", "units", "per_unit"},
    .equation = "min(nodes * per_node, max(1, units) * per_unit)",
    .source = "docs/method/calendar.md#checkpoints"};

constexpr Seconds checkpoint_write_time(Bytes size, BytesPerSecond rate) { return size / rate; }
inline constexpr Formula<checkpoint_write_time> kCheckpointWriteTime{.id = "reliability.checkpoint_write_time",
                                                                     .inputs = {"size", "rate"},
                                                                     .equation = "size / rate",
                                                                     .source = "definition"};

/// Pause of an asynchronous checkpoint: every GPU copies its even part to the host's memory; the writing itself goes on
/// beside the training.
constexpr Seconds host_copy_time(Bytes size, double gpus, BytesPerSecond host_link) { return size / gpus / host_link; }
inline constexpr Formula<host_copy_time> kHostCopyTime{.id = "reliability.host_copy_time",
                                                       .inputs = {"size", "gpus", "host_link"},
                                                       .equation = "size / gpus / host_link",
                                                       .source = "docs/method/calendar.md#checkpoints"};

/// Time of training between checkpoints that loses least, where a pause is short against the time between failures.
inline Seconds young_interval(Seconds pause, Seconds mean_time_between_failures) {
  return Seconds(std::sqrt(2.0 * pause.base_units() * mean_time_between_failures.base_units()));
}
inline constexpr Formula<young_interval> kYoungInterval{.id = "reliability.young_interval",
                                                        .inputs = {"pause", "mean_time_between_failures"},
                                                        .equation = "sqrt(2 * pause * mean_time_between_failures)",
                                                        .source = "Young 1974, doi 10.1145/361147.361115"};

/// The same where the pause is not short; for a pause below twice the time between failures.
inline Seconds daly_interval(Seconds pause, Seconds mean_time_between_failures) {
  const double share = pause / (2.0 * mean_time_between_failures);
  return young_interval(pause, mean_time_between_failures) * (1.0 + std::sqrt(share) / 3.0 + share / 9.0) - pause;
}
inline constexpr Formula<daly_interval> kDalyInterval{
    .id = "reliability.daly_interval",
    .inputs = {"pause", "mean_time_between_failures"},
    .equation =
        "sqrt(2 * pause * mean_time_between_failures) * (1 + sqrt(pause / (2 * mean_time_between_failures)) / "
        "3 + pause / (18 * mean_time_between_failures)) - pause",
    .source = "Daly 2006, doi 10.1016/j.future.2004.11.016, equation 37"};

/// One checkpoint must be written before the next begins.
constexpr Seconds interval_at_least(Seconds interval, Seconds write) { return std::max(interval, write); }
inline constexpr Formula<interval_at_least> kIntervalAtLeast{.id = "reliability.interval_at_least",
                                                             .inputs = {"interval", "write"},
                                                             .equation = "max(interval, write)",
                                                             .source = "one checkpoint at a time"};

/// Young's interval is taken up to this share of pause over time between failures, Daly's beyond: at it the two differ
/// by 5 %, and the lost time by less than 0.02 points.
inline constexpr double kShortPause = 0.01;

}  // namespace podwright
