#include "perf/serving_percentiles.h"

#include <algorithm>
#include <cmath>

#include "base/bulk_math.h"
#include "base/math.h"
#include "base/number_text.h"
#include "memory/prefix_share.h"
#include "perf/even_stream.h"

namespace podwright {

namespace {

double cv_of(const Catalog& catalog, std::string_view id) {
  const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, id);
  return figure == nullptr ? 0 : figure->typical;
}

/// Quantities of one lane that several latencies share.
struct StepStatistics {
  double mean = 0;     ///< s
  double share = 0;    ///< of the time, into prompts
  double prompts = 0;  ///< that come during one step
  double own = 0;      ///< s that one prompt takes
  double scatter = 0;
  double counts = 1;  ///< variance over mean of the prompts that come in one
};

StepStatistics step_statistics(const LaneRhythm& lane, const Traffic& traffic) {
  StepStatistics step;
  step.mean = lane.cycle / lane.steps;
  step.share = std::min(share_of_prompts(lane.sequences, Seconds(lane.prompt), Seconds(lane.cycle)), 0.999);
  step.prompts = lane.sequences / lane.steps;
  step.own = lane.prompt;
  const double chunk = std::max(1.0, lane.prompt_tokens / lane.prompt_room);
  const double fits = std::max(1.0, lane.prompt_room / std::max(1.0, lane.prompt_tokens));
  const double fullest = std::max(lane.mixed_step, lane.decode_step + step.own * fits / chunk);
  step.counts = count_dispersion(step.prompts, traffic.even);
  const double dispersion = step.counts + traffic.input_cv * traffic.input_cv;
  const double most =
      largest_scatter(Seconds(step.mean), Seconds(std::min(lane.decode_step, step.mean)), Seconds(fullest));
  step.scatter =
      std::min(lane.running * step_scatter(step.share, dispersion, step.prompts * chunk), std::max(0.0, most));
  return step;
}

}  // namespace

double quantile_of(double mean, double scatter, Percentile percentile) {
  if (percentile == Percentile::mean || !(scatter > 0)) return mean;
  const double variance = math::log(1.0 + scatter);
  return mean * math::exp(facts_of(percentile).normal_quantile * std::sqrt(variance) - variance / 2.0);
}

Traffic traffic_of(const ServingRun& run) {
  return {.input_cv = computed_cv(run),
          .output_cv = run.output_tokens_cv,
          .even = run.load.kind == LoadKind::request_rate ? stream_evenness(run) : 0,
          .open = run.load.kind == LoadKind::request_rate};
}

UnexplainedScatter unexplained_scatter(const Catalog& catalog) {
  return {.ttft = cv_of(catalog, "ttft-scatter"), .tpot = cv_of(catalog, "tpot-scatter")};
}

double Waiting::quantile(Percentile percentile) const {
  if (percentile == Percentile::mean) return mean();
  const double above = facts_of(percentile).share_above;
  return waiting > above ? wait * math::log(waiting / above) : 0;
}

Waiting open_wait(double service, double servers, double load, double service_cv, double even) {
  if (!(load > 0) || !(service > 0)) return {};
  const double below = std::min(load, 1.0 - 1e-9);
  // Searches ask this most of all, and the law is an approximation: no pow() to the last bit.
  const double logarithm = (std::sqrt(2.0 * (servers + 1.0)) - 1.0) * bulk::log(below);
  const double waits = bulk::exp(std::max(-700.0, logarithm));
  return {.waiting = waits,
          .wait = wait_of_waiting(Seconds(service), servers, below, service_cv).base_units() *
                  even_wait(below, service_cv, even)};
}

LatencyScatter latency_scatter(const LaneRhythm& lane, const Traffic& traffic, const UnexplainedScatter& unexplained) {
  const StepStatistics step = step_statistics(lane, traffic);
  const double others = lane.running;
  const double input = traffic.input_cv * traffic.input_cv;

  // First token: the running step ends, then the prompt's own steps, which other prompts that came meanwhile share.
  const double mates = others * std::max(0.0, step.prompts * (1.0 + step.scatter) - (1.0 - step.counts));
  const double chunk_steps = std::max(1.0, std::ceil(lane.prompt_tokens / lane.prompt_room));
  const double own_length = step.own + (chunk_steps - 1.0) * lane.decode_step;
  const double residual = others * residual_mean(Seconds(step.mean), step.scatter).base_units();
  const double first = lane.client + residual + chunk_steps * lane.decode_step + (1.0 + mates) * step.own;
  const double variance = others * residual_square(step.scatter) * step.mean * step.mean - residual * residual +
                          own_length * own_length * input + mates * step.own * step.own * (1.0 + input) +
                          step.share * step.share * step.scatter * step.mean * step.mean;

  // What the lane waits beyond that is a burst of prompts, of which a request stands anywhere.
  const double burst = others * std::max(0.0, lane.first_token - first);
  const double mean = std::max(first, lane.first_token);

  LatencyScatter scatter;
  scatter.ttft = (variance + burst * burst / 3.0) / (mean * mean) + unexplained.ttft * unexplained.ttft;
  if (lane.after_first > 0) {
    // A fixed number of clients with answers of one length meets the same number of prompts in every request's time.
    const double varies = traffic.open ? 1.0 : traffic.thinking;
    const double long_run =
        traffic.open ? 1.0 : std::min(1.0, traffic.output_cv * traffic.output_cv + input + traffic.thinking);
    scatter.tpot =
        long_run * mean_step_scatter(step.share, step.scatter, traffic.output_cv, std::max(1.0, lane.steps)) +
        varies * population_scatter(lane.growing_share, lane.sequences) + unexplained.tpot * unexplained.tpot;
  }
  const double rest = std::max(0.0, lane.request - lane.first_token);
  const double length = lane.after_first > 0 ? traffic.output_cv * (1.0 + 1.0 / lane.after_first) : 0.0;
  const double rest_scatter = product_scatter(length * length, scatter.tpot);
  scatter.request =
      (lane.first_token * lane.first_token * scatter.ttft + rest * rest * rest_scatter) / (lane.request * lane.request);
  return scatter;
}

LatencyScatter static_scatter(const LaneRhythm& lane, const Traffic& traffic) {
  const double length = traffic.output_cv * std::max(0.0, 1.0 - lane.first_token / lane.request);
  return {.ttft = 0, .tpot = 0, .request = length * length};
}

namespace {

/// Mean of what a standard normal quantity exceeds `limit` by. The tail is Abramowitz and Stegun 26.2.17, absolute
/// error below 1e-7.
double normal_excess(double limit) {
  const double x = std::fabs(limit);
  const double density = math::exp(-x * x / 2.0) * 0.3989422804014327;
  const double t = 1.0 / (1.0 + 0.2316419 * x);
  const double tail =
      density * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double beyond = limit >= 0 ? tail : 1.0 - tail;
  return std::max(0.0, density - limit * beyond);
}

}  // namespace

double recomputed_share(double tokens, double sequences, const ServingRun& run) {
  if (!(tokens > 0) || !(sequences > 0) || !(run.input_tokens > 0)) return 0;
  const double input = own_prompt_deviation(run);
  const double output = run.output_tokens;
  const double growth = output * output * residual_variance(run.output_tokens_cv * run.output_tokens_cv);
  const double deviation = std::sqrt(sequences * (growth + input * input));
  if (!(deviation > 0)) return 0;
  NoTrace none;
  const double shared = shares_tokens(run) ? shared_tokens(none, run) : 0;
  const double held = sequences * (mean_context(run.input_tokens, met_length(output, run.output_tokens_cv)) - shared);
  const double lacking = deviation * normal_excess((tokens - held) / deviation);
  return lacking / (sequences * run.input_tokens);
}

std::string told_recompute(double share) {
  if (share < 1e-3) return "";
  return "Sequences are admitted before their last token has room: " + human_number(100 * share, 2) +
         " % of the prompts' tokens are computed again after preemption.";
}

}  // namespace podwright
