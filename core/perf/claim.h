#pragma once
/// Is a published training speed possible? The rate that it needs, beside the peak, the best measured matrix product
/// and what published runs reached. docs/method/calendar.md#claims.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/number_text.h"
#include "base/words.h"
#include "catalog/catalog.h"
#include "memory/training_run.h"
#include "model/flops.h"
#include "model/parameters.h"
#include "perf/ceilings.h"
#include "perf/training_arithmetic.h"
#include "perf/training_step.h"

namespace podwright {

/// Exactly one of the last five says how fast.
struct TrainingClaim {
  std::optional<Model> model;
  std::optional<double> parameters;  ///< instead of a model
  std::optional<double> tokens;
  std::optional<Gpu> gpu;
  std::optional<double> gpu_count;
  Precision precision = Precision::bf16;
  std::optional<double> sequence_length;  ///< with a model: attention is counted
  std::optional<double> global_batch_size;
  std::optional<double> assumed_mfu;  ///< of a realistic run; absent: the catalog's
  std::optional<double> days;
  std::optional<double> tokens_per_s_per_gpu;
  std::optional<double> mfu;
  std::optional<double> tflops_per_gpu;
  std::optional<double> step_time_s;
};

/// impossible: above what the GPU computes; unseen: above every published run; plausible: among them; unknown: nothing
/// is published for this GPU and precision.
enum class ClaimVerdict { impossible, unseen, plausible, unknown };
inline constexpr std::array<std::string_view, 4> kClaimVerdictWords{"impossible", "unseen", "plausible", "unknown"};

template <class Tracer>
struct ClaimCheck {
  Known<Tracer, Flops> per_token{};
  Known<Tracer, FlopsPerSecond> needed{};
  Known<Tracer, double> mfu{};
  Known<Tracer, FlopsPerSecond> peak{};
  std::optional<Known<Tracer, FlopsPerSecond>> measured_matmul;
  std::optional<Known<Tracer, double>> rows;  ///< published runs of this GPU and precision
  std::optional<Known<Tracer, FlopsPerSecond>> lowest;
  std::optional<Known<Tracer, FlopsPerSecond>> median;
  std::optional<Known<Tracer, FlopsPerSecond>> best;
  const TrainingRate* runs = nullptr;
  std::optional<Known<Tracer, Flops>> work;   ///< of all tokens
  std::optional<Known<Tracer, double>> gpus;  ///< of the claim
  std::optional<Known<Tracer, Seconds>> claimed;
  Known<Tracer, double> realistic_mfu{};
  std::string realistic_source;
  std::optional<Known<Tracer, Seconds>> realistic;      ///< time of the tokens on the GPUs
  std::optional<Known<Tracer, double>> realistic_gpus;  ///< for the claimed time
  ClaimVerdict verdict = ClaimVerdict::unknown;
  std::vector<Infeasible> reasons;
};

/// Words and ways out of a claim above `ceiling`.
struct BrokenClaim {
  std::string code;
  std::string ceiling_name;  ///< "the peak of A100 SXM4 80GB"
  FlopsPerSecond needed;
  FlopsPerSecond ceiling;
  FlopsPerSecond peak;
  double realistic_mfu = 0;
  std::optional<Seconds> realistic;
  std::optional<double> realistic_gpus;
};
Infeasible broken_claim(const TrainingClaim& claim, const BrokenClaim& broken);

/// Absent, with the reason in `problem`, where the catalog lacks the peak of the precision or a realistic utilisation.
template <class Tracer>
std::optional<ClaimCheck<Tracer>> check_claim(Tracer& trace, const Catalog& catalog, const TrainingClaim& claim,
                                              std::string& problem) {
  const Gpu& gpu = *claim.gpu;
  const std::string precision = gemm_precision(gpu, training_gemm_precision(claim.precision));
  const auto peak = gpu.peak_dense_flops.find(precision);
  if (peak == gpu.peak_dense_flops.end()) {
    problem = "The catalog has no peak of " + gpu.name + " for " +
              std::string(word_of(claim.precision, kPrecisionWords)) + ".";
    return std::nullopt;
  }
  const OperatingFigure* good_run = find_operating_figure(catalog.operating_figures, "mfu-of-a-good-run");
  if (good_run == nullptr && !claim.assumed_mfu) {
    problem = "The catalog has no utilisation of a good run.";
    return std::nullopt;
  }
  ClaimCheck<Tracer> check;
  check.peak = trace.fact(gpu, "peak_dense_tflops." + precision, peak->second);
  check.realistic_mfu = claim.assumed_mfu ? trace.input("/assumed_mfu", *claim.assumed_mfu)
                                          : trace.fact(*good_run, "typical", good_run->typical);
  check.realistic_source = claim.assumed_mfu ? "request" : good_run->source;

  if (claim.model && claim.sequence_length) {
    check.per_token =
        flops_per_token(trace, *claim.model, FlopsConvention{}, trace.input("/sequence_length", *claim.sequence_length))
            .total;
  } else {
    const auto parameters =
        claim.model ? parameter_parts(trace, *claim.model).active : trace.input("/parameters", *claim.parameters);
    check.per_token = named("perf.flops_per_token", matmul_training_flops(parameters));
  }
  if (claim.tokens) check.work = named("perf.run_flops", check.per_token * trace.input("/tokens", *claim.tokens));
  if (claim.gpu_count) check.gpus = trace.input("/gpu_count", *claim.gpu_count);

  if (claim.days) {
    check.claimed = trace.input("/days", days(*claim.days));
    check.needed = named("perf.needed_rate", achieved_rate(*check.work, *check.claimed, *check.gpus));
  } else if (claim.tokens_per_s_per_gpu) {
    check.needed = named("perf.needed_rate", check.per_token * trace.input("/tokens_per_s_per_gpu",
                                                                           per_second(*claim.tokens_per_s_per_gpu)));
  } else if (claim.mfu) {
    check.needed = named("perf.needed_rate", rate_of_utilisation(trace.input("/mfu", *claim.mfu), check.peak));
  } else if (claim.tflops_per_gpu) {
    check.needed = trace.input("/tflops_per_gpu", tflops(*claim.tflops_per_gpu));
  } else {
    const auto tokens = named("perf.tokens_per_step", trace.input("/global_batch_size", *claim.global_batch_size) *
                                                          trace.input("/sequence_length", *claim.sequence_length));
    check.needed =
        named("perf.needed_rate", achieved_rate(named("perf.step_flops", check.per_token * tokens),
                                                trace.input("/step_time_s", seconds(*claim.step_time_s)), *check.gpus));
  }
  check.mfu = named("perf.mfu", cited("arXiv 2204.02311 appendix B", check.needed / check.peak));
  if (check.work && check.gpus) {
    if (!check.claimed)
      check.claimed = named("perf.claimed_time", time_at_utilisation(*check.work, *check.gpus, check.peak, check.mfu));
    check.realistic =
        named("perf.realistic_time", time_at_utilisation(*check.work, *check.gpus, check.peak, check.realistic_mfu));
    check.realistic_gpus =
        named("perf.realistic_gpus", gpus_for_time(*check.work, *check.claimed, check.peak, check.realistic_mfu));
  }

  check.measured_matmul = best_products(trace, catalog, gpu, precision);
  check.runs = find_training_rate(catalog.training_rates, gpu.id, rate_precision(precision));
  if (check.runs != nullptr) {
    check.rows = trace.fact(*check.runs, "rows", check.runs->rows);
    check.lowest = trace.fact(*check.runs, "lowest_tflops", check.runs->lowest);
    check.median = trace.fact(*check.runs, "median_tflops", check.runs->median);
    check.best = trace.fact(*check.runs, "best_tflops", check.runs->best);
  }

  const FlopsPerSecond needed = value_of(check.needed);
  const auto break_at = [&](std::string code, std::string name, FlopsPerSecond ceiling) {
    check.verdict = ClaimVerdict::impossible;
    BrokenClaim broken{.code = std::move(code),
                       .ceiling_name = std::move(name),
                       .needed = needed,
                       .ceiling = ceiling,
                       .peak = value_of(check.peak),
                       .realistic_mfu = value_of(check.realistic_mfu),
                       .realistic = std::nullopt,
                       .realistic_gpus = std::nullopt};
    if (check.realistic) broken.realistic = value_of(*check.realistic);
    if (check.realistic_gpus) broken.realistic_gpus = value_of(*check.realistic_gpus);
    check.reasons.push_back(broken_claim(claim, broken));
  };
  if (needed > value_of(check.peak)) {
    break_at("above-peak", "the peak of " + gpu.name, value_of(check.peak));
  } else if (check.measured_matmul && needed > value_of(*check.measured_matmul)) {
    break_at("above-measured-matmul", "the best matrix product measured on " + gpu.name,
             value_of(*check.measured_matmul));
  } else if (check.runs != nullptr) {
    check.verdict = needed > check.runs->best ? ClaimVerdict::unseen : ClaimVerdict::plausible;
  }
  return check;
}

}  // namespace podwright
