#include "probes/cluster/between_nodes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "probes/cluster/group_run.h"
#include "probes/result_of_case.h"
#include "probes/worker.h"

namespace podwright::probes {
namespace {

constexpr double kOpenPatience = 90;
constexpr double kLeastBindingBytes = 4.0 * 1024 * 1024;  // below it a start-up time may hide the work
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
  Group(const GroupPlan& plan, const RunOptions& run, const AskRanks& ask, BetweenNodes& out)
      : plan_(plan), run_(run), ask_(ask), out_(out), reports_(plan.seats.size()) {
    for (const Seat& seat : plan.seats) ranks_.insert(seat.rank);
  }

  void measure() {
    const std::string ids = open();
    run(ids);
    for (std::size_t index = 0; index < plan_.cases.size(); ++index) add_case(index);
    add_flags_of_sizes();
    if (!trouble_.empty()) say_trouble();
  }

 private:
  /// The ids that the first seat made; empty where one of the ranks is not with us any more.
  std::string open() {
    const double patience = join_patience(run_);
    std::map<int, std::string> orders;
    for (const int rank : ranks_) orders[rank] = open_order(plan_, rank, patience);
    std::string ids;
    bool all = true;
    for (const auto& [rank, answer] : ask_(orders, kOpenPatience)) {
      all = all && !answer.empty();
      if (answer.empty()) lost(rank);
      const auto node = parse_json(answer);
      if (const std::string one = node ? text_at(*node, "ids") : ""; !one.empty()) ids = one;
    }
    return all ? ids : "";
  }

  void run(const std::string& ids) {
    std::map<int, std::string> orders;
    for (const int rank : ranks_)
      if (lost_.count(rank) == 0) orders[rank] = run_order(ids);
    double seconds = 60 + 3 * join_patience(run_);
    for (const GroupCase& one : plan_.cases) seconds += 3 * one.one.predicted_s();
    for (const auto& [rank, answer] : ask_(orders, seconds)) {
      if (answer.empty()) lost(rank);
      for (SeatReport& report : read_reports(answer)) {
        const auto seat = static_cast<std::size_t>(report.seat);
        if (seat >= reports_.size()) continue;
        if (!report.reason.empty()) trouble_.push_back({plan_.seats[seat].name(), report.reason, report.detail});
        for (const std::string& one : report.finished) {
          const WorkerMessage message = read_message(one);
          if (message.kind == WorkerMessage::Kind::finished) reports_[seat][message.one] = message.measured;
        }
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
        add_measured(one.one, team, found->second);
      } else if (!trouble_.empty() && skipped_.insert(one.one.probe).second) {
        // One row for each probe: what broke the group broke it for all sizes.
        out_.results.push_back(result_of(one.one, team));
        set_skip(out_.results.back(), reason_of(gravest().reason), trouble_text());
      }
    }
  }

  void add_measured(const ProbeCase& one, const std::vector<int>& team, const Measured& measured) {
    ProbeResult result = result_of(one, team);
    if (measured.end != CaseEnd::measured) {
      set_skip(result, reason_of(measured.reason), message_of(measured.reason, measured.detail));
    } else {
      take_measured(result, measured.result);
      result.variant.graph = false;
      finish_result(result, {.target = one.target,
                             .clock_resolution_s = measured.clock_resolution_s,
                             .precise = measured.precise,
                             .byte_roofs = {},
                             .flop_roofs = {}});
    }
    out_.results.push_back(std::move(result));
  }

  ProbeResult result_of(const ProbeCase& one, const std::vector<int>& team) const {
    ProbeResult result;
    result.probe = one.probe;
    for (const int seat : team) result.devices.push_back(plan_.seats[static_cast<std::size_t>(seat)].name());
    result.size = one.size;
    result.size.ranks = static_cast<double>(team.size());
    if (const int nodes = plan_.nodes_of(team); nodes > 1) result.size.nodes = nodes;
    result.dtype = one.dtype;
    result.counted = one.counted;
    return result;
  }

  void add_flags_of_sizes() {
    std::map<std::pair<std::string, std::vector<std::string>>, std::vector<ProbeResult*>> curves;
    for (ProbeResult& result : out_.results)
      if (result.usable() && result.size.ranks == static_cast<double>(plan_.seats.size()))
        curves[{result.probe, result.devices}].push_back(&result);
    for (auto& [name, results] : curves)
      if (results.size() > 1) add_curve_flags(results, kLeastBindingBytes);
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

  /// "n0.d0, n2.d0: what they saw alike"; those who only saw another one go do not count beside that one.
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

  void say_trouble() {
    out_.broken = true;
    out_.sentences.push_back("Collectives between " + std::to_string(plan_.seats.size()) +
                             " devices did not come to their end: " + trouble_text() + ".");
  }

  const GroupPlan& plan_;
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

BetweenNodes measure_between(const std::vector<GroupPlan>& plans, const RunOptions& run, const AskRanks& ask) {
  BetweenNodes out;
  for (const GroupPlan& plan : plans) {
    if (out.broken) {
      out.sentences.push_back("Collectives between " + std::to_string(plan.seats.size()) +
                              " devices were left out after that.");
      continue;
    }
    Group(plan, run, ask, out).measure();
  }
  return out;
}

}  // namespace podwright::probes
