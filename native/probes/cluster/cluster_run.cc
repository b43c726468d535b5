#include "probes/cluster/cluster_run.h"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <map>
#include <memory>
#include <tuple>

#include "measure/profile_file.h"
#include "measure/profile_merge.h"
#include "measure/sample_summary.h"
#include "measure/slow_nodes.h"
#include "probes/cluster/between_nodes.h"
#include "probes/fake/script.h"
#include "probes/interrupt.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace {

constexpr double kLeaderPatience = 3600;  // others may be probing their nodes

/// What a rank does when rank 0 tells it to; the same for rank 0 itself.
class RankWork {
 public:
  explicit RankWork(const RunOptions& run) : run_(run) {}

  const RunOutcome& local() const { return local_; }

  /// The profile, or a GroupAnswer; "{}" where there is nothing to tell.
  std::string answer(const Order& order) {
    if (order.act == "probe") return probe();
    if (order.act == "group_open") {
      group_ = std::make_unique<GroupRun>(run_, order.jobs);
      return wire_text(GroupAnswer{.ids = group_->ids()});
    }
    if (order.act != "group_run" || group_ == nullptr) return "{}";
    const GroupAnswer answer{.seats = group_->run(order.ids)};
    group_.reset();
    return wire_text(answer);
  }

 private:
  std::string probe() {
    RunOptions local = run_;
    local.output.clear();
    local.may_have_none = true;
    local_ = run_probes(local);
    return local_.profile.devices.empty() ? "{}" : profile_text(local_.profile);
  }

  const RunOptions& run_;
  RunOutcome local_;
  std::unique_ptr<GroupRun> group_;
};

/// Rank 0: tells everybody what to do and puts the answers together.
class Leader {
 public:
  Leader(const RunOptions& run, RankWork& own, Joined joined)
      : run_(run), own_(own), members_(std::move(joined.members)), nodes_(members_.size()) {
    for (const Member& one : members_)
      if (one.lost) lose(one.rank, "did not come to the rendezvous");
  }

  RunOutcome run() {
    probe_nodes();
    keep(false);
    if (compare_versions()) measure_between_nodes();
    find_slow_nodes();
    dismiss();
    keep(true);
    return std::move(outcome_);
  }

 private:
  int size() const { return static_cast<int>(members_.size()); }
  Member& member(int rank) { return members_[static_cast<std::size_t>(rank)]; }
  /// Empty of a rank that is lost.
  const HardwareProfile& profile_of(int rank) const { return nodes_[static_cast<std::size_t>(rank)].profile; }

  void lose(int rank, const std::string& how) {
    member(rank).lost = true;
    member(rank).connection.close();
    lost_[rank] = how;
  }

  /// Sends orders at once and waits for all answers; who gives none is lost. Empty text: no answer.
  std::map<int, std::string> ask(const std::map<int, Order>& orders, double seconds) {
    std::map<int, std::future<std::optional<std::string>>> answers;
    for (const auto& [to, what] : orders)
      answers[to] = std::async(std::launch::async, [&, rank = to, order = &what]() -> std::optional<std::string> {
        if (rank == 0) return own_.answer(*order);
        if (!member(rank).connection.send_text(wire_text(*order))) return std::nullopt;
        return member(rank).connection.receive_text(seconds);
      });
    std::map<int, std::string> texts;
    for (auto& [rank, answer] : answers) {
      const auto text = answer.get();
      if (!text) lose(rank, "stopped answering");
      texts[rank] = text.value_or("");
    }
    return texts;
  }

  /// Processes of one system take turns, different systems measure at once.
  void probe_nodes() {
    std::map<std::string, std::vector<int>> of_host;
    for (const Member& one : members_)
      if (!one.lost) of_host[one.host].push_back(one.rank);
    const double patience = 120 + 3 * budget_seconds(run_.budget);
    for (std::size_t turn = 0;; ++turn) {
      std::map<int, Order> orders;
      for (const auto& [host, ranks] : of_host)
        if (turn < ranks.size()) orders[ranks[turn]] = {"probe"};
      if (orders.empty()) return;
      for (const auto& [rank, text] : ask(orders, patience)) take_profile(rank, text);
    }
  }

  void take_profile(int rank, const std::string& text) {
    if (member(rank).lost) return;
    auto read = read_profile(text);
    if (!read) {
      lose(rank, "could not measure its node");
      return;
    }
    const int code = read->profile.run.exit_code;
    nodes_[static_cast<std::size_t>(rank)] = std::move(*read);
    outcome_.exit = std::max(outcome_.exit, static_cast<ProbeExit>(code));
  }

  /// Collectives between different versions would measure the difference. Those of the environment are named where the
  /// profiles are merged.
  bool compare_versions() {
    const HardwareProfile* first = nullptr;
    bool alike = true;
    for (int rank = 0; rank < size(); ++rank) {
      if (member(rank).lost) continue;
      const HardwareProfile& one = profile_of(rank);
      if (first == nullptr) first = &one;
      alike = alike && compared_profiles(*first, one).differences.empty();
      for (const auto& [what, a, b] : {std::tuple("program", first->tool.version, one.tool.version),
                                       std::tuple("backend", first->run.backend, one.run.backend)}) {
        if (a == b) continue;
        sentences_.push_back("Node " + std::to_string(rank) + ": Different " + what + ": \"" + a + "\" and \"" + b +
                             "\".");
        alike = false;
      }
    }
    if (!alike) sentences_.push_back("Collectives between nodes were not measured, since versions differ.");
    return alike;
  }

  std::vector<int> present() const {
    std::vector<int> there;
    for (const Member& one : members_)
      if (!one.lost) there.push_back(one.rank);
    return there;
  }

  /// Through NCCL. Processors have nothing between them that plans would take.
  void measure_between_nodes() {
    if (present().size() < 2 || profile_of(present().front()).run.backend == "cpu") return;
    std::vector<HardwareProfile> profiles;
    std::vector<std::string> hosts;
    for (const Member& one : members_) {
      profiles.push_back(one.lost ? HardwareProfile() : profile_of(one.rank));
      hosts.push_back(one.host);
    }
    GroupOptions options;
    options.backend = profile_of(present().front()).run.backend;
    options.mode = run_.budget.mode;
    if (run_.budget.seconds > 0) options.seconds = std::min(options.seconds, run_.budget.seconds);
    options.seed = run_.seed;
    options.only = run_.only;
    const std::vector<GroupPlan> plans = plan_groups(seats_of(profiles, hosts, sentences_), options);
    const BetweenNodes measured = measure_between(
        plans, options.backend, run_, [this](const auto& orders, double seconds) { return ask(orders, seconds); });
    sentences_.insert(sentences_.end(), measured.sentences.begin(), measured.sentences.end());
    for (const ProbeResult& result : measured.results) take_between(result);
    broken_ = measured.broken;
  }

  void take_between(const ProbeResult& result) {
    if (result.check.status == CheckStatus::fail) outcome_.exit = ProbeExit::fault;
    if (result.skip) outcome_.exit = std::max(outcome_.exit, exit_of(result.skip->reason, false));
    const auto rate = result.bytes_per_s();
    if (is_pair(result) && rate) {
      double& best = rate_of_pair_[{result.devices[0], result.devices[1]}];
      best = std::max(best, *rate);
    }
    exchanges_.push_back(result);
  }

  /// Two devices of two nodes that send to each other.
  static bool is_pair(const ProbeResult& result) {
    return result.probe == "coll.sendrecv" && result.devices.size() == 2 && result.size.nodes && result.usable();
  }

  void find_slow_nodes() {
    std::vector<HardwareProfile> profiles;
    for (const ReadProfile& node : nodes_) profiles.push_back(node.profile);
    add_pairs_of_devices(profiles);
    for (const SlowNode& slow : slow_nodes(profiles)) {
      const std::string takes = slowness_text(slow);
      if (!slow.limit.empty()) {
        sentences_.push_back("Node " + std::to_string(slow.rank) + ": " + takes + ", which its limited " + slow.limit +
                             " accounts for; it is not called slow.");
        continue;
      }
      events_.push_back({"n" + std::to_string(slow.rank) + "." + slow.device, "slow_node", takes});
      outcome_.exit = std::max(outcome_.exit, ProbeExit::low);
    }
    if (size() < 4)
      sentences_.push_back("With fewer than four nodes no node can be singled out as slow; that rule was not applied.");
  }

  /// What pairs tell of each device: the median over its pairs, so that a slow one of four nodes is not all of them.
  void add_pairs_of_devices(std::vector<HardwareProfile>& profiles) const {
    std::map<std::pair<std::string, double>, std::vector<double>> times;
    for (const ProbeResult& one : exchanges_) {
      if (!is_pair(one)) continue;
      for (const std::string& device : one.devices) times[{device, *one.size.bytes}].push_back(one.time_s->median);
    }
    for (const auto& [where, of_device] : times) {
      ProbeResult typical;
      typical.probe = "coll.sendrecv";
      typical.devices = {where.first.substr(where.first.find('.') + 1)};
      typical.size.bytes = where.second;
      typical.size.ranks = typical.size.nodes = 2;
      typical.time_s = summary_of(std::vector<double>{median_of(of_device)});
      profiles[static_cast<std::size_t>(std::atoi(where.first.c_str() + 1))].results.push_back(std::move(typical));
    }
  }

  void dismiss() {
    const ProbeExit exit = lost_.empty() && !broken_ ? ProbeExit::ok : ProbeExit::fault;
    for (Member& one : members_)
      if (one.rank != 0 && !one.lost)
        one.connection.send_text(wire_text(Order{.act = "end", .exit = static_cast<int>(exit)}));
  }

  /// The profile as it stands; valid also when this is the last that is ever written.
  void keep(bool last) {
    auto merged = merged_profiles(nodes_);
    if (!merged) {
      outcome_.message = "no node gave a profile of its own: " + merged.error().front().message;
      outcome_.exit = ProbeExit::fault;
      return;
    }
    HardwareProfile profile = std::move(*merged);
    profile.run.mode = RunMode::cluster;
    profile.results.insert(profile.results.end(), exchanges_.begin(), exchanges_.end());
    for (const auto& [pair, rate] : rate_of_pair_)
      profile.links.push_back({pair.first, pair.second, "network", std::nullopt, rate});
    profile.health_events.insert(profile.health_events.end(), events_.begin(), events_.end());
    profile.limits.insert(profile.limits.end(), sentences_.begin(), sentences_.end());
    for (const auto& [rank, how] : lost_) {
      const std::string number = std::to_string(rank);
      profile.health_events.push_back({"n" + number, "rank_lost", "Rank " + number + " " + how});
      profile.limits.push_back("Node " + number + " is missing: it " + how + ".");
    }
    if (!lost_.empty() || broken_) outcome_.exit = ProbeExit::fault;
    profile.run.complete = profile.run.complete && last && lost_.empty() && !broken_ && interrupted_by() == 0;
    profile.run.exit_code = static_cast<int>(outcome_.exit);
    if (!run_.output.empty() && !write_profile(profile, run_.output)) {
      outcome_.message = "cannot write " + run_.output;
      outcome_.exit = ProbeExit::unusable;
    }
    outcome_.profile = std::move(profile);
  }

  const RunOptions& run_;
  RankWork& own_;
  std::vector<Member> members_;
  std::vector<ReadProfile> nodes_;  ///< by rank; of the lost empty, without a digest
  std::vector<ProbeResult> exchanges_;
  std::map<std::pair<std::string, std::string>, double> rate_of_pair_;  ///< bytes/s of the best size
  std::vector<HealthEvent> events_;
  std::vector<std::string> sentences_;
  std::map<int, std::string> lost_;  ///< how each was
  bool broken_ = false;              ///< collectives of the backends did not come to their end
  RunOutcome outcome_;
};

/// Another rank: does what rank 0 says until it says that this is the end.
RunOutcome follow(const RunOptions& run, RankWork& own, Connection& leader, int rank) {
  while (true) {
    const auto order = read_wire<Order>(leader.receive_text(kLeaderPatience).value_or(""));
    if (!order) break;
    if (order->act == "end") {
      RunOutcome outcome;
      outcome.exit = static_cast<ProbeExit>(order->exit);
      return outcome;
    }
    if (!leader.send_text(own.answer(*order))) break;
  }
  RunOutcome outcome = own.local();
  outcome.exit = ProbeExit::fault;
  outcome.message = interrupted_by() != 0 ? "the run was ended" : "rank 0 was lost";
  const std::string path = run.output + ".rank" + std::to_string(rank);
  if (!run.output.empty() && !outcome.profile.devices.empty() && write_profile(outcome.profile, path))
    outcome.message += "; what this node measured is in " + path;
  return outcome;
}

ClusterOutcome refused(ProbeExit exit, const std::string& message) {
  ClusterOutcome outcome;
  outcome.merged.exit = exit;
  outcome.merged.message = message;
  return outcome;
}

}  // namespace

ClusterOutcome run_cluster(const RunOptions& run, const RankOptions& ranks) {
  auto [hello, why] = own_hello(ranks);
  if (!hello) return refused(ProbeExit::wrong_input, why);
  if (ranks.rendezvous.empty())
    return refused(ProbeExit::wrong_input,
                   "--cluster needs --rendezvous: a file that all ranks see, or tcp://HOST:PORT");
  note_interrupts();
  RankWork own(run);
  // Scripted nodes share this machine.
  if (const char* script = std::getenv("PODWRIGHT_FAKE"); run.backend == "fake" && script != nullptr)
    fake::Script(script).has("host", "", &hello->host);
  Joined joined = meet(ranks, *hello);
  if (!joined.why.empty()) return refused(ProbeExit::unusable, joined.why);
  ClusterOutcome outcome;
  outcome.first_rank = hello->rank == 0;
  outcome.merged =
      outcome.first_rank ? Leader(run, own, std::move(joined)).run() : follow(run, own, joined.to_first, hello->rank);
  return outcome;
}

}  // namespace podwright::probes
