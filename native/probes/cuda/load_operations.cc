/// Several things at once: all that heats a device, and products beside all-reduces.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <thread>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/cuda/team.h"

namespace podwright::probes::cuda {
namespace {

constexpr std::int64_t kRoundsOfBatch = 64;  // far fewer launches than a queue holds
constexpr int kTrialRounds = 3;

struct Parts {
  bool product = false;
  bool stream = false;
  bool collective = false;
  bool in_step = false;  ///< everything of a round begins and ends together
};

Parts parts_of(const std::string& probe) {
  if (probe == "soak.stream") return {.stream = true};
  if (probe == "soak") return {.product = true, .stream = true};
  if (probe == "soak.all") return {.product = true, .stream = true, .collective = true};
  if (probe == "overlap.product") return {.product = true, .in_step = true};
  if (probe == "overlap.collective") return {.collective = true, .in_step = true};
  return {.product = true, .collective = true, .in_step = true};
}

/// What runs on one device, each operation in a stream of its own.
class Lane {
 public:
  bool prepare(const PwCase& one, const Parts& parts, int device, Checked& checked) {
    device_ = device;
    checked(cudaSetDevice(device), "cudaSetDevice");
    checked(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming), "cudaEventCreate");
    PwCase product = one;
    const std::string probe = std::string("gemm.") + one.dtype;
    product.probe = probe.c_str();
    product.variant = "repeat";
    product.bytes = 0;
    PwCase stream = one;
    stream.probe = "hbm.triad";
    stream.dtype = "fp32";
    stream.m = stream.n = stream.k = 0;
    return (!parts.product || add(product, checked)) && (!parts.stream || add(stream, checked)) && checked.good();
  }
  Lane() = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    for (Strand& one : strands_) {
      one.work.reset();
      if (one.done != nullptr) cudaEventDestroy(one.done);
      if (one.facts.stream != nullptr) cudaStreamDestroy(one.facts.stream);
    }
    if (begun_ != nullptr) cudaEventDestroy(begun_);
  }

  int device() const { return device_; }
  std::size_t footprint_bytes() const {
    std::size_t bytes = 0;
    for (const Strand& one : strands_) bytes += one.work->footprint_bytes;
    return bytes;
  }
  std::string algorithm() const {
    std::string text;
    for (const Strand& one : strands_) text += (text.empty() ? "" : " + ") + one.work->algorithm;
    return text;
  }

  /// The streams of this lane go on where `main` stands.
  bool begin(cudaStream_t main, Checked& checked) {
    checked(cudaEventRecord(begun_, main), "cudaEventRecord");
    for (Strand& one : strands_) {
      checked(cudaStreamWaitEvent(one.facts.stream, begun_, 0), "cudaStreamWaitEvent");
      checked(cudaEventRecord(one.done, one.facts.stream), "cudaEventRecord");
    }
    return checked.good();
  }
  /// Each operation once. None begins before all of the round before have ended, so that they stay together.
  bool round(std::int64_t index, Checked& checked) {
    for (Strand& one : strands_)
      for (Strand& other : strands_)
        if (&one != &other) checked(cudaStreamWaitEvent(one.facts.stream, other.done, 0), "cudaStreamWaitEvent");
    for (Strand& one : strands_) {
      one.work->enqueue(index, one.facts.stream, checked);
      checked(cudaEventRecord(one.done, one.facts.stream), "cudaEventRecord");
    }
    return checked.good();
  }
  /// `main` goes on where the streams of this lane stand.
  bool end(cudaStream_t main, Checked& checked) {
    for (Strand& one : strands_) checked(cudaStreamWaitEvent(main, one.done, 0), "cudaStreamWaitEvent");
    return checked.good();
  }

  void verify(JoinedCheck& joined, Checked& checked) {
    for (Strand& one : strands_) {
      PwCheck check{};
      one.work->verify(check, checked);
      if (checked.good()) joined.take(check);
    }
  }

 private:
  struct Strand {
    std::unique_ptr<Operation> work;
    DeviceFacts facts;
    cudaEvent_t done = nullptr;
  };

  bool add(const PwCase& one, Checked& checked) {
    strands_.emplace_back();
    Strand& strand = strands_.back();
    if (!describe_device(device_, strand.facts, checked)) return false;
    checked(cudaStreamCreateWithFlags(&strand.facts.stream, cudaStreamNonBlocking), "cudaStreamCreate");
    checked(cudaEventCreateWithFlags(&strand.done, cudaEventDisableTiming), "cudaEventCreate");
    strand.work = make_operation(one.probe);
    return checked.good() && strand.work->prepare(one, strand.facts, checked);
  }

  int device_ = 0;
  std::deque<Strand> strands_;
  cudaEvent_t begun_ = nullptr;
};

/// One operation is one round of every lane. On one device rounds go into the backend's stream; on several the team
/// starts them together.
class Load final : public Operation {
 public:
  explicit Load(const std::string& probe) : parts_(parts_of(probe)) {}

  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    own_device_ = device.number;
    std::vector<int> devices{own_device_};
    if (one.ranks > 1) devices.assign(one.members, one.members + one.ranks);
    for (const int number : devices) {
      lanes_.emplace_back();
      if (!lanes_.back().prepare(one, parts_, number, checked)) break;
    }
    cudaSetDevice(own_device_);
    if (!checked.good()) return false;
    footprint_bytes = rotated_bytes = lanes_.front().footprint_bytes();
    algorithm = lanes_.front().algorithm();
    return one.ranks <= 1 || prepare_team(one, devices, device, checked);
  }

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    Lane& lane = lanes_.front();
    return lane.begin(stream, checked) && lane.round(index, checked) && lane.end(stream, checked);
  }
  std::int64_t launches() const override { return 2; }

  bool times_itself() const override { return team_ != nullptr; }
  bool time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    for (std::int64_t done = 0; done < count && checked.good(); done += kRoundsOfBatch) {
      double wall_seconds = 0;
      batch.seconds += seconds_of(std::min(kRoundsOfBatch, count - done), wall_seconds, checked);
      batch.wall_seconds += wall_seconds;
    }
    return checked.good();
  }

  void verify(PwCheck& check, Checked& checked) override {
    JoinedCheck joined("each part by its own check");
    each_lane(checked, [&](Lane& lane, int) { lane.verify(joined, checked); });
    if (collective_ != nullptr && checked.good()) {
      PwCheck sums{};
      collective_->verify(sums, checked);
      joined.take(sums);
    }
    if (checked.good()) check = joined.all();
  }

 private:
  bool prepare_team(const PwCase& one, const std::vector<int>& devices, const DeviceFacts& device, Checked& checked) {
    team_ = Team::shared(devices, checked);
    if (team_ == nullptr) return false;
    if (parts_.collective) {
      PwCase sums = one;
      sums.probe = "coll.allreduce";
      sums.dtype = "bf16";
      sums.variant = "";
      collective_ = make_collective(sums.probe);
      PwBatch warm{};
      if (!collective_->prepare(sums, device, checked) || !collective_->time(1, warm, checked)) return false;
      footprint_bytes += collective_->footprint_bytes;
      rotated_bytes = footprint_bytes;
      algorithm += (algorithm.empty() ? "" : " + ") + collective_->algorithm;
    }
    double ignored = 0;
    seconds_of(1, ignored, checked);  // loads what runs first
    if (checked.good() && parts_.collective && !parts_.in_step) space_collectives(checked);
    return checked.good();
  }

  /// As many rounds to one all-reduce as take its time, so that neither waits for long.
  void space_collectives(Checked& checked) {
    double wall_seconds = 0;
    double sums = 0;
    team_->time([&] { return repeated(kTrialRounds, [&] { return collective_->enqueue(0, nullptr, checked); }); }, sums,
                wall_seconds, checked);
    const double without = seconds_of(kTrialRounds, wall_seconds, checked, false);
    if (checked.good() && without > 0)
      rounds_of_collective_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(sums / without)));
  }

  template <class Act>
  static bool repeated(std::int64_t times, Act act) {
    for (std::int64_t i = 0; i < times; ++i)
      if (!act()) return false;
    return true;
  }

  double seconds_of(std::int64_t rounds, double& wall_seconds, Checked& checked, bool collectives = true) {
    double seconds = 0;
    team_->time([&] { return parts_.in_step ? in_step(rounds, checked) : freely(rounds, collectives, checked); },
                seconds, wall_seconds, checked);
    return seconds;
  }

  /// The all-reduce goes first, as that of a layer does while the next one computes.
  bool in_step(std::int64_t rounds, Checked& checked) {
    for (std::int64_t i = 0; i < rounds && checked.good(); ++i) {
      each_lane(checked, [&](Lane& lane, int rank) { lane.begin(main_of(rank), checked); });
      if (collective_ != nullptr) collective_->enqueue(i, nullptr, checked);
      each_lane(checked, [&](Lane& lane, int rank) {
        lane.round(i, checked);
        lane.end(main_of(rank), checked);
      });
    }
    return checked.good();
  }

  /// Lanes and all-reduces each at their own pace, from one common start to the end of all.
  bool freely(std::int64_t rounds, bool collectives, Checked& checked) {
    each_lane(checked, [&](Lane& lane, int rank) { lane.begin(main_of(rank), checked); });
    for (std::int64_t i = 0; i < rounds && checked.good(); ++i) {
      if (collectives && collective_ != nullptr && i % rounds_of_collective_ == 0)
        collective_->enqueue(i, nullptr, checked);
      each_lane(checked, [&](Lane& lane, int) { lane.round(i, checked); });
    }
    each_lane(checked, [&](Lane& lane, int rank) { lane.end(main_of(rank), checked); });
    return checked.good();
  }

  cudaStream_t main_of(int rank) const { return team_->members()[static_cast<std::size_t>(rank)].stream; }

  template <class Act>
  void each_lane(Checked& checked, Act act) {
    for (std::size_t i = 0; i < lanes_.size() && checked.good(); ++i)
      if (checked(cudaSetDevice(lanes_[i].device()), "cudaSetDevice")) act(lanes_[i], static_cast<int>(i));
    cudaSetDevice(own_device_);
  }

  Parts parts_;
  int own_device_ = 0;
  std::deque<Lane> lanes_;  ///< of each device, in the order of the ranks
  Team* team_ = nullptr;
  std::unique_ptr<Operation> collective_;
  std::int64_t rounds_of_collective_ = 1;
};

/// Nothing, for a tenth of a second.
class Rest final : public Operation {
 public:
  bool prepare(const PwCase&, const DeviceFacts&, Checked&) override { return true; }
  bool enqueue(std::int64_t, cudaStream_t, Checked&) override { return true; }
  bool times_itself() const override { return true; }
  bool time(std::int64_t count, PwBatch& batch, Checked&) override {
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * count));
    batch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return true;
  }
  void verify(PwCheck& check, Checked&) override {
    check.status = PW_CHECK_NONE;
    std::strcpy(check.note, "nothing is computed");
  }
};

}  // namespace

std::unique_ptr<Operation> make_load(const std::string& probe) {
  for (const char* name : {"soak", "soak.stream", "soak.all", "overlap", "overlap.product", "overlap.collective"})
    if (probe == name) return std::make_unique<Load>(probe);
  if (probe == "idle") return std::make_unique<Rest>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
