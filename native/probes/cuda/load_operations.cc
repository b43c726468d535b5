/// Several things at once: all that heats a device, and products during all-reduces.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <thread>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/cuda/team.h"
#include "probes/elapsed.h"

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
  Lane(int number, std::size_t rank_of_team) : device(number), rank(rank_of_team) {}
  const int device;
  const std::size_t rank;

  bool prepare(const PwCase& one, const Parts& parts, Checked& checked) {
    PwCase product = one;
    const std::string probe = std::string("gemm.") + one.dtype;
    product.probe = probe.c_str();
    product.variant = "repeat";
    product.bytes = 0;
    PwCase triad = one;
    triad.probe = "hbm.triad";
    triad.dtype = "fp32";
    triad.m = triad.n = triad.k = 0;
    return begun_.create(false, checked) && (!parts.product || add(product, checked)) &&
           (!parts.stream || add(triad, checked));
  }

  std::string algorithm() const {
    std::string text;
    for (const Strand& one : strands_) text += (text.empty() ? "" : " + ") + one.work->algorithm;
    return text;
  }

  /// The streams of this lane continue where `main` stands.
  bool begin(cudaStream_t main, Checked& checked) {
    begun_.record(main, checked);
    for (Strand& one : strands_) {
      begun_.hold(one.opened.stream, checked);
      one.done.record(one.opened.stream, checked);
    }
    return checked.good();
  }
  /// Each operation once. None begins before all of the round before have ended, so that they stay together.
  bool round(std::int64_t index, Checked& checked) {
    for (Strand& one : strands_)
      for (Strand& other : strands_)
        if (&one != &other) other.done.hold(one.opened.stream, checked);
    for (Strand& one : strands_) {
      one.work->enqueue(index, one.opened.stream, checked);
      one.done.record(one.opened.stream, checked);
    }
    return checked.good();
  }
  /// `main` continues where the streams of this lane stand.
  bool end(cudaStream_t main, Checked& checked) {
    for (Strand& one : strands_) one.done.hold(main, checked);
    return checked.good();
  }

  void verify(JoinedCheck& joined, Checked& checked) {
    for (Strand& one : strands_) joined.take(one.work->verify(checked));
  }

 private:
  struct Strand {
    OpenDevice opened;
    Event done;
    std::unique_ptr<Operation> work;
  };

  bool add(const PwCase& one, Checked& checked) {
    Strand& strand = strands_.emplace_back();
    strand.work = make_operation(one.probe);
    return strand.opened.open(device, checked) && strand.done.create(false, checked) &&
           strand.work->prepare(one, strand.opened.facts, checked);
  }

  std::deque<Strand> strands_;
  Event begun_;
};

/// One operation is one round of every lane. On one device rounds go into the backend's stream; on several the team
/// starts them together.
class Load final : public Operation {
 public:
  explicit Load(const std::string& probe) : parts_(parts_of(probe)) {}

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    Lane& lane = lanes_.front();
    return lane.begin(stream, checked) && lane.round(index, checked) && lane.end(stream, checked);
  }
  std::int64_t launches() const override { return 2; }

  void time(std::int64_t count, PwBatch& batch, Checked& checked) override {
    for (std::int64_t done = 0; done < count && checked.good(); done += kRoundsOfBatch) {
      double wall_seconds = 0;
      batch.seconds += seconds_of(std::min(kRoundsOfBatch, count - done), wall_seconds, checked);
      batch.wall_seconds += wall_seconds;
    }
  }

  PwCheck verify(Checked& checked) override {
    JoinedCheck joined("each part by its own check");
    on_each_device(lanes_, checked, [&](Lane& lane) { lane.verify(joined, checked); });
    if (collective_ != nullptr && checked.good()) joined.take(collective_->verify(checked));
    return joined.all();
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    std::vector<int> devices{device_.number};
    if (one.ranks > 1) devices.assign(one.members, one.members + one.ranks);
    for (const int number : devices) lanes_.emplace_back(number, lanes_.size());
    if (!on_each_device(lanes_, checked, [&](Lane& lane) { lane.prepare(one, parts_, checked); })) return false;
    algorithm = lanes_.front().algorithm();
    return one.ranks <= 1 || set_up_team(one, devices, checked);
  }

 private:
  bool set_up_team(const PwCase& one, const std::vector<int>& devices, Checked& checked) {
    team_ = Team::shared(devices, checked);
    if (team_ == nullptr) return false;
    times_itself = true;
    if (parts_.collective) {
      PwCase sums = one;
      sums.probe = "coll.allreduce";
      sums.dtype = "bf16";
      sums.variant = "";
      collective_ = make_collective(sums.probe);
      PwBatch warm{};
      if (!collective_->prepare(sums, device_, checked)) return false;
      collective_->time(1, warm, checked);
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
    team_->time(
        [&] {
          for (int i = 0; i < kTrialRounds && checked.good(); ++i) collective_->enqueue(0, nullptr, checked);
        },
        sums, wall_seconds, checked);
    const double without = seconds_of(kTrialRounds, wall_seconds, checked, false);
    if (checked.good() && without > 0)
      rounds_of_collective_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(sums / without)));
  }

  double seconds_of(std::int64_t rounds, double& wall_seconds, Checked& checked, bool collectives = true) {
    double seconds = 0;
    team_->time(
        [&] {
          if (parts_.in_step) {
            in_step(rounds, checked);
          } else {
            freely(rounds, collectives, checked);
          }
        },
        seconds, wall_seconds, checked);
    return seconds;
  }

  /// The all-reduce goes first, as that of a layer does while the next one computes.
  void in_step(std::int64_t rounds, Checked& checked) {
    for (std::int64_t i = 0; i < rounds && checked.good(); ++i) {
      begin_lanes(checked);
      if (collective_ != nullptr) collective_->enqueue(i, nullptr, checked);
      on_each_device(lanes_, checked, [&](Lane& lane) {
        lane.round(i, checked);
        lane.end(main_of(lane), checked);
      });
    }
  }

  /// Lanes and all-reduces each at their own pace, from one common start to the end of all.
  void freely(std::int64_t rounds, bool collectives, Checked& checked) {
    begin_lanes(checked);
    for (std::int64_t i = 0; i < rounds && checked.good(); ++i) {
      if (collectives && collective_ != nullptr && i % rounds_of_collective_ == 0)
        collective_->enqueue(i, nullptr, checked);
      on_each_device(lanes_, checked, [&](Lane& lane) { lane.round(i, checked); });
    }
    on_each_device(lanes_, checked, [&](Lane& lane) { lane.end(main_of(lane), checked); });
  }

  void begin_lanes(Checked& checked) {
    on_each_device(lanes_, checked, [&](Lane& lane) { lane.begin(main_of(lane), checked); });
  }

  cudaStream_t main_of(const Lane& lane) const { return team_->members()[lane.rank].stream; }

  Parts parts_;
  std::deque<Lane> lanes_;  ///< of each device, in the order of the ranks
  Team* team_ = nullptr;
  std::unique_ptr<Operation> collective_;
  std::int64_t rounds_of_collective_ = 1;
};

/// Nothing, for a tenth of a second.
class Rest final : public TimedOperation {
 public:
  void time(std::int64_t count, PwBatch& batch, Checked&) override {
    const auto start = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * count));
    batch.seconds = seconds_since(start);
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
