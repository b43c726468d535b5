#include "perf/serving_claim.h"

#include <cmath>

#include "base/number_text.h"
#include "base/words.h"

namespace podwright {
namespace {

/// "2 H100 SXM5 80GB".
std::string gpus_text(const ServingClaim& claim, double gpus) { return human_number(gpus, 6) + " " + claim.gpu->name; }

double gpus_of_replica(const ServingClaim& claim) { return claim.gpu_count / claim.data.value_or(1); }

std::string gb_text(Bytes size) { return human_number(size / gb(1)) + " GB"; }

/// "48.6 tokens/s", "20.6 ms".
std::string speed_text(SpeedMetric metric, double value) {
  switch (metric) {
    case SpeedMetric::output_tokens_per_s:
      return human_number(value) + " output tokens/s";
    case SpeedMetric::tokens_per_s_per_user:
      return human_number(value) + " tokens/s for each user";
    case SpeedMetric::total_tokens_per_s:
      return human_number(value) + " tokens/s";
    case SpeedMetric::tpot_s:
      return human_number(value * 1e3) + " ms for each output token";
    case SpeedMetric::ttft_s:
      return human_number(value * 1e3) + " ms to the first token";
    case SpeedMetric::max_batch:
      return human_number(value, 6) + " sequences at once";
  }
  return {};
}

std::string_view unit_of(SpeedMetric metric) {
  if (less_is_faster(metric)) return "s";
  return metric == SpeedMetric::max_batch ? "sequences" : "tokens/s";
}

/// What the roof is made of.
std::string reason_text(const ServingClaim& claim, const BrokenSpeed& broken) {
  const std::string gpus = gpus_text(claim, gpus_of_replica(claim));
  if (broken.limited_by == "memory")
    return gpus + " hold " + gb_text(broken.weights) + " of weights and no more sequences with them.";
  if (broken.limited_by == "memory-bandwidth") {
    const BytesPerSecond together = gpus_of_replica(claim) * *claim.gpu->memory_bandwidth;
    std::string text = "A step reads " + gb_text(broken.weights_read) + " of weights";
    if (broken.kv_read > Bytes(0)) text += " and " + gb_text(broken.kv_read) + " of keys and values";
    text += "; " + gpus + " read " + human_number(together / BytesPerSecond(1e12)) + " TB/s, which is " +
            human_number(together / (broken.weights_read + broken.kv_read) * Seconds(1)) + " steps/s";
    if (broken.sequences > 1) text += " of " + human_number(broken.sequences, 6) + " tokens each";
    return text + ".";
  }
  if (broken.limited_by == "links")
    return "The links between the GPUs cannot carry the exchanges of tensor parallelism faster.";
  return "The arithmetic of the model takes longer at the peak of " + gpus + ".";
}

bool possible(const Catalog& catalog, const ServingClaim& claim) {
  NoTrace none;
  std::string problem;
  const auto check = check_claim(none, catalog, claim, problem);
  return check && check->verdict != ClaimVerdict::impossible;
}

/// Three digits of a positive number, rounded up or down.
double three_digits(double x, bool up) {
  double scale = 1;
  while (x / scale >= 1000) scale *= 10;
  while (x / scale < 100 && scale > 1e-12) scale /= 10;
  return (up ? std::ceil(x / scale) : std::floor(x / scale)) * scale;
}

/// The fewest GPUs that make it possible, by doubling; 0 where a thousand times as many do not.
double enough_gpus(const Catalog& catalog, ServingClaim claim) {
  const double given = claim.gpu_count;
  for (double times = 2; times <= 1024; times *= 2) {
    claim.gpu_count = given * times;
    if (!possible(catalog, claim)) continue;
    double low = times / 2;
    double high = times;
    while (high - low > 1) {
      const double middle = std::floor((low + high) / 2);
      claim.gpu_count = given * middle;
      (possible(catalog, claim) ? high : low) = middle;
    }
    return given * high;
  }
  return 0;
}

}  // namespace

Bytes claimed_kv_element(const ServingClaim& claim, const WeightFormat& format) {
  if (const auto element = kv_element_bytes(claim.kv_precision)) return Bytes(*element);
  return bytes(format.bits_per_weight < 9 ? 1 : 2);
}

std::vector<std::string_view> arithmetic_of(double bits) {
  std::vector<std::string_view> precisions{"fp32", "tf32", "bf16", "fp16", "fp16_fp16_accumulate"};
  if (bits > 16) return {"fp32", "tf32"};
  if (bits < 16) precisions.insert(precisions.end(), {"fp8", "int8"});
  if (bits < 8) precisions.insert(precisions.end(), {"fp4", "int4"});
  return precisions;
}

std::string fastest_arithmetic(const Gpu& gpu, double bits) {
  std::string fastest;
  FlopsPerSecond best{};
  for (const std::string_view precision : arithmetic_of(bits)) {
    const auto peak = gpu.peak_dense_flops.find(std::string(precision));
    if (peak == gpu.peak_dense_flops.end() || peak->second <= best) continue;
    fastest = precision;
    best = peak->second;
  }
  return fastest;
}

Infeasible broken_speed(const ServingClaim& claim, const BrokenSpeed& broken) {
  const bool time = less_is_faster(claim.metric);
  std::string message = "Claimed are " + speed_text(claim.metric, claim.claimed) + "; the bound is " +
                        human_number(time ? broken.bound * 1e3 : broken.bound) + (time ? " ms" : "") + ". " +
                        reason_text(claim, broken);
  return {.code = "above-" + std::string(broken.limited_by),
          .message = as_written(message),
          .shortfall = time ? broken.bound - claim.claimed : claim.claimed - broken.bound,
          .unit = std::string(unit_of(claim.metric))};
}

Infeasible weights_beyond_memory(const ServingClaim& claim, Bytes weights, Bytes memory) {
  return {.code = "weights-do-not-fit",
          .message = say("claim-weights", "model"_v = claim.model->name, "weights_gb"_v = weights / gb(1),
                         "gpus"_v = gpus_text(claim, gpus_of_replica(claim)), "memory_gb"_v = memory / gb(1)),
          .shortfall = raw(weights - memory),
          .unit = "bytes"};
}

Infeasible batch_beyond_memory(const ServingClaim& claim, Bytes weights, Bytes memory, double fit) {
  const double wanted = std::max(1.0, claim.static_batch.value_or(1) / claim.data.value_or(1));
  return {.code = fit < 1 ? "no-room-for-one-sequence" : "batch-does-not-fit",
          .message = say("claim-batch", "weights_gb"_v = weights / gb(1),
                         "gpus"_v = gpus_text(claim, gpus_of_replica(claim)), "memory_gb"_v = memory / gb(1),
                         "sequences"_v = fit < 1 ? "no" : human_number(fit, 6), "tokens"_v = *claim.input_tokens),
          .shortfall = wanted - fit,
          .unit = "sequences"};
}

void add_ways_out(const Catalog& catalog, const ServingClaim& claim, std::vector<Infeasible>& reasons) {
  if (reasons.empty()) return;
  std::vector<Patch>& ways_out = reasons.front().ways_out;
  const std::string_view key = word_of(claim.metric, kSpeedMetricWords);
  NoTrace none;
  std::string problem;
  if (const auto check = check_claim(none, catalog, claim, problem)) {
    ServingClaim changed = claim;
    const double bound = check->bound.number();
    changed.claimed = three_digits(bound, less_is_faster(claim.metric));
    if (claim.metric == SpeedMetric::max_batch) changed.claimed = bound;
    changed.claimed = rounded_for_display(changed.claimed);
    if (changed.claimed > 0 && possible(catalog, changed))
      ways_out.emplace_back("/claim/" + std::string(key), changed.claimed);
  }
  if (const double gpus = enough_gpus(catalog, claim); gpus > 0) ways_out.emplace_back("/claim/gpu_count", gpus);
  for (const char* format : {"fp8", "int4-awq"}) {
    ServingClaim changed = claim;
    changed.weight_precision = format;
    const WeightFormat* now = find_weight_format(catalog.weight_formats, claim.weight_precision);
    const WeightFormat* then = find_weight_format(catalog.weight_formats, format);
    if (then == nullptr || now == nullptr || then->bits_per_weight >= now->bits_per_weight) continue;
    if (!possible(catalog, changed)) continue;
    ways_out.emplace_back("/claim/weight_precision", format);
    break;
  }
  if (claim.static_batch) {
    // A smaller batch fits; a larger one yields more.
    ServingClaim changed = claim;
    const bool smaller = reasons.front().code == "batch-does-not-fit";
    for (double times = 2; times <= 4096; times *= 2) {
      changed.static_batch = smaller ? std::floor(*claim.static_batch / times) : *claim.static_batch * times;
      if (*changed.static_batch < 1) break;
      if (!possible(catalog, changed)) continue;
      ways_out.emplace_back("/claim/static_batch", *changed.static_batch);
      break;
    }
  }
  if (claim.concurrency &&
      (claim.metric == SpeedMetric::output_tokens_per_s || claim.metric == SpeedMetric::total_tokens_per_s)) {
    ServingClaim changed = claim;
    for (double more = 2; more <= 4096; more *= 2) {
      changed.concurrency = *claim.concurrency * more;
      if (!possible(catalog, changed)) continue;
      ways_out.emplace_back("/claim/concurrency", *changed.concurrency);
      break;
    }
  }
}

}  // namespace podwright
