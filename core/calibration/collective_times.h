#pragma once
/// Collectives by size, and all-reduces over nodes in stages. docs/method/probes.md#collectives.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/transfer_fit.h"
#include "measure/probe_result.h"

namespace podwright {

/// Measured times of one collective by message size.
struct CollectiveTable {
  std::vector<TransferPoint> knots;  ///< in order of their size
  double repeat_90 = 0;              ///< |ln| of repeats of one size, at rank ceil(0.9 (n + 1))

  /// Between knots along a straight line of logarithms; the first knot's time below it; in proportion to the size
  /// beyond the last. There must be a knot.
  Seconds predict(Bytes message) const;
  /// Of 90 % intervals: the error of inner knots that the others predict, at least that of repeats.
  double half_width() const;
};
/// Knots sorted; of points of the same size the first counts.
CollectiveTable collective_table(std::vector<TransferPoint> points);

/// |ln| errors of the inner knots, each predicted from the others.
std::vector<double> leave_one_out_errors(const CollectiveTable& table);

/// By collective_key().
using CollectiveTables = std::map<std::string, CollectiveTable>;

/// "coll.allreduce/8"; over nodes "coll.allreduce/16/2": what is measured in a node says nothing about what leaves it.
std::string collective_key(std::string_view probe, int ranks, int nodes = 1);

/// Usable results of collectives as tables. The half width of each is at least what repeats of one size differ by;
/// where no size was repeated, what the slow twentieth of its samples differs from the median.
CollectiveTables collective_tables(const std::vector<const ProbeResult*>& results);

/// Bytes on the bus for each byte of the message.
double bus_factor(std::string_view probe, double ranks);

/// An all-reduce over nodes: reduce-scatter in each, all-reduce between them, all-gather in each.
struct HierarchicalAllReduce {
  int gpus_per_node = 1;
  CollectiveTable scatter;
  CollectiveTable gather;
  CollectiveTable between;  ///< among one GPU of each node
  double hidden = 0;        ///< share of the stages' sum that pipelining hides

  Seconds predict(Bytes message) const;
  /// Of 90 % intervals: errors of the stages go together.
  double half_width(Bytes message) const;
};

/// Stages from their own tables; `hidden` comes from the measured all-reduce of whole nodes, where there is one. Absent
/// where a stage was not measured.
std::optional<HierarchicalAllReduce> hierarchical_all_reduce(const CollectiveTables& tables, int gpus_per_node,
                                                             int nodes);

}  // namespace podwright
