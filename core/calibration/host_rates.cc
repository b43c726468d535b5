#include "calibration/host_rates.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/number_text.h"
#include "calibration/judged_rate.h"
#include "calibration/usable_points.h"
#include "measure/median_interval.h"
#include "measure/verdict.h"

namespace podwright {
namespace {

// The catalog's tables take memory beyond any cache, and weights of few rows.
constexpr double kLargeBytes = 256e6;
constexpr double kFewRows = 16;
/// Where nothing is that large, results of at least this share of the largest one's work stand in.
constexpr double kNearlyLargest = 0.25;

using Results = std::vector<const ProbeResult*>;

bool is_large_memory(const ProbeResult& result) { return result.counted.bytes >= kLargeBytes; }

double flops_of(const ProbeResult& result) { return result.counted.flops; }
double bytes_of(const ProbeResult& result) { return result.counted.bytes; }

/// Those that are large, or where none is those near the largest.
Results large_ones(const Results& results, bool is_large(const ProbeResult&), double work(const ProbeResult&)) {
  Results large;
  double most = 0;
  for (const ProbeResult* result : results) {
    if (is_large(*result)) large.push_back(result);
    most = std::max(most, work(*result));
  }
  if (!large.empty()) return large;
  for (const ProbeResult* result : results)
    if (work(*result) >= kNearlyLargest * most) large.push_back(result);
  return large;
}

/// The median over sizes with its interval from order statistics; of too few, all of them bound it.
void set_median(KernelRate& rate, const std::vector<MeasuredRate>& of_sizes) {
  std::vector<double> rates;
  for (const MeasuredRate& one : of_sizes) rates.push_back(one.rate);
  std::sort(rates.begin(), rates.end());
  rate.typical = median_of(rates);
  if (const auto ranks = median_ranks(static_cast<int>(rates.size()))) {
    rate.low = rates[static_cast<std::size_t>(ranks->low - 1)];
    rate.high = rates[static_cast<std::size_t>(ranks->high - 1)];
    return;
  }
  rate.low = of_sizes.front().low;
  rate.high = of_sizes.front().high;
  for (const MeasuredRate& one : of_sizes) {
    rate.low = std::min(rate.low, one.low);
    rate.high = std::max(rate.high, one.high);
  }
}

class DeviceRates {
 public:
  DeviceRates(const HardwareProfile& profile, const ProfileDevice& device) : device_(device) {
    for (const ProbeResult& result : profile.results)
      if (result.usable() && result.mode == ProbeMode::burst && is_on(result, device)) usable_.push_back(&result);
  }

  HostRates take() {
    products();
    weights();
    key_value_caches();
    prompt_attention();
    collectives();
    host_link();
    return std::move(found_);
  }

 private:
  template <class Keep>
  Results results(Keep keep) const {
    Results kept;
    for (const ProbeResult* result : usable_)
      if (keep(*result)) kept.push_back(result);
    return kept;
  }
  Results of_probe(std::string_view probe) const {
    return results([&](const ProbeResult& result) { return result.probe == probe; });
  }

  KernelRate row(std::string_view operation, std::string_view precision, double ranks = 1) const {
    KernelRate rate;
    rate.gpu_id = device_.key;
    rate.operation = operation;
    rate.precision = precision;
    rate.ranks = ranks;
    return rate;
  }
  void add(KernelRate rate, const Results& from, double work(const ProbeResult&), const std::string& what) {
    std::vector<MeasuredRate> of_sizes;
    for (const ProbeResult* result : from)
      if (work(*result) > 0) of_sizes.push_back(rate_of(work(*result), *result->time_s));
    if (of_sizes.empty()) return;
    set_median(rate, of_sizes);
    rate.note = what + " of " + device_.id + ", " + std::to_string(of_sizes.size()) +
                (of_sizes.size() == 1 ? " size" : " sizes");
    found_.rates.push_back(std::move(rate));
  }

  void products() {
    std::map<std::string, Results> by_precision;
    for (const ProbeResult* result : results([](const ProbeResult& r) { return product_point(r).has_value(); })) {
      const std::string precision = product_precision(result->dtype);
      if (!precision.empty()) by_precision[precision].push_back(result);
    }
    for (const auto& [precision, of_precision] : by_precision)
      add(row("gemm", precision),
          large_ones(
              of_precision, [](const ProbeResult& r) { return is_large_product(r.size); }, flops_of),
          flops_of, "large " + precision + " matrix products");
  }

  /// Weights of whole layers read in a row; without them the stream that a quick run and a processor measure.
  void weights() {
    const Results layers = results([](const ProbeResult& r) {
      return r.probe == "decode.weights" && r.dtype == "bf16" && r.size.m.value_or(1) <= kFewRows;
    });
    if (!layers.empty()) {
      add(row("weight-streaming", "bf16"), large_ones(layers, is_large_memory, bytes_of), bytes_of,
          "weights of layers with at most 16 rows");
      return;
    }
    const Results stream = of_probe(device_.kind == "cpu" ? "cpu.stream.triad" : "hbm.read");
    if (stream.empty()) return;
    const ProbeResult* largest =
        *std::max_element(stream.begin(), stream.end(),
                          [](const ProbeResult* a, const ProbeResult* b) { return bytes_of(*a) < bytes_of(*b); });
    add(row("weight-streaming", "bf16"), {largest}, bytes_of, largest->probe + " at its largest size");
  }

  void key_value_caches() {
    std::map<std::string, Results> by_dtype;
    for (const ProbeResult* result : of_probe("decode.attn"))
      if (result->dtype == "bf16" || result->dtype == "fp8") by_dtype[result->dtype].push_back(result);
    for (const auto& [dtype, of_dtype] : by_dtype)
      add(row("kv-reading", dtype), large_ones(of_dtype, is_large_memory, bytes_of), bytes_of,
          "decode attention over " + dtype + " caches");
  }

  void prompt_attention() {
    Results kernels;
    for (const ProbeResult* result : of_probe("prefill.attn")) {
      if (result->variant.algorithm != "reference_kernel") kernels.push_back(result);
    }
    if (kernels.empty() && !of_probe("prefill.attn").empty())
      found_.notes.push_back(
          "Attention of prompts was measured with a reference kernel that no engine runs: not taken.");
    add(row("context-attention", "bf16"),
        large_ones(
            kernels, [](const ProbeResult&) { return false; }, flops_of),
        flops_of, "causal attention of prompts");
  }

  /// Bus bandwidth of the largest message, and the time of the smallest all-reduce.
  void collectives() {
    struct Collective {
      const char* probe;
      const char* operation;
      double once;  ///< share of a message that passes each link: this times (n - 1) / n
    };
    for (const Collective& one : {Collective{"coll.allreduce", "all-reduce-bus-bandwidth", 2},
                                  {"coll.allgather", "all-gather-bus-bandwidth", 1},
                                  {"coll.alltoall", "all-to-all-bus-bandwidth", 1}}) {
      std::map<double, Results> by_ranks;
      for (const ProbeResult* result : of_probe(one.probe))
        if (result->size.ranks.value_or(0) > 1 && result->size.bytes.value_or(0) > 0 &&
            result->size.nodes.value_or(1) == 1)
          by_ranks[*result->size.ranks].push_back(result);
      for (auto& [ranks, of_ranks] : by_ranks) {
        std::sort(of_ranks.begin(), of_ranks.end(),
                  [](const ProbeResult* a, const ProbeResult* b) { return *a->size.bytes < *b->size.bytes; });
        KernelRate bus = row(one.operation, "any", ranks);
        const double passes = one.once * (ranks - 1) / ranks;
        set_median(bus, {rate_of(passes * *of_ranks.back()->size.bytes, *of_ranks.back()->time_s)});
        bus.note = std::string(one.probe) + " at its largest message";
        found_.rates.push_back(std::move(bus));
        if (one.once != 2) continue;
        KernelRate start = row("all-reduce-latency", "any", ranks);
        const SampleSummary& time = *of_ranks.front()->time_s;
        start.low = time.lo95.value_or(time.min);
        start.typical = time.median;
        start.high = time.hi95.value_or(time.p95);
        start.note = std::string(one.probe) + " at its smallest message";
        found_.rates.push_back(std::move(start));
      }
    }
  }

  /// The slower direction of the largest copy.
  void host_link() {
    std::vector<MeasuredRate> directions;
    for (const char* probe : {"pcie.h2d", "pcie.d2h"}) {
      const Results copies = of_probe(probe);
      const auto largest =
          std::max_element(copies.begin(), copies.end(),
                           [](const ProbeResult* a, const ProbeResult* b) { return bytes_of(*a) < bytes_of(*b); });
      if (largest != copies.end() && bytes_of(**largest) > 0)
        directions.push_back(rate_of(bytes_of(**largest), *(*largest)->time_s));
    }
    if (directions.empty()) return;
    const MeasuredRate& slower = *std::min_element(directions.begin(), directions.end(),
                                                   [](const auto& a, const auto& b) { return a.rate < b.rate; });
    KernelRate link = row("host-link", "any");
    set_median(link, {slower});
    link.note = "the slower direction of the largest copy between host and " + device_.id;
    found_.rates.push_back(std::move(link));
  }

  const ProfileDevice& device_;
  Results usable_;
  HostRates found_;
};

}  // namespace

bool same_quantity(const KernelRate& a, const KernelRate& b) {
  return a.gpu_id == b.gpu_id && a.operation == b.operation && a.precision == b.precision && a.ranks == b.ranks;
}

std::string product_precision(std::string_view dtype) {
  if (dtype == "nvfp4") return "fp4";
  for (const std::string_view word : {"bf16", "fp16", "tf32", "fp32", "fp8", "int8"})
    if (dtype == word) return std::string(word);
  return "";
}

HostRates host_rates(const HardwareProfile& profile, const ProfileDevice& device) {
  return DeviceRates(profile, device).take();
}

}  // namespace podwright
