#include "probes/cluster/cluster_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "base/append.h"
#include "base/digest.h"
#include "measure/profile_file.h"
#include "measure/rank_profiles.h"
#include "probes/backends.h"
#include "probes/cluster/seats.h"
#include "probes/fake/script.h"
#include "probes/host.h"
#include "probes/interrupt.h"
#include "probes/result_of_case.h"
#include "probes/run_findings.h"
#include "probes/wire.h"
#include "probes/worker_process.h"

namespace podwright::probes {
namespace fs = std::filesystem;
namespace {

constexpr double kStepPatience = 60;  // for ranks that have met, until all join or tell what they saw
constexpr double kBeside = 30;        // seconds of a worker besides its own waits

/// Same text for processes of one running system, also in different containers.
std::string node_mark(const RunOptions& run) {
  std::string mark = first_line("/proc/sys/kernel/random/boot_id");
  // Scripted nodes share this machine.
  if (const char* script = std::getenv("PODWRIGHT_FAKE"); run.backend == "fake" && script != nullptr)
    fake::Script(script).has("host", "", &mark);
  return sha256_hex("podwright-run " + mark).substr(0, 16);
}

/// Programs of one node measure one after the other. The turn lasts until this descriptor is closed, and ends with a
/// program that is killed; where none can be had in the time, or no lock be made, the program goes on without. The name
/// is known to all users of the node: what another one put there is neither followed nor written.
int take_turn(const std::string& node, double seconds) {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  if (failed) return -1;
  const std::string path = (folder / ("podwright-turn-" + node)).string();
  constexpr int kOnlyThis = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int turn = open(path.c_str(), O_RDONLY | O_CREAT | kOnlyThis, 0644);
  if (turn < 0) turn = open(path.c_str(), O_RDONLY | kOnlyThis);  // another user's
  const Deadline deadline(seconds);
  while (turn >= 0 && flock(turn, LOCK_EX | LOCK_NB) != 0 && deadline.left() > 0 && interrupted_by() == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return turn;
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Waits for a message of this kind. The reason is empty where it came.
WorkerEnd hear(WorkerProcess& worker, WorkerMessage::Kind kind, double seconds, const std::string& silence,
               WorkerMessage& message) {
  while (true) {
    const auto wait = worker.next(seconds, message);
    if (wait != WorkerProcess::Wait::message) return worker.end_of(wait, silence);
    if (message.kind == kind) return {};
    if (message.kind == WorkerMessage::Kind::failed) return {message.reason, message.detail};
  }
}

class Rank {
 public:
  Rank(RunOptions run, const RankPlace& place, double patience_s)
      : run_(std::move(run)), place_(place), patience_s_(patience_s), number_(std::to_string(place.rank)) {}

  RunOutcome run() {
    note_interrupts();
    const auto start = Clock::now();
    measure_alone();
    const double others_s = 1.5 * seconds_since(start) * place_.local_ranks;
    if (profile().devices.empty()) return std::move(outcome_);
    mark().came_s = seconds_since_1970();
    reach(RankPart::alone);
    // Processors have nothing between them that plans would take.
    const bool alone = place_.ranks < 2 || run_.backend == "cpu" || interrupted_by() != 0;
    const bool ended = alone || meet(patience_s_ + others_s);
    for (const GroupCase& one : plan_.cases) outcome_.tried.insert(one.one.name());
    judge_missing(run_, run_.backend, outcome_);
    if (ended)
      reach(RankPart::ended);
    else
      keep();
    return std::move(outcome_);
  }

 private:
  HardwareProfile& profile() { return outcome_.profile; }
  ProfileRank& mark() { return *profile().run.rank; }

  void keep() {
    profile().run.exit_code = static_cast<int>(outcome_.exit);
    outcome_.kept = write_profile(profile(), run_.output);
    if (outcome_.kept) return;
    outcome_.message = "cannot write " + run_.output;
    outcome_.exit = ProbeExit::unusable;
  }
  void reach(RankPart part) {
    mark().part = part;
    keep();
  }
  /// The profile lacks what the run was for.
  void leave_unfinished(const std::string& sentence) {
    profile().limits.push_back(sentence);
    profile().run.complete = false;
    outcome_.exit = ProbeExit::fault;
  }

  void measure_alone() {
    ProfileRank& rank = run_.rank.emplace();
    rank.rank = place_.rank;
    rank.ranks = place_.ranks;
    rank.node = node_mark(run_);
    run_.may_have_none = true;
    if (!place_.own_devices && place_.local_ranks > 1) run_.share = {place_.local_rank, place_.local_ranks};
    const int turn = take_turn(rank.node, place_.local_ranks * 3 * budget_seconds(run_.budget));
    outcome_ = run_probes(run_);
    run_.backend = profile().run.backend;
    close(turn);
  }

  /// False where it waited in vain.
  bool meet(double seconds) {
    std::vector<std::string> ignored;
    const std::vector<Seat> own = seats_of({profile()}, ignored);
    if (own.empty()) {
      leave_unfinished("Rank " + number_ + " has no device for collectives between nodes.");
      return true;
    }
    HardwareProfile card = profile();
    card.results.clear();
    card.run.arguments = run_.only;  // what the plan of the collectives follows from, beside what stands in a profile
    card.run.arguments.push_back(std::to_string(run_.budget.seconds));
    WorkerJob job = job_for(own.front());
    job.meeting = Meeting{.address = place_.address,
                          .rank = place_.rank,
                          .ranks = place_.ranks,
                          .patience_s = seconds,
                          .says = profile_text(card)};
    const auto start = Clock::now();
    WorkerProcess first(run_.program, job);
    WorkerMessage met;
    const WorkerEnd why = hear(first, WorkerMessage::Kind::met, seconds + kBeside * run_.watchdog_factor,
                               "it said nothing until the time was over", met);
    if (why.reason.empty()) {
      reach(RankPart::together);
      if (read_cards(met.says, job.meeting->says)) measure_together(first, met.id);
      return true;
    }
    first.end(run_.watchdog_grace_s * run_.watchdog_factor);
    if (why.reason == "rank_lost") mark().waited_s = seconds_since(start);
    leave_unfinished("Collectives between nodes were not measured: rank " + number_ +
                     " did not meet the others: " + message_of(why.reason, why.detail) + ".");
    reach(RankPart::waited);
    return false;
  }

  WorkerJob job_for(const Seat& seat) const {
    WorkerJob job;
    job.backend = run_.backend;
    job.device = seat.number();
    job.seed = run_.seed;
    return job;
  }

  /// Absent where a rank says what no program of this run would: another's place, or more devices than a node has.
  std::optional<HardwareProfile> read_card(const std::string& text, std::size_t at) const {
    auto read = read_profile(text);
    if (!read) return std::nullopt;
    const auto& rank = read->profile.run.rank;
    if (!rank || static_cast<std::size_t>(rank->rank) != at || rank->ranks != place_.ranks ||
        read->profile.devices.size() > kMostDevices)
      return std::nullopt;
    return std::move(read->profile);
  }

  /// False where ranks cannot be compared: collectives between different versions would measure the difference, and
  /// with other options each would plan others. `own`: what this rank said.
  bool read_cards(const std::vector<std::string>& says, const std::string& own) {
    bool alike = true;
    for (std::size_t at = 0; at < says.size(); ++at) {
      auto card = read_card(says[at], at);
      if (!card || says.size() != static_cast<std::size_t>(place_.ranks) ||
          (static_cast<int>(at) == place_.rank && says[at] != own)) {
        leave_unfinished("Rank " + number_ + ": Collectives between nodes were not measured, since what rank " +
                         std::to_string(at) + " says of itself cannot be used.");
        return false;
      }
      cards_.push_back(std::move(*card));
      const ProfileRun& first = cards_.front().run;
      const ProfileRun& run = cards_.back().run;
      alike = alike && rank_differences(cards_.front(), cards_.back()).empty() && run.mode == first.mode &&
              run.seed == first.seed && run.arguments == first.arguments;
    }
    if (!alike)
      leave_unfinished("Rank " + number_ +
                       ": Collectives between nodes were not measured, since versions or options differ.");
    return alike;
  }

  /// At each of the rank's seats a worker measures what all ranks planned alike, at the first the one that met others:
  /// a device may be for one process alone.
  void measure_together(WorkerProcess& first, const std::vector<int>& id) {
    std::vector<std::string> sentences;
    plan_ = plan_group(seats_of(cards_, sentences), run_);
    if (place_.rank == 0) append(profile().limits, sentences);  // said once
    if (plan_.cases.empty()) return;
    std::vector<std::thread> threads;
    for (int place = 0; place < static_cast<int>(plan_.seats.size()); ++place) {
      if (plan_.seats[static_cast<std::size_t>(place)].rank != place_.rank) continue;
      threads.emplace_back([this, job = job_at(place, id), one = threads.empty() ? &first : nullptr] {
        if (one != nullptr) {
          one->send_line(wire_text(job));
          return live(*one, job);
        }
        WorkerProcess own(run_.program, job);  // ends with the thread that started it
        live(own, job);
      });
    }
    for (std::thread& thread : threads) thread.join();
    add_flags_between_sizes(profile().exchanges);
  }

  WorkerJob job_at(int place, const std::vector<int>& id) const {
    WorkerJob job = job_for(plan_.seats[static_cast<std::size_t>(place)]);
    job.cases = plan_.cases_of(place);
    GroupSeat& seat = job.group.emplace();
    seat.rank = place;
    for (const Seat& one : plan_.seats) seat.names.push_back(one.name());
    seat.id = id;
    seat.teams = plan_.teams;
    seat.patience_s = kStepPatience * run_.watchdog_factor;
    return job;
  }

  /// Takes what a worker tells until all its cases have ended, or the group has.
  void live(WorkerProcess& worker, const WorkerJob& job) {
    const double slower = run_.watchdog_factor;
    const double joining = static_cast<double>(1 + job.group->teams.size()) * job.group->patience_s + kBeside * slower;
    WorkerMessage message;
    WorkerEnd why = hear(worker, WorkerMessage::Kind::joined, joining, "it did not join the others", message);
    std::size_t done = 0;
    while (why.reason.empty() && done < job.cases.size()) {
      const ProbeCase& one = job.cases[done];
      why = hear(worker, WorkerMessage::Kind::finished, slower * patience_with(one), kCaseSilence, message);
      const Measured& measured = message.measured;
      if (!why.reason.empty()) break;
      if (measured.end == CaseEnd::sticky || measured.end == CaseEnd::renew) {
        why = {measured.reason, measured.detail};
        break;
      }
      ++done;
      if (!tells(job, one)) continue;
      const std::lock_guard<std::mutex> lock(taking_);
      add(one, measured);
      keep();
    }
    if (!why.reason.empty()) say_broken(job, done, why);
    // The library says good-bye to the other ranks.
    while (why.reason.empty() && message.kind != WorkerMessage::Kind::done &&
           worker.next(kBeside * slower, message) == WorkerProcess::Wait::message) {
    }
    worker.end(why.reason == "hang" ? run_.watchdog_grace_s * slower : 2);
  }

  /// The first of a team tells what all of it saw.
  static bool tells(const WorkerJob& job, const ProbeCase& one) {
    return !one.members.empty() && one.members.front() == job.group->rank;
  }

  void add(ProbeCase one, const Measured& measured) {
    std::vector<std::string> devices;
    for (const std::int32_t seat : one.members) devices.push_back(plan_.seats[static_cast<std::size_t>(seat)].name());
    one.size.ranks = static_cast<double>(one.members.size());
    if (const int nodes = plan_.nodes_of({one.members.begin(), one.members.end()}); nodes > 1) one.size.nodes = nodes;
    const ProbeResult& result = profile().exchanges.emplace_back(result_of(one, std::move(devices), measured));
    if (result.check.status == CheckStatus::fail) outcome_.exit = ProbeExit::fault;
    if (result.skip)
      outcome_.exit = std::max(outcome_.exit, exit_of(result.skip->reason, chosen(result.probe, run_.required)));
  }

  /// Cases from `done` on have no end. One row for each probe: what broke the group broke it for all sizes.
  void say_broken(const WorkerJob& job, std::size_t done, const WorkerEnd& why) {
    const std::lock_guard<std::mutex> lock(taking_);
    const std::string what =
        "ollectives between " + std::to_string(plan_.seats.size()) + " devices did not come to their end";
    std::set<std::pair<std::string, std::size_t>> told;
    for (; done < job.cases.size(); ++done)
      if (const ProbeCase& one = job.cases[done];
          tells(job, one) && told.insert({one.probe, one.members.size()}).second)
        add(one, skipped(why.reason, "c" + what));
    leave_unfinished("C" + what + ": " + job.group->names[static_cast<std::size_t>(job.group->rank)] + ": " +
                     message_of(why.reason, why.detail) + ".");
  }

  RunOptions run_;
  RankPlace place_;
  double patience_s_;
  std::string number_;
  RunOutcome outcome_;
  std::vector<HardwareProfile> cards_;  ///< what the ranks say of themselves: profiles without results, by rank
  GroupPlan plan_;
  std::mutex taking_;
};

}  // namespace

std::string rank_file(const std::string& output, int rank) {
  std::error_code ignored;
  if (output.back() == '/' || fs::is_directory(output, ignored)) {
    char name[32];
    std::snprintf(name, sizeof name, "rank-%05d.json", rank);
    fs::create_directories(output, ignored);
    return (fs::path(output) / name).string();
  }
  const fs::path path(output);
  return path.parent_path() / (path.stem().string() + ".rank" + std::to_string(rank) + path.extension().string());
}

RunOutcome run_cluster(RunOptions run, const RankPlace& place, double patience_s) {
  return Rank(std::move(run), place, patience_s).run();
}

}  // namespace podwright::probes
