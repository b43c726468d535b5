#pragma once
/// Short formulas that only questions ask for; all others are those of the rooms that plan and estimate.

#include "base/arithmetic.h"
#include "base/units.h"
#include "perf/roofline.h"

namespace podwright {

/// GPUs whose memories together hold what is spread evenly over them.
auto gpus_for_memory(Of<Bytes> auto needed, Of<Bytes> auto memory) {
  return cited("GPUs are bought whole", ceil(needed / memory));
}

/// Dense peak of the tensor cores; one multiply-add is two FLOP.
constexpr auto tensor_peak(Of<double> auto sms, Of<double> auto multiply_adds, Of<PerSecond> auto clock) {
  return cited("docs/method/roofline.md", in<FlopsPerSecond>(2.0 * sms * multiply_adds * raw(clock)));
}

/// Structured 2:4 sparsity doubles what the data sheet prints.
constexpr auto dense_of_sparse(Of<FlopsPerSecond> auto sparse) { return cited("arXiv 2104.08378", sparse / 2.0); }

/// Sequences of a decode step at which reading the weights takes as long as computing with them, 2 FLOP each.
constexpr auto batch_at_ridge(Of<FlopsPerSecond> auto peak, Of<BytesPerSecond> auto bandwidth, Of<Bytes> auto weight) {
  return cited("docs/method/roofline.md", raw(peak) / raw(bandwidth) * raw(weight) / 2.0);
}

/// Line rates are given in bits.
constexpr auto bytes_of_line_rate(Of<double> auto bits_per_second) {
  return cited("definition of the byte", in<BytesPerSecond>(bits_per_second / 8.0));
}

/// Sum of both directions of a link.
constexpr auto both_directions(Of<BytesPerSecond> auto one_way) { return 2.0 * one_way; }
constexpr auto one_direction(Of<BytesPerSecond> auto both_ways) { return both_ways / 2.0; }

/// Pods of `each` GPUs that the free GPUs of one node take; a pod does not span nodes.
auto pods_on_node(Of<double> auto free, Of<double> auto each) {
  return cited("a pod runs on one node", floor(free / each));
}

/// GPUs that hold `copies` slices of which one GPU takes `instances`.
auto gpus_for_slices(Of<double> auto copies, Of<double> auto instances) {
  return cited("docs/method/mig.md", ceil(copies / instances));
}

/// What one of several parties gets of a whole.
constexpr auto weighted_share(Of<double> auto whole, Of<double> auto weight, Of<double> auto weights) {
  return whole * weight / weights;
}

/// Questions of an exam that a domain of this weight has.
constexpr auto questions_of_domain(Of<double> auto questions, Of<double> auto weight) {
  return cited("weights of the exam's study guide", questions * weight);
}

}  // namespace podwright
