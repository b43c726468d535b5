/// guidellm's benchmarks.json: https://github.com/vllm-project/guidellm, benchmark/benchmark.py of v0.3.0 and
/// benchmark/schemas of v0.7.3. The metrics are the same in both; who was asked and how stands elsewhere.
#include <algorithm>

#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/serving_figures.h"

namespace podwright {
namespace {

using G = ServingMeasurement;

/// Of the requests that succeeded. guidellm's "time per output token" counts the first token too: the time after it is
/// its inter-token latency.
constexpr ServingFigure kGuidellmFigures[] = {
    {"metrics.request_totals", "successful", 1, &G::requests},
    {"request_totals", "successful", 1, &G::requests},
    {"metrics.requests_per_second.successful", "mean", 1, &G::requests_per_s, "requests per second"},
    {"metrics.output_tokens_per_second.successful", "mean", 1, &G::output_tokens_per_s, "output tokens per second"},
    {"metrics.tokens_per_second.successful", "mean", 1, &G::total_tokens_per_s},
    {"metrics.time_to_first_token_ms.successful", "mean", kMs, &G::ttft_s},
    {"metrics.time_to_first_token_ms.successful.percentiles", "p50", kMs, &G::ttft_s_p50},
    {"metrics.time_to_first_token_ms.successful.percentiles", "p99", kMs, &G::ttft_s_p99},
    {"metrics.inter_token_latency_ms.successful", "mean", kMs, &G::tpot_s},
    {"metrics.inter_token_latency_ms.successful.percentiles", "p50", kMs, &G::tpot_s_p50},
    {"metrics.inter_token_latency_ms.successful.percentiles", "p99", kMs, &G::tpot_s_p99},
    {"metrics.prompt_token_count.successful", "mean", 1, &G::input_tokens},
    {"metrics.output_token_count.successful", "mean", 1, &G::output_tokens},
    {"", "duration", 1, &G::duration_s},
};
constexpr std::string_view kGuidellmWords[] = {"metrics", "config", "args", "worker"};
constexpr std::string_view kGuidellmProgram = "guidellm benchmark (benchmarks.json)";

std::string first_word(const JsonNode& one, const JsonNode& report, std::initializer_list<std::string_view> places) {
  for (const std::string_view place : places)
    for (const JsonNode* of : {&one, &report})
      if (std::string word = word_in(*of, place); !word.empty()) return word;
  return "";
}

/// A strategy: as many streams, requests at a rate, or all at once.
void read_strategy(const JsonNode& one, G& measured) {
  const JsonNode* strategy = nullptr;
  for (const std::string_view place : {"config.strategy", "args.strategy", "scheduler.strategy"})
    if (strategy == nullptr) strategy = node_in(one, place);
  if (strategy == nullptr) return;
  const std::string kind = word_in(*strategy, "type_");
  if (kind == "synchronous") measured.concurrency = 1;
  if (kind == "concurrent") measured.concurrency = number_in(*strategy, "streams");
  if (kind == "constant" || kind == "poisson" || kind == "async")
    measured.request_rate_per_s = number_in(*strategy, "rate");
  measured.as_fast_as_it_can = kind == "throughput";
}

Result<G> guidellm_run(const JsonNode& one, const JsonNode& report, const std::string& path) {
  ErrorList errors;
  G measured;
  measured.tool = "guidellm";
  if (!one.is_object())
    return failure(foreign_error("wrong-type", path, "A benchmark is an object.", kGuidellmProgram));
  read_figures(one, path, kGuidellmFigures, kGuidellmProgram, measured, errors);
  if (!errors.empty()) return failure(errors.take());
  read_strategy(one, measured);
  measured.model = first_word(one, report,
                              {"config.backend.model", "worker.backend_model", "config.spec.backend.model",
                               "args.model", "config.backend.backend_model"});
  return measured;
}

}  // namespace

Result<ServingMeasurements> import_guidellm(std::string_view text) {
  const auto document = parse_told(without_infinities(text));
  if (!document) return failure(document.error());
  const JsonNode* list = document->find("benchmarks");
  if (list == nullptr || !list->is_list())
    return failure(foreign_error("missing", "/benchmarks", "\"benchmarks\" is missing: the runs.", kGuidellmProgram));
  if (list->items.empty())
    return failure(foreign_error("missing", "/benchmarks", "No benchmark was run to its end.", kGuidellmProgram));
  ServingMeasurements runs;
  Errors errors;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    auto run = guidellm_run(list->items[i], *document, "/benchmarks/" + std::to_string(i));
    if (run)
      runs.push_back(std::move(*run));
    else
      for (const Error& error : run.error()) errors.push_back(error);
  }
  if (!errors.empty()) return failure(std::move(errors));
  return runs;
}

FileFields guidellm_fields(std::string_view text) {
  FileFields fields;
  const auto document = parse_told(without_infinities(text));
  const JsonNode* list = document ? document->find("benchmarks") : nullptr;
  if (list == nullptr) return fields;
  for (const JsonNode& one : list->items) {
    add_figure_fields(one, kGuidellmFigures, fields);
    add_ignored_keys(one, "", kGuidellmFigures, kGuidellmWords, fields);
    if (const JsonNode* metrics = one.find("metrics"))
      add_ignored_keys(*metrics, "metrics", kGuidellmFigures, {}, fields);
  }
  // Versions differ in where the number of requests is.
  if (!fields.used.empty() && list->items.size() > 0)
    fields.missing.erase(std::remove_if(fields.missing.begin(), fields.missing.end(),
                                        [&](const std::string& name) {
                                          return name.ends_with("request_totals.successful") &&
                                                 std::any_of(fields.used.begin(), fields.used.end(),
                                                             [](const std::string& used) {
                                                               return used.ends_with("request_totals.successful");
                                                             });
                                        }),
                         fields.missing.end());
  return fields;
}

}  // namespace podwright
