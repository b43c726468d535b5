/// The benchmark report of llm-d: https://github.com/llm-d/llm-d-benchmark, llmdbenchmark/analysis/benchmark_report,
/// versions 0.1 and 0.2. It is written as YAML or as JSON, of which JSON is read.
#include <algorithm>

#include "base/lower_case.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/serving_figures.h"

namespace podwright {
namespace {

using L = ServingMeasurement;

constexpr std::string_view kReportProgram = "llm-d-benchmark (benchmark report as JSON)";

/// A figure with its units, which the report writes next to it.
struct ReportFigure {
  std::string_view object;  ///< below the aggregate
  std::string_view key;
  std::optional<double> L::*value;
};
constexpr ReportFigure kReportFigures[] = {
    {"requests.input_length", "mean", &L::input_tokens},
    {"requests.output_length", "mean", &L::output_tokens},
    {"latency.time_to_first_token", "mean", &L::ttft_s},
    {"latency.time_to_first_token", "p50", &L::ttft_s_p50},
    {"latency.time_to_first_token", "p99", &L::ttft_s_p99},
    {"latency.time_per_output_token", "mean", &L::tpot_s},
    {"latency.time_per_output_token", "p50", &L::tpot_s_p50},
    {"latency.time_per_output_token", "p99", &L::tpot_s_p99},
    {"latency.inter_token_latency", "mean", &L::tpot_s},
    {"latency.inter_token_latency", "p50", &L::tpot_s_p50},
    {"latency.inter_token_latency", "p99", &L::tpot_s_p99},
    {"throughput.request_rate", "mean", &L::requests_per_s},
    {"throughput.output_token_rate", "mean", &L::output_tokens_per_s},
    {"throughput.total_token_rate", "mean", &L::total_tokens_per_s},
};
/// Version 0.1 has rates as plain numbers.
constexpr ServingFigure kPlainRates[] = {
    {"throughput", "requests_per_sec", 1, &L::requests_per_s},
    {"throughput", "output_tokens_per_sec", 1, &L::output_tokens_per_s},
    {"throughput", "total_tokens_per_sec", 1, &L::total_tokens_per_s},
    {"time", "duration", 1, &L::duration_s},
};

struct ReportUnit {
  std::string_view word;
  double scale;
};
constexpr ReportUnit kReportUnits[] = {{"s", 1},          {"ms", kMs},        {"us", 1e-6}, {"s/token", 1},
                                       {"ms/token", kMs}, {"us/token", 1e-6}, {"count", 1}, {"tokens/s", 1},
                                       {"queries/s", 1},  {"requests/s", 1},  {"", 1}};

const JsonNode* aggregate_of(const JsonNode& document) {
  if (const JsonNode* newer = node_in(document, "results.request_performance.aggregate")) return newer;
  return node_in(document, "metrics");
}

void read_report_figure(const JsonNode& aggregate, const std::string& path, const ReportFigure& figure, L& measured,
                        ErrorList& errors) {
  const JsonNode* object = node_in(aggregate, figure.object);
  if (object == nullptr || !object->is_object() || measured.*figure.value) return;
  std::string at = path;
  for (const char c : "/" + std::string(figure.object)) at += c == '.' ? '/' : c;
  const JsonNode* units = object->find("units");
  const std::string_view word = units != nullptr && units->is_text() ? std::string_view(units->text) : "";
  const auto* known = std::find_if(std::begin(kReportUnits), std::end(kReportUnits),
                                   [&](const ReportUnit& one) { return one.word == word; });
  if (known == std::end(kReportUnits)) {
    errors.add(units->order,
               foreign_error("out-of-range", at + "/units", "The unit \"" + beginning_of(word, 40) + "\" is not known.",
                             kReportProgram));
    return;
  }
  const JsonNode* node = object->find(figure.key);
  if (node == nullptr || node->type == JsonType::null) return;
  if (!node->is_number())
    errors.add(node->order, foreign_error("wrong-type", at + "/" + std::string(figure.key), "A number is expected.",
                                          kReportProgram));
  else if (node->number < 0)
    errors.add(node->order, foreign_error("out-of-range", at + "/" + std::string(figure.key), "The figure is below 0.",
                                          kReportProgram));
  else if (node->number > 0)
    measured.*figure.value = node->number * known->scale;
}

/// The engines of the stack; several roles are prompts and answers on GPUs of their own.
void read_stack(const JsonNode& document, L& measured) {
  const JsonNode* stack = node_in(document, "scenario.stack");
  double gpus = 0;
  int engines = 0;
  for (std::size_t i = 0; stack != nullptr && i < stack->items.size(); ++i) {
    const JsonNode* part = node_in(stack->items[i], "standardized");
    if (part == nullptr || word_in(*part, "kind") != "inference_engine") continue;
    ++engines;
    measured.disaggregated =
        measured.disaggregated || word_in(*part, "role") == "prefill" || word_in(*part, "role") == "decode";
    if (measured.model.empty()) measured.model = word_in(*part, "model.name");
    if (measured.gpu.empty()) measured.gpu = word_in(*part, "accelerator.model");
    const std::string tool = lower_case(word_in(*part, "tool"));
    if (tool == "vllm" || tool == "sglang" || tool == "llm-d") measured.engine = tool == "llm-d" ? "vllm" : tool;
    measured.tensor = number_in(*part, "accelerator.parallelism.tp");
    measured.pipeline = number_in(*part, "accelerator.parallelism.pp");
    measured.expert = number_in(*part, "accelerator.parallelism.ep");
    gpus += number_in(*part, "accelerator.count").value_or(0) * number_in(*part, "replicas").value_or(1);
  }
  if (engines > 0 && gpus > 0) measured.gpus = gpus;
  if (engines > 1) {
    measured.tensor.reset();
    measured.pipeline.reset();
    measured.expert.reset();
  }
}

}  // namespace

Result<ServingMeasurements> import_llm_d_report(std::string_view text) {
  const auto document = parse_told(without_infinities(text));
  if (!document) return failure(document.error());
  const JsonNode* aggregate = aggregate_of(*document);
  if (aggregate == nullptr || !aggregate->is_object())
    return failure(foreign_error("missing", "/results/request_performance/aggregate",
                                 "Neither that (version 0.2) nor \"metrics\" (version 0.1) is there.", kReportProgram));
  const std::string path = document->find("results") != nullptr ? "/results/request_performance/aggregate" : "/metrics";
  ErrorList errors;
  L measured;
  measured.tool = "llm-d";
  for (const ReportFigure& figure : kReportFigures) read_report_figure(*aggregate, path, figure, measured, errors);
  read_figures(*aggregate, path, kPlainRates, kReportProgram, measured, errors);
  if (errors.empty() && !has_figures(measured))
    errors.add_at_end(*aggregate,
                      foreign_error("missing", path, "The report has neither a time nor a rate.", kReportProgram));
  if (!errors.empty()) return failure(errors.take());
  const auto total = number_in(*aggregate, "requests.total");
  if (total) measured.requests = *total - number_in(*aggregate, "requests.failures").value_or(0);
  read_stack(*document, measured);
  if (measured.model.empty()) measured.model = word_in(*document, "scenario.model.name");
  measured.request_rate_per_s = number_in(*document, "scenario.load.standardized.rate_qps");
  if (!measured.request_rate_per_s)
    measured.concurrency = number_in(*document, "scenario.load.standardized.concurrency");
  return ServingMeasurements{std::move(measured)};
}

FileFields llm_d_report_fields(std::string_view text) {
  FileFields fields;
  const auto document = parse_told(without_infinities(text));
  const JsonNode* aggregate = document ? aggregate_of(*document) : nullptr;
  if (aggregate == nullptr) return fields;
  for (const ReportFigure& figure : kReportFigures) {
    const JsonNode* object = node_in(*aggregate, figure.object);
    const bool there = object != nullptr && number_in(*object, figure.key);
    (there ? fields.used : fields.missing).push_back(std::string(figure.object) + "." + std::string(figure.key));
  }
  for (const std::string& key : document->keys)
    if (key != "scenario" && key != "results" && key != "metrics") fields.ignored.push_back(key);
  for (const std::string_view group : {"requests", "latency", "throughput"})
    if (const JsonNode* object = aggregate->find(group); object != nullptr && object->is_object())
      for (const std::string& key : object->keys) {
        const std::string name = std::string(group) + "." + key;
        const bool known = std::any_of(std::begin(kReportFigures), std::end(kReportFigures),
                                       [&](const ReportFigure& figure) { return figure.object == name; });
        if (!known) fields.ignored.push_back(name);
      }
  return fields;
}

}  // namespace podwright
