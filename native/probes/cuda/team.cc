#include "probes/cuda/team.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "probes/cuda/kernels.h"
#include "probes/elapsed.h"

namespace podwright::probes::cuda {
namespace {

constexpr double kPatience = 10;  // seconds; 8 GiB over a link of 4 GB/s take four

/// The group of processes that this one is in with one device.
NcclGroup* group = nullptr;
int device_in_group = 0;

/// Never destroyed: at the end of the process the driver may already be gone.
std::map<std::vector<int>, std::unique_ptr<Team>>& teams() {
  static auto& made = *new std::map<std::vector<int>, std::unique_ptr<Team>>;
  return made;
}

}  // namespace

std::unique_ptr<Team> Team::make(const std::vector<int>& devices, Checked& checked) {
  std::unique_ptr<Team> team(new Team);
  const bool opened = group != nullptr ? team->open_joined(devices, checked) : team->open(devices, checked);
  return opened ? std::move(team) : nullptr;
}

void Team::work_in(NcclGroup* in, int device) {
  teams().clear();
  group = in;
  device_in_group = device;
}

Team* Team::shared(const std::vector<int>& devices, Checked& checked) {
  std::unique_ptr<Team>& team = teams()[devices];
  if (team == nullptr) team = make(devices, checked);
  return team.get();
}

bool Team::open(const std::vector<int>& devices, Checked& checked) {
  const KeepDevice keep;
  const Nccl& nccl = Nccl::instance();
  for (const int device : devices) {
    Member& member = members_.emplace_back();
    member.device = device;
    member.rank = ranks_++;
  }
  std::vector<Nccl::Comm> comms(devices.size());
  if (!ask(nccl.init_all(comms.data(), ranks(), devices.data()), "ncclCommInitAll", checked)) return false;
  for (std::size_t i = 0; i < comms.size(); ++i) members_[i].comm = comms[i];
  return open_members(checked);
}

bool Team::open_joined(const std::vector<int>& ranks, Checked& checked) {
  const KeepDevice keep;
  Member& member = members_.emplace_back();
  member.device = device_in_group;
  member.comm = group->comm_of(ranks);
  member.rank = static_cast<int>(std::find(ranks.begin(), ranks.end(), group->rank()) - ranks.begin());
  ranks_ = static_cast<int>(ranks.size());
  in_group_ = true;
  if (!group->own_comm(ranks)) peers_ = ranks;
  // One value to send and one to receive, each of two bytes. The first call connects the ranks, which may wait for
  // devices, so that no gate may be closed then.
  return checked(cudaSetDevice(member.device), "cudaSetDevice") && token_.allocate(4, checked) &&
         open_members(checked) && barrier(checked) && wait(checked);
}

bool Team::open_members(Checked& checked) {
  if (!gate_.allocate(4096, true, checked)) return false;
  // A kernel that is loaded behind a closed gate would wait for the gate: all of them run once before.
  *gate_open() = 1;
  on_each_device(members_, checked, [&](Member& member) {
    member.stream.create(checked);
    for (Event* event : {&member.start, &member.stop, &member.before}) event->create(true, checked);
    gate(gate_open(), timed_out(), 0, member.stream);
  });
  return wait(checked);
}

Team::~Team() {
  const KeepDevice keep;
  for (Member& member : members_) {
    cudaSetDevice(member.device);
    if (member.comm != nullptr && !in_group_) Nccl::instance().destroy(member.comm);
  }
}

void Team::abort() {
  for (Member& member : members_) {
    if (member.comm != nullptr && !in_group_) Nccl::instance().abort(member.comm);
    member.comm = nullptr;
  }
  if (in_group_) group->abort();
}

bool Team::barrier(Checked& checked) {
  const Nccl& nccl = Nccl::instance();
  char* const token = token_.as<char>();
  return together(
      [&](Member& member, int rank) {
        // A pair leaves the other ranks of the communicator alone.
        if (peers_.empty())
          return nccl.all_reduce(token, token + 2, 1, Nccl::kBfloat16, Nccl::kSum, member.comm, member.stream);
        const int code = nccl.send(token, 1, Nccl::kBfloat16, peer((rank + 1) % ranks_), member.comm, member.stream);
        if (code != Nccl::kSuccess) return code;
        return nccl.receive(token + 2, 1, Nccl::kBfloat16, peer((rank + ranks_ - 1) % ranks_), member.comm,
                            member.stream);
      },
      checked);
}

bool Team::ask(int code, const char* call, Checked& checked) {
  if (!checked.good()) return false;
  if (code == Nccl::kSuccess || code == Nccl::kInProgress) return true;
  const Nccl& nccl = Nccl::instance();
  std::string detail = std::string(call) + ": " + nccl.error_string(code);
  const Nccl::Comm comm = members_.empty() ? nullptr : members_.front().comm;
  if (nccl.last_error != nullptr) detail += std::string(", ") + nccl.last_error(comm);
  checked.fail(PW_RENEW, ("nccl:" + std::to_string(code)).c_str(), detail);
  abort();
  return false;
}

bool Team::together(const std::function<int(Member&, int rank)>& issue, Checked& checked) {
  const Nccl& nccl = Nccl::instance();
  if (!ask(nccl.group_start(), "ncclGroupStart", checked)) return false;
  int failed = Nccl::kSuccess;
  for (Member& member : members_)
    if (failed == Nccl::kSuccess) failed = issue(member, member.rank);
  // The group is closed also after a failure inside it.
  const int ended = nccl.group_end();
  return ask(failed, "collective", checked) && ask(ended, "ncclGroupEnd", checked) &&
         (ended != Nccl::kInProgress || settle(checked));
}

bool Team::settle(Checked& checked) {
  const auto start = Clock::now();
  for (const Member& member : members_)
    for (int state = Nccl::kInProgress; state == Nccl::kInProgress && checked.good();) {
      if (!ask(Nccl::instance().async_error(member.comm, &state), "ncclCommGetAsyncError", checked) ||
          !ask(state, "asynchronous error", checked))
        return false;
      if (state == Nccl::kInProgress && seconds_since(start) > kPatience) {
        checked.fail(PW_RENEW, "nccl:timeout", "a collective did not start within 10 s; the communicator was aborted");
        abort();
      }
    }
  return checked.good();
}

bool Team::time(const std::function<void()>& enqueue, double& seconds, double& wall_seconds, Checked& checked) {
  volatile int* open = gate_open();
  *open = gated_ ? 0 : 1;
  *timed_out() = 0;
  on_each_device(members_, checked, [&](Member& member) {
    gate(open, timed_out(), kGatePatience, member.stream);
    if (in_group_) {
      member.before.record(member.stream, checked);
      barrier(checked);
    }
    member.start.record(member.stream, checked);
  });
  if (checked.good()) enqueue();
  on_each_device(members_, checked, [&](Member& member) { member.stop.record(member.stream, checked); });
  const auto opened = Clock::now();
  *open = 1;
  if (!wait(checked)) return false;
  wall_seconds = seconds_since(opened);
  if (*timed_out() != 0 && gated_) {
    // The library waited for a device while it enqueued. Without the gate the host's time of the first starts counts.
    // Other processes enqueue no second time: there the time stands with what the host took.
    gated_ = false;
    if (!in_group_) return time(enqueue, seconds, wall_seconds, checked);
  }
  seconds = 0;
  for (const Member& member : members_) {
    seconds = std::max(seconds, member.stop.seconds_since(member.start, checked));
    if (in_group_) entry_wait_s_ = member.start.seconds_since(member.before, checked);
  }
  wall_seconds = std::max(wall_seconds, seconds);
  return checked.good();
}

bool Team::wait(Checked& checked) {
  const auto start = Clock::now();
  for (const Member& member : members_) {
    while (checked.good()) {
      const cudaError_t state = cudaStreamQuery(member.stream);
      if (state == cudaSuccess) break;
      if (state != cudaErrorNotReady) checked(state, "collective");
      int library = Nccl::kSuccess;
      if (!ask(Nccl::instance().async_error(member.comm, &library), "ncclCommGetAsyncError", checked)) break;
      if (!ask(library, "asynchronous error", checked)) break;
      if (seconds_since(start) < kPatience) {
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        continue;
      }
      checked.fail(PW_RENEW, "nccl:timeout", "a collective did not end within 10 s; the communicator was aborted");
    }
  }
  if (!checked.good()) abort();
  return checked.good();
}

}  // namespace podwright::probes::cuda
