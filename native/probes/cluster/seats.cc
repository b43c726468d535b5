#include "probes/cluster/seats.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "probes/cluster/ranks.h"
#include "probes/probe_case.h"
#include "probes/result_of_case.h"

namespace podwright::probes {
namespace {

/// Sizes of quick runs, and of pairs.
bool near(const ProbeCase& one, const std::vector<double>& sizes) {
  return std::any_of(sizes.begin(), sizes.end(), [&](double bytes) {
    return std::fabs(one.size.bytes.value_or(0) / bytes - 1) < 0.3;  // equal parts of all ranks make them smaller
  });
}

/// Plain collectives among so many seats.
std::vector<ProbeCase> collectives(const std::vector<Seat>& seats, std::size_t ranks, const GroupOptions& options) {
  Machine machine;
  machine.backend = options.backend;
  machine.devices = machine.threads = static_cast<int>(ranks);
  machine.members.resize(ranks);
  std::iota(machine.members.begin(), machine.members.end(), 0);
  for (const Seat& seat : seats)
    if (seat.memory_bytes > 0 && (machine.memory_bytes <= 0 || seat.memory_bytes < machine.memory_bytes))
      machine.memory_bytes = seat.memory_bytes;
  const bool cpu = options.backend == "cpu";
  std::vector<ProbeCase> cases =
      cpu ? cpu_cases(machine, options.mode) : gpu_cases(machine, std::max(options.mode, RunMode::standard));
  cases.erase(std::remove_if(cases.begin(), cases.end(),
                             [&](const ProbeCase& one) {
                               return one.probe.rfind(cpu ? "cpu.coll." : "coll.", 0) != 0 ||
                                      one.size.ranks != static_cast<double>(ranks) || !one.variant.empty() ||
                                      (!options.only.empty() && !chosen(one.probe, options.only));
                             }),
              cases.end());
  for (ProbeCase& one : cases) {
    one.members = machine.members;
    one.size.threads.reset();
    one.size.nodes.reset();
  }
  return cases;
}

void add_collectives(GroupPlan& plan, const GroupOptions& options) {
  std::vector<ProbeCase> cases = collectives(plan.seats, plan.seats.size(), options);
  if (options.mode == RunMode::quick && options.backend != "cpu")
    cases.erase(std::remove_if(cases.begin(), cases.end(),
                               [](const ProbeCase& one) {
                                 return one.probe != "coll.allreduce" || !near(one, {8 * kKiB, 2 * kMiB, 128 * kMiB});
                               }),
                cases.end());
  share_out(cases, options.seconds);
  shuffle(cases, options.seed);
  for (const ProbeCase& one : cases) plan.cases.push_back({one, {one.members}});
}

/// Every pair once; in a round each seat has one partner. Both send and receive at once.
void add_pairs(GroupPlan& plan, const GroupOptions& options) {
  if (options.backend == "cpu") return;
  std::vector<ProbeCase> cases = collectives(plan.seats, 2, options);
  cases.erase(std::remove_if(cases.begin(), cases.end(),
                             [](const ProbeCase& one) {
                               return one.probe != "coll.sendrecv" || !near(one, {8 * kKiB, 128 * kMiB});
                             }),
              cases.end());
  const auto rounds = tournament(static_cast<int>(plan.seats.size()));
  share_out(cases, options.seconds / static_cast<double>(rounds.size()));
  for (const auto& round : rounds)
    for (const ProbeCase& one : cases) {
      plan.cases.push_back({one, {}});
      for (const auto& pair : round) plan.cases.back().teams.push_back({pair.first, pair.second});
    }
}

}  // namespace

std::string Seat::name() const { return "n" + std::to_string(rank) + "." + device; }
int Seat::number() const { return std::atoi(device.c_str() + 1); }

std::vector<ProbeCase> GroupPlan::cases_of(int seat) const {
  std::vector<ProbeCase> own;
  for (const GroupCase& one : cases) {
    own.push_back(one.one);
    own.back().members.clear();
    for (const std::vector<int>& team : one.teams)
      if (std::find(team.begin(), team.end(), seat) != team.end()) own.back().members.assign(team.begin(), team.end());
  }
  return own;
}

int GroupPlan::nodes_of(const std::vector<int>& team) const {
  std::set<int> nodes;
  for (const int seat : team) nodes.insert(seats[static_cast<std::size_t>(seat)].node);
  return static_cast<int>(nodes.size());
}

std::vector<GroupPlan> plan_groups(const std::vector<Seat>& seats, const GroupOptions& options) {
  std::map<int, std::vector<Seat>> of_node;
  GroupPlan first;  // of each node
  for (const Seat& seat : seats) {
    if (of_node[seat.node].empty()) first.seats.push_back(seat);
    of_node[seat.node].push_back(seat);
  }
  std::vector<GroupPlan> plans;
  GroupPlan all{seats, {}};
  if (first.seats.size() < 2) {
    if (seats.size() > 1) add_pairs(all, options), add_collectives(all, options);
  } else {
    add_pairs(first, options);
    add_collectives(first, options);
    plans.push_back(first);
    if (seats.size() > first.seats.size()) add_collectives(all, options);
  }
  plans.push_back(all);
  for (const auto& [node, own] : of_node) {
    // One whose devices belong to one rank was measured by it.
    if (of_node.size() < 2 || own.size() < 2 || own.front().rank == own.back().rank) continue;
    plans.push_back({own, {}});
    add_collectives(plans.back(), options);
    break;
  }
  plans.erase(std::remove_if(plans.begin(), plans.end(), [](const GroupPlan& plan) { return plan.cases.empty(); }),
              plans.end());
  return plans;
}

}  // namespace podwright::probes
