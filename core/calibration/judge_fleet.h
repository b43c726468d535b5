#pragma once
/// The nodes of a fleet, each measured by itself, beside each other. docs/operator.md#a-fleet-by-files.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/profile_verdict.h"
#include "catalog/catalog.h"
#include "measure/profile_file.h"
#include "measure/slow_nodes.h"

namespace podwright {

/// A node as it was handed in: what its file holds, or why that is nothing.
struct FleetNode {
  std::string name;  ///< that the operator gave; never taken from a profile
  std::optional<ReadProfile> read;
  std::string problem;  ///< a sentence; empty where there is a profile
};

/// Which nodes there should be: their names, or only their number.
struct ExpectedNodes {
  std::vector<std::string> names;
  std::optional<std::size_t> count;
};

/// What a node needs, the best first.
enum class NodeState {
  ok,          ///< all that was judged is as it should be
  unjudged,    ///< measured, and it has neither norms nor enough others to be compared with
  unfinished,  ///< its run was ended early
  slow,        ///< slower than the other nodes
  low,         ///< below what its hardware should reach
  fault,       ///< a wrong output, a memory error, a device that failed
  unusable,    ///< its file holds no profile that can be judged
  missing      ///< expected, and there is no file
};
inline constexpr std::array<std::string_view, 8> kNodeStateWords = {"ok",  "unjudged", "unfinished", "slow",
                                                                    "low", "fault",    "unusable",   "missing"};

struct JudgedNode {
  std::string name;
  NodeState state = NodeState::ok;
  std::string problem;              ///< of unusable and missing nodes, a sentence
  std::optional<ReadProfile> read;  ///< absent of those
  ProfileJudgement judgement;       ///< empty of those
  std::vector<SlowNode> slow;       ///< beside the others, the slowest first; also what a known limit accounts for
  ProbeExit exit = ProbeExit::ok;   ///< that this node alone asks for
};

/// Versions that are not the same everywhere, each with the names of its nodes.
struct MixedVersion {
  struct Use {
    std::string version;  ///< empty: not told
    std::vector<std::string> nodes;
  };
  std::string of;  ///< driver, CUDA runtime, podwright ...
  std::vector<Use> uses;
};

struct FleetJudgement {
  std::vector<JudgedNode> nodes;  ///< in the order given, then those that are missing by name
  std::size_t measured = 0;       ///< nodes with a profile
  std::size_t missing_unnamed = 0;
  bool compared = false;  ///< false: too few nodes, each was judged by itself
  std::vector<MixedVersion> mixed;
  std::vector<std::string> notes;  ///< sentences
  /// As of `verify`, the gravest of all nodes: low, fault of a device or a missing node, wrong_input of an unusable
  /// file where nothing is graver.
  ProbeExit exit = ProbeExit::ok;

  std::size_t count(NodeState state) const;
  /// How many nodes are what, a sentence.
  std::string summary() const;
};

/// Norms are the catalog's; which nodes are slow is measured on the fleet (measure/slow_nodes.h).
FleetJudgement judge_fleet(const Catalog& catalog, std::vector<FleetNode> nodes, const ExpectedNodes& expected);

/// A machine by itself, as `verify` judges it.
JudgedNode judge_machine(const Catalog& catalog, std::string name, ReadProfile read);

/// The profiles of the fleet as one, with an event slow_node for each device that is slow; absent where no node has
/// a profile.
std::optional<HardwareProfile> fleet_profile(const FleetJudgement& fleet);

/// What is wrong with the node, sentences: its problem, where it is slow, findings on its devices; empty where nothing
/// is.
std::vector<std::string> findings_of(const JudgedNode& node);

}  // namespace podwright
