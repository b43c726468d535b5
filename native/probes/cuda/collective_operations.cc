/// Collectives between the devices of this node, or of several processes, through NCCL, out of place, started by one
/// thread.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/cuda/team.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kWarmUpCalls = 5;             // of each size: the first is several times as slow
constexpr std::int64_t kCallsOfRound = 64;  // far fewer launches than a queue holds
constexpr std::int64_t kCallsOfGraph = 16;  // a divisor of those
constexpr std::size_t kMostSamples = 1U << 20U;

std::vector<int> devices_of(const PwCase& one) { return {one.members, one.members + one.ranks}; }

Collective kind_of(const std::string& probe) {
  if (probe == "coll.allgather") return Collective::allgather;
  if (probe == "coll.reducescatter") return Collective::reducescatter;
  if (probe == "coll.alltoall") return Collective::alltoall;
  if (probe == "coll.sendrecv") return Collective::sendrecv;
  return probe == "coll.broadcast" ? Collective::broadcast : Collective::allreduce;
}

/// The library reads its settings when the first communicator of a process is made, so that a process has one choice.
bool choose_switch(bool on, Checked& checked) {
  static std::optional<bool> chosen;
  if (!chosen && !on) setenv("NCCL_NVLS_ENABLE", "0", 1);
  if (!chosen) chosen = on;
  if (*chosen != on)
    checked.fail(PW_RENEW, "not_supported", "this process has communicators with another setting of NVLS");
  return checked.good();
}

/// Memory of one rank of a collective, which the library may know before it is used.
class CollectiveBuffer {
 public:
  CollectiveBuffer() = default;
  ~CollectiveBuffer() {
    const Nccl& nccl = Nccl::instance();
    // An aborted communicator has forgotten its buffers.
    if (registration_ != nullptr && member_->comm != nullptr) nccl.deregister_buffer(member_->comm, registration_);
    if (of_library_ != nullptr) nccl.free(of_library_);
  }

  /// On the current device, which is that of `member`. To be registered it comes from the library's own allocator,
  /// without which switches cannot reach it. `member` outlives this.
  bool allocate(std::size_t bytes, bool registered, const Team::Member& member, Checked& checked) {
    member_ = &member;
    if (!registered) return plain_.allocate(bytes, checked);
    const Nccl& nccl = Nccl::instance();
    if (nccl.allocate(&of_library_, bytes) != Nccl::kSuccess) {
      of_library_ = nullptr;
      cudaGetLastError();
      checked.fail(PW_SKIP, "oom", "ncclMemAlloc refuses " + std::to_string(bytes >> 20U) + " MiB");
      return false;
    }
    const int code = nccl.register_buffer(member.comm, of_library_, bytes, &registration_);
    if (code == Nccl::kSuccess) return true;
    registration_ = nullptr;
    checked.fail(PW_SKIP, "not_supported", std::string("ncclCommRegister: ") + nccl.error_string(code));
    return false;
  }
  template <class T>
  T* as() const {
    return static_cast<T*>(of_library_ != nullptr ? of_library_ : plain_.as<void>());
  }

 private:
  const Team::Member* member_ = nullptr;
  Memory plain_;
  void* of_library_ = nullptr;
  void* registration_ = nullptr;
};

class CollectiveProbe final : public Operation {
 public:
  explicit CollectiveProbe(const std::string& probe) : kind_(kind_of(probe)) { times_itself = true; }

  /// Into the streams of the team, whatever stream is given.
  bool enqueue(std::int64_t, cudaStream_t, Checked& checked) override { return issue(checked); }
  void time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    if (!warm_up(checked)) return;
    for (std::int64_t done = 0; done < count && checked.good(); done += kCallsOfRound) {
      const std::int64_t calls = std::min(kCallsOfRound, count - done);
      const std::int64_t graphs = (calls + kCallsOfGraph - 1) / kCallsOfGraph;
      double seconds = 0;
      double wall_seconds = 0;
      team_->time(
          [&] {
            for (std::int64_t i = 0; i < (graphs_.empty() ? calls : graphs) && checked.good(); ++i) run(checked);
          },
          seconds, wall_seconds, checked);
      // Whole graphs may be more than was asked for.
      const double share =
          graphs_.empty() ? 1 : static_cast<double>(calls) / static_cast<double>(graphs * kCallsOfGraph);
      batch.seconds += share * seconds;
      batch.wall_seconds += share * wall_seconds;
      batch.entry_wait_s = team_->entry_wait_s();
    }
  }

  PwCheck verify(Checked& checked) override {
    const std::size_t samples = std::min(received_, kMostSamples);
    const char* note = samples == received_ ? "every value of every rank" : "a million values of every rank";
    JoinedCheck joined(note);
    each_buffer(checked, [&](const Team::Member& member, Buffers& own) {
      poison(own.received.as<void>(), 2 * values_, member.stream, checked);
    });
    if (!checked.good() || !run(checked) || !team_->wait(checked)) return joined.all();
    each_buffer(checked, [&](const Team::Member& member, Buffers& own) {
      joined.take(own.found.judge(0, samples, note, member.stream, checked, [&](double* out) {
        check_collective(own.received.as<void>(), kind_, member.rank, team_->ranks(), each_, received_, samples, out,
                         member.stream);
      }));
    });
    return joined.all();
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    const std::string variant = one.variant;
    if (!choose_switch(variant != "no_nvls", checked)) return false;
    team_ = Team::shared(devices_of(one), checked);
    if (team_ == nullptr) return false;
    each_ = static_cast<std::size_t>(one.bytes) / 2 / static_cast<std::size_t>(team_->ranks());
    values_ = each_ * static_cast<std::size_t>(team_->ranks());
    received_ = kind_ == Collective::reducescatter ? each_ : values_;
    algorithm = "nccl " + Nccl::instance().version_text();
    if (kind_ == Collective::alltoall)
      algorithm += Nccl::instance().all_to_all == nullptr ? " grouped send and receive" : " ncclAlltoAll";
    const bool registered = variant == "registered";
    as_graphs_ = variant == "graph";
    each_buffer(checked, [&](const Team::Member& member, Buffers& own) {
      if (own.sent.allocate(2 * values_, registered, member, checked) &&
          own.received.allocate(2 * values_, registered, member, checked) && own.found.allocate(checked))
        fill_collective(own.sent.as<void>(), values_, member.rank, team_->ranks(), member.stream);
    });
    return checked.good() && team_->wait(checked);
  }

 private:
  struct Buffers {
    CollectiveBuffer sent, received;
    Findings found;
  };

  /// Not before all ranks of all processes have their memory.
  bool warm_up(Checked& checked) {
    for (; warm_calls_ < kWarmUpCalls && checked.good(); ++warm_calls_) issue(checked);
    if (!checked.good() || !team_->wait(checked)) return false;
    if (!as_graphs_ || !graphs_.empty()) return true;
    return capture(checked) && run(checked) && team_->wait(checked);
  }

  /// A graph of several calls for each rank, as engines keep one for each step.
  bool capture(Checked& checked) {
    on_each_device(team_->members(), checked,
                   [&](const Team::Member& member) { Graph::begin(member.stream, checked); });
    for (std::int64_t call = 0; call < kCallsOfGraph && checked.good(); ++call) issue(checked);
    const KeepDevice keep;
    for (const Team::Member& member : team_->members()) {
      cudaSetDevice(member.device);
      graphs_[member.rank].end(member.stream, checked);
    }
    return checked.good();
  }

  /// One call, or a graph of several.
  bool run(Checked& checked) {
    if (graphs_.empty()) return issue(checked);
    return on_each_device(team_->members(), checked,
                          [&](const Team::Member& member) { graphs_[member.rank].launch(member.stream, checked); });
  }

  template <class Act>
  void each_buffer(Checked& checked, Act act) {
    on_each_device(team_->members(), checked, [&](const Team::Member& member) { act(member, buffers_[member.rank]); });
  }

  bool issue(Checked& checked) {
    return team_->together(
        [&](const Team::Member& member, int rank) {
          const Buffers& own = buffers_[rank];
          return part_of(member, rank, own.sent.as<char>(), own.received.as<char>());
        },
        checked);
  }

  /// What one rank does, inside the group call.
  int part_of(const Team::Member& member, int rank, const char* sent, char* received) const {
    const Nccl& nccl = Nccl::instance();
    const int ranks = team_->ranks();
    switch (kind_) {
      case Collective::allreduce:
        return nccl.all_reduce(sent, received, values_, Nccl::kBfloat16, Nccl::kSum, member.comm, member.stream);
      case Collective::allgather:
        return nccl.all_gather(sent, received, each_, Nccl::kBfloat16, member.comm, member.stream);
      case Collective::reducescatter:
        return nccl.reduce_scatter(sent, received, each_, Nccl::kBfloat16, Nccl::kSum, member.comm, member.stream);
      case Collective::broadcast:
        return nccl.broadcast(sent, received, values_, Nccl::kBfloat16, 0, member.comm, member.stream);
      case Collective::sendrecv:
        return exchange(member, sent, team_->peer((rank + 1) % ranks), received,
                        team_->peer((rank + ranks - 1) % ranks), values_);
      case Collective::alltoall:
        break;
    }
    if (nccl.all_to_all != nullptr)
      return nccl.all_to_all(sent, received, each_, Nccl::kBfloat16, member.comm, member.stream);
    int code = Nccl::kSuccess;
    for (int peer = 0; peer < ranks && code == Nccl::kSuccess; ++peer) {
      const std::size_t place = 2 * each_ * static_cast<std::size_t>(peer);
      code = exchange(member, sent + place, peer, received + place, peer, each_);
    }
    return code;
  }

  static int exchange(const Team::Member& member, const void* sent, int to, void* received, int from,
                      std::size_t values) {
    const Nccl& nccl = Nccl::instance();
    const int code = nccl.send(sent, values, Nccl::kBfloat16, to, member.comm, member.stream);
    if (code != Nccl::kSuccess) return code;
    return nccl.receive(received, values, Nccl::kBfloat16, from, member.comm, member.stream);
  }

  Collective kind_;
  int warm_calls_ = 0;
  Team* team_ = nullptr;
  bool as_graphs_ = false;
  std::size_t each_ = 0;            ///< values of one rank's part
  std::size_t values_ = 0;          ///< of a buffer
  std::size_t received_ = 0;        ///< that a rank holds in the end
  std::map<int, Buffers> buffers_;  ///< of each rank in this process; memory does not move
  std::map<int, Graph> graphs_;     ///< of the same ranks, where calls run as graphs
};

/// The switch adds for devices that can send to several at once.
bool switch_adds(int device) {
  constexpr int kMulticastSupported = 132;  // CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED of the driver
  int value = 0;
  const cudaError_t asked = cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(kMulticastSupported), device);
  if (asked != cudaSuccess) cudaGetLastError();
  return asked == cudaSuccess && value != 0;
}

/// Memory of this device that a communicator of all devices takes.
class CommunicatorMemory final : public SizeOperation {
 public:
  PwCheck verify(Checked& checked) override {
    std::size_t before = 0;
    std::size_t after = 0;
    std::size_t total = 0;
    checked(cudaMemGetInfo(&before, &total), "cudaMemGetInfo");
    const std::unique_ptr<Team> team = Team::make(devices_, checked);
    checked(cudaMemGetInfo(&after, &total), "cudaMemGetInfo");
    return check_of(after <= before, before - std::min(before, after), "bytes that a communicator of all devices took");
  }

 protected:
  bool set_up(const PwCase& one, Checked&) override {
    devices_ = devices_of(one);
    return true;
  }

 private:
  std::vector<int> devices_;
};

}  // namespace

std::unique_ptr<Operation> make_collective(const std::string& probe) {
  if (probe.rfind("coll.", 0) == 0) return std::make_unique<CollectiveProbe>(probe);
  if (probe == "mem.nccl") return std::make_unique<CommunicatorMemory>();
  return nullptr;
}

bool collective_possible(const PwCase& one, PwFault& fault) {
  if (one.ranks < 2) {
    set_fault(fault, "one_device", "a collective needs a second device");
    return false;
  }
  const Nccl& nccl = Nccl::instance();
  if (!nccl.there()) {
    set_fault(fault, "library_missing", nccl.missing);
    return false;
  }
  const std::string variant = one.variant;
  const bool registers = nccl.register_buffer != nullptr && nccl.deregister_buffer != nullptr &&
                         nccl.allocate != nullptr && nccl.free != nullptr;
  if (variant == "registered" && !registers) {
    set_fault(fault, "not_supported", "libnccl " + nccl.version_text() + " registers no buffers; 2.19 does");
    return false;
  }
  if (variant == "no_nvls" && !switch_adds(one.members[0])) {
    set_fault(fault, "not_supported", "no switch adds for these devices, so that there is nothing to turn off");
    return false;
  }
  return true;
}

}  // namespace podwright::probes::cuda
