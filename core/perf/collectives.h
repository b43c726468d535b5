#pragma once
/// Time of one collective on a ring of equal links. `bus_bandwidth` is per GPU, one direction, as nccl-tests defines
/// it; `start_up` is the time of an empty message. On one rank nothing moves and nothing starts: every time is exactly
/// 0.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Bytes that each rank sends in an all-reduce of `payload` bytes.
constexpr auto all_reduce_traffic(Of<double> auto ranks, Of<Bytes> auto payload) {
  return cited("nccl-tests PERFORMANCE.md, AllReduce", 2.0 * (ranks - 1.0) / ranks * payload);
}

/// Bytes that each rank sends in an all-gather or reduce-scatter; `payload` is the gathered size.
constexpr auto all_gather_traffic(Of<double> auto ranks, Of<Bytes> auto payload) {
  return cited("nccl-tests PERFORMANCE.md, AllGather and ReduceScatter", (ranks - 1.0) / ranks * payload);
}

auto all_reduce_time(Of<double> auto ranks, Of<Bytes> auto payload, Of<BytesPerSecond> auto bus_bandwidth,
                     Of<Seconds> auto start_up) {
  return cited("nccl-tests PERFORMANCE.md, AllReduce",
               ceil((ranks - 1.0) / ranks) * start_up + 2.0 * (ranks - 1.0) / ranks * payload / bus_bandwidth);
}

/// Switches add up what passes them (SHARP): every rank sends its values once and receives the sum once, both ways at
/// the same time.
auto in_network_reduce_time(Of<double> auto ranks, Of<Bytes> auto payload, Of<BytesPerSecond> auto bandwidth,
                            Of<Seconds> auto start_up) {
  return cited("Graham et al. 2016, Scalable Hierarchical Aggregation Protocol",
               ceil((ranks - 1.0) / ranks) * (start_up + payload / bandwidth));
}

/// Also reduce-scatter; `payload` is the gathered size.
auto all_gather_time(Of<double> auto ranks, Of<Bytes> auto payload, Of<BytesPerSecond> auto bus_bandwidth,
                     Of<Seconds> auto start_up) {
  return cited("nccl-tests PERFORMANCE.md, AllGather and ReduceScatter",
               ceil((ranks - 1.0) / ranks) * start_up + (ranks - 1.0) / ranks * payload / bus_bandwidth);
}

/// One rank sends, one receives.
constexpr auto point_to_point_time(Of<Bytes> auto payload, Of<BytesPerSecond> auto bandwidth,
                                   Of<Seconds> auto start_up) {
  return cited("Hockney 1994, linear cost of a message", start_up + payload / bandwidth);
}

/// What the ranks of one node leave for the network: after the step inside the node each of them owns one part.
constexpr auto payload_across_nodes(Of<Bytes> auto payload, Of<double> auto ranks_per_node) {
  return cited("hierarchical collective: docs/method/roofline.md#collectives", payload / ranks_per_node);
}

}  // namespace podwright
