#include "probes/cluster/cluster_run.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>
#include <tuple>

#include "base/digest.h"
#include "measure/profile_file.h"
#include "measure/profile_merge.h"
#include "probes/cluster/group_workers.h"
#include "probes/cluster/seats.h"
#include "probes/fake/script.h"
#include "probes/host.h"
#include "probes/interrupt.h"
#include "probes/result_of_case.h"
#include "probes/run_findings.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace fs = std::filesystem;
namespace {

constexpr double kStepPatience = 60;  // for ranks that have met, until all join or tell what they saw

/// Same text for processes of one running system, also in different containers.
std::string system_mark(const RunOptions& run) {
  std::string mark = first_line("/proc/sys/kernel/random/boot_id");
  // Scripted nodes share this machine.
  if (const char* script = std::getenv("PODWRIGHT_FAKE"); run.backend == "fake" && script != nullptr)
    fake::Script(script).has("host", "", &mark);
  return sha256_hex("podwright-run " + mark).substr(0, 16);
}

/// Programs of one system measure one after the other. A turn ends with its holder, also with one that is killed; where
/// none can be had in the time, or no lock be made, the program goes on without.
class Turn {
 public:
  Turn(const std::string& mark, double seconds) {
    const std::string path = (fs::temp_directory_path() / ("podwright-turn-" + mark)).string();
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);  // another user's
    const Deadline deadline(seconds);
    while (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && deadline.left() > 0 &&
           interrupted_by() == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ~Turn() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int descriptor_ = -1;
};

/// What a rank says of itself to the others; never leaves the run.
struct RankCard {
  std::string host;
  std::string profile;  ///< without its results

  static void fields(auto& one, const auto& visit) { visit("host", one.host, "profile", one.profile); }
};

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

class Rank {
 public:
  Rank(RunOptions run, const RankPlace& place, double patience_s)
      : run_(std::move(run)), place_(place), patience_s_(patience_s), mark_(system_mark(run_)) {}

  RunOutcome run() {
    note_interrupts();
    const auto start = Clock::now();
    measure_alone();
    const double others_s = 1.5 * seconds_since(start) * place_.local_ranks;
    if (profile().devices.empty()) return std::move(outcome_);
    mark().came_s = seconds_since_1970();
    reach(RankPart::alone);
    // Processors have nothing between them that plans would take.
    const bool alone = place_.ranks < 2 || profile().run.backend == "cpu" || interrupted_by() != 0;
    if (alone || meet(patience_s_ + others_s)) reach(RankPart::ended);
    return std::move(outcome_);
  }

 private:
  HardwareProfile& profile() { return outcome_.profile; }
  ProfileRank& mark() { return *profile().run.rank; }

  void keep() {
    profile().run.exit_code = static_cast<int>(outcome_.exit);
    if (run_.output.empty() || write_profile(profile(), run_.output)) return;
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
    run_.rank = ProfileRank{.rank = place_.rank, .ranks = place_.ranks, .part = {}, .came_s = {}, .waited_s = {}};
    run_.may_have_none = true;
    if (!place_.own_devices && place_.local_ranks > 1) run_.share = {place_.local_rank, place_.local_ranks};
    const Turn turn(mark_, place_.local_ranks * 3 * budget_seconds(run_.budget));
    outcome_ = run_probes(run_);
  }

  /// False where it waited in vain.
  bool meet(double seconds) {
    std::vector<std::string> ignored;
    const std::vector<Seat> own = seats_of({profile()}, {mark_}, ignored);
    if (own.empty()) {
      leave_unfinished("Rank " + std::to_string(place_.rank) + " has no device for collectives between nodes.");
      return true;
    }
    HardwareProfile card;
    card.tool = profile().tool;
    card.run = profile().run;
    card.environment = profile().environment;
    card.devices = profile().devices;
    card.health_events = profile().health_events;
    WorkerJob job = job_for(own.front().number());
    job.meeting = Meeting{.address = place_.address,
                          .rank = place_.rank,
                          .ranks = place_.ranks,
                          .patience_s = seconds,
                          .says = wire_text(RankCard{mark_, profile_text(card)})};
    GroupWorkers workers(run_);
    WorkerEnd why;
    const auto start = Clock::now();
    const auto met = workers.meet(job, why);
    if (!met) {
      if (why.reason == "rank_lost") mark().waited_s = seconds_since(start);
      leave_unfinished("Collectives between nodes were not measured: rank " + std::to_string(place_.rank) +
                       " did not meet the others: " + message_of(why.reason, why.detail) + ".");
      reach(RankPart::waited);
      return false;
    }
    reach(RankPart::together);
    if (read_cards(met->says)) measure_together(workers, met->id);
    return true;
  }

  WorkerJob job_for(int device) const {
    WorkerJob job;
    job.backend = outcome_.profile.run.backend;
    job.device = device;
    job.seed = run_.seed;
    return job;
  }

  /// False where ranks cannot be compared: collectives between different versions would measure the difference.
  bool read_cards(const std::vector<std::string>& says) {
    bool alike = true;
    for (std::size_t rank = 0; rank < says.size(); ++rank) {
      const RankCard card = read_wire<RankCard>(says[rank]).value_or(RankCard());
      auto read = read_profile(card.profile);
      hosts_.push_back(card.host);
      cards_.push_back(read ? std::move(read->profile) : HardwareProfile());
      const HardwareProfile& first = cards_.front();
      const HardwareProfile& one = cards_.back();
      // Those of the environment are named where the profiles are merged.
      alike = alike && version_differences(first.environment, one.environment).empty();
      for (const auto& [what, a, b] : {std::tuple("program", first.tool.version, one.tool.version),
                                       std::tuple("backend", first.run.backend, one.run.backend)}) {
        if (a == b) continue;
        alike = false;
        if (place_.rank == 0)  // said once
          profile().limits.push_back("Node " + std::to_string(rank) + ": Different " + what + ": \"" + a + "\" and \"" +
                                     b + "\".");
      }
    }
    if (!alike)
      leave_unfinished("Rank " + std::to_string(place_.rank) +
                       ": Collectives between nodes were not measured, since versions differ.");
    return alike;
  }

  void measure_together(GroupWorkers& workers, const std::string& id) {
    GroupOptions options;
    options.backend = profile().run.backend;
    options.mode = run_.budget.mode;
    if (run_.budget.seconds > 0) options.seconds = std::min(options.seconds, run_.budget.seconds);
    options.seed = run_.seed;
    options.only = run_.only;
    std::vector<std::string> sentences;
    plan_ = plan_group(seats_of(cards_, hosts_, sentences), options);
    if (place_.rank == 0) profile().limits.insert(profile().limits.end(), sentences.begin(), sentences.end());
    const std::vector<WorkerJob> jobs = jobs_of(id);
    if (plan_.cases.empty() || jobs.empty()) return;
    const std::vector<WorkerEnd> ends = workers.run(
        jobs, [this](const WorkerJob& job, int one, Measured measured) { take(job, one, std::move(measured)); });
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (!ends[i].reason.empty()) say_broken(jobs[i], ends[i]);
    add_flags_between_sizes(profile().exchanges);
    if (interrupted_by() != 0) leave_unfinished("The run was ended before all collectives were measured.");
  }

  std::vector<WorkerJob> jobs_of(const std::string& id) const {
    std::vector<std::string> names;
    for (const Seat& seat : plan_.seats) names.push_back(seat.name());
    std::vector<WorkerJob> jobs;
    for (int place = 0; place < static_cast<int>(plan_.seats.size()); ++place) {
      const Seat& seat = plan_.seats[static_cast<std::size_t>(place)];
      if (seat.rank != place_.rank) continue;
      WorkerJob job = job_for(seat.number());
      job.cases = plan_.cases_of(place);
      job.group = GroupSeat{.rank = place,
                            .names = names,
                            .id = id,
                            .teams = plan_.teams(),
                            .patience_s = kStepPatience * run_.watchdog_factor};
      jobs.push_back(std::move(job));
    }
    return jobs;
  }

  /// The first of a team tells what all of it saw.
  void take(const WorkerJob& job, int one, const Measured& measured) {
    const auto index = static_cast<std::size_t>(one);
    if (index >= job.cases.size()) return;
    const std::vector<std::int32_t>& team = job.cases[index].members;
    if (team.empty() || team.front() != job.group->rank || measured.end == CaseEnd::sticky ||
        measured.end == CaseEnd::renew)
      return;
    finished_.insert({job.group->rank, one});
    add(job.cases[index], measured);
    keep();
  }

  void add(ProbeCase one, const Measured& measured) {
    std::vector<std::string> devices;
    for (const std::int32_t seat : one.members) devices.push_back(plan_.seats[static_cast<std::size_t>(seat)].name());
    one.size.ranks = static_cast<double>(one.members.size());
    if (const int nodes = plan_.nodes_of({one.members.begin(), one.members.end()}); nodes > 1) one.size.nodes = nodes;
    const ProbeResult& result = profile().exchanges.emplace_back(result_of(one, std::move(devices), measured));
    if (result.check.status == CheckStatus::fail) outcome_.exit = ProbeExit::fault;
    if (result.skip) outcome_.exit = std::max(outcome_.exit, exit_of(result.skip->reason, false));
  }

  void say_broken(const WorkerJob& job, const WorkerEnd& why) {
    const std::string what =
        "ollectives between " + std::to_string(plan_.seats.size()) + " devices did not come to their end";
    // One row for each probe: what broke the group broke it for all sizes.
    std::set<std::pair<std::string, std::size_t>> told;
    for (std::size_t i = 0; i < job.cases.size(); ++i) {
      const ProbeCase& one = job.cases[i];
      if (!one.members.empty() && one.members.front() == job.group->rank &&
          finished_.count({job.group->rank, static_cast<int>(i)}) == 0 &&
          told.insert({one.probe, one.members.size()}).second)
        add(one, skipped(why.reason, "c" + what));
    }
    leave_unfinished("C" + what + ": " + plan_.seats[static_cast<std::size_t>(job.group->rank)].name() + ": " +
                     message_of(why.reason, why.detail) + ".");
  }

  RunOptions run_;
  RankPlace place_;
  double patience_s_;
  std::string mark_;
  RunOutcome outcome_;
  std::vector<std::string> hosts_;
  std::vector<HardwareProfile> cards_;
  GroupPlan plan_;
  std::set<std::pair<int, int>> finished_;  ///< seat and case
};

}  // namespace

std::string rank_file(const std::string& output, int rank) {
  if (output.empty()) return "";
  std::error_code ignored;
  if (output.back() == '/' || fs::is_directory(output, ignored)) {
    char name[32];
    std::snprintf(name, sizeof name, "rank-%05d.json", rank);
    fs::create_directories(output, ignored);
    return (fs::path(output) / name).string();
  }
  const fs::path path(output);
  return (path.parent_path() / (path.stem().string() + ".rank" + std::to_string(rank) + path.extension().string()))
      .string();
}

RunOutcome run_cluster(RunOptions run, const RankPlace& place, double patience_s) {
  return Rank(std::move(run), place, patience_s).run();
}

}  // namespace podwright::probes
