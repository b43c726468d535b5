#include "sizing/gpu_catalog.h"

#include <algorithm>
#include <utility>

#include "perf/ceilings.h"

namespace podwright::sizing {
namespace {

constexpr std::string_view kNetwork = "network-bus-bandwidth";

/// A rate that a search asks for, as rows of the catalog name it.
struct Question {
  std::string_view operation;
  std::string_view precision;
  double ranks = 1;
};

/// Of one GPU and of 2, 4, 8 ... of the `node` that reach each other.
std::vector<Question> questions_of(double node) {
  std::vector<Question> all{{"context-attention", "bf16"}};
  for (const char* operation : {"gemm", "weight-streaming", "kv-reading"})
    for (const char* precision : {"bf16", "fp8", "fp4"}) all.push_back({operation, precision});
  for (double ranks = 2; ranks <= node; ranks *= 2)
    for (const char* operation : {"all-reduce-bus-bandwidth", "all-reduce-latency"})
      all.push_back({operation, "any", ranks});
  return all;
}

/// What a catalog says to every question of a search.
struct Answers {
  double node = 0;
  std::optional<double> network;
  std::vector<std::optional<double>> rates;  ///< in the order of the questions
  bool operator==(const Answers&) const = default;
};

Answers answers_of(const Catalog& catalog, const Gpu& gpu, const std::vector<Question>& questions) {
  NoTrace none;
  std::vector<std::string> ignored;
  const auto raw_of = [](const auto& value) { return value ? std::optional(value->base_units()) : std::nullopt; };
  const System* system = system_with_network(catalog, gpu);
  Answers answers;
  answers.node = node_gpus(catalog, gpu);
  if (system != nullptr) answers.network = raw_of(network_ceiling(none, catalog, *system));
  for (const auto& [operation, precision, ranks] : questions)
    answers.rates.push_back(
        operation == "context-attention" ? raw_of(attention_ceiling(none, catalog, gpu, ignored))
        : operation == "gemm"            ? raw_of(gemm_ceiling(none, catalog, gpu, std::string(precision), ignored))
        : operation == "all-reduce-bus-bandwidth" ? raw_of(node_ceiling(none, catalog, gpu, operation, ranks, ignored))
        : operation == "all-reduce-latency"
            ? raw_of(start_up_time(none, catalog, gpu, operation, ranks, ignored))
            : raw_of(memory_ceiling(none, catalog, gpu, operation, precision, ignored)));
  return answers;
}

void add(Catalog& part, const Gpu& gpu, const Question& question, std::optional<double> value) {
  if (!value) return;
  KernelRate rate;
  rate.gpu_id = gpu.id;
  rate.operation = question.operation;
  rate.precision = question.precision;
  rate.key = kernel_rate_key(rate.gpu_id, rate.operation, rate.precision);
  rate.ranks = question.ranks;
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
  const std::vector<Question> questions = questions_of(node_gpus(catalog, gpu));
  const Answers whole = answers_of(catalog, gpu, questions);
  Catalog part = before ? std::move(*before) : shared_part(catalog);
  part.gpus.front() = gpu;
  part.measured_vendors = {gpu.vendor};
  const auto of_no_network = [](const KernelRate& rate) { return rate.operation != kNetwork; };
  std::vector<KernelRate>& rates = part.kernel_rates;
  rates.erase(std::remove_if(rates.begin(), rates.end(), of_no_network), rates.end());
  for (std::size_t i = 0; i < questions.size(); ++i) add(part, gpu, questions[i], whole.rates[i]);
  part.systems.clear();
  for (const System& system : catalog.systems)
    if (std::any_of(part.gpus.begin(), part.gpus.end(), [&](const Gpu& held) { return holds_gpu(system, held.id); }))
      part.systems.push_back(system);
  if (answers_of(part, part.gpus.front(), questions) != whole) return std::nullopt;
  return part;
}

}  // namespace podwright::sizing
