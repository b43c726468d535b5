#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "measure/engine_facts.h"
#include "measure/foreign_parts.h"

namespace podwright {
namespace {

/// A sample of the text format of Prometheus: name{label="value",...} number [time].
struct MetricSample {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string>> labels;
  double value = 0;

  std::string label(std::string_view key) const {
    for (const auto& [name_of_label, text] : labels)
      if (name_of_label == key) return text;
    return "";
  }
  /// Engines write one row for each of theirs.
  std::string of_engine() const { return label("engine") + "/" + label("dp_rank"); }
};

bool is_metric_name(char c) { return is_word(c) || c == ':'; }

/// Labels up to the closing brace, which is passed; false where they are cut off.
bool read_labels(std::string_view& rest, MetricSample& sample) {
  rest.remove_prefix(1);
  while (!rest.empty() && rest.front() != '}') {
    while (!rest.empty() && (rest.front() == ',' || rest.front() == ' ')) rest.remove_prefix(1);
    std::size_t end = 0;
    while (end < rest.size() && is_word(rest[end])) ++end;
    const std::string_view key = rest.substr(0, end);
    if (key.empty()) return !rest.empty() && rest.front() == '}' && (rest.remove_prefix(1), true);
    if (rest.substr(end, 2) != "=\"") return false;
    rest.remove_prefix(end + 2);
    std::string value;
    while (!rest.empty() && rest.front() != '"') {
      if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
      value += rest.front();
      rest.remove_prefix(1);
    }
    if (rest.empty()) return false;
    rest.remove_prefix(1);
    sample.labels.emplace_back(key, std::move(value));
  }
  if (rest.empty()) return false;
  rest.remove_prefix(1);
  return true;
}

/// Absent where the line is not a sample. A value that is not finite is left out by the reader.
std::optional<MetricSample> sample_of(std::string_view line) {
  MetricSample sample;
  std::size_t end = 0;
  while (end < line.size() && is_metric_name(line[end])) ++end;
  sample.name = line.substr(0, end);
  std::string_view rest = line.substr(end);
  if (sample.name.empty() || rest.empty()) return std::nullopt;
  if (rest.front() == '{' && !read_labels(rest, sample)) return std::nullopt;
  rest = trimmed(rest);
  const std::string_view number = rest.substr(0, std::min(rest.find_first_of(" \t"), rest.size()));
  if (number == "NaN" || number == "+Inf" || number == "-Inf" || number == "Inf") {
    sample.value = NAN;
    return sample;
  }
  const auto value = number_of_text(number);
  if (!value) return std::nullopt;
  sample.value = *value;
  return sample;
}

/// A metric by the names that the versions of an engine give it, newest first.
struct MetricNames {
  std::string_view vllm[3];
  std::string_view sglang[3];
};
constexpr MetricNames kRunningMetric{{"vllm:num_requests_running"}, {"sglang:num_running_reqs"}};
constexpr MetricNames kWaitingMetric{{"vllm:num_requests_waiting"}, {"sglang:num_queue_reqs"}};
constexpr MetricNames kUsageMetric{{"vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc"}, {"sglang:token_usage"}};
constexpr MetricNames kHitsMetric{{"vllm:prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits_total"},
                                  {"sglang:cached_tokens_total"}};
constexpr MetricNames kQueriesMetric{{"vllm:prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries_total"},
                                     {"sglang:prompt_tokens_total"}};
constexpr MetricNames kHitGaugeMetric{{"vllm:gpu_prefix_cache_hit_rate"}, {"sglang:cache_hit_rate"}};
constexpr MetricNames kRequestsMetric{{"vllm:request_success_total"}, {"sglang:num_requests_total"}};
constexpr MetricNames kPromptTokensMetric{{"vllm:prompt_tokens_total"}, {"sglang:prompt_tokens_total"}};
constexpr MetricNames kOutputTokensMetric{{"vllm:generation_tokens_total"}, {"sglang:generation_tokens_total"}};
constexpr MetricNames kPreemptionsMetric{{"vllm:num_preemptions_total"}, {"sglang:num_retracted_requests_total"}};
constexpr MetricNames kPoolMetric{{}, {"sglang:max_total_num_tokens"}};
constexpr MetricNames kPageMetric{{}, {"sglang:page_size"}};
constexpr MetricNames kContextMetric{{}, {"sglang:context_len"}};
constexpr MetricNames kTtftMetric{{"vllm:time_to_first_token_seconds"}, {"sglang:time_to_first_token_seconds"}};
constexpr MetricNames kTpotMetric{{"vllm:request_time_per_output_token_seconds", "vllm:time_per_output_token_seconds",
                                   "vllm:inter_token_latency_seconds"},
                                  {"sglang:time_per_output_token_seconds", "sglang:inter_token_latency_seconds"}};
constexpr MetricNames kRequestTimeMetric{{"vllm:e2e_request_latency_seconds"}, {"sglang:e2e_request_latency_seconds"}};
constexpr std::string_view kCacheInfo = "vllm:cache_config_info";

class MetricsReader {
 public:
  Result<EngineFacts> read(std::string_view text) {
    int line = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view body = trimmed(text.substr(begin, end - begin));
      begin = end + 1;
      ++line;
      if (body.empty() || body.front() == '#') continue;
      auto sample = sample_of(body);
      if (!sample)
        return failure({"wrong-type", ":" + std::to_string(line),
                        "Line " + std::to_string(line) + " is not a metric: name{label=\"value\"} number.",
                        "Save the answer of the engine's /metrics whole."});
      if (std::isfinite(sample->value)) samples_.push_back(std::move(*sample));
    }
    const bool vllm = has_prefix("vllm:");
    if (!vllm && !has_prefix("sglang:"))
      return failure({"missing", "", "No metric of this text is of vLLM or SGLang.",
                      "Their names start with \"vllm:\" or \"sglang:\"; SGLang writes them with --enable-metrics."});
    if (vllm && has_prefix("sglang:"))
      return failure({"conflict", "", "The text has metrics of vLLM and of SGLang.", "Import those of one engine."});
    vllm_ = vllm;
    facts_.engine = vllm ? "vllm" : "sglang";
    take_all();
    return std::move(facts_);
  }

  std::set<std::string_view> used() const { return used_; }
  std::set<std::string_view> names() const {
    std::set<std::string_view> names;
    for (const MetricSample& sample : samples_) names.insert(sample.name);
    return names;
  }

 private:
  bool has_prefix(std::string_view prefix) const {
    return std::any_of(samples_.begin(), samples_.end(),
                       [&](const MetricSample& sample) { return sample.name.rfind(prefix, 0) == 0; });
  }

  /// Values by engine; of ranks inside an engine the largest. Rows that split another one by priority or kind of end
  /// add up or are left out.
  std::map<std::string, double> by_engine(std::string_view name) {
    std::map<std::string, double> values;
    for (const MetricSample& sample : samples_) {
      if (sample.name != name || !sample.label("priority").empty()) continue;
      used_.insert(sample.name);
      auto [value, added] = values.emplace(sample.of_engine(), sample.value);
      if (added) continue;
      const bool adds = !sample.label("finished_reason").empty() || !sample.label("cache_source").empty();
      value->second = adds ? value->second + sample.value : std::max(value->second, sample.value);
    }
    return values;
  }

  std::map<std::string, double> first_of(const MetricNames& names, std::string_view suffix = "") {
    for (const std::string_view name : vllm_ ? names.vllm : names.sglang) {
      if (name.empty()) continue;
      for (const MetricSample& sample : samples_)
        if (sample.name.size() == name.size() + suffix.size() && sample.name.rfind(name, 0) == 0 &&
            sample.name.substr(name.size()) == suffix)
          return by_engine(sample.name);
    }
    return {};
  }

  static double sum_of(const std::map<std::string, double>& values) {
    double sum = 0;
    for (const auto& [engine, value] : values) sum += value;
    return sum;
  }

  std::optional<double> total(const MetricNames& names, std::string_view suffix = "") {
    const auto values = first_of(names, suffix);
    return values.empty() ? std::nullopt : std::optional(sum_of(values));
  }
  std::optional<double> mean(const MetricNames& names) {
    const auto values = first_of(names);
    return values.empty() ? std::nullopt : std::optional(sum_of(values) / static_cast<double>(values.size()));
  }
  std::optional<double> least(const MetricNames& names) {
    const auto values = first_of(names);
    if (values.empty()) return std::nullopt;
    double least = values.begin()->second;
    for (const auto& [engine, value] : values) least = std::min(least, value);
    return least > 0 ? std::optional(least) : std::nullopt;
  }
  /// Mean of a histogram; absent where nothing was counted.
  std::optional<double> mean_time(const MetricNames& names) {
    const auto sum = total(names, "_sum");
    const auto count = total(names, "_count");
    return sum && count && *count > 0 && *sum > 0 ? std::optional(*sum / *count) : std::nullopt;
  }

  void take_all() {
    EngineFacts& f = facts_;
    const auto running = first_of(kRunningMetric);
    if (!running.empty()) f.engines = static_cast<double>(running.size());
    f.running = mean(kRunningMetric);
    f.waiting = total(kWaitingMetric);
    if (f.running && f.waiting && *f.running >= 1 && *f.waiting >= 1) f.running_sequences = std::floor(*f.running);
    if (f.running && !f.running_sequences)
      f.notes.emplace_back(
          f.waiting ? "No request waited when the metrics were read: what ran is the load, not what the engine admits."
                    : "The metrics do not say how many requests waited: what ran need not be what the engine admits.");
    f.kv_cache_usage = mean(kUsageMetric);
    take_hits();
    f.requests = total(kRequestsMetric);
    f.prompt_tokens = total(kPromptTokensMetric);
    f.output_tokens = total(kOutputTokensMetric);
    f.preemptions = total(kPreemptionsMetric);
    f.ttft_s = mean_time(kTtftMetric);
    f.tpot_s = mean_time(kTpotMetric);
    f.request_s = mean_time(kRequestTimeMetric);
    if (f.ttft_s || f.prefix_hit_ratio)
      f.notes.emplace_back("Means and ratios are of all requests since the engine started, warm-up included.");
    f.kv_cache_tokens = least(kPoolMetric);
    f.block_tokens = least(kPageMetric);
    f.max_model_tokens = least(kContextMetric);
    for (const MetricSample& sample : samples_)
      if (sample.name == kCacheInfo) take_cache_info(sample);
  }

  void take_hits() {
    const auto hits = total(kHitsMetric);
    const auto queries = total(kQueriesMetric);
    if (hits && queries && *queries > 0 && *hits >= 0 && *hits <= *queries) {
      facts_.prefix_hit_ratio = *hits / *queries;
      return;
    }
    if (hits && queries && *hits > *queries)
      facts_.notes.emplace_back("More tokens were found in the prefix cache than asked for: the ratio is left out.");
    const auto gauge = mean(kHitGaugeMetric);
    if (!gauge || *gauge < 0 || *gauge > 1) return;
    facts_.prefix_hit_ratio = *gauge;
    facts_.notes.emplace_back("The hit ratio is the engine's gauge of its latest work, not one of all requests.");
  }

  /// The pool of vLLM, which stands in labels.
  void take_cache_info(const MetricSample& sample) {
    used_.insert(sample.name);
    const auto number = [&](std::string_view key) {
      const auto value = number_of_text(sample.label(key));
      return value && *value > 0 ? value : std::nullopt;
    };
    const auto least_of = [](std::optional<double>& kept, const std::optional<double>& told) {
      if (told) kept = std::min(kept.value_or(*told), *told);
    };
    least_of(facts_.kv_blocks, number("num_gpu_blocks"));
    least_of(facts_.block_tokens, number("block_size"));
    least_of(facts_.memory_fraction, number("gpu_memory_utilization"));
    facts_.kv_precision = kv_precision_called(sample.label("cache_dtype"));
    least_of(facts_.kv_cache_tokens, number("kv_cache_size_tokens"));
    if (number("kv_cache_size_tokens") || !facts_.kv_blocks || !facts_.block_tokens) return;
    facts_.kv_cache_tokens = *facts_.kv_blocks * *facts_.block_tokens;
  }

  std::vector<MetricSample> samples_;
  std::set<std::string_view> used_;
  EngineFacts facts_;
  bool vllm_ = true;
};

}  // namespace

Result<EngineFacts> import_engine_metrics(std::string_view text) { return MetricsReader().read(text); }

FileFields engine_metrics_fields(std::string_view text) {
  FileFields fields;
  MetricsReader reader;
  const auto facts = reader.read(text);
  if (!facts) return fields;
  const auto used = reader.used();
  for (const std::string_view name : reader.names()) {
    if (used.count(name) > 0)
      fields.used.emplace_back(name);
    else if (!name.ends_with("_bucket") && !name.ends_with("_created"))
      fields.ignored.emplace_back(name);
  }
  for (const EngineFact& fact : kEngineFacts) {
    const bool of_log = fact.value == &EngineFacts::kv_cache_gib || fact.value == &EngineFacts::weights_gib ||
                        fact.value == &EngineFacts::cuda_graphs_gib || fact.value == &EngineFacts::full_sequences ||
                        fact.value == &EngineFacts::max_sequences || fact.value == &EngineFacts::max_batched_tokens ||
                        fact.value == &EngineFacts::tensor || fact.value == &EngineFacts::pipeline ||
                        fact.value == &EngineFacts::attention_data || fact.value == &EngineFacts::data_parallel;
    if (!of_log && !((*facts).*fact.value)) fields.missing.emplace_back(fact.key);
  }
  return fields;
}

bool looks_like_engine_metrics(std::string_view text) {
  for (const std::string_view mark : {"vllm:", "sglang:"}) {
    const std::string_view body = trimmed(text);
    if (body.rfind(mark, 0) == 0 || body.find("\n" + std::string(mark)) != std::string_view::npos) return true;
    if (body.find("# TYPE " + std::string(mark)) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace podwright
