#pragma once
/// Verdicts as metrics in the text format of Prometheus, as the textfile collector of node_exporter takes them: base
/// units, no timestamps, one block with HELP and TYPE for each metric. docs/operator.md#results-out.
#include <array>
#include <string>
#include <string_view>

#include "calibration/judge_fleet.h"

namespace podwright {

/// All metrics, in the order in which they are written. Their names and labels stay as they are, since rules and
/// dashboards ask for them.
struct MetricHead {
  std::string_view name;
  std::string_view help;
};
inline constexpr std::array<MetricHead, 17> kMetrics = {{
    {"podwright_build_info", "The program that wrote these metrics, by its version."},
    {"podwright_fleet_nodes", "Nodes of the fleet in each state."},
    {"podwright_fleet_versions", "Different versions among the nodes of the fleet, where there is more than one."},
    {"podwright_node_state", "1 for the state that the node is in, else 0."},
    {"podwright_node_exit_code", "Exit code that the node alone would give."},
    {"podwright_node_slower_ratio",
     "By how much a probe takes longer than on the other nodes, 0.5 for 50 %; limit names what accounts for it."},
    {"podwright_profile_info", "What the profile of the node was measured with."},
    {"podwright_profile_start_timestamp_seconds", "When the run began, in seconds since 1970."},
    {"podwright_profile_duration_seconds", "How long the run took."},
    {"podwright_profile_complete", "1 where the run was finished, 0 where it was ended early."},
    {"podwright_device_state", "1 for the state that the device is in, else 0."},
    {"podwright_verdicts", "Verdicts of each kind on the device."},
    {"podwright_bandwidth_bytes_per_second", "Judged rate of a probe that moves bytes."},
    {"podwright_compute_flops_per_second", "Judged rate of a probe that counts floating point operations."},
    {"podwright_operation_seconds", "Judged time of one operation of a probe that counts operations."},
    {"podwright_memory_bytes", "Judged amount of memory."},
    {"podwright_health_errors_increase", "By how much a counter of errors rose during the run."},
}};

/// Of a whole fleet; `program` is the version of the one that writes.
std::string prometheus_text(const FleetJudgement& fleet, std::string_view program);
/// Of one machine, without the metrics of a fleet.
std::string prometheus_text(const JudgedNode& node, std::string_view program);

}  // namespace podwright
