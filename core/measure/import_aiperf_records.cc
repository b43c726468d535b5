/// AIPerf's records of single requests, one JSON object a line, as one measurement of the whole run: the requests of
/// the profiling phase that were answered, with rates over the time from the first start to the last end, as AIPerf's
/// own summary has them. docs/method/probes.md#imports.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "base/math.h"
#include "base/object_reader.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/serving_figures.h"

namespace podwright {
namespace {

constexpr double kNs = 1e-9;

/// What records tell of a request. A metric is absent where the request has none, such as the time between tokens of
/// an answer of one token.
enum Metric : std::size_t { kTtft, kTpot, kOutput, kInput, kMetrics };
struct MetricKey {
  std::string_view key;
  std::string_view unit;
  double scale;
  bool needed;  ///< of at least one request
};
constexpr std::array<MetricKey, kMetrics> kMetricKeys{{{"time_to_first_token", "ms", kMs, true},
                                                       {"inter_token_latency", "ms", kMs, true},
                                                       {"output_sequence_length", "tokens", 1, true},
                                                       {"input_sequence_length", "tokens", 1, false}}};
constexpr std::array<std::string_view, 2> kTimeKeys = {"request_start_ns", "request_end_ns"};
/// Read to tell which records count.
constexpr std::array<std::string_view, 2> kStateKeys = {"benchmark_phase", "was_cancelled"};

enum class RecordState { counted, not_profiling, failed };

/// A record that was cancelled carries an error, too.
RecordState state_of(const JsonNode& record, const JsonNode& metadata) {
  const JsonNode* phase = metadata.find("benchmark_phase");
  if (phase != nullptr && phase->is_text() && phase->text != "profiling") return RecordState::not_profiling;
  const JsonNode* error = record.find("error");
  const JsonNode* cancelled = metadata.find("was_cancelled");
  if (error != nullptr && error->type != JsonType::null) return RecordState::failed;
  return cancelled != nullptr && cancelled->boolean ? RecordState::failed : RecordState::counted;
}

/// Of the requests that count.
struct Records {
  std::array<std::vector<double>, kMetrics> told;  ///< seconds or tokens
  std::vector<double> start_ns, end_ns;
};

void read_metric(const JsonNode& metrics, std::size_t i, const std::string& path, Records& records, ErrorList& errors) {
  const MetricKey& row = kMetricKeys[i];
  const JsonNode* metric = metrics.find(row.key);
  if (metric == nullptr) return;
  const std::string at = path + pointer_step(row.key);
  ObjectReader reader(*metric, at, errors);
  check_unit(*metric, at, row.unit, "aiperf", errors);
  if (!reader.has("value")) reader.missing("value", "what was measured");
  if (const auto value = reader.number("value", {0, 1e15})) records.told[i].push_back(*value * row.scale);
}

void read_record(const JsonNode& record, const std::string& line, Records& records, ErrorList& errors) {
  ObjectReader reader(record, line, errors);
  if (!reader.has("metadata")) reader.missing("metadata", "the times of the request");
  const JsonNode* metadata = reader.object("metadata");
  if (metadata == nullptr || state_of(record, *metadata) != RecordState::counted) return;
  ObjectReader times(*metadata, reader.path("metadata"), errors);
  for (const auto& [key, list] :
       {std::pair{kTimeKeys[0], &records.start_ns}, std::pair{kTimeKeys[1], &records.end_ns}}) {
    if (!times.has(key)) times.missing(key, "when the request started or ended");
    list->push_back(times.number(key, {0, 1e19}).value_or(0));
  }
  if (!reader.has("metrics")) reader.missing("metrics", "what was measured of the request");
  const JsonNode* metrics = reader.object("metrics");
  if (metrics == nullptr) return;
  for (std::size_t i = 0; i < kMetrics; ++i) read_metric(*metrics, i, reader.path("metrics"), records, errors);
}

/// Calls `read` for each line that is not empty, with its path, until one returns false.
template <class Read>
void for_each_line(std::string_view text, Read read) {
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    if (!line.empty() && !read(line, ":" + std::to_string(number))) return;
    at = end + 1;
  }
}

/// Errors of the first record that has any.
Result<Records> read_records(std::string_view text) {
  Records records;
  Errors found;
  for_each_line(text, [&](std::string_view line, const std::string& path) {
    const auto record = parse_told(line);
    ErrorList errors;
    if (record)
      read_record(*record, path, records, errors);
    else
      found = record.error();
    if (!errors.empty()) found = errors.take();
    for (Error& error : found)
      if (!record) error.path = path + error.path;
    return found.empty();
  });
  if (!found.empty()) return failure(found);
  return records;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
double mean(const std::vector<double>& values) { return sum(values) / static_cast<double>(values.size()); }

Errors not_told(const Records& records) {
  if (records.start_ns.empty())
    return {foreign_error("missing", "", "No record is of an answered request of the profiling phase.", "aiperf")};
  Errors errors;
  for (std::size_t i = 0; i < kMetrics; ++i)
    if (kMetricKeys[i].needed && records.told[i].empty())
      errors.push_back(foreign_error("missing", "", "No record gives \"" + std::string(kMetricKeys[i].key) + "\".",
                                     "aiperf profile --streaming"));
  return errors;
}

}  // namespace

Result<ServingMeasurements> import_aiperf_records(std::string_view text) {
  const auto records = read_records(text);
  if (!records) return failure(records.error());
  if (Errors errors = not_told(*records); !errors.empty()) return failure(std::move(errors));
  const auto& told = records->told;
  ServingMeasurement measured;
  measured.tool = "aiperf";
  measured.requests = static_cast<double>(records->start_ns.size());
  const double start = *std::min_element(records->start_ns.begin(), records->start_ns.end());
  const double end = *std::max_element(records->end_ns.begin(), records->end_ns.end());
  if (end <= start) return failure(foreign_error("out-of-range", "", "The requests end before they start.", "aiperf"));
  measured.duration_s = (end - start) * kNs;
  measured.requests_per_s = *measured.requests / *measured.duration_s;
  measured.output_tokens_per_s = sum(told[kOutput]) / *measured.duration_s;
  measured.output_tokens = mean(told[kOutput]);
  if (!told[kInput].empty()) measured.input_tokens = mean(told[kInput]);
  measured.ttft_s = mean(told[kTtft]);
  measured.ttft_s_p50 = math::quantile(told[kTtft], 0.5);
  measured.ttft_s_p99 = math::quantile(told[kTtft], 0.99);
  measured.tpot_s = mean(told[kTpot]);
  measured.tpot_s_p50 = math::quantile(told[kTpot], 0.5);
  measured.tpot_s_p99 = math::quantile(told[kTpot], 0.99);
  return ServingMeasurements{std::move(measured)};
}

namespace {

/// Names of the records' fields, each once, and how many records count and do not.
struct SeenFields {
  std::vector<std::string> used, ignored;
  std::array<std::size_t, 3> records{};  ///< by RecordState
};

void see(std::string_view group, const JsonNode* object, SeenFields& seen) {
  if (object == nullptr) return;
  const auto names = [](const auto& rows, const std::string& key) {
    return std::find(rows.begin(), rows.end(), key) != rows.end();
  };
  const bool times = group == "metadata";
  for (const std::string& key : object->keys) {
    const bool metric =
        std::any_of(kMetricKeys.begin(), kMetricKeys.end(), [&](const MetricKey& r) { return r.key == key; });
    const bool taken = times ? names(kTimeKeys, key) || names(kStateKeys, key) : metric;
    add_field(std::string(group) + "." + key, taken ? seen.used : seen.ignored);
  }
}

}  // namespace

FileFields aiperf_records_fields(std::string_view text) {
  SeenFields seen;
  for_each_line(text, [&](std::string_view line, const std::string&) {
    const auto record = parse_told(line);
    const JsonNode* metadata = record ? record->find("metadata") : nullptr;
    if (metadata == nullptr) return false;
    const RecordState state = state_of(*record, *metadata);
    seen.records[static_cast<std::size_t>(state)]++;
    if (state != RecordState::counted) return true;
    see("metadata", metadata, seen);
    see("metrics", record->find("metrics"), seen);
    return true;
  });
  FileFields fields{std::move(seen.used), std::move(seen.ignored), {}};
  fields.used.insert(fields.used.begin(), std::to_string(seen.records[0]) + " records");
  const auto left_out = [&](RecordState state, std::string_view of) {
    const std::size_t count = seen.records[static_cast<std::size_t>(state)];
    if (count > 0) fields.ignored.insert(fields.ignored.begin(), std::to_string(count) + std::string(of));
  };
  left_out(RecordState::not_profiling, " records outside the profiling phase");
  left_out(RecordState::failed, " records of requests that failed");
  for (const MetricKey& row : kMetricKeys)
    if (const std::string name = "metrics." + std::string(row.key);
        std::find(fields.used.begin(), fields.used.end(), name) == fields.used.end())
      fields.missing.push_back(name);
  return fields;
}

}  // namespace podwright
