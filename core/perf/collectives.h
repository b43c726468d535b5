#pragma once
/// Time of one collective on a ring of equal links. `bus_bandwidth` is per GPU, one direction, as nccl-tests defines
/// it; `start_up` is the time of an empty message. On one rank nothing moves and nothing starts: every time is exactly
/// 0.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Bytes that each rank sends in an all-reduce of `payload` bytes.
constexpr Bytes all_reduce_traffic(double ranks, Bytes payload) { return 2.0 * (ranks - 1.0) / ranks * payload; }
inline constexpr Formula<all_reduce_traffic> kAllReduceTraffic{.id = "perf.all_reduce_traffic",
                                                               .inputs = {"ranks", "payload"},
                                                               .equation = "2 * (ranks - 1) / ranks * payload",
                                                               .source = "nccl-tests PERFORMANCE.md, AllReduce"};

/// Bytes that each rank sends in an all-gather or reduce-scatter; `payload` is the gathered size.
constexpr Bytes all_gather_traffic(double ranks, Bytes payload) { return (ranks - 1.0) / ranks * payload; }
inline constexpr Formula<all_gather_traffic> kAllGatherTraffic{
    .id = "perf.all_gather_traffic",
    .inputs = {"ranks", "payload"},
    .equation = "(ranks - 1) / ranks * payload",
    .source = "nccl-tests PERFORMANCE.md, AllGather and ReduceScatter"};

inline Seconds all_reduce_time(double ranks, Bytes payload, BytesPerSecond bus_bandwidth, Seconds start_up) {
  return std::ceil((ranks - 1.0) / ranks) * start_up + 2.0 * (ranks - 1.0) / ranks * payload / bus_bandwidth;
}
inline constexpr Formula<all_reduce_time> kAllReduceTime{
    .id = "perf.all_reduce_time",
    .inputs = {"ranks", "payload", "bus_bandwidth", "start_up"},
    .equation = "ceil((ranks - 1) / ranks) * start_up + 2 * (ranks - 1) / ranks * payload / bus_bandwidth",
    .source = "nccl-tests PERFORMANCE.md, AllReduce"};

/// Switches add up what passes them (SHARP): every rank sends its values once and receives the sum once, both ways at
/// the same time.
inline Seconds in_network_reduce_time(double ranks, Bytes payload, BytesPerSecond bandwidth, Seconds start_up) {
  return std::ceil((ranks - 1.0) / ranks) * (start_up + payload / bandwidth);
}
inline constexpr Formula<in_network_reduce_time> kInNetworkReduceTime{
    .id = "perf.in_network_reduce_time",
    .inputs = {"ranks", "payload", "bandwidth", "start_up"},
    .equation = "ceil((ranks - 1) / ranks) * (start_up + payload / bandwidth)",
    .source = "Graham et al. 2016, Scalable Hierarchical Aggregation Protocol"};

/// Also reduce-scatter; `payload` is the gathered size.
inline Seconds all_gather_time(double ranks, Bytes payload, BytesPerSecond bus_bandwidth, Seconds start_up) {
  return std::ceil((ranks - 1.0) / ranks) * start_up + (ranks - 1.0) / ranks * payload / bus_bandwidth;
}
inline constexpr Formula<all_gather_time> kAllGatherTime{
    .id = "perf.all_gather_time",
    .inputs = {"ranks", "payload", "bus_bandwidth", "start_up"},
    .equation = "ceil((ranks - 1) / ranks) * start_up + (ranks - 1) / ranks * payload / bus_bandwidth",
    .source = "nccl-tests PERFORMANCE.md, AllGather and ReduceScatter"};

/// `payload` is what one rank sends to all ranks, itself included.
inline Seconds all_to_all_time(double ranks, Bytes payload, BytesPerSecond bus_bandwidth, Seconds start_up) {
  return std::ceil((ranks - 1.0) / ranks) * start_up + (ranks - 1.0) / ranks * payload / bus_bandwidth;
}
inline constexpr Formula<all_to_all_time> kAllToAllTime{
    .id = "perf.all_to_all_time",
    .inputs = {"ranks", "payload", "bus_bandwidth", "start_up"},
    .equation = "ceil((ranks - 1) / ranks) * start_up + (ranks - 1) / ranks * payload / bus_bandwidth",
    .source = "nccl-tests PERFORMANCE.md, AlltoAll"};

/// One rank sends, one receives.
constexpr Seconds point_to_point_time(Bytes payload, BytesPerSecond bandwidth, Seconds start_up) {
  return start_up + payload / bandwidth;
}
inline constexpr Formula<point_to_point_time> kPointToPointTime{.id = "perf.point_to_point_time",
                                                                .inputs = {"payload", "bandwidth", "start_up"},
                                                                .equation = "start_up + payload / bandwidth",
                                                                .source = "Hockney 1994, linear cost of a message"};

/// What the ranks of one node leave for the network: after the step inside the node each of them owns one part.
constexpr Bytes payload_across_nodes(Bytes payload, double ranks_per_node) { return payload / ranks_per_node; }
inline constexpr Formula<payload_across_nodes> kPayloadAcrossNodes{
    .id = "perf.payload_across_nodes",
    .inputs = {"payload", "ranks_per_node"},
    .equation = "payload / ranks_per_node",
    .source = "hierarchical collective: docs/method/roofline.md#collectives"};

}  // namespace podwright
