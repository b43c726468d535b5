#include "sizing/gpu_catalog.h"

#include <algorithm>
#include <utility>

#include "perf/ceilings.h"

namespace podwright::sizing {
namespace {

constexpr const char* kGemmPrecisions[] = {"bf16", "fp8", "fp4"};
constexpr const char* kMemoryPrecisions[] = {"bf16", "fp8", "fp4"};
constexpr const char* kMemoryOperations[] = {"weight-streaming", "kv-reading"};
constexpr const char* kBandwidth = "all-reduce-bus-bandwidth";
constexpr const char* kLatency = "all-reduce-latency";
constexpr const char* kNetwork = "network-bus-bandwidth";

/// What a catalog says to every question of a search.
struct Answers {
  std::optional<double> attention;
  std::optional<double> network;
  double node = 0;
  std::vector<std::optional<double>> rates;  ///< gemm, memory, then bandwidth and latency of 2, 4, 8 ... ranks

  bool operator==(const Answers& other) const {
    return attention == other.attention && network == other.network && node == other.node && rates == other.rates;
  }
};

class Questions {
 public:
  Questions(const Catalog& catalog, const Gpu& gpu) : catalog_(catalog), gpu_(gpu) {}

  std::optional<double> gemm(const char* precision) {
    return raw_of(gemm_ceiling(none_, catalog_, gpu_, precision, ignored_));
  }
  std::optional<double> attention() { return raw_of(attention_ceiling(none_, catalog_, gpu_, ignored_)); }
  std::optional<double> memory(const char* operation, const char* precision) {
    return raw_of(memory_ceiling(none_, catalog_, gpu_, operation, precision, ignored_));
  }
  std::optional<double> bandwidth(double ranks) {
    return raw_of(node_ceiling(none_, catalog_, gpu_, kBandwidth, ranks, ignored_));
  }
  std::optional<double> latency(double ranks) {
    return raw_of(start_up_time(none_, catalog_, gpu_, kLatency, ranks, ignored_));
  }
  std::optional<double> network() {
    const System* system = system_with_network(catalog_, gpu_);
    return system == nullptr ? std::nullopt : raw_of(network_ceiling(none_, catalog_, *system));
  }
  double node() const { return node_gpus(catalog_, gpu_); }

  Answers all(double ranks_at_most) {
    Answers answers;
    answers.attention = attention();
    answers.network = network();
    answers.node = node();
    for (const char* precision : kGemmPrecisions) answers.rates.push_back(gemm(precision));
    for (const char* operation : kMemoryOperations)
      for (const char* precision : kMemoryPrecisions) answers.rates.push_back(memory(operation, precision));
    for (double ranks = 2; ranks <= ranks_at_most; ranks *= 2) {
      answers.rates.push_back(bandwidth(ranks));
      answers.rates.push_back(latency(ranks));
    }
    return answers;
  }

 private:
  template <class Quantity>
  static std::optional<double> raw_of(const std::optional<Quantity>& value) {
    return value ? std::optional(value->base_units()) : std::nullopt;
  }

  NoTrace none_;
  const Catalog& catalog_;
  const Gpu& gpu_;
  std::vector<std::string> ignored_;
};

void add(Catalog& part, const Gpu& gpu, const char* operation, const char* precision, double ranks,
         std::optional<double> value) {
  if (!value) return;
  KernelRate rate;
  rate.gpu_id = gpu.id;
  rate.operation = operation;
  rate.precision = precision;
  rate.key = kernel_rate_key(rate.gpu_id, rate.operation, rate.precision);
  rate.ranks = ranks;
  rate.low = rate.typical = rate.high = *value;
  part.kernel_rates.push_back(std::move(rate));
}

/// What all GPUs of a catalog share: formats, constants, and the GPUs whose network is measured, from which
/// the share that networks reach comes. The first GPU's place is left for that looked at, which is found before others.
Catalog shared_part(const Catalog& catalog) {
  Catalog part;
  part.weight_formats = catalog.weight_formats;
  part.serving_efficiency.constants = catalog.serving_efficiency.constants;
  part.serving_efficiency.software = catalog.serving_efficiency.software;
  part.gpus.emplace_back();
  for (const KernelRate& rate : catalog.kernel_rates) {
    if (rate.operation != kNetwork) continue;
    part.kernel_rates.push_back(rate);
    for (const Gpu& other : catalog.gpus)
      if (other.id == rate.gpu_id) part.gpus.push_back(other);
  }
  return part;
}

}  // namespace

std::optional<Catalog> catalog_of_gpu(const Catalog& catalog, const Gpu& gpu, std::optional<Catalog> before) {
  // Products in fp16, where bf16 has another rate or none, have no row of their own.
  if (gpu.peak_dense_flops.count("bf16") == 0) return std::nullopt;
  Questions questions(catalog, gpu);
  const double node = questions.node();
  const Answers whole = questions.all(node);
  Catalog part = before ? std::move(*before) : shared_part(catalog);
  part.gpus.front() = gpu;
  part.measured_vendors = {gpu.vendor};
  const auto of_no_network = [](const KernelRate& rate) { return rate.operation != kNetwork; };
  std::vector<KernelRate>& rates = part.kernel_rates;
  rates.erase(std::remove_if(rates.begin(), rates.end(), of_no_network), rates.end());
  add(part, gpu, "context-attention", "bf16", 1, whole.attention);
  std::size_t next = 0;
  for (const char* precision : kGemmPrecisions) add(part, gpu, "gemm", precision, 1, whole.rates[next++]);
  for (const char* operation : kMemoryOperations)
    for (const char* precision : kMemoryPrecisions) add(part, gpu, operation, precision, 1, whole.rates[next++]);
  for (double ranks = 2; ranks <= node; ranks *= 2) {
    add(part, gpu, kBandwidth, "any", ranks, whole.rates[next++]);
    add(part, gpu, kLatency, "any", ranks, whole.rates[next++]);
  }
  part.systems.clear();
  for (const System& system : catalog.systems)
    if (std::any_of(part.gpus.begin(), part.gpus.end(), [&](const Gpu& held) { return holds_gpu(system, held.id); }))
      part.systems.push_back(system);
  if (!(Questions(part, part.gpus.front()).all(node) == whole)) return std::nullopt;
  return part;
}

}  // namespace podwright::sizing
