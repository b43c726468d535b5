#include "calibration/backtest_serving.h"

#include <algorithm>
#include <map>

#include "base/math.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "base/words.h"
#include "memory/serving_memory.h"
#include "perf/ceilings.h"
#include "perf/estimate_serving.h"

namespace podwright {
namespace {

using ServingRunEstimate = ServingEstimate<NoTrace>;
using Performance = ServingPerformance<NoTrace>;

constexpr double kMillisecondsPerSecond = 1000;
constexpr std::array<std::string_view, 4> kLoadKindWords{"concurrency", "max_throughput", "request_rate",
                                                         "static_batch"};

/// A predicted figure with the 90 % interval that an answer gives for it, where a fit gives its width. `value` is what
/// is predicted of the row, a rate of its own GPUs.
Predicted with_interval(const Catalog& catalog, const MeasuredServingRow& row, const Performance& performance,
                        std::string_view metric, double value) {
  const auto widths = serving_widths(catalog.serving_efficiency,
                                     serving_knowledge(catalog, row.model, *row.gpu, row.run), row.model.experts > 0);
  if (!widths) return {.value = value};
  const ServingFigure figure = measured_figure(metric);
  if (figure != ServingFigure::rate) {
    const double width = width_of(figure, row.run, *widths);
    if (width <= 0) return {.value = value};
    return {value, value * math::exp(-width), value * math::exp(width)};
  }
  NoTrace none;
  const auto bounds = serving_bounds(none, performance, *widths, row.run).requests_per_s;
  return {value, value * (bounds.low / performance.requests_per_s), value * (bounds.high / performance.requests_per_s)};
}

constexpr std::string_view kServedAllTheSame =
    "the requests were served, though they are expected to come faster than that";
constexpr double kFarFromLimit =
    0.85;                           ///< of the capacity: beyond it a small error of capacity is a large one of waits
constexpr double kNearlyAll = 0.9;  ///< of the capacity, at which such a run is predicted

constexpr std::string_view kRanAllTheSame = "the run fitted its GPUs, though it is not expected to";

bool lacks_memory(const ServingRunEstimate& estimate) {
  return !estimate.performance && estimate.memory &&
         (estimate.memory->infeasible || value_of(estimate.memory->max_sequences) < 1);
}

double per_second(PerSecond rate) { return raw(rate); }

/// Requests that come faster than they are completed wait, for as long as the run lasts.
std::optional<Seconds> queued_ttft(const Catalog& catalog, const MeasuredServingRow& row,
                                   const Performance& overloaded) {
  if (!row.requests) return {};
  MeasuredServingRow saturated = row;
  saturated.run.load = {LoadKind::concurrency, value_of(overloaded.admitted_concurrency)};
  const ServingRunEstimate estimate = estimate_of(catalog, saturated);
  if (!estimate.performance || !estimate.performance->ttft) return {};
  return *estimate.performance->ttft + mean_admission_wait(*row.requests, value_of(overloaded.admitted_concurrency),
                                                           PerSecond(row.run.load.value), overloaded.requests_per_s);
}

}  // namespace

bool near_limit(const MeasuredServingRow& row, const ServingPerformance<NoTrace>& performance) {
  return row.run.load.kind == LoadKind::request_rate && performance.stable_requests_per_s &&
         row.run.load.value > kFarFromLimit * raw(*performance.stable_requests_per_s);
}

ServingFigure measured_figure(std::string_view metric) {
  if (metric == "ttft_ms") return ServingFigure::ttft;
  if (metric == kPowerMetric) return ServingFigure::power;
  if (metric.starts_with("energy_")) return ServingFigure::energy;
  return metric == "tpot_or_itl_ms" ? ServingFigure::tpot : ServingFigure::rate;
}

std::optional<double> predicted_figure(const Catalog& catalog, const MeasuredServingRow& row,
                                       const ServingRunEstimate& estimate, std::string_view metric) {
  const Performance& performance = *estimate.performance;
  const auto& energy = estimate.energy;
  if (metric == kPowerMetric) return energy ? std::optional(raw(energy->gpu_power)) : std::nullopt;
  if (metric == "energy_j_per_request") return energy ? std::optional(raw(energy->per_request)) : std::nullopt;
  if (metric == "energy_j_per_output_token")
    return energy && energy->per_output_token ? std::optional(raw(*energy->per_output_token)) : std::nullopt;
  if (metric == "ttft_ms") {
    const std::optional<Seconds> ttft = performance.ttft ? performance.ttft : queued_ttft(catalog, row, performance);
    if (!ttft) return {};
    if (row.first_token_steps > 0 && performance.tpot)
      return raw(*ttft + row.first_token_steps * *performance.tpot) * kMillisecondsPerSecond;
    return raw(*ttft) * kMillisecondsPerSecond;
  }
  if (metric == "tpot_or_itl_ms") {
    if (!performance.tpot) return {};
    return raw(*performance.tpot) * kMillisecondsPerSecond;
  }
  if (metric == "output_tokens_per_s") {
    if (row.decode_rate && performance.tpot) return value_of(performance.admitted_concurrency) / raw(*performance.tpot);
    return per_second(performance.output_tokens_per_s);
  }
  if (metric == "total_tokens_per_s") {
    if (row.prompt_only) return per_second(performance.requests_per_s) * row.run.input_tokens;
    return per_second(performance.total_tokens_per_s);
  }
  if (metric == "output_tokens_per_s_per_gpu") return per_second(performance.output_tokens_per_s_per_gpu);
  return per_second(performance.requests_per_s);
}

namespace {

/// `activations` is the peak of the GPU whose log was read.
std::optional<double> predicted_memory(const MeasuredServingMemoryRow& row, const ServingMemory<NoTrace>& memory,
                                       const std::optional<Bytes>& activations, std::string_view metric) {
  const auto in_gib = [](Bytes value) { return value / gib(1); };
  const EngineConventions& c = *memory.conventions;
  const ServingParallelism& p = row.run.parallelism;
  if (metric == "weights_gib_per_gpu") return in_gib(memory.weights);
  if (metric == "kv_cache_gib_per_gpu") return in_gib(memory.kv_cache);
  if (metric == "kv_tokens") return memory.kv_tokens;
  if (metric == "kv_blocks") return memory.blocks;
  if (metric == "max_concurrency") return memory.concurrency;
  if (metric == "max_batch")
    return row.batch_is_given ? std::min(memory.max_sequences, row.run.load.value) : memory.max_sequences;
  if (metric == "activation_peak_gib" && activations) return in_gib(*activations);
  if (metric == "cuda_graph_gib" && c.cuda_graphs) return in_gib(*c.cuda_graphs);
  if (metric != "non_torch_gib") return {};
  if (p.pipeline > 1 && p.tensor <= 1 && c.pipeline_communication) return in_gib(*c.pipeline_communication);
  if (const std::optional<double> bytes = by_tensor(c.communication, p.tensor)) return in_gib(Bytes(*bytes));
  return {};
}

/// What rows of serving runs and of engines' memory are labelled by alike.
template <class Row>
std::map<std::string, std::string> serving_labels(const Row& row) {
  return {{"framework", row.run.engine},
          {"engine", row.run.engine},
          {"framework_version", row.framework_version},
          {"precision", row.run.weight_precision},
          {"kv_precision", row.run.kv_precision}};
}

std::map<std::string, std::string> run_labels(const MeasuredServingRow& row) {
  std::map<std::string, std::string> labels = serving_labels(row);
  labels["load_kind"] = word_of(row.run.load.kind, kLoadKindWords);
  return labels;
}

/// Why what a row leaves open cannot be as it was assumed: the run would not have fitted its GPUs.
std::optional<SkippedRow> refuted_guess(const Catalog& catalog, const MeasuredServingRow& row) {
  if (row.memory_guesses.empty()) return {};
  NoTrace none;
  const ServingRunEstimate estimate =
      estimate_serving(none, catalog, row.model, layer_stack(row.model), *row.gpu, row.run, false);
  if (!lacks_memory(estimate) || estimate.reasons.empty()) return {};
  const Infeasible& why = estimate.reasons.front();
  return SkippedRow{row.id, row.line, why.code,
                    "As assumed, the run does not fit " + shortest_number(row.gpu_count) + " x " + row.gpu->name +
                        " with weights in " + row.run.weight_precision + ". " + why.message.text() + " Give " +
                        joined(row.memory_guesses, " and ") + " in the table."};
}

void add_row(const Catalog& catalog, const MeasuredServingRow& row, Backtest& backtest) {
  if (auto refuted = refuted_guess(catalog, row)) {
    backtest.skipped.push_back(std::move(*refuted));
    return;
  }
  const ServingRunEstimate estimate = estimate_of(catalog, row, row.tells_energy());
  const std::vector<std::string> labels = serving_run_labels(catalog, row, estimate.performance);
  for (const std::string_view all_the_same : {kRanAllTheSame, kServedAllTheSame})
    if (std::find(estimate.assumptions.begin(), estimate.assumptions.end(), all_the_same) != estimate.assumptions.end())
      backtest.of_rows.back().assumptions.emplace_back(all_the_same);
  bool told_why = false;
  for (const Measured& measured : row.measured) {
    const std::optional<double> value =
        estimate.performance ? predicted_figure(catalog, row, estimate, measured.metric) : std::nullopt;
    std::optional<Predicted> predicted;
    if (value) predicted = with_interval(catalog, row, *estimate.performance, measured.metric, *value);
    if (add_cell(row, measured, predicted, labels, backtest)) continue;
    if (!told_why)
      backtest.skipped.push_back(
          estimate.reasons.empty()
              ? SkippedRow{row.id, row.line, "not-predicted", "the estimate tells no " + measured.metric}
              : SkippedRow{row.id, row.line, estimate.reasons.front().code, estimate.reasons.front().message.text()});
    told_why = true;
  }
}

void add_row(const Catalog& catalog, const MeasuredServingMemoryRow& row, Backtest& backtest) {
  const Engine* engine = find_engine_conventions(catalog, row.run.engine);
  const WeightFormat* format = find_weight_format(catalog.weight_formats, row.run.weight_precision);
  NoTrace none;
  const ServingMemory<NoTrace> memory = serving_memory(none, row.model, row.reported_gpu, *engine, *format, row.run);
  // Of a pipeline's logs a source quotes the first worker's, which does not sample.
  const std::optional<Bytes> activations =
      row.run.parallelism.pipeline > 1 ? first_stage_activations(row.model, row.reported_gpu, *engine, *format, row.run)
                                       : memory.activations;
  const std::vector<std::string> labels = backtest_labels(row, serving_labels(row));
  bool any = false;
  for (const Measured& measured : row.measured) {
    std::optional<Predicted> predicted;
    if (const auto value = predicted_memory(row, memory, activations, measured.metric)) predicted = {.value = *value};
    BacktestCell* cell = add_cell(row, measured, predicted, labels, backtest);
    if (cell == nullptr) continue;
    cell->given = measured.metric == "max_batch" && row.batch_is_given;
    any = true;
  }
  if (!any)
    backtest.skipped.push_back(
        memory.infeasible
            ? SkippedRow{row.id, row.line, memory.infeasible->code, memory.infeasible->message.text()}
            : SkippedRow{row.id, row.line, "not-predicted", "the engine's conventions tell none of what was measured"});
}

std::vector<std::string> group_of(const MeasuredServingRow& row, const std::vector<std::string>& keys) {
  std::vector<std::string> group;
  const std::vector<std::string> labels = backtest_labels(row, run_labels(row));
  for (const std::string& key : keys) group.push_back(label_of(labels, key));
  return group;
}

std::string group_text(const std::vector<std::string>& group) {
  std::string text;
  for (const std::string& label : group) text += (text.empty() ? "" : ", ") + (label.empty() ? "-" : label);
  return text;
}

}  // namespace

ServingEstimate<NoTrace> estimate_of(const Catalog& catalog, const MeasuredServingRow& row, bool with_energy) {
  constexpr double kMore = 1.125;  // at each attempt
  constexpr double kMost = 4;      // times the memory that the GPU has
  NoTrace none;
  const LayerStack stack = layer_stack(row.model);
  ServingRunEstimate estimate = estimate_serving(none, catalog, row.model, stack, *row.gpu, row.run, with_energy);
  if (!estimate.memory) return estimate;
  const ServingRunEstimate as_it_is = estimate;
  Gpu larger = *row.gpu;
  const Bytes capacity = value_of(estimate.memory->capacity);
  for (double times = kMore; times < kMost && lacks_memory(estimate); times *= kMore) {
    larger.memory_driver = times * capacity;
    estimate = estimate_serving(none, catalog, row.model, stack, larger, row.run, with_energy);
    estimate.assumptions.emplace_back(kRanAllTheSame);
  }
  if (lacks_memory(estimate)) return as_it_is;  // its reasons name the memory that the GPU has
  if (row.run.load.kind != LoadKind::request_rate || row.requests || !estimate.performance ||
      estimate.performance->stable)
    return estimate;
  ServingRun run = row.run;
  run.load.value = kNearlyAll * raw(estimate.performance->requests_per_s);
  estimate = estimate_serving(none, catalog, row.model, stack, larger, run, with_energy);
  estimate.assumptions.emplace_back(kServedAllTheSame);
  return estimate;
}

Seconds mean_admission_wait(double requests, double in_flight, PerSecond arrivals, PerSecond completions) {
  const double arriving = raw(arrivals);
  const double completing = raw(completions);
  double wait = 0;
  for (double request = 0; request < requests; request += 1)
    wait += std::max(0.0, (request - in_flight) / completing - request / arriving);
  return requests > 0 ? Seconds(wait / requests) : Seconds(0);
}

std::vector<std::string> serving_run_labels(const Catalog& catalog, const MeasuredServingRow& row,
                                            const std::optional<Performance>& performance) {
  std::map<std::string, std::string> labels = run_labels(row);
  if (performance && near_limit(row, *performance)) labels["load_kind"] = kNearLimit;
  labels["nodes"] = row.gpu_count <= node_gpus(catalog, *row.gpu) ? "single" : "several";
  return backtest_labels(row, labels);
}

void backtest_serving(const Catalog& catalog, const MeasuredServing& measured, Backtest& backtest) {
  backtest_table(measured, backtest, [&](const MeasuredServingRow& row) { add_row(catalog, row, backtest); });
}

void backtest_serving_memory(const Catalog& catalog, const MeasuredServingMemory& measured, Backtest& backtest) {
  backtest_table(measured, backtest, [&](const MeasuredServingMemoryRow& row) { add_row(catalog, row, backtest); });
}

Result<Backtest> left_out_serving(const std::vector<MeasuredServing>& tables,
                                  const std::vector<MeasuredServing>& fitted_with, const std::vector<std::string>& keys,
                                  const FitServing& fit, const Progress& progress) {
  const auto without = [&](const std::vector<std::string>& group,
                           const std::vector<const MeasuredServingRow*>& others) -> Result<Catalog> {
    progress(group_text(group));
    if (!others.empty()) return fit(others);
    return failure(
        {"conflict", "/leave_out",
         "All rows are of the group \"" + group_text(group).substr(0, 60) + "\": nothing remains to fit without it.",
         "Leave out by keys in which the rows differ."});
  };
  return backtest_left_out(
      tables, fitted_with, [&](const MeasuredServingRow& row) { return group_of(row, keys); }, without,
      backtest_serving);
}

}  // namespace podwright
