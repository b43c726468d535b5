#include "probes/cluster/cluster_run.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <tuple>

#include "measure/median_interval.h"
#include "measure/profile_file.h"
#include "measure/profile_merge.h"
#include "probes/cluster/between_nodes.h"
#include "probes/cluster/halving.h"
#include "probes/cluster/outliers.h"
#include "probes/cluster/rank_work.h"
#include "probes/fake/scripted_ring.h"
#include "probes/probe_case.h"
#include "probes/worker_process.h"

namespace podwright::probes {
namespace {

const std::vector<double> kRingBytes = {8.0 * 1024, 1024.0 * 1024, 8.0 * 1024 * 1024};
constexpr int kMostRingRounds = 4;        // of the largest ring, until its time has an interval
constexpr double kPhasePatience = 90;     // for the report of one pair or ring
constexpr double kLeaderPatience = 3600;  // others may be probing their nodes

/// Rank 0: tells everybody what to do and puts the answers together.
class Leader {
 public:
  Leader(const RunOptions& run, RankWork& own, Joined joined, bool isolate)
      : run_(run), own_(own), members_(std::move(joined.members)), nodes_(members_.size()), isolate_(isolate) {
    for (const int rank : joined.missing) lose(rank, "did not come to the rendezvous");
  }

  RunOutcome run() {
    probe_nodes();
    keep(false);
    if (compare_versions()) {
      play_tournament();
      keep(false);
      run_all_in_ring();
      keep(false);
      isolate_slow_set();
      keep(false);
      measure_between_nodes();
    }
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
    lost_.push_back({rank, how});
  }

  /// Sends commands at once and waits for all answers; who gives none is lost. Empty text: no answer.
  std::map<int, std::string> ask(const std::map<int, std::string>& commands, double seconds) {
    std::map<int, std::future<std::optional<std::string>>> answers;
    for (const auto& command : commands) {
      const int rank = command.first;
      const std::string& text = command.second;
      answers[rank] = std::async(std::launch::async, [this, rank, text, seconds]() -> std::optional<std::string> {
        if (rank == 0) return own_.answer(text);
        if (!member(rank).connection.send_text(text)) return std::nullopt;
        return member(rank).connection.receive_text(seconds);
      });
    }
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
      std::map<int, std::string> commands;
      for (const auto& [host, ranks] : of_host)
        if (turn < ranks.size()) commands[ranks[turn]] = R"({"do": "probe"})";
      if (commands.empty()) return;
      for (const auto& [rank, text] : ask(commands, patience)) take_profile(rank, text);
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
    if (!alike) sentences_.push_back("Pairs and collectives were not measured, since versions differ.");
    return alike;
  }

  std::string order(const char* what, int peer, const std::function<void(JsonWriter&)>& more = {}) {
    JsonWriter json;
    json.begin_object();
    json.text("do", what);
    json.number("rank", peer);
    json.begin_list("addresses");
    for (const std::string& address : member(peer).addresses) json.text(address);
    json.end_list();
    json.number("port", member(peer).data_port);
    if (more) more(json);
    json.end_object();
    return json.take();
  }

  /// In a round each rank has one partner. Pairs that share a system would disturb each other and go one by one.
  void play_tournament() {
    for (const auto& round : tournament(size())) {
      std::vector<std::pair<int, int>> left = round;
      while (!left.empty()) {
        std::map<std::string, bool> taken;
        std::vector<std::pair<int, int>> now;
        std::vector<std::pair<int, int>> later;
        for (const auto& [a, b] : left) {
          if (member(a).lost || member(b).lost) continue;
          const bool free = !taken[member(a).host] && !taken[member(b).host];
          (free ? now : later).emplace_back(a, b);
          if (free) taken[member(a).host] = taken[member(b).host] = true;
        }
        if (now.empty()) break;
        play(now);
        left = later;
      }
    }
  }

  void play(const std::vector<std::pair<int, int>>& pairs) {
    std::map<int, std::string> commands;
    for (const auto& [a, b] : pairs) {
      commands[a] = order("call", b);
      commands[b] = order("answer", a);
    }
    const auto answers = ask(commands, kPhasePatience);
    for (const auto& [a, b] : pairs)
      if (const auto node = parse_json(answers.at(a)); node && node->is_object()) add_pair(a, b, *node);
  }

  void add_pair(int a, int b, const JsonNode& node) {
    const JsonNode* ok = node.find("ok");
    if (ok == nullptr || !ok->boolean) {
      sentences_.push_back("Nodes " + std::to_string(a) + " and " + std::to_string(b) + " did not reach each other.");
      unreached_ = true;
      return;
    }
    add_exchange("coll.sendrecv", {a, b}, kPairBytes, numbers_at(node, "there_s"), right(node));
    add_exchange("coll.sendrecv", {b, a}, kPairBytes, numbers_at(node, "back_s"), right(node));
    add_exchange("coll.pingpong", {a, b}, 64, numbers_at(node, "round_trip_s"), right(node));
    const ProbeResult& there = exchanges_[exchanges_.size() - 3];
    links_.push_back({first_device(a), first_device(b), "network", std::nullopt, there.bytes_per_s()});
  }

  static bool right(const JsonNode& node) {
    const JsonNode* value = node.find("right");
    return value != nullptr && value->boolean;
  }

  std::string first_device(int rank) const {
    const auto& devices = profile_of(rank).devices;
    return "n" + std::to_string(rank) + "." + (devices.empty() ? "d0" : devices.front().id);
  }

  void add_exchange(const std::string& probe, const std::vector<int>& ranks, double bytes,
                    const std::vector<double>& samples, bool was_right) {
    if (samples.empty()) return;
    ProbeResult result;
    result.probe = "cpu." + probe;  // over the processors' network stack, whatever the nodes compute with
    for (const int rank : ranks) result.devices.push_back(first_device(rank));
    result.size.bytes = bytes;
    result.size.ranks = result.size.nodes = static_cast<double>(ranks.size());
    result.counted.bytes = bytes;
    result.samples_s = samples;
    result.check.status = was_right ? CheckStatus::pass : CheckStatus::fail;
    result.variant.algorithm = ranks.size() > 2 ? "ring" : "tcp";
    result.variant.library = "own";
    finish_result(result, {.target = kLatencyTarget, .clock_resolution_s = 1e-7, .precise = true});
    if (!was_right) outcome_.exit = ProbeExit::fault;
    exchanges_.push_back(std::move(result));
  }

  std::vector<int> present() const {
    std::vector<int> there;
    for (const Member& one : members_)
      if (!one.lost) there.push_back(one.rank);
    return there;
  }

  void run_all_in_ring() {
    const std::vector<int> there = present();
    if (there.size() < 2) return;
    if (!run_ring("coll.allreduce", there, {kRingBytes.begin(), kRingBytes.end() - 1}) ||
        !run_steady_ring("coll.allreduce", there)) {
      sentences_.push_back("Collectives of all nodes broke off when a node was lost.");
      return;
    }
    if (!exchanges_.empty() && exchanges_.back().probe == "cpu.coll.allreduce" && !has_interval(exchanges_.back()))
      sentences_.push_back("The all-reduce of all nodes has no interval, also after " +
                           std::to_string(exchanges_.back().samples_s.size()) +
                           " calls: its times depend too much on each other. Slow nodes were not searched by it.");
  }

  static bool has_interval(const ProbeResult& result) {
    return result.time_s && result.time_s->lo95 && result.time_s->hi95;
  }

  /// The largest ring, which is compared with others. Calls that depend on the ones before tell no interval; more of
  /// them, on fresh connections, may.
  bool run_steady_ring(const std::string& probe, const std::vector<int>& there) {
    std::vector<double> samples;
    for (int round = 0; round < kMostRingRounds; ++round) {
      if (!run_ring(probe, there, {kRingBytes.back()})) return false;
      ProbeResult& ring = exchanges_.back();
      if (ring.probe != "cpu." + probe || ring.samples_s.empty()) return true;
      samples.insert(samples.end(), ring.samples_s.begin(), ring.samples_s.end());
      if (round > 0) {
        const bool was_right = ring.check.status == CheckStatus::pass;
        exchanges_.pop_back();
        add_exchange(probe, there, kRingBytes.back(), samples, was_right);
      }
      if (has_interval(exchanges_.back()) || interrupted_by() != 0) return true;
      if (round + 1 < kMostRingRounds) exchanges_.pop_back();
    }
    return true;
  }

  /// All-reduces of some ranks, in order of size the last ones of the exchanges. False when one of the ranks is lost.
  bool run_ring(const std::string& probe, const std::vector<int>& there, const std::vector<double>& sizes) {
    const int ranks = static_cast<int>(there.size());
    std::map<int, std::string> commands;
    for (int place = 0; place < ranks; ++place) {
      const int next = there[static_cast<std::size_t>((place + 1) % ranks)];
      const int previous = there[static_cast<std::size_t>((place + ranks - 1) % ranks)];
      commands[there[static_cast<std::size_t>(place)]] = order("ring", next, [&](JsonWriter& json) {
        json.number("place", place);
        json.number("ranks", ranks);
        json.number("previous", previous);
        json.text("probe", "cpu." + probe);
        write_numbers(json, "bytes", sizes);
      });
    }
    const auto answers = ask(commands, kPhasePatience);
    std::map<double, std::vector<double>> slowest;
    bool all_right = true;
    for (const auto& [rank, text] : answers) {
      const auto node = parse_json(text);
      if (!node || !node->is_object() || node->find("sizes") == nullptr) {
        all_right = false;
        continue;
      }
      all_right = all_right && right(*node);
      for (const JsonNode& size : node->find("sizes")->items) {
        // A collective lasts as long as on the rank where it lasts longest.
        std::vector<double>& calls = slowest[number_at(size, "bytes")];
        const std::vector<double> own = numbers_at(size, "calls_s");
        if (calls.size() < own.size()) calls.resize(own.size());
        for (std::size_t i = 0; i < own.size(); ++i) calls[i] = std::max(calls[i], own[i]);
      }
    }
    if (!all_right && !lost_.empty()) return false;
    for (const auto& [bytes, calls] : slowest) add_exchange(probe, there, bytes, calls, all_right);
    return true;
  }

  /// Collectives of the backends themselves: through NCCL where GPUs are measured.
  void measure_between_nodes() {
    if (present().size() < 2) return;
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
    BetweenNodes measured =
        measure_between(plans, run_, [this](const auto& orders, double seconds) { return ask(orders, seconds); });
    sentences_.insert(sentences_.end(), measured.sentences.begin(), measured.sentences.end());
    for (ProbeResult& result : measured.results) take_between(std::move(result));
    broken_ = measured.broken;
  }

  void take_between(ProbeResult result) {
    if (result.check.status == CheckStatus::fail) outcome_.exit = ProbeExit::fault;
    if (result.skip) outcome_.exit = std::max(outcome_.exit, exit_of(result.skip->reason, false));
    const auto rate = result.bytes_per_s();
    if (result.probe == "coll.sendrecv" && result.devices.size() == 2 && rate && result.size.nodes) {
      // What GPUs exchange tells more of the link than what their processors did.
      for (ProfileLink& link : links_)
        if (link.from == result.devices[0] && link.to == result.devices[1])
          link.bytes_per_s = std::max(*rate, link_of_gpus_[result.devices]);
      link_of_gpus_[result.devices] = std::max(*rate, link_of_gpus_[result.devices]);
    }
    exchanges_.push_back(std::move(result));
  }

  /// Ranks of one system share its processors, for which pairs alone predict nothing.
  bool one_rank_on_each_system() const {
    std::set<std::string> hosts;
    for (const Member& one : members_) hosts.insert(one.host);
    return static_cast<int>(hosts.size()) == size();
  }

  /// Halves the nodes where all together are slow against what pairs predict, or where the operator asks for it.
  void isolate_slow_set() {
    const auto pair = typical_pair(exchanges_);
    const auto all = pair && lost_.empty() ? last_ring("cpu.coll.allreduce", *pair) : std::nullopt;
    const bool slow = all && one_rank_on_each_system() && slow_against_pairs(*all);
    if (!slow && !isolate_) return;
    if (size() < kLeastToHalve || !all) {
      sentences_.push_back(size() < kLeastToHalve ? "Fewer than four nodes were not halved."
                                                  : "The nodes were not halved: all-reduce or pairs have no times.");
      return;
    }
    Halving halving(present(), *all);
    while (halving.end() == Halving::End::going_on) {
      std::optional<RingSlowness> shown[2];
      for (std::size_t half = 0; half < 2; ++half) {
        // One after the other, so that one does not slow the other on what they share.
        if (!run_steady_ring("isolate.allreduce", halving.rings()[half])) {
          sentences_.push_back("Halving broke off when a node was lost.");
          return;
        }
        shown[half] = last_ring("cpu.isolate.allreduce", *pair);
      }
      halving.tell(shown[0], shown[1]);
    }
    name_slow_set(halving);
  }

  std::optional<RingSlowness> last_ring(const std::string& probe, const TypicalPair& pair) const {
    if (exchanges_.empty() || exchanges_.back().probe != probe) return std::nullopt;
    return ring_slowness(exchanges_.back(), pair);
  }

  void name_slow_set(const Halving& halving) {
    sentences_.push_back(halving.sentence());
    if (!halving.found()) return;
    for (const int rank : halving.suspects()) events_.push_back({first_device(rank), "slow_set", halving.sentence()});
    outcome_.exit = std::max(outcome_.exit, ProbeExit::low);
  }

  void find_slow_nodes() {
    std::vector<HardwareProfile> profiles;
    for (const ReadProfile& node : nodes_) profiles.push_back(node.profile);
    add_pairs_of_nodes(profiles);
    for (const SlowNode& slow : slow_nodes(profiles)) {
      const std::string takes = slow.probe + " takes " + std::to_string(static_cast<int>(100 * slow.slower_by + 0.5)) +
                                " % longer than on the other nodes";
      if (!slow.limit.empty()) {
        sentences_.push_back("Node " + std::to_string(slow.rank) + ": " + takes + ", which its limited " + slow.limit +
                             " accounts for; it is not called slow.");
        continue;
      }
      events_.push_back({first_device(slow.rank), "slow_node", takes});
      outcome_.exit = std::max(outcome_.exit, ProbeExit::low);
    }
    if (size() < 4)
      sentences_.push_back("With fewer than four nodes no node can be told apart as slow; that rule was not applied.");
  }

  /// What pairs of GPUs tell of each node: the median over its pairs, so that the slow one of four is not all of them.
  void add_pairs_of_nodes(std::vector<HardwareProfile>& profiles) const {
    std::map<std::pair<int, double>, std::vector<double>> times;
    for (const ProbeResult& one : exchanges_) {
      if (one.probe != "coll.sendrecv" || one.devices.size() != 2 || !one.size.nodes || !one.usable()) continue;
      for (const std::string& device : one.devices)
        times[{std::atoi(device.c_str() + 1), *one.size.bytes}].push_back(one.time_s->median);
    }
    for (const auto& [where, of_node] : times) {
      ProbeResult typical;
      typical.probe = "coll.sendrecv";
      typical.size.bytes = where.second;
      typical.size.ranks = typical.size.nodes = 2;
      typical.time_s = summary_of(std::vector<double>{median_of(of_node)});
      profiles[static_cast<std::size_t>(where.first)].results.push_back(std::move(typical));
    }
  }

  void dismiss() {
    for (Member& one : members_)
      if (one.rank != 0 && !one.lost)
        one.connection.send_text("{\"do\": \"end\", \"exit\": " +
                                 std::to_string(lost_.empty() && !broken_ ? 0 : static_cast<int>(ProbeExit::fault)) +
                                 "}");
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
    profile.links.insert(profile.links.end(), links_.begin(), links_.end());
    profile.health_events.insert(profile.health_events.end(), events_.begin(), events_.end());
    profile.limits.insert(profile.limits.end(), sentences_.begin(), sentences_.end());
    for (const Lost& one : lost_) {
      profile.health_events.push_back(
          {"n" + std::to_string(one.rank), "rank_lost", "Rank " + std::to_string(one.rank) + " " + one.how});
      profile.limits.push_back("Node " + std::to_string(one.rank) + " is missing: it " + one.how + ".");
    }
    if (!lost_.empty() || unreached_ || broken_) outcome_.exit = ProbeExit::fault;
    profile.run.complete = profile.run.complete && last && lost_.empty() && !broken_ && interrupted_by() == 0;
    profile.run.exit_code = static_cast<int>(outcome_.exit);
    if (!run_.output.empty() && !write_profile(profile, run_.output)) {
      outcome_.message = "cannot write " + run_.output;
      outcome_.exit = ProbeExit::unusable;
    }
    outcome_.profile = std::move(profile);
  }

  struct Lost {
    int rank = 0;
    std::string how;
  };

  const RunOptions& run_;
  RankWork& own_;
  std::vector<Member> members_;
  std::vector<ReadProfile> nodes_;  ///< by rank; of the lost empty, without a digest
  std::vector<ProbeResult> exchanges_;
  std::vector<ProfileLink> links_;
  std::map<std::vector<std::string>, double> link_of_gpus_;  ///< bytes/s of the best size
  std::vector<HealthEvent> events_;
  std::vector<std::string> sentences_;
  std::vector<Lost> lost_;
  bool isolate_ = false;
  bool unreached_ = false;
  bool broken_ = false;  ///< collectives of the backends did not come to their end
  RunOutcome outcome_;
};

/// Another rank: does what rank 0 says until it says that this is the end.
RunOutcome follow(const RunOptions& run, RankWork& own, Connection& leader, int rank) {
  while (true) {
    const auto command = leader.receive_text(kLeaderPatience);
    if (!command) break;
    const auto node = parse_json(*command);
    if (node && text_at(*node, "do") == "end") {
      RunOutcome outcome;
      outcome.exit = static_cast<ProbeExit>(static_cast<int>(number_at(*node, "exit")));
      return outcome;
    }
    if (!leader.send_text(own.answer(*command))) break;
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
  const PlaceOrWhy found = find_place(ranks);
  if (!found.place) return refused(ProbeExit::wrong_input, found.why);
  if (ranks.rendezvous.empty())
    return refused(ProbeExit::wrong_input,
                   "--cluster needs --rendezvous: a file that all ranks see, or tcp://HOST:PORT");
  note_interrupts();
  RankWork own(run, found.place->rank);
  Hello hello = own_hello(*found.place, own.data_port(), run.version);
  if (run.backend == "fake") hello.host = fake::scripted_host(hello.host);
  Joined joined = meet(ranks, hello);
  if (!joined.why.empty()) return refused(ProbeExit::unusable, joined.why);
  ClusterOutcome outcome;
  outcome.first_rank = found.place->rank == 0;
  outcome.merged = outcome.first_rank ? Leader(run, own, std::move(joined), ranks.isolate).run()
                                      : follow(run, own, joined.to_first, found.place->rank);
  return outcome;
}

}  // namespace podwright::probes
