#include "api/engine_request.h"

#include <algorithm>
#include <cmath>

#include "api/field_reader.h"
#include "api/host_calibration_text.h"
#include "api/replay_request.h"
#include "api/requests.h"
#include "base/json_pointer.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/patch.h"
#include "perf/estimate_serving.h"

namespace podwright {
namespace {

/// A setting of the engine at its place in a request.
struct EngineSetting {
  std::string_view pointer;
  std::optional<double> number;
  std::string text;
};

std::vector<EngineSetting> settings_of(const EngineFacts& facts, std::vector<std::string>& notes) {
  std::vector<EngineSetting> settings{{"/engine", {}, facts.engine},
                                      {"/engine_version", {}, facts.version},
                                      {"/kv_precision", {}, facts.kv_precision},
                                      {"/parallelism/tensor", facts.tensor, {}},
                                      {"/parallelism/pipeline", facts.pipeline, {}},
                                      {"/parallelism/attention_data", facts.attention_data, {}},
                                      {"/max_batched_tokens", facts.max_batched_tokens, {}},
                                      {"/memory_fraction", facts.memory_fraction, {}},
                                      {"/max_model_tokens", facts.max_model_tokens, {}},
                                      {"/block_tokens", facts.block_tokens, {}}};
  // Requests count the sequences of a replica with all its ranks of attention.
  const bool ranks_known = facts.attention_data || facts.data_parallel.value_or(1) == 1;
  if (facts.max_sequences && ranks_known)
    settings.push_back({"/max_batch_size", *facts.max_sequences * facts.attention_data.value_or(1), {}});
  if (!ranks_known)
    notes.push_back("The engine has a data parallel size of " + shortest_number(*facts.data_parallel) +
                    ": set parallelism.data, or parallelism.attention_data where it shares the experts.");
  settings.erase(std::remove_if(settings.begin(), settings.end(),
                                [](const EngineSetting& one) { return !one.number && one.text.empty(); }),
                 settings.end());
  return settings;
}

/// The node at "/parallelism/tensor"; null where there is none.
const JsonNode* node_at(const JsonNode& document, std::string_view pointer) {
  const JsonNode* node = &document;
  while (!pointer.empty() && node != nullptr) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    node = node->is_object() ? node->find(pointer.substr(0, end)) : nullptr;
    pointer.remove_prefix(end);
  }
  return node;
}

std::string text_of(const EngineSetting& setting) {
  return setting.number ? shortest_number(*setting.number) : setting.text;
}

bool agrees(const JsonNode& said, const EngineSetting& setting) {
  if (setting.number) return said.is_number() && std::fabs(said.number - *setting.number) <= 1e-6 * *setting.number;
  if (!said.is_text()) return false;
  if (setting.pointer != "/engine_version") return said.text == setting.text;
  // "0.11" is every version of it.
  const std::string_view shorter = said.text.size() < setting.text.size() ? said.text : setting.text;
  const std::string_view longer = said.text.size() < setting.text.size() ? setting.text : said.text;
  return longer.substr(0, shorter.size()) == shorter &&
         (longer.size() == shorter.size() || longer[shorter.size()] == '.');
}

/// Sets what the request does not say, and reports what it says otherwise.
Patch settings_patch(const JsonNode& document, const std::vector<EngineSetting>& settings, Errors& errors) {
  Patch patch;
  for (const EngineSetting& setting : settings) {
    const JsonNode* said = node_at(document, setting.pointer);
    if (said == nullptr && setting.number) patch.set(setting.pointer, *setting.number);
    if (said == nullptr && !setting.number) patch.set(setting.pointer, setting.text);
    if (said == nullptr || agrees(*said, setting)) continue;
    const std::string name = std::string(setting.pointer.substr(setting.pointer.find_last_of('/') + 1));
    errors.push_back(
        {"conflict", "/request" + std::string(setting.pointer),
         "The request says " + name + " " + json_text(*said) + ", the engine says " + text_of(setting) + ".",
         "Give the request of this engine, or leave " + name + " out of it."});
  }
  return patch;
}

void add_measured(const EngineFacts& facts, const JsonNode& document, Patch& patch, std::vector<std::string>& notes) {
  const auto set = [&](std::string_view key, const std::optional<double>& value) {
    if (value) patch.set("/measured/" + std::string(key), *value);
  };
  set("kv_cache_tokens", facts.kv_cache_tokens);
  set("running_sequences", facts.running_sequences);
  set("prefix_hit_ratio", facts.prefix_hit_ratio);
  if (facts.prefix_hit_ratio && document.find("prefix_hit_ratio") != nullptr) {
    patch.clear("/prefix_hit_ratio");
    notes.emplace_back("The measured hit ratio replaces the request's prefix_hit_ratio.");
  }
}

/// The deployment of a request of kind serving or replay.
Result<ServingRequest> deployment_in(const Catalog& catalog, const JsonNode& document) {
  const JsonNode* kind = document.find("kind");
  const std::string word = kind == nullptr ? "serving" : kind->text;
  const auto inside = [](Errors errors) {
    for (Error& error : errors) error.path = "/request" + error.path;
    return errors;
  };
  if (word == "replay") {
    auto read = read_request<ReplayRequest>(catalog, document);
    if (!read) return failure(inside(read.error()));
    return std::move(read->request.serving);
  }
  if (word != "serving")
    return failure({"out-of-range", "/request/kind",
                    "What an engine says belongs to a request of kind serving or replay.",
                    "Give the request of the deployment that the engine serves."});
  auto read = read_request<ServingRequest>(catalog, document);
  if (!read) return failure(inside(read.error()));
  return std::move(read->request);
}

/// Logarithms of measured over computed.
struct BenchmarkRatios {
  std::vector<double> ttft;
  std::vector<double> tpot;
  std::vector<double> rate;
};

/// The deployment under the load of the benchmark. Its prompts share what the request says by itself or was measured;
/// what its traffic shares is not what a benchmark sends.
ServingRun under_load(ServingRun run, const ServingMeasurement& measured) {
  if (measured.input_tokens) {
    run.input_tokens = *measured.input_tokens;
    run.input_tokens_cv = 0;
    run.traffic.reset();
  }
  if (measured.output_tokens) {
    run.output_tokens = *measured.output_tokens;
    run.output_tokens_cv = 0;
  }
  if (measured.concurrency)
    run.load = {LoadKind::concurrency, *measured.concurrency};
  else if (measured.request_rate_per_s)
    run.load = {LoadKind::request_rate, *measured.request_rate_per_s};
  return run;
}

void compare(const Catalog& catalog, const ServingRequest& deployment, const ServingMeasurement& measured,
             BenchmarkRatios& ratios, std::vector<std::string>& notes) {
  const ServingRun run = under_load(deployment.run, measured);
  NoTrace none;
  const auto estimate = estimate_serving(none, catalog, *deployment.model, *deployment.gpu, run);
  if (!estimate.performance || !estimate.performance->stable) {
    notes.push_back("There is no factor of a benchmark: " +
                    (estimate.reasons.empty() ? std::string("the deployment has no speed under its load.")
                                              : estimate.reasons.front().message.text()));
    return;
  }
  const ServingPerformance<NoTrace>& speed = *estimate.performance;
  const auto ratio = [](std::vector<double>& list, const std::optional<double>& of_file, double computed) {
    if (of_file && *of_file > 0 && computed > 0) list.push_back(math::log(*of_file / computed));
  };
  if (speed.ttft) ratio(ratios.ttft, measured.ttft_s, raw(*speed.ttft));
  if (speed.tpot) ratio(ratios.tpot, measured.tpot_s, raw(*speed.tpot));
  if (run.load.kind != LoadKind::request_rate) ratio(ratios.rate, measured.requests_per_s, raw(speed.requests_per_s));
  if (!measured.concurrency && !measured.request_rate_per_s)
    notes.emplace_back("A benchmark's file does not say its load: that of the request is taken.");
}

/// A log names no model, but how much its weights take.
void compare_weights(const Catalog& catalog, const ServingRequest& deployment, const EngineFacts& facts,
                     std::vector<std::string>& notes) {
  constexpr double kOtherModel = 1.5;  // formats, tied embeddings and padding change less
  NoTrace none;
  const auto estimate = estimate_serving(none, catalog, *deployment.model, *deployment.gpu, deployment.run);
  if (!facts.weights_gib || !estimate.memory) return;
  const double computed = estimate.memory->weights / gib(1);
  if (*facts.weights_gib < kOtherModel * computed && computed < kOtherModel * *facts.weights_gib) return;
  notes.push_back("The engine's weights take " + human_number(*facts.weights_gib) +
                  " GiB of a GPU, those of the request " + human_number(computed) +
                  " GiB: the log is of another model, format or layout, and neither its pool nor a factor holds.");
}

void add_factors(const BenchmarkRatios& ratios, Patch& patch) {
  const auto set = [&](std::string_view key, const std::vector<double>& logarithms) {
    if (logarithms.empty()) return;
    double sum = 0;
    for (const double one : logarithms) sum += one;
    const double factor = math::exp(sum / static_cast<double>(logarithms.size()));
    patch.set("/measured/" + std::string(key), rounded_for_display(std::clamp(factor, 0.01, 100.0), 4));
  };
  set("ttft_factor", ratios.ttft);
  set("tpot_factor", ratios.tpot);
  set("rate_factor", ratios.rate);
}

}  // namespace

Result<EngineRequest> engine_request(const Catalog& catalog, const ImportedFiles& imported,
                                     const std::optional<std::string>& request) {
  EngineRequest made;
  auto document = parse_json(request.value_or("{}"));
  if (!document) return failure(document.error());
  Errors errors;
  Patch patch;
  if (imported.engine) {
    made.notes = imported.engine->notes;
    patch = settings_patch(*document, settings_of(*imported.engine, made.notes), errors);
    if (!errors.empty()) return failure(std::move(errors));
    add_measured(*imported.engine, *document, patch, made.notes);
  }
  made.document = merged(*document, patch.merge_patch(*document));
  const bool benchmarks =
      std::any_of(imported.files.begin(), imported.files.end(), [](const auto& file) { return !file.serving.empty(); });
  if (!request) {
    if (benchmarks) made.notes.emplace_back("Factors of a benchmark need the request of its deployment.");
    return made;
  }
  if (document->find("kind") == nullptr) made.document = merged(made.document, Patch("/kind", "serving").merge_patch());
  const JsonNode* calibration = document->find("calibration");
  std::optional<Catalog> calibrated;
  if (calibration != nullptr) {
    auto read = calibrated_catalog(catalog, *calibration, "/request/calibration");
    if (!read) return failure(read.error());
    calibrated = std::move(*read);
  }
  const Catalog& known = calibrated ? *calibrated : catalog;
  const auto deployment = deployment_in(known, made.document);
  if (!deployment) return failure(deployment.error());
  if (imported.engine) compare_weights(known, *deployment, *imported.engine, made.notes);
  BenchmarkRatios ratios;
  for (const ImportedFile& file : imported.files)
    for (const ServingMeasurement& run : file.serving) compare(known, *deployment, run, ratios, made.notes);
  Patch factors;
  add_factors(ratios, factors);
  made.document = merged(made.document, factors.merge_patch(made.document));
  return made;
}

}  // namespace podwright
