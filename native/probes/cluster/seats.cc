#include "probes/cluster/seats.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "probes/probe_case.h"
#include "probes/result_of_case.h"

namespace podwright::probes {
namespace {

constexpr std::size_t kMostRounds = 16;  // partners of one device: enough for a median that a slow one does not move

bool failed(const HardwareProfile& profile, const std::string& device) {
  constexpr std::string_view kFaults[] = {"device_fault", "hang", "init_failed", "gpu_lost"};
  return std::any_of(profile.health_events.begin(), profile.health_events.end(), [&](const HealthEvent& event) {
    return event.device == device && std::find(std::begin(kFaults), std::end(kFaults), event.name) != std::end(kFaults);
  });
}

/// Sizes of quick runs, and of pairs.
bool near(const ProbeCase& one, const std::vector<double>& sizes) {
  return std::any_of(sizes.begin(), sizes.end(), [&](double bytes) {
    return std::fabs(one.size.bytes.value_or(0) / bytes - 1) < 0.3;  // equal parts of all ranks make them smaller
  });
}

/// For the cases of one team.
double seconds_of(const RunOptions& run) {
  constexpr double kMost = 150;
  return run.budget.seconds > 0 ? std::min(kMost, run.budget.seconds) : kMost;
}

/// Plain collectives among a given number of seats.
std::vector<ProbeCase> collectives(const std::vector<Seat>& seats, std::size_t ranks, const RunOptions& run) {
  Machine machine;
  machine.backend = run.backend;
  machine.devices = machine.threads = static_cast<int>(ranks);
  machine.members.resize(ranks);
  std::iota(machine.members.begin(), machine.members.end(), 0);
  for (const Seat& seat : seats)
    if (seat.memory_bytes > 0 && (machine.memory_bytes <= 0 || seat.memory_bytes < machine.memory_bytes))
      machine.memory_bytes = seat.memory_bytes;
  std::vector<ProbeCase> cases = gpu_cases(machine, std::max(run.budget.mode, RunMode::standard));
  std::erase_if(cases, [&](const ProbeCase& one) {
    return one.probe.rfind("coll.", 0) != 0 || one.members.size() != ranks || !one.variant.empty() ||
           (!run.only.empty() && !chosen(one.probe, run.only));
  });
  return cases;
}

/// For the seats at these places.
void add_collectives(GroupPlan& plan, const std::vector<int>& places, const RunOptions& run) {
  std::vector<ProbeCase> cases = collectives(plan.seats, places.size(), run);
  if (run.budget.mode == RunMode::quick)
    std::erase_if(cases, [](const ProbeCase& one) {
      return one.probe != "coll.allreduce" || !near(one, {8 * kKiB, 2 * kMiB, 128 * kMiB});
    });
  share_out(cases, seconds_of(run));
  shuffle(cases, run.seed);
  for (const ProbeCase& one : cases) plan.cases.push_back({one, {places}});
  if (!cases.empty() && places.size() < plan.seats.size()) plan.teams.push_back(places);
}

/// Devices of the same place in two nodes send to each other, both at once; in a round each node has one partner, and
/// all its devices run together, as a job's do: one slow adapter shows at its own device. Devices of one node are
/// paired with each other.
void add_pairs(GroupPlan& plan, const RunOptions& run) {
  std::vector<ProbeCase> cases = collectives(plan.seats, 2, run);
  std::erase_if(cases, [](const ProbeCase& one) {
    return one.probe != "coll.sendrecv" || !near(one, {8 * kKiB, 128 * kMiB});
  });
  std::map<int, std::map<int, int>> nodes;  // places by node and rail
  for (std::size_t place = 0; place < plan.seats.size(); ++place)
    nodes[plan.seats[place].node][plan.seats[place].rail] = static_cast<int>(place);
  std::vector<std::map<int, int>> partners;
  for (const auto& [node, rails] : nodes) partners.push_back(rails);
  if (nodes.size() == 1) {
    partners.clear();
    for (const auto& [rail, place] : nodes.begin()->second) partners.push_back({{0, place}});
  }
  const std::size_t count = partners.size();
  const std::size_t rounds = std::min(kMostRounds, count);
  share_out(cases, seconds_of(run) / static_cast<double>(rounds));
  for (std::size_t i = 0; i < rounds; ++i) {
    // Those meet whose numbers have the same sum, modulo their count: no one twice in a round, nor another one again.
    const std::size_t sum = i * count / rounds;
    std::vector<std::vector<int>> teams;
    for (std::size_t a = 0; a < count; ++a) {
      const std::size_t b = (sum + count - a) % count;
      if (a >= b) continue;
      for (const auto& [rail, place] : partners[a])
        if (const auto other = partners[b].find(rail); other != partners[b].end())
          teams.push_back({std::min(place, other->second), std::max(place, other->second)});
    }
    if (teams.empty()) continue;
    for (const ProbeCase& one : cases) plan.cases.push_back({one, teams});
  }
}

}  // namespace

std::vector<Seat> seats_of(const std::vector<HardwareProfile>& by_rank, std::vector<std::string>& sentences) {
  std::vector<Seat> seats;
  std::map<std::string, int> nodes;
  std::map<int, int> rails;  // given away in each node
  std::set<std::string> taken;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    const HardwareProfile& profile = by_rank[rank];
    const std::string& name = profile.run.rank->node;
    const int node = nodes.emplace(name, static_cast<int>(nodes.size())).first->second;
    for (const ProfileDevice& device : profile.devices) {
      Seat seat{static_cast<int>(rank), device.id, node, 0,
                device.memory_free_gib.value_or(device.memory_total_gib.value_or(0)) * 1024 * 1024 * 1024};
      if (!device.pci_bus_id.empty() && !taken.insert(name + " " + device.pci_bus_id).second) {
        sentences.push_back(seat.name() +
                            " is a device that another rank of its node has as well, and takes part once.");
        continue;
      }
      // Counted also where the device stands aside, so that the others keep the adapters that they are next to.
      seat.rail = rails[node]++;
      if (failed(profile, device.id) || !device.mig_slice.empty()) {
        sentences.push_back(seat.name() + " takes part in no collective between nodes: it is " +
                            (device.mig_slice.empty() ? "at fault." : "a slice of a GPU."));
        continue;
      }
      seats.push_back(seat);
    }
  }
  return seats;
}

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

GroupPlan plan_group(const std::vector<Seat>& seats, const RunOptions& run) {
  GroupPlan plan{seats, {}, {}};
  if (seats.size() < 2) return plan;
  std::map<int, std::vector<int>> of_node;  // places
  for (std::size_t place = 0; place < seats.size(); ++place)
    of_node[seats[place].node].push_back(static_cast<int>(place));
  std::vector<int> firsts;
  for (const auto& [node, places] : of_node) firsts.push_back(places.front());
  std::sort(firsts.begin(), firsts.end());
  if (firsts.size() > 1 && seats.size() > firsts.size()) add_collectives(plan, firsts, run);
  add_pairs(plan, run);
  std::vector<int> all(seats.size());
  std::iota(all.begin(), all.end(), 0);
  add_collectives(plan, all, run);
  for (const auto& [node, own] : of_node) {
    // One whose devices belong to one rank was measured by it.
    const auto rank_of = [&](int place) { return seats[static_cast<std::size_t>(place)].rank; };
    if (of_node.size() < 2 || own.size() < 2 || rank_of(own.front()) == rank_of(own.back())) continue;
    add_collectives(plan, own, run);
    break;
  }
  return plan;
}

}  // namespace podwright::probes
