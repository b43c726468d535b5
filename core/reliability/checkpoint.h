#pragma once
/// Checkpoints: how many bytes, how long they take to write, how often they are worth it.
/// docs/method/calendar.md#checkpoints.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// What a trained parameter leaves in a checkpoint: the weight, its 32-bit copy and the optimizer's moments. Gradients
/// are not saved; `master` of some software holds them beside the copy, so 4 bytes of it count.
constexpr auto checkpoint_bytes_per_parameter(Of<Bytes> auto weight, Of<Bytes> auto master, Of<Bytes> auto moments) {
  return cited("arXiv 1910.02054 section 3.1", weight + min(master, Bytes(4)) + moments);
}

constexpr auto checkpoint_size(Of<double> auto parameters, Of<Bytes> auto per_parameter) {
  return parameters * per_parameter;
}

/// Rate at which a cluster writes: what its nodes can send, or what its storage takes. Storage is bought for whole
/// units of `unit_gpus` GPUs; a part of the first unit has the first unit's storage.
constexpr auto storage_write_rate(Of<double> auto nodes, Of<BytesPerSecond> auto per_node, Of<double> auto units,
                                  Of<BytesPerSecond> auto per_unit) {
  return cited("docs/method/calendar.md#checkpoints", min(nodes * per_node, max(1.0, units) * per_unit));
}

/// Pause of an asynchronous checkpoint: every GPU copies its even part to the host's memory; the writing itself goes on
/// beside the training.
constexpr auto host_copy_time(Of<Bytes> auto size, Of<double> auto gpus, Of<BytesPerSecond> auto host_link) {
  return cited("docs/method/calendar.md#checkpoints", size / gpus / host_link);
}

/// Time of training between checkpoints that loses least, where a pause is short against the time between failures.
auto young_interval(Of<Seconds> auto pause, Of<Seconds> auto mean_time_between_failures) {
  return cited("Young 1974, doi 10.1145/361147.361115",
               in<Seconds>(sqrt(2.0 * raw(pause) * raw(mean_time_between_failures))));
}

/// The same where the pause is not short; for a pause below twice the time between failures.
auto daly_interval(Of<Seconds> auto pause, Of<Seconds> auto mean_time_between_failures) {
  const auto share = pause / (2.0 * mean_time_between_failures);
  return cited("Daly 2006, doi 10.1016/j.future.2004.11.016, equation 37",
               young_interval(pause, mean_time_between_failures) * (1.0 + sqrt(share) / 3.0 + share / 9.0) - pause);
}

/// Young's interval is taken up to this share of pause over time between failures, Daly's beyond: at it the two differ
/// by 5 %, and the lost time by less than 0.02 points.
inline constexpr double kShortPause = 0.01;

}  // namespace podwright
