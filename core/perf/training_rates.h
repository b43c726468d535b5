#pragma once
/// What a GPU and its system can do, as far as training asks: rates, links and network from the catalog, looked up
/// once. docs/method/training_time.md#rates.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "catalog/catalog.h"
#include "memory/training_run.h"
#include "perf/ceilings.h"

namespace podwright {

/// Precision of the matrix products of a training precision ("fp8" for mxfp8, "fp4" for nvfp4).
std::string_view training_gemm_precision(Precision precision);

/// Power per unit of arithmetic over that of the measured GPU of the same architecture: below 1 its clock falls under
/// sustained load. 1 where the GPU's own products are measured or nothing is known.
double power_ratio(const Catalog& catalog, const Gpu& gpu);

template <class Tracer>
class TrainingRates {
 public:
  template <class T>
  using Known = podwright::Known<Tracer, T>;
  static constexpr int kMostRanks = 128;  ///< of one link domain

  TrainingRates(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const System* system, Precision precision)
      : trace_(trace),
        catalog_(catalog),
        gpu_(gpu),
        system_(system != nullptr ? system : system_with_network(catalog, gpu)),
        node_(std::min<double>(kMostRanks, node_gpus(catalog, gpu, system))) {
    const std::string wanted(training_gemm_precision(precision));
    narrow_ = gemm_precision(gpu, wanted);
    const std::string wide = gemm_precision(gpu, wanted == "fp32" || wanted == "tf32" ? wanted : "bf16");
    if (narrow_ != wanted && !(wanted == "bf16" && narrow_ == "fp16")) {
      refused_ = "format-not-supported";
      problem_ = say("no-products", "gpu"_v = gpu.name, "precision"_v = wanted);
      return;
    }
    if (narrow_ != wanted) assumptions_.push_back(wanted + " is computed at the fp16 rate on " + gpu.name + ".");
    products_ = gemm_ceiling(trace, catalog, gpu, narrow_, assumptions_);
    wide_products_ = wide == narrow_ ? products_ : gemm_ceiling(trace, catalog, gpu, wide, assumptions_);
    attention_ = attention_ceiling(trace, catalog, gpu, assumptions_);
    const auto peak = gpu.peak_dense_flops.find(narrow_);
    if (!products_ || !wide_products_ || !attention_ || !gpu.memory_bandwidth || peak == gpu.peak_dense_flops.end()) {
      refused_ = "rate-unknown";
      problem_ = say("no-rates", "gpu"_v = gpu.name);
      return;
    }
    peak_ = trace.fact(gpu, "peak_dense_tflops." + narrow_, peak->second);
    best_ = podwright::best_products(trace, catalog, gpu, narrow_).value_or(*products_);
    memory_ = trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth);
    wave_ = gpu.sm_count ? trace.fact(gpu, "sm_count", *gpu.sm_count)
                         : trace.constant("one_tile_at_a_time", 1.0, "multiprocessors of this GPU are not known");
    power_ratio_ = power_ratio(catalog, gpu);
    if (power_ratio_ < 1)
      assumptions_.push_back("The clock of " + gpu.name +
                             " under load follows its board power, against the measured GPU of its generation.");
  }

  /// Empty when all is known, else the code of the reason; problem() tells it.
  const std::string& refused() const { return refused_; }
  const Message& problem() const { return problem_; }

  const Known<FlopsPerSecond>& products() const { return *products_; }
  const Known<FlopsPerSecond>& wide_products() const { return *wide_products_; }
  const Known<FlopsPerSecond>& attention() const { return *attention_; }
  /// The best matrix product that anybody measured: no step is faster.
  const Known<FlopsPerSecond>& best_products() const { return best_; }
  const Known<FlopsPerSecond>& peak() const { return peak_; }
  const Known<BytesPerSecond>& memory() const { return memory_; }
  const Known<double>& wave() const { return wave_; }
  double power() const { return power_ratio_; }
  double node() const { return node_; }
  const Gpu& gpu() const { return gpu_; }
  std::vector<std::string>& assumptions() { return assumptions_; }

  /// Of a collective over ranks of one link domain; absent where no link is known.
  enum class Link { all_reduce, all_gather, all_to_all };
  const std::optional<Known<BytesPerSecond>>& link(Link operation, double ranks) {
    static constexpr std::array<std::string_view, 3> kOperations{"all-reduce-bus-bandwidth", "all-gather-bus-bandwidth",
                                                                 "all-to-all-bus-bandwidth"};
    auto& entry = links_[static_cast<std::size_t>(operation)][index(ranks)];
    if (!entry.looked_up) {
      entry.looked_up = true;
      entry.value =
          node_ceiling(trace_, catalog_, gpu_, kOperations[static_cast<std::size_t>(operation)], ranks, assumptions_);
    }
    return entry.value;
  }
  const std::optional<Known<Seconds>>& start(double ranks) {
    auto& entry = starts_[index(ranks)];
    if (!entry.looked_up) {
      entry.looked_up = true;
      entry.value = start_up_time(trace_, catalog_, gpu_, "all-reduce-latency", ranks, assumptions_);
    }
    return entry.value;
  }
  /// One direction between a GPU and its host.
  const std::optional<Known<BytesPerSecond>>& host() {
    if (!host_.looked_up) {
      host_.looked_up = true;
      host_.value = host_link(trace_, catalog_, gpu_, assumptions_);
    }
    return host_.value;
  }
  /// Parameters that the processors of one node update in a second.
  std::optional<Known<PerSecond>> host_updates() {
    const OperatingFigure* figure = find_operating_figure(catalog_.operating_figures, "cpu-adam-rate");
    if (figure == nullptr) return std::nullopt;
    return trace_.fact(*figure, "typical", PerSecond(figure->typical));
  }
  std::optional<Known<BytesPerSecond>> drives() {
    const OperatingFigure* figure = find_operating_figure(catalog_.operating_figures, "nvme-rate-per-gpu");
    if (figure == nullptr) return std::nullopt;
    return trace_.fact(*figure, "typical", BytesPerSecond(figure->typical));
  }
  /// Of one GPU between nodes.
  const std::optional<Known<BytesPerSecond>>& network() {
    if (!network_.looked_up) {
      network_.looked_up = true;
      if (system_ != nullptr) network_.value = network_ceiling(trace_, catalog_, *system_);
    }
    return network_.value;
  }

 private:
  template <class T>
  struct Looked {
    bool looked_up = false;
    std::optional<T> value;
  };
  static std::size_t index(double ranks) { return std::min<std::size_t>(kMostRanks, static_cast<std::size_t>(ranks)); }

  Tracer& trace_;
  const Catalog& catalog_;
  const Gpu& gpu_;
  const System* system_;
  double node_;
  std::string narrow_;
  std::string refused_;
  Message problem_;
  std::vector<std::string> assumptions_;
  std::optional<Known<FlopsPerSecond>> products_;
  std::optional<Known<FlopsPerSecond>> wide_products_;
  std::optional<Known<FlopsPerSecond>> attention_;
  Known<FlopsPerSecond> best_{};
  Known<FlopsPerSecond> peak_{};
  Known<BytesPerSecond> memory_{};
  Known<double> wave_{};
  double power_ratio_ = 1;
  std::array<std::array<Looked<Known<BytesPerSecond>>, kMostRanks + 1>, 3> links_{};
  std::array<Looked<Known<Seconds>>, kMostRanks + 1> starts_{};
  Looked<Known<BytesPerSecond>> network_{};
  Looked<Known<BytesPerSecond>> host_{};
};

}  // namespace podwright
