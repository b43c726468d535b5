/// Results of vllm bench serve and of SGLang's bench_serving, of AIPerf and of GenAI-Perf, its predecessor.
#include <algorithm>
#include <array>

#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/serving_figures.h"

namespace podwright {
namespace {

using M = ServingMeasurement;

/// Keys of vLLM's file; SGLang calls the rate of all tokens otherwise.
constexpr ServingFigure kBenchFigures[] = {
    {"", "max_concurrency", 1, &M::concurrency},
    {"", "request_rate", 1, &M::request_rate_per_s},
    {"", "completed", 1, &M::requests, "how many requests were answered"},
    {"", "duration", 1, &M::duration_s, "how long the run took"},
    {"", "request_throughput", 1, &M::requests_per_s, "requests per second"},
    {"", "output_throughput", 1, &M::output_tokens_per_s, "output tokens per second"},
    {"", "total_token_throughput", 1, &M::total_tokens_per_s},
    {"", "total_throughput", 1, &M::total_tokens_per_s},
    {"", "total_input_tokens", 1, &M::input_tokens},
    {"", "total_output_tokens", 1, &M::output_tokens},
    {"", "mean_ttft_ms", kMs, &M::ttft_s, "the mean time to the first token"},
    {"", "median_ttft_ms", kMs, &M::ttft_s_p50},
    {"", "p99_ttft_ms", kMs, &M::ttft_s_p99},
    {"", "mean_tpot_ms", kMs, &M::tpot_s, "the mean time per output token"},
    {"", "median_tpot_ms", kMs, &M::tpot_s_p50},
    {"", "p99_tpot_ms", kMs, &M::tpot_s_p99},
};
constexpr std::string_view kBenchWords[] = {"model_id", "server_info"};
constexpr std::string_view kBenchProgram = "vllm bench serve --save-result or sglang.bench_serving --output-file";

Result<M> bench_run(const JsonNode& document) {
  ErrorList errors;
  ObjectReader reader(document, "", errors);
  M measured;
  measured.tool =
      document.find("total_output_tokens_retokenized") != nullptr || document.find("sharegpt_output_len") != nullptr
          ? "sglang-bench"
          : "vllm-bench";
  if (document.find("model_id") != nullptr) measured.model = reader.text("model_id").value_or("");
  read_figures(document, "", kBenchFigures, kBenchProgram, measured, errors);
  if (!errors.empty()) return failure(errors.take());
  // The file tells tokens of all requests.
  for (std::optional<double>* tokens : {&measured.input_tokens, &measured.output_tokens})
    if (*tokens) **tokens *= 1 / *measured.requests;
  const JsonNode* rate = document.find("request_rate");
  measured.as_fast_as_it_can = !measured.concurrency && !measured.request_rate_per_s && rate != nullptr;
  if (const JsonNode* server = document.find("server_info"); server != nullptr && server->is_object()) {
    measured.engine = "sglang";
    measured.engine_version = word_in(*server, "version");
    measured.tensor = number_in(*server, "tp_size");
    measured.pipeline = number_in(*server, "pp_size");
    if (measured.model.empty()) measured.model = word_in(*server, "model_path");
  }
  return measured;
}

/// AIPerf's objects {"unit", "avg", "p50", ...}.
constexpr ServingFigure kAiperfFigures[] = {
    {"request_count", "avg", 1, &M::requests},
    {"request_throughput", "avg", 1, &M::requests_per_s, "requests per second", "requests/sec"},
    {"output_token_throughput", "avg", 1, &M::output_tokens_per_s, "output tokens per second", "tokens/sec"},
    {"total_token_throughput", "avg", 1, &M::total_tokens_per_s, "", "tokens/sec"},
    {"time_to_first_token", "avg", kMs, &M::ttft_s, "the mean", "ms"},
    {"time_to_first_token", "p50", kMs, &M::ttft_s_p50},
    {"time_to_first_token", "p99", kMs, &M::ttft_s_p99},
    {"inter_token_latency", "avg", kMs, &M::tpot_s, "the mean", "ms"},
    {"inter_token_latency", "p50", kMs, &M::tpot_s_p50},
    {"inter_token_latency", "p99", kMs, &M::tpot_s_p99},
    {"input_sequence_length", "avg", 1, &M::input_tokens, "", "tokens"},
    {"output_sequence_length", "avg", 1, &M::output_tokens, "", "tokens"},
    {"benchmark_duration", "avg", 1, &M::duration_s, "", "sec"},
};
constexpr std::string_view kAiperfWords[] = {"input_config"};
constexpr std::string_view kAiperfProgram = "aiperf profile, or genai-perf profile --streaming";

/// GenAI-Perf puts the load under "perf_analyzer", AIPerf under "loadgen".
void read_input_config(const JsonNode& config, M& measured) {
  const auto first = [&](std::initializer_list<std::string_view> places) {
    for (const std::string_view place : places)
      if (const auto number = number_in(config, place)) return number;
    return std::optional<double>();
  };
  measured.concurrency = first({"loadgen.concurrency", "perf_analyzer.stimulus.concurrency", "concurrency"});
  measured.request_rate_per_s = first({"loadgen.request_rate", "perf_analyzer.stimulus.request_rate", "request_rate"});
  for (const std::string_view place : {"endpoint.model_names", "model_names", "models.items"}) {
    const JsonNode* names = node_in(config, place);
    if (names == nullptr || names->items.empty()) continue;
    const JsonNode& name = names->items.front();
    measured.model = beginning_of(name.is_object() ? word_in(name, "name") : name.text, 200);
    if (!measured.model.empty()) return;
  }
}

/// Each line, where the whole is not one document: SGLang appends a run a line.
struct BenchText {
  std::string plain;
  std::vector<LogLine> runs;
};
BenchText bench_text(std::string_view text) {
  BenchText split{without_infinities(text), {}};
  const std::string_view body = trimmed(split.plain);
  const std::size_t end = body.find('\n');
  const bool lines = end != std::string_view::npos && parse_json(body.substr(0, end));
  split.runs = lines ? lines_of(split.plain) : std::vector<LogLine>{{body, ""}};
  return split;
}

}  // namespace

Result<ServingMeasurements> import_vllm_bench(std::string_view text) {
  const BenchText split = bench_text(text);
  ServingMeasurements runs;
  for (const LogLine& line : split.runs) {
    const auto document = parse_told(line.text);
    Result<M> run = document ? bench_run(*document) : Result<M>(failure(document.error()));
    if (run) {
      runs.push_back(std::move(*run));
      continue;
    }
    Errors errors = run.error();
    for (Error& error : errors) error.path = line.path + error.path;
    return failure(std::move(errors));
  }
  return runs;
}

FileFields vllm_bench_fields(std::string_view text) {
  FileFields fields;
  for (const LogLine& line : bench_text(text).runs) {
    const auto document = parse_told(line.text);
    if (!document) continue;
    add_figure_fields(*document, kBenchFigures, fields);
    add_ignored_keys(*document, "", kBenchFigures, kBenchWords, fields);
  }
  // One of the two names of the same rate is enough.
  for (const auto& [one, other] : {std::pair{"total_token_throughput", "total_throughput"},
                                   std::pair{"total_throughput", "total_token_throughput"}})
    if (std::find(fields.used.begin(), fields.used.end(), one) != fields.used.end())
      fields.missing.erase(std::remove(fields.missing.begin(), fields.missing.end(), other), fields.missing.end());
  return fields;
}

Result<ServingMeasurements> import_aiperf(std::string_view text) {
  const auto document = parse_told(without_infinities(text));
  if (!document) return failure(document.error());
  if (!document->is_object()) return failure(foreign_error("wrong-type", "", "A result is an object.", kAiperfProgram));
  ErrorList errors;
  M measured;
  const JsonNode* config = document->find("input_config");
  const bool older = config != nullptr && config->find("perf_analyzer") != nullptr;
  measured.tool = older ? "genai-perf" : "aiperf";
  read_figures(*document, "", kAiperfFigures, kAiperfProgram, measured, errors);
  if (!errors.empty()) return failure(errors.take());
  if (config != nullptr) read_input_config(*config, measured);
  return ServingMeasurements{std::move(measured)};
}

FileFields aiperf_fields(std::string_view text) {
  const auto document = parse_told(without_infinities(text));
  if (!document) return {};
  FileFields fields;
  add_figure_fields(*document, kAiperfFigures, fields);
  add_ignored_keys(*document, "", kAiperfFigures, kAiperfWords, fields);
  return fields;
}

}  // namespace podwright
