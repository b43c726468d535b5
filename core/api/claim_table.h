#pragma once
/// Fields of answers about claims; traced or not.
#include "api/common_table.h"
#include "base/words.h"
#include "perf/claim.h"
#include "perf/serving_claim.h"

namespace podwright {

inline constexpr std::string_view kSixPerParameter =
    "6 FLOP for each active parameter and token; attention not counted, as in the published runs";
inline constexpr std::string_view kWithAttention =
    "6 FLOP for each parameter of a matrix product and token, and causal attention of the sequence; published runs are "
    "counted without attention";

void describe_verdict_on(auto& v, auto& tracer, const auto& check, std::string_view page) {
  v.flag({"feasible"}, check.verdict != ClaimVerdict::impossible);
  if (const auto part = v.when(!check.reasons.empty()))
    describe_reasons(v, check.reasons, tracer, page, "claim.shortfall");
  v.word({"verdict"}, check.verdict, kClaimVerdictWords);
}

template <class Table, class Tracer>
void describe_check(Table& v, Tracer& tracer, const TrainingClaim& claim, const ClaimCheck<Tracer>& check) {
  describe_verdict_on(v, tracer, check, "docs/method/training_time.md");
  v.number({"needed_tflops_per_gpu", "Needed of each GPU", unit::kTflops}, check.needed);
  v.number({"peak_tflops_per_gpu", "Peak of a GPU", unit::kTflops}, check.peak);
  v.number({"measured_matmul_tflops_per_gpu", "Best matrix product measured", unit::kTflops}, check.measured_matmul);
  v.number({"mfu", "Model FLOP utilisation (MFU)"}, check.mfu);
  v.number({"days", "Time", unit::kDays}, check.claimed);
  v.object({"published_runs"}, check.runs, [&](const TrainingRate& runs) {
    v.number({"rows"}, check.rows);
    v.number({"lowest_tflops_per_gpu", "Lowest", unit::kTflops}, check.lowest);
    v.number({"median_tflops_per_gpu", "Median", unit::kTflops}, check.median);
    v.number({"best_tflops_per_gpu", "Best", unit::kTflops}, check.best);
    v.text({"best_run"}, runs.best_run);
  });
  v.group({"realistic", "A realistic run"}, [&] {
    v.number({"mfu", "Model FLOP utilisation (MFU)"}, check.realistic_mfu);
    v.text({"mfu_source", "Source of that utilisation"}, check.realistic_source);
    v.number({"days", "Time", unit::kDays}, check.realistic);
    v.number({"gpu_count_for_claimed_days", "GPUs for the claimed time"}, check.realistic_gpus);
  });
  v.text({"flop_convention", "What counts as arithmetic"},
         claim.model && claim.sequence_length ? kWithAttention : kSixPerParameter);
}

/// Under the word of the metric.
template <class Table, class Tracer>
void describe_speed(Table& v, SpeedMetric metric, const Speed<Tracer>& speed) {
  const auto of = [&](SpeedMetric one) { return v.when(metric == one); };
  if (const auto part = of(SpeedMetric::output_tokens_per_s))
    v.number({"output_tokens_per_s", unit::kPerSecond}, speed.rate);
  if (const auto part = of(SpeedMetric::tokens_per_s_per_user))
    v.number({"tokens_per_s_per_user", "Speed for one user", unit::kPerSecond}, speed.rate);
  if (const auto part = of(SpeedMetric::tpot_s))
    v.number({"tpot_s", "Time per output token", unit::kSeconds}, speed.time);
  if (const auto part = of(SpeedMetric::ttft_s))
    v.number({"ttft_s", "Time to first token", unit::kSeconds}, speed.time);
  if (const auto part = of(SpeedMetric::total_tokens_per_s))
    v.number({"total_tokens_per_s", "All tokens", unit::kPerSecond}, speed.rate);
  if (const auto part = of(SpeedMetric::max_batch)) v.number({"max_batch", "Largest batch"}, speed.count);
}

template <class Table, class Tracer>
void describe_roof(Table& v, SpeedMetric metric, const ServingRoof<Tracer>& roof) {
  describe_speed(v, metric, roof);
  v.text({"limited_by"}, roof.limited_by);
  if (const auto part = v.when(!roof.count)) {
    v.number({"weights_read_gb", unit::kGb}, roof.weights_read);
    v.number({"kv_read_per_sequence_gb", "KV cache read per sequence", unit::kGb}, roof.kv_per_sequence);
    v.number({"sequences_per_replica", "Sequences of a replica"}, roof.sequences);
    v.number({"reading_s", "Reading memory, per step", unit::kSeconds}, roof.reading);
    v.number({"arithmetic_s", "Arithmetic, per step", unit::kSeconds}, roof.arithmetic);
    v.number({"links_s", "Links between GPUs, per step", unit::kSeconds}, roof.links);
  }
  v.number({"sequences_that_fit_per_replica", "Sequences that fit into a replica"}, roof.fit);
}

template <class Table, class Tracer>
void describe_check(Table& v, Tracer& tracer, const ServingClaim& claim, const ServingClaimCheck<Tracer>& check) {
  const auto roof = [&](const ServingRoof<Tracer>& of) { describe_roof(v, claim.metric, of); };
  describe_verdict_on(v, tracer, check, kServingClaimPage);
  v.group({"claimed"}, [&] { describe_speed(v, claim.metric, check.claimed); });
  v.number({"weights_gb", unit::kGb}, check.weights);
  v.object({"bound", "At the peaks of the data sheet"}, check.bound, roof);
  v.object({"limit"}, check.limit, roof);
  v.object({"measured"}, check.measured, roof);
}

}  // namespace podwright
