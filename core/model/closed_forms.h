#pragma once
/// Closed forms of the literature for GPT-style models (MHA, ungated MLP of four times the hidden size) and for whole
/// runs. They are what published figures were computed with; flops.h is what the engine uses.
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Model FLOPs of a step of `tokens` (batch x sequence).
constexpr auto gpt_model_flops(Of<double> auto tokens, Of<double> auto sequence, Of<double> auto layers,
                               Of<double> auto hidden, Of<double> auto vocabulary) {
  return cited("arXiv 2205.05198 eq. 7",
               in<Flops>(72.0 * tokens * layers * hidden * hidden *
                         (1.0 + sequence / (6.0 * hidden) + vocabulary / (12.0 * hidden * layers))));
}

/// Hardware FLOPs with selective recompute as that paper counts them: three times the one core-attention forward that
/// is repeated.
constexpr auto gpt_selective_recompute_flops(Of<double> auto tokens, Of<double> auto sequence, Of<double> auto layers,
                                             Of<double> auto hidden, Of<double> auto vocabulary) {
  return cited("arXiv 2205.05198 eq. 8",
               in<Flops>(72.0 * tokens * layers * hidden * hidden *
                         (1.0 + sequence / (3.0 * hidden) + vocabulary / (12.0 * hidden * layers))));
}

/// Hardware FLOPs with full recompute.
constexpr auto gpt_full_recompute_flops(Of<double> auto tokens, Of<double> auto sequence, Of<double> auto layers,
                                        Of<double> auto hidden, Of<double> auto vocabulary) {
  return cited("arXiv 2104.04473 eq. 3",
               in<Flops>(96.0 * tokens * layers * hidden * hidden *
                         (1.0 + sequence / (6.0 * hidden) + vocabulary / (16.0 * layers * hidden))));
}

/// FLOPs per token from the parameter count, attention counted in full.
constexpr auto parameter_flops_per_token(Of<double> auto parameters, Of<double> auto layers, Of<double> auto hidden,
                                         Of<double> auto sequence) {
  return cited("MosaicML llm-foundry scripts/train/benchmarking",
               in<Flops>(6.0 * parameters + 12.0 * layers * hidden * sequence));
}

/// Compute of a run: six FLOPs per active parameter and token.
constexpr auto run_flops(Of<double> auto active_parameters, Of<double> auto tokens) {
  return cited("arXiv 2001.08361", in<Flops>(6.0 * active_parameters * tokens));
}

/// Time of a run with full recompute at an achieved rate per GPU.
constexpr auto run_time_with_recompute(Of<double> auto parameters, Of<double> auto tokens, Of<double> auto gpus,
                                       Of<FlopsPerSecond> auto achieved_per_gpu) {
  return cited("arXiv 2104.04473 section 5.1", in<Flops>(8.0 * parameters * tokens) / (gpus * achieved_per_gpu));
}

/// Time of a run without recompute.
constexpr auto run_time(Of<double> auto parameters, Of<double> auto tokens, Of<double> auto gpus,
                        Of<FlopsPerSecond> auto achieved_per_gpu) {
  return cited("arXiv 2001.08361", in<Flops>(6.0 * parameters * tokens) / (gpus * achieved_per_gpu));
}

/// Constants of the parametric loss L(P, D) = floor + parameter_scale / P^parameter_power + token_scale /
/// D^token_power.
struct LossFit {
  double floor = 0;
  double parameter_scale = 0;
  double token_scale = 0;
  double parameter_power = 0;
  double token_power = 0;
};

/// Hoffmann et al., arXiv 2203.15556 (rounded constants as printed there). Fine for a loss, not for an optimum.
inline constexpr LossFit kChinchillaFit{
    .floor = 1.69, .parameter_scale = 406.4, .token_scale = 410.7, .parameter_power = 0.34, .token_power = 0.28};
/// Besiroglu et al., arXiv 2404.10102: the same data fitted again. Use this one for the optimum.
inline constexpr LossFit kChinchillaRefit{.floor = 1.8172,
                                          .parameter_scale = 482.01,
                                          .token_scale = 2085.43,
                                          .parameter_power = 0.3478,
                                          .token_power = 0.3658};

inline double parametric_loss(const LossFit& fit, double parameters, double tokens) {
  return fit.floor + fit.parameter_scale / math::pow(parameters, fit.parameter_power) +
         fit.token_scale / math::pow(tokens, fit.token_power);
}

/// The size and token count that reach the lowest parametric loss with a given compute (arXiv 2203.15556 eq. 4).
struct ComputeOptimum {
  double parameters = 0;
  double tokens = 0;
};
inline ComputeOptimum compute_optimum(const LossFit& fit, Flops compute) {
  const double powers = fit.parameter_power + fit.token_power;
  const double scale =
      math::pow(fit.parameter_power * fit.parameter_scale / (fit.token_power * fit.token_scale), 1.0 / powers);
  const double parameters = scale * math::pow(raw(compute) / 6.0, fit.token_power / powers);
  return {.parameters = parameters, .tokens = raw(compute) / (6.0 * parameters)};
}

}  // namespace podwright
