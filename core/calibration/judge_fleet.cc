#include "calibration/judge_fleet.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/stable_sort.h"
#include "base/words.h"
#include "calibration/device_verdict.h"
#include "calibration/judge_profile.h"
#include "measure/profile_merge.h"

namespace podwright {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

/// Blamed for its slowness, which no known limit accounts for.
bool is_blamed(const SlowNode& slow) { return slow.limit.empty(); }

bool is_slow(const JudgedNode& node) { return std::any_of(node.slow.begin(), node.slow.end(), is_blamed); }

/// Ids of a merged profile are "n0.d0".
bool holds_several_nodes(const HardwareProfile& profile) {
  return profile.run.mode == RunMode::cluster || profile.previous_digests.size() > 1;
}

/// State and exit of a node that has a profile.
void settle(JudgedNode& node, bool compared) {
  const bool finished = node.read->profile.run.complete;
  node.exit = node.judgement.exit;
  const bool scripted = is_scripted(node.read->profile);
  const bool judged = any_judged(node.judgement.devices) || (compared && !scripted);
  if (node.exit == ProbeExit::ok && (!finished || !judged || is_slow(node))) node.exit = ProbeExit::low;
  if (node.judgement.exit > ProbeExit::low)
    node.state = NodeState::fault;
  else if (node.judgement.exit == ProbeExit::low)
    node.state = NodeState::low;
  else if (is_slow(node))
    node.state = NodeState::slow;
  else if (!finished)
    node.state = NodeState::unfinished;
  else
    node.state = judged ? NodeState::ok : NodeState::unjudged;
}

void make_unusable(JudgedNode& node, std::string problem) {
  node.state = NodeState::unusable;
  node.exit = ProbeExit::wrong_input;
  node.problem = std::move(problem);
  node.read.reset();
}

std::vector<JudgedNode> judged_nodes(const Catalog& catalog, std::vector<FleetNode> nodes) {
  std::vector<JudgedNode> judged;
  std::map<std::string, std::string> name_of_digest;
  std::set<std::string> names;
  for (FleetNode& node : nodes) {
    std::string problem = std::move(node.problem);
    if (!names.insert(node.name).second) problem = "Another file has this name; each node has one.";
    if (problem.empty() && node.read && holds_several_nodes(node.read->profile))
      problem = "The profile is one of several nodes already; podwright verify judges it.";
    // Files of other programs have no digest.
    if (problem.empty() && node.read && !node.read->digest.empty()) {
      const auto [first, is_new] = name_of_digest.emplace(node.read->digest, node.name);
      if (!is_new) problem = "It is the same file as that of " + first->second + ".";
    }
    if (problem.empty() && node.read) {
      judged.push_back(judge_machine(catalog, std::move(node.name), std::move(*node.read)));
      continue;
    }
    judged.push_back({.name = std::move(node.name)});
    make_unusable(judged.back(), std::move(problem));
  }
  return judged;
}

/// Adds what of each node is slower than that of the others.
void compare_nodes(FleetJudgement& fleet) {
  std::vector<HardwareProfile> profiles;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < fleet.nodes.size(); ++i) {
    if (!fleet.nodes[i].read) continue;
    profiles.push_back(fleet.nodes[i].read->profile);
    places.push_back(i);
  }
  fleet.measured = profiles.size();
  fleet.compared = profiles.size() >= kLeastNodes;
  for (const SlowNode& slow : slow_nodes(profiles))
    fleet.nodes[places[static_cast<std::size_t>(slow.rank)]].slow.push_back(slow);
  for (JudgedNode& node : fleet.nodes)
    sort_stably(node.slow, [](const SlowNode& a, const SlowNode& b) { return a.slower_by > b.slower_by; });
  if (!fleet.compared && fleet.measured > 0)
    fleet.notes.push_back("With fewer than four nodes no node can be singled out as slow; each was judged by itself.");
}

void find_missing(FleetJudgement& fleet, const ExpectedNodes& expected) {
  std::set<std::string> there;
  for (const JudgedNode& node : fleet.nodes) there.insert(node.name);
  if (expected.count && *expected.count > there.size()) fleet.missing_unnamed = *expected.count - there.size();
  if (expected.count && *expected.count < there.size())
    fleet.notes.push_back("There are " + std::to_string(there.size()) + " nodes, more than the " +
                          std::to_string(*expected.count) + " that were expected.");
  const std::set<std::string> wanted(expected.names.begin(), expected.names.end());
  for (const std::string& name : expected.names) {
    if (!there.insert(name).second) continue;
    fleet.nodes.push_back({.name = name,
                           .state = NodeState::missing,
                           .problem = "No file of this node was given.",
                           .exit = ProbeExit::fault});
  }
  if (wanted.empty()) return;
  for (const JudgedNode& node : fleet.nodes)
    if (wanted.count(node.name) == 0) fleet.notes.push_back("Node " + node.name + " was not expected.");
}

/// Everything that makes results differ without a node being at fault.
std::vector<MixedVersion> mixed_versions(const std::vector<JudgedNode>& nodes) {
  struct Told {
    const char* of;
    std::string (*version)(const HardwareProfile&);
  };
  constexpr Told kTold[] = {
      {"podwright", [](const HardwareProfile& one) { return one.tool.version; }},
      {"backend", [](const HardwareProfile& one) { return one.run.backend; }},
      {"mode", [](const HardwareProfile& one) { return std::string(word_of(one.run.mode, kRunModeWords)); }},
      {"driver", [](const HardwareProfile& one) { return one.environment.driver; }},
      {"CUDA runtime", [](const HardwareProfile& one) { return one.environment.cuda_runtime; }},
      {"cuBLASLt", [](const HardwareProfile& one) { return one.environment.cublaslt; }},
      {"NCCL", [](const HardwareProfile& one) { return one.environment.nccl; }},
      {"BLAS", [](const HardwareProfile& one) { return one.environment.blas; }},
      {"kernel", [](const HardwareProfile& one) { return one.environment.kernel; }},
      {"devices", [](const HardwareProfile& one) {
         std::map<std::string, int> counts;
         for (const ProfileDevice& device : one.devices) ++counts[device.name];
         std::string text;
         for (const auto& [name, count] : counts)
           text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + (name.empty() ? "unnamed" : name);
         return text;
       }}};
  std::vector<MixedVersion> mixed;
  for (const Told& told : kTold) {
    MixedVersion one{.of = told.of, .uses = {}};
    for (const JudgedNode& node : nodes) {
      if (!node.read) continue;
      const std::string version = told.version(node.read->profile);
      auto use = std::find_if(one.uses.begin(), one.uses.end(),
                              [&](const MixedVersion::Use& known) { return known.version == version; });
      if (use == one.uses.end()) use = one.uses.insert(use, {version, {}});
      use->nodes.push_back(node.name);
    }
    if (one.uses.size() < 2) continue;
    sort_stably(one.uses,
                [](const MixedVersion::Use& a, const MixedVersion::Use& b) { return a.nodes.size() > b.nodes.size(); });
    mixed.push_back(std::move(one));
  }
  return mixed;
}

}  // namespace

std::size_t FleetJudgement::count(NodeState state) const {
  const auto named =
      std::count_if(nodes.begin(), nodes.end(), [&](const JudgedNode& node) { return node.state == state; });
  return static_cast<std::size_t>(named) + (state == NodeState::missing ? missing_unnamed : 0);
}

std::string FleetJudgement::summary() const {
  std::string text = counted(nodes.size() + missing_unnamed, "node", "nodes") + ":";
  bool first = true;
  for (std::size_t i = kNodeStateWords.size(); i-- > 0;) {
    const std::size_t number = count(static_cast<NodeState>(i));
    if (number == 0) continue;
    text += (first ? " " : ", ") + std::to_string(number) + " " + std::string(kNodeStateWords[i]);
    first = false;
  }
  return first ? "No node was given." : text + ".";
}

JudgedNode judge_machine(const Catalog& catalog, std::string name, ReadProfile read) {
  JudgedNode node{.name = std::move(name), .read = std::move(read)};
  node.judgement = judge_profile(catalog, node.read->profile);
  settle(node, false);
  return node;
}

FleetJudgement judge_fleet(const Catalog& catalog, std::vector<FleetNode> nodes, const ExpectedNodes& expected) {
  FleetJudgement fleet{.nodes = judged_nodes(catalog, std::move(nodes))};
  compare_nodes(fleet);
  for (JudgedNode& node : fleet.nodes)
    if (node.read) settle(node, fleet.compared);
  fleet.mixed = mixed_versions(fleet.nodes);
  find_missing(fleet, expected);
  for (const JudgedNode& node : fleet.nodes) fleet.exit = std::max(fleet.exit, node.exit);
  if (fleet.missing_unnamed > 0) fleet.exit = std::max(fleet.exit, ProbeExit::fault);
  return fleet;
}

std::optional<HardwareProfile> fleet_profile(const FleetJudgement& fleet) {
  std::vector<ReadProfile> profiles;
  for (const JudgedNode& node : fleet.nodes) {
    profiles.push_back(node.read.value_or(ReadProfile{}));
    // One without a digest would count as absent.
    if (node.read && node.read->digest.empty()) profiles.back() = *read_profile(profile_text(node.read->profile));
  }
  auto merged = merged_profiles(profiles);
  if (!merged) return std::nullopt;
  for (std::size_t i = 0; i < fleet.nodes.size(); ++i) {
    const std::string place = "n" + std::to_string(i);
    if (!fleet.nodes[i].read) merged->limits.push_back("Node " + std::to_string(i) + " gave no profile.");
    for (const SlowNode& slow : fleet.nodes[i].slow) {
      if (is_blamed(slow))
        merged->health_events.push_back({place + "." + slow.device, "slow_node", slowness_text(slow)});
    }
  }
  merged->run.mode = RunMode::cluster;
  merged->run.complete = merged->run.complete && fleet.measured == fleet.nodes.size() && fleet.missing_unnamed == 0;
  merged->run.exit_code = static_cast<int>(fleet.exit);
  return std::move(*merged);
}

std::vector<std::string> findings_of(const JudgedNode& node) {
  std::vector<std::string> findings;
  if (!node.problem.empty()) findings.push_back(node.problem);
  if (!node.read) return findings;
  for (const SlowNode& slow : node.slow)
    findings.push_back(slow.device + ": " + slowness_text(slow) +
                       (is_blamed(slow) ? "." : ", which its limited " + slow.limit + " accounts for."));
  for (const DeviceVerdict& device : node.judgement.devices)
    if (device.state == DeviceState::service || device.state == DeviceState::impossible ||
        device.state == DeviceState::look)
      findings.push_back(device.says.text());
  // Of a node of which nothing was judged its state says it.
  const bool some = any_judged(node.judgement.devices) || is_scripted(node.read->profile);
  if (const auto unjudged = unjudged_gpus(node.judgement.devices, node.read->profile); some && unjudged)
    findings.push_back(unjudged->text());
  if (!node.read->profile.run.complete) findings.push_back("The run was ended early: its profile is unfinished.");
  return findings;
}

}  // namespace podwright
