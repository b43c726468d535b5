#include <algorithm>
#include <array>
#include <iterator>

#include "base/object_reader.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"

namespace podwright {
namespace {

constexpr Range kPositive{1e-12, 1e15};

/// A number that the file must hold.
double needed(ObjectReader& reader, std::string_view key, std::string_view meaning) {
  if (!reader.has(key)) reader.missing(key, meaning);
  return reader.number(key, kPositive).value_or(0);
}

/// A number where the key holds one; null and words such as "inf" are not given.
std::optional<double> told(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node != nullptr && node->is_number() && node->number > 0 ? std::optional<double>(node->number) : std::nullopt;
}

/// Python writes numbers that are not finite as words, which JSON does not have.
std::string without_infinities(std::string_view text) {
  std::string plain;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    std::string_view word;
    for (const std::string_view one : {"-Infinity", "Infinity", "NaN"})
      if (!quoted && word.empty() && text.substr(i, one.size()) == one) word = one;
    if (word.empty()) {
      plain += text[i];
    } else {
      plain += "null";
      i += word.size() - 1;
    }
  }
  return plain;
}

/// The result of one run. SGLang appends those of several runs to one file, a line each.
Result<JsonNode> bench_document(std::string_view text) {
  const std::string plain = without_infinities(text);
  const std::string_view body = trimmed(plain);
  const std::size_t end = body.find('\n');
  if (end != std::string_view::npos && !trimmed(body.substr(end)).empty() && trimmed(body.substr(end)).front() == '{' &&
      parse_json(body.substr(0, end)))
    return failure(foreign_error("wrong-type", "", "The file has the results of several runs, one a line: give one.",
                                 "vllm bench serve"));
  return parse_json(plain);
}

using Setter = void (*)(ServingMeasurement&, double);

/// A key of vLLM's file. One with a meaning must be there.
struct BenchKey {
  std::string_view key;
  std::string_view meaning;
  double scale;
  Setter set;
};
constexpr std::array<BenchKey, 15> kBenchKeys{{
    {"max_concurrency", "", 1, [](ServingMeasurement& m, double v) { m.concurrency = v; }},
    {"request_rate", "", 1, [](ServingMeasurement& m, double v) { m.request_rate_per_s = v; }},
    {"completed", "how many requests were answered", 1, [](ServingMeasurement& m, double v) { m.requests = v; }},
    {"duration", "how long the run took", 1, [](ServingMeasurement& m, double v) { m.duration_s = v; }},
    {"request_throughput", "requests per second", 1, [](ServingMeasurement& m, double v) { m.requests_per_s = v; }},
    {"output_throughput", "output tokens per second", 1,
     [](ServingMeasurement& m, double v) { m.output_tokens_per_s = v; }},
    {"total_token_throughput", "", 1, [](ServingMeasurement& m, double v) { m.total_tokens_per_s = v; }},
    {"total_input_tokens", "", 1, [](ServingMeasurement& m, double v) { m.input_tokens = v; }},
    {"total_output_tokens", "", 1, [](ServingMeasurement& m, double v) { m.output_tokens = v; }},
    {"mean_ttft_ms", "the mean time to the first token", kMs, [](ServingMeasurement& m, double v) { m.ttft_s = v; }},
    {"median_ttft_ms", "", kMs, [](ServingMeasurement& m, double v) { m.ttft_s_p50 = v; }},
    {"p99_ttft_ms", "", kMs, [](ServingMeasurement& m, double v) { m.ttft_s_p99 = v; }},
    {"mean_tpot_ms", "the mean time per output token", kMs, [](ServingMeasurement& m, double v) { m.tpot_s = v; }},
    {"median_tpot_ms", "", kMs, [](ServingMeasurement& m, double v) { m.tpot_s_p50 = v; }},
    {"p99_tpot_ms", "", kMs, [](ServingMeasurement& m, double v) { m.tpot_s_p99 = v; }},
}};

/// A member of one of AIPerf's objects {"unit", "avg", "p50", ...}. One with a unit must be there.
struct AiperfKey {
  std::string_view metric;
  std::string_view member;
  std::string_view unit;
  double scale;
  Setter set;
};
constexpr std::array<AiperfKey, 11> kAiperfKeys{{
    {"request_count", "avg", "requests", 1, [](ServingMeasurement& m, double v) { m.requests = v; }},
    {"request_throughput", "avg", "requests/sec", 1, [](ServingMeasurement& m, double v) { m.requests_per_s = v; }},
    {"output_token_throughput", "avg", "tokens/sec", 1,
     [](ServingMeasurement& m, double v) { m.output_tokens_per_s = v; }},
    {"time_to_first_token", "avg", "ms", kMs, [](ServingMeasurement& m, double v) { m.ttft_s = v; }},
    {"time_to_first_token", "p50", "", kMs, [](ServingMeasurement& m, double v) { m.ttft_s_p50 = v; }},
    {"time_to_first_token", "p99", "", kMs, [](ServingMeasurement& m, double v) { m.ttft_s_p99 = v; }},
    {"inter_token_latency", "avg", "ms", kMs, [](ServingMeasurement& m, double v) { m.tpot_s = v; }},
    {"inter_token_latency", "p50", "", kMs, [](ServingMeasurement& m, double v) { m.tpot_s_p50 = v; }},
    {"inter_token_latency", "p99", "", kMs, [](ServingMeasurement& m, double v) { m.tpot_s_p99 = v; }},
    {"input_sequence_length", "avg", "", 1, [](ServingMeasurement& m, double v) { m.input_tokens = v; }},
    {"output_sequence_length", "avg", "", 1, [](ServingMeasurement& m, double v) { m.output_tokens = v; }},
}};

void read_needed(const JsonNode& document, const AiperfKey& key, ServingMeasurement& measured, ErrorList& errors) {
  const JsonNode* object = document.find(key.metric);
  const std::string path = "/" + std::string(key.metric);
  if (object == nullptr) {
    errors.add_at_end(document,
                      foreign_error("missing", path, "\"" + std::string(key.metric) + "\" is missing.", "aiperf"));
    return;
  }
  ObjectReader reader(*object, path, errors);
  check_unit(*object, path, key.unit, "aiperf", errors);
  key.set(measured, needed(reader, key.member, "the mean") * key.scale);
}

/// Of the keys of the outermost object, those that no row names.
template <class Rows, class NameOf>
std::vector<std::string> others(const JsonNode& document, const Rows& rows, NameOf name_of) {
  std::vector<std::string> found;
  for (const std::string& key : document.keys)
    if (std::none_of(std::begin(rows), std::end(rows), [&](const auto& row) { return name_of(row) == key; }))
      found.push_back(key);
  return found;
}

}  // namespace

Result<ServingMeasurement> import_vllm_bench(std::string_view text) {
  const auto document = bench_document(text);
  if (!document) return failure(document.error());
  ErrorList errors;
  ObjectReader reader(*document, "", errors);
  ServingMeasurement measured;
  // SGLang's benchmark writes the same keys, and this one of its own.
  measured.tool = document->find("total_output_tokens_retokenized") != nullptr ? "sglang-bench" : "vllm-bench";
  measured.model = reader.text("model_id").value_or("");
  for (const BenchKey& row : kBenchKeys) {
    if (!row.meaning.empty())
      row.set(measured, needed(reader, row.key, row.meaning) * row.scale);
    else if (const auto value = told(*document, row.key))
      row.set(measured, *value * row.scale);
  }
  if (!errors.empty()) return failure(errors.take());
  // The file tells tokens of all requests.
  for (std::optional<double>* tokens : {&measured.input_tokens, &measured.output_tokens})
    if (*tokens) **tokens *= 1 / measured.requests;
  return measured;
}

FileFields vllm_bench_fields(std::string_view text) {
  const auto document = bench_document(text);
  if (!document) return {};
  FileFields fields;
  fields.ignored = others(*document, kBenchKeys, [](const BenchKey& row) { return row.key; });
  if (const auto model = std::find(fields.ignored.begin(), fields.ignored.end(), "model_id");
      model != fields.ignored.end()) {
    fields.used.push_back(*model);
    fields.ignored.erase(model);
  }
  for (const BenchKey& row : kBenchKeys)
    (told(*document, row.key) ? fields.used : fields.missing).emplace_back(row.key);
  return fields;
}

Result<ServingMeasurement> import_aiperf(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return failure(document.error());
  if (!document->is_object()) return failure(foreign_error("wrong-type", "", "A result is an object.", "aiperf"));
  ErrorList errors;
  ServingMeasurement measured;
  measured.tool = "aiperf";
  for (const AiperfKey& row : kAiperfKeys) {
    if (!row.unit.empty()) {
      read_needed(*document, row, measured, errors);
      continue;
    }
    const JsonNode* object = document->find(row.metric);
    if (object == nullptr) continue;
    if (const auto value = told(*object, row.member)) row.set(measured, *value * row.scale);
  }
  if (!errors.empty()) return failure(errors.take());
  return measured;
}

FileFields aiperf_fields(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return {};
  FileFields fields;
  fields.ignored = others(*document, kAiperfKeys, [](const AiperfKey& row) { return row.metric; });
  for (const AiperfKey& row : kAiperfKeys) {
    const JsonNode* object = document->find(row.metric);
    const bool there = object != nullptr && told(*object, row.member);
    (there ? fields.used : fields.missing).push_back(std::string(row.metric) + "." + std::string(row.member));
  }
  return fields;
}

}  // namespace podwright
