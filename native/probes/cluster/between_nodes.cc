#include "probes/cluster/between_nodes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "probes/result_of_case.h"
#include "probes/run_findings.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace {

constexpr double kOpenPatience = 90;
constexpr std::size_t kMostNamed = 4;
constexpr const char* kSilent = "it stopped answering";

bool failed(const HardwareProfile& profile, const std::string& device) {
  constexpr std::string_view kFaults[] = {"device_fault", "hang", "init_failed", "gpu_lost"};
  return std::any_of(profile.health_events.begin(), profile.health_events.end(), [&](const HealthEvent& event) {
    return event.device == device && std::find(std::begin(kFaults), std::end(kFaults), event.name) != std::end(kFaults);
  });
}

class Group {
 public:
  Group(const GroupPlan& plan, const std::string& backend, const RunOptions& run, const AskRanks& ask,
        BetweenNodes& out)
      : plan_(plan), backend_(backend), run_(run), ask_(ask), out_(out), reports_(plan.seats.size()) {
    for (const Seat& seat : plan.seats) ranks_.insert(seat.rank);
  }

  void measure() {
    const std::string ids = open();
    run(ids);
    for (std::size_t index = 0; index < plan_.cases.size(); ++index) add_case(index);
    if (!trouble_.empty()) say_trouble();
  }

 private:
  /// The ids that the first seat made; empty where one of the ranks is not with us any more.
  std::string open() {
    std::map<int, Order> orders;
    for (const int rank : ranks_) orders[rank] = {"group_open", jobs_of(rank)};
    std::string ids;
    for (const auto& [rank, answer] : ask_(orders, kOpenPatience)) {
      if (answer.empty()) lost(rank);
      if (const auto made = read_wire<GroupAnswer>(answer); made && !made->ids.empty()) ids = made->ids;
    }
    return lost_.empty() ? ids : "";
  }

  std::vector<WorkerJob> jobs_of(int rank) const {
    std::vector<std::string> names;
    for (const Seat& seat : plan_.seats) names.push_back(seat.name());
    std::vector<WorkerJob> jobs;
    for (int place = 0; place < static_cast<int>(plan_.seats.size()); ++place) {
      const Seat& seat = plan_.seats[static_cast<std::size_t>(place)];
      if (seat.rank != rank) continue;
      WorkerJob job;
      job.backend = backend_;
      job.device = seat.number();
      job.seed = run_.seed;
      job.cases = plan_.cases_of(place);
      job.group = GroupSeat{place, names, join_patience(run_)};
      jobs.push_back(std::move(job));
    }
    return jobs;
  }

  void run(const std::string& ids) {
    std::map<int, Order> orders;
    for (const int rank : ranks_)
      if (lost_.count(rank) == 0) orders[rank] = {.act = "group_run", .ids = ids};
    double seconds = 60 + 3 * join_patience(run_);
    for (const GroupCase& one : plan_.cases) seconds += 3 * one.one.predicted_s();
    for (const auto& [rank, answer] : ask_(orders, seconds)) {
      if (answer.empty()) lost(rank);
      for (const SeatReport& report : read_wire<GroupAnswer>(answer).value_or(GroupAnswer()).seats) {
        const auto seat = static_cast<std::size_t>(report.seat);
        if (seat >= reports_.size()) continue;
        if (!report.reason.empty()) trouble_.push_back({plan_.seats[seat].name(), report.reason, report.detail});
        for (const WorkerMessage& one : report.finished) reports_[seat][one.one] = one.measured;
      }
    }
    if (ids.empty() && trouble_.empty()) trouble_.push_back({plan_.seats.front().name(), "rank_lost", "it made no id"});
  }

  void lost(int rank) {
    lost_.insert(rank);
    trouble_.push_back({"n" + std::to_string(rank), "rank_lost", kSilent});
  }

  void add_case(std::size_t index) {
    const GroupCase& one = plan_.cases[index];
    for (const std::vector<int>& team : one.teams) {
      const auto& finished = reports_[static_cast<std::size_t>(team.front())];
      const auto found = finished.find(static_cast<int>(index));
      if (found != finished.end()) {
        add(one.one, team, found->second);
      } else if (!trouble_.empty() && skipped_.insert(one.one.probe).second) {
        // One row for each probe: what broke the group broke it for all sizes. The limits tell what that was.
        add(one.one, team, skipped(gravest().reason, broken_text()));
      }
    }
  }

  void add(ProbeCase one, const std::vector<int>& team, const Measured& measured) {
    std::vector<std::string> devices;
    for (const int seat : team) devices.push_back(plan_.seats[static_cast<std::size_t>(seat)].name());
    one.size.ranks = static_cast<double>(team.size());
    if (const int nodes = plan_.nodes_of(team); nodes > 1) one.size.nodes = nodes;
    out_.results.push_back(result_of(one, std::move(devices), measured));
  }

  struct Trouble {
    std::string who;
    std::string reason;
    std::string detail;
    std::string text() const { return message_of(reason, detail); }
  };
  /// Who went away, before those who only saw it.
  const Trouble& gravest() const {
    for (const Trouble& one : trouble_)
      if (one.reason != "rank_lost" || one.detail == kSilent) return one;
    return trouble_.front();
  }

  /// "n0.d0, n2.d0: what they saw alike"; those who only saw another one go do not count next to that one.
  std::string trouble_text() const {
    const bool seen = gravest().reason != "rank_lost" || gravest().detail == kSilent;
    std::vector<std::pair<std::string, std::vector<std::string>>> by_text;
    for (const Trouble& one : trouble_) {
      if (seen && one.reason == "rank_lost" && one.detail != kSilent) continue;
      auto found =
          std::find_if(by_text.begin(), by_text.end(), [&](const auto& had) { return had.first == one.text(); });
      if (found == by_text.end()) found = by_text.insert(by_text.end(), {one.text(), {}});
      found->second.push_back(one.who);
    }
    std::string text;
    for (const auto& [what, who] : by_text) {
      text += text.empty() ? "" : "; ";
      for (std::size_t i = 0; i < std::min(who.size(), kMostNamed); ++i) text += (i > 0 ? ", " : "") + who[i];
      if (who.size() > kMostNamed) text += " and " + std::to_string(who.size() - kMostNamed) + " more";
      text += ": " + what;
    }
    return text;
  }

  std::string broken_text() const {
    return "collectives between " + std::to_string(plan_.seats.size()) + " devices did not come to their end";
  }

  void say_trouble() {
    out_.broken = true;
    out_.sentences.push_back("C" + broken_text().substr(1) + ": " + trouble_text() + ".");
  }

  const GroupPlan& plan_;
  const std::string& backend_;
  const RunOptions& run_;
  const AskRanks& ask_;
  BetweenNodes& out_;
  std::set<int> ranks_;
  std::set<int> lost_;
  std::vector<std::map<int, Measured>> reports_;  ///< by seat, then by case
  std::vector<Trouble> trouble_;
  std::set<std::string> skipped_;
};

}  // namespace

std::vector<Seat> seats_of(const std::vector<HardwareProfile>& by_rank, const std::vector<std::string>& hosts,
                           std::vector<std::string>& sentences) {
  std::vector<Seat> seats;
  std::map<std::string, int> nodes;
  std::map<int, int> rails;  // given away in each node
  std::set<std::string> taken;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    const HardwareProfile& profile = by_rank[rank];
    const int node = nodes.emplace(hosts[rank], static_cast<int>(nodes.size())).first->second;
    for (const ProfileDevice& device : profile.devices) {
      Seat seat{static_cast<int>(rank), device.id, node, 0,
                device.memory_free_gib.value_or(device.memory_total_gib.value_or(0)) * 1024 * 1024 * 1024};
      if (!device.pci_bus_id.empty() && !taken.insert(hosts[rank] + " " + device.pci_bus_id).second) {
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

BetweenNodes measure_between(const std::vector<GroupPlan>& plans, const std::string& backend, const RunOptions& run,
                             const AskRanks& ask) {
  BetweenNodes out;
  for (const GroupPlan& plan : plans) {
    if (out.broken) {
      out.sentences.push_back("Collectives between " + std::to_string(plan.seats.size()) +
                              " devices were left out after that.");
      continue;
    }
    Group(plan, backend, run, ask, out).measure();
  }
  add_flags_between_sizes(out.results);
  return out;
}

}  // namespace podwright::probes
