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

std::optional<double> scaled(std::optional<double> value, double scale) {
  return value ? std::optional<double>(*value * scale) : std::nullopt;
}

/// A number where the key holds one; null and words such as "inf" are not told.
std::optional<double> told(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node != nullptr && node->is_number() && node->number > 0 ? std::optional<double>(node->number) : std::nullopt;
}

/// Values of AIPerf stand in objects {"unit", "avg", "p50", ...}.
class AiperfReader {
 public:
  AiperfReader(const JsonNode& document, ErrorList& errors) : document_(document), errors_(errors) {}

  double needed_average(std::string_view metric, std::string_view unit, double scale) {
    const JsonNode* object = document_.find(metric);
    const std::string path = "/" + std::string(metric);
    if (object == nullptr) {
      errors_.add_at_end(document_,
                         foreign_error("missing", path, "\"" + std::string(metric) + "\" is missing.", "aiperf"));
      return 0;
    }
    ObjectReader reader(*object, path, errors_);
    check_unit(*object, path, unit);
    return needed(reader, "avg", "the mean") * scale;
  }
  std::optional<double> optional(std::string_view metric, std::string_view member, double scale) {
    const JsonNode* object = document_.find(metric);
    return object == nullptr ? std::nullopt : scaled(told(*object, member), scale);
  }

 private:
  void check_unit(const JsonNode& object, const std::string& path, std::string_view unit) {
    const JsonNode* found = object.find("unit");
    if (found == nullptr || found->text == unit) return;
    errors_.add(found->order,
                foreign_error("out-of-range", path + "/unit",
                              "The unit is \"" + found->text.substr(0, 40) + "\", expected " + std::string(unit) + ".",
                              "aiperf"));
  }

  const JsonNode& document_;
  ErrorList& errors_;
};

}  // namespace

Result<ServingMeasurement> import_vllm_bench(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return failure(document.error());
  ErrorList errors;
  ObjectReader reader(*document, "", errors);
  ServingMeasurement measured;
  measured.tool = "vllm-bench";
  measured.model = reader.text("model_id").value_or("");
  measured.concurrency = told(*document, "max_concurrency");
  measured.request_rate_per_s = told(*document, "request_rate");
  measured.requests = needed(reader, "completed", "how many requests were answered");
  measured.duration_s = needed(reader, "duration", "how long the run took");
  measured.requests_per_s = needed(reader, "request_throughput", "requests per second");
  measured.output_tokens_per_s = needed(reader, "output_throughput", "output tokens per second");
  measured.total_tokens_per_s = told(*document, "total_token_throughput");
  if (measured.requests > 0) {
    measured.input_tokens = scaled(told(*document, "total_input_tokens"), 1 / measured.requests);
    measured.output_tokens = scaled(told(*document, "total_output_tokens"), 1 / measured.requests);
  }
  measured.ttft_s = needed(reader, "mean_ttft_ms", "the mean time to the first token") * 1e-3;
  measured.ttft_s_p50 = scaled(told(*document, "median_ttft_ms"), 1e-3);
  measured.ttft_s_p99 = scaled(told(*document, "p99_ttft_ms"), 1e-3);
  measured.tpot_s = needed(reader, "mean_tpot_ms", "the mean time per output token") * 1e-3;
  measured.tpot_s_p50 = scaled(told(*document, "median_tpot_ms"), 1e-3);
  measured.tpot_s_p99 = scaled(told(*document, "p99_tpot_ms"), 1e-3);
  if (!errors.empty()) return failure(errors.take());
  return measured;
}

Result<ServingMeasurement> import_aiperf(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return failure(document.error());
  if (!document->is_object()) return failure(foreign_error("wrong-type", "", "A result is an object.", "aiperf"));
  ErrorList errors;
  AiperfReader reader(*document, errors);
  ServingMeasurement measured;
  measured.tool = "aiperf";
  measured.requests = reader.needed_average("request_count", "requests", 1);
  measured.requests_per_s = reader.needed_average("request_throughput", "requests/sec", 1);
  measured.output_tokens_per_s = reader.needed_average("output_token_throughput", "tokens/sec", 1);
  measured.ttft_s = reader.needed_average("time_to_first_token", "ms", 1e-3);
  measured.ttft_s_p50 = reader.optional("time_to_first_token", "p50", 1e-3);
  measured.ttft_s_p99 = reader.optional("time_to_first_token", "p99", 1e-3);
  measured.tpot_s = reader.needed_average("inter_token_latency", "ms", 1e-3);
  measured.tpot_s_p50 = reader.optional("inter_token_latency", "p50", 1e-3);
  measured.tpot_s_p99 = reader.optional("inter_token_latency", "p99", 1e-3);
  measured.input_tokens = reader.optional("input_sequence_length", "avg", 1);
  measured.output_tokens = reader.optional("output_sequence_length", "avg", 1);
  if (!errors.empty()) return failure(errors.take());
  return measured;
}

}  // namespace podwright
