#pragma once
/// Collectives among numbers of GPUs that were not measured. docs/method/probes.md#collectives.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/transfer_fit.h"
#include "catalog/catalog.h"
#include "measure/probe_result.h"

namespace podwright {

/// By collective_key().
using CollectiveTables = std::map<std::string, CollectiveTable>;

/// "coll.allreduce/8"; over nodes "coll.allreduce/16/2": what is measured in a node tells nothing of what leaves it.
std::string collective_key(std::string_view probe, int ranks, int nodes = 1);

/// Usable results of collectives as tables. The half width of each is at least what repeats of one size differ by;
/// where no size was repeated, what the slow twentieth of its samples differs from the median.
CollectiveTables collective_tables(const std::vector<const ProbeResult*>& results);

/// Bytes on the bus for each byte of the message.
double bus_factor(std::string_view probe, double ranks);

/// Among `ranks` GPUs of one node: as measured, else between the nearest smaller and larger measured number, with the
/// start-up time and the time per byte on the bus on straight lines over the logarithm of the number. Error "missing"
/// where no measured numbers enclose it: nothing is extended, and nothing measured over nodes counts.
Result<CollectiveTable> collective_within(const CollectiveTables& tables, std::string_view probe, int ranks);

/// What the network carries between nodes, where no all-reduce between nodes was measured.
struct NetworkLine {
  BytesPerSecond rate;  ///< that an all-reduce reaches, per GPU
  Seconds start;
};
/// The share of `line_rate` (of the network cards, per GPU) that measured all-reduces reach, and the start-up time of
/// training runs; absent where the catalog has no such share.
std::optional<NetworkLine> network_line(const Catalog& catalog, BytesPerSecond line_rate);

/// An all-reduce over nodes: reduce-scatter in each, all-reduce between them, all-gather in each.
struct HierarchicalAllReduce {
  int gpus_per_node = 1;
  int nodes = 1;
  CollectiveTable scatter;
  CollectiveTable gather;
  std::optional<CollectiveTable> between;  ///< among one GPU of each node
  NetworkLine network;                     ///< in place of `between`
  double hidden = 0;                       ///< share of the stages' sum that pipelining hides

  Seconds predict(Bytes message) const;
  /// Of 90 % intervals: errors of the stages go together. Absent where a stage was not measured.
  std::optional<double> half_width(Bytes message) const;
};

/// Stages from their own tables; `network` counts only where no all-reduce between so many nodes was measured. `hidden`
/// comes from a measured all-reduce of whole nodes, of this number of nodes or else of another one. Error "missing"
/// names the stage that nothing tells of.
Result<HierarchicalAllReduce> hierarchical_all_reduce(const CollectiveTables& tables, int gpus_per_node, int nodes,
                                                      const std::optional<NetworkLine>& network);

}  // namespace podwright
