#include "replay/serve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace podwright::replay {
namespace {

/// Of a whole day, s.
constexpr double kShortestHour = 120;

/// Costs of a step with prompts of `input` tokens, none of them in a cache.
std::optional<EngineCosts<NoTrace>> costs_at(const Catalog& catalog, const Model& model, const LayerStack& stack,
                                             const Gpu& gpu, ServingRun run, const ServingMemory<NoTrace>& memory,
                                             const Engine& engine, const WeightFormat& format, double input,
                                             std::vector<Infeasible>& reasons) {
  NoTrace none;
  std::vector<std::string> assumptions;
  run.input_tokens = input;
  run.input_tokens_cv = run.output_tokens_cv = 0;
  run.prefix_hit_ratio = 0;
  run.traffic.reset();
  ServingLimits<NoTrace> limits = serving_limits(none, memory, run, format);
  auto costs = engine_costs(none, catalog, gpu, model, stack, run, limits, assumptions, reasons);
  if (costs && run.speculative &&
      !add_draft(none, catalog, model, gpu, engine, format, run, memory, limits, *costs, assumptions, reasons))
    return std::nullopt;
  return costs;
}

std::optional<StepClock> clock_of(const Catalog& catalog, const Model& model, const LayerStack& stack, const Gpu& gpu,
                                  const ServingRun& run, const ServingMemory<NoTrace>& memory, const Engine& engine,
                                  const WeightFormat& format, std::vector<Infeasible>& reasons) {
  const double shorter = run.input_tokens;
  const double longer = 2 * run.input_tokens;
  const auto at = [&](double input) {
    return costs_at(catalog, model, stack, gpu, run, memory, engine, format, input, reasons);
  };
  auto costs = at(shorter);
  const auto of_longer = costs ? at(longer) : std::nullopt;
  if (!of_longer) return std::nullopt;
  const AttentionTimes attention = attention_times(*costs, shorter, mean_context(shorter, run.output_tokens),
                                                   *of_longer, longer, mean_context(longer, run.output_tokens));
  return StepClock(std::move(*costs), attention);
}

/// Tokens of prompt and answer that engines accept.
double longest_of(const ServingRun& run, const Model& model) {
  return run.max_model_tokens.value_or(model.context_tokens > 0 ? model.context_tokens : 1e9);
}

RouterRule router_rule(const Catalog& catalog) {
  RouterRule rule;
  const auto set = [&](std::string_view id, double& value) {
    if (const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, id)) value = figure->typical;
  };
  set("router-matched-share", rule.matched_share);
  set("router-more-requests", rule.more_requests);
  set("router-times-requests", rule.times_requests);
  return rule;
}

HostMemory host_memory(const HostTier& tier, double of_lane, double attention_ranks) {
  return {.room = {.tokens = std::floor(tier.tokens * of_lane), .copies = tier.how.copies},
          .load = tier.how.load,
          .token_s = tier.token_s,
          .links = attention_ranks};
}

Deployment deployment_of(const Catalog& catalog, const ServingRun& run, const Model& model,
                         const ServingMemory<NoTrace>& memory, const ServingLimits<NoTrace>& limits,
                         const std::optional<HostTier>& host) {
  const ServingParallelism& p = run.parallelism;
  const double of_lane = p.attention_data / p.pipeline;
  // What was seen running bounds what is scheduled; how many the pool holds comes out of the replay.
  const double most_of_rank = run.measured.running_sequences.value_or(memory.sequence_limit);
  Deployment deployment;
  deployment.limits = {.pool_tokens = std::floor(memory.kv_tokens * of_lane),
                       .block_tokens = memory.block_tokens,
                       .max_sequences = most_of_rank > 0 ? std::max(1.0, most_of_rank * of_lane) : 1e9,
                       .step_tokens = limits.max_batched_tokens,
                       .reserves_whole = memory.conventions->reservation != Reservation::optimistic,
                       .keeps_prefixes = true,
                       .kept_weight = kept_weight(run.engine, memory),
                       .host = {}};
  if (host) deployment.limits.host = host_memory(*host, of_lane, p.attention_data);
  deployment.router = router_rule(catalog);
  deployment.longest = longest_of(run, model);
  deployment.lanes = static_cast<std::size_t>(p.data * p.pipeline);
  deployment.lanes_of_replica = static_cast<std::size_t>(p.pipeline);
  if (run.traffic) {
    deployment.routing = run.traffic->routing;
    deployment.system_prompts = run.traffic->system_prompts;
  }
  return deployment;
}

/// The first of the largest.
std::size_t busiest_hour(const std::vector<double>& hours) {
  return static_cast<std::size_t>(std::max_element(hours.begin(), hours.end()) - hours.begin());
}

/// How long it takes from one request of a client to its next, in closed form.
double cycle_of_client(const ServingRun& run, const ServingPerformance<NoTrace>& performance) {
  return run.load.value / performance.requests_per_s.base_units();
}

/// Clients that fill all places while others think.
double clients_of_full(double places, double think_s, const ServingPerformance<NoTrace>& performance) {
  return std::ceil(places + think_s * performance.requests_per_s.base_units());
}

DrawnTraffic drawn_of(const ServingRun& run, const ServingMemory<NoTrace>& memory, const Model& model,
                      const std::optional<ServingPerformance<NoTrace>>& performance, const ReplayRun& asked) {
  DrawnTraffic drawn;
  if (run.traffic) drawn.pattern = *run.traffic;
  // A given share of found tokens is a system prompt that all requests have.
  if (run.prefix_hit_ratio > 0)
    drawn.pattern.system_prompt_tokens = std::floor(run.prefix_hit_ratio * run.input_tokens);
  if (run.load.kind == LoadKind::request_rate) {
    drawn.requests_per_s = run.load.value * mean_over_peak(drawn.pattern);
  } else if (run.load.kind == LoadKind::concurrency) {
    drawn.clients = run.load.value;
    if (performance) drawn.clients_start_s = cycle_of_client(run, *performance);
  } else {
    drawn.clients = memory.max_sequences;
    if (performance) drawn.clients = clients_of_full(memory.max_sequences, drawn.pattern.think_time_s, *performance);
  }
  drawn.input_tokens = run.input_tokens;
  drawn.output_tokens = run.output_tokens;
  drawn.input_cv = run.input_tokens_cv;
  drawn.output_cv = run.output_tokens_cv;
  drawn.input_lengths = asked.input_lengths;
  drawn.output_lengths = asked.output_lengths;
  drawn.longest = longest_of(run, model);
  drawn.duration_s = asked.day ? asked.day->duration_s() : asked.duration_s;
  drawn.whole_day = asked.day.has_value();
  if (asked.day)
    drawn.clock = {.hour_s = asked.day->hour_s, .first_hour = kHoursOfDay - 1};
  else if (!drawn.pattern.hours.empty())
    drawn.clock.first_hour = static_cast<double>(busiest_hour(drawn.pattern.hours));
  drawn.seed = static_cast<std::uint64_t>(asked.seed);
  return drawn;
}

/// An hour before the day, or the first tenth, and until sessions of twice the mean length have ended.
double default_warm_up(const ServingRun& run, const ReplayRun& asked) {
  if (asked.day) return asked.day->hour_s;
  if (!asked.trace.empty()) return 0;
  const double sessions = run.traffic ? 2 * run.traffic->turns * run.traffic->think_time_s : 0;
  return std::min(asked.duration_s / 2, std::max(asked.duration_s / 10, sessions));
}

/// Why the figures say nothing, or do not last.
std::optional<Infeasible> problem_of(const ServingRun& run, const ReplayRun& asked, double warm_up_s,
                                     const ReplayFigures& figures) {
  const FlowFigures& flow = figures.flow;
  if (figures.came == 0)
    return Infeasible{.code = "nothing-counted",
                      .message = say("nothing-counted", "counted_s"_v = flow.counted_s, "warm_up_s"_v = warm_up_s)};
  if (figures.requests == 0)
    return Infeasible{.code = "all-refused",
                      .message = say("all-refused", "by_length"_v = static_cast<double>(figures.refused_by_length),
                                     "by_cache"_v = static_cast<double>(figures.refused_by_cache))};
  if (flow.keeps_up) return std::nullopt;
  const double share = flow.completed_requests_per_s / flow.arrived_requests_per_s;
  std::vector<Patch> ways_out;
  if (const double rate = stable_rate_below(share * run.load.value); rate > 0 && asked.trace.empty())
    ways_out.emplace_back("/load/request_rate_per_s", rate);
  if (share > 0) ways_out.emplace_back("/parallelism/data", std::ceil(run.parallelism.data / (kStableRoom * share)));
  return Infeasible{.code = std::string(kDoesNotKeepUp),
                    .message = say("does-not-keep-up", "arrived_requests_per_s"_v = flow.arrived_requests_per_s,
                                   "completed_requests_per_s"_v = flow.completed_requests_per_s,
                                   "waiting"_v = static_cast<double>(flow.waiting)),
                    .shortfall = flow.arrived_requests_per_s - flow.completed_requests_per_s,
                    .unit = "requests/s",
                    .ways_out = std::move(ways_out)};
}

}  // namespace

double most_requests_of_day(const ServingRun& run) {
  const double mean = kMostRequests / ((kHoursOfDay + 1) * kShortestHour);
  return run.traffic ? mean / mean_over_peak(*run.traffic) : mean;
}

ReplayDay replay_day(const ServingRun& run) {
  /// Of a day, so that it takes a second or two.
  constexpr double kRequests = 5e5;
  ReplayDay day{.requests_per_s = run.load.value, .hour_s = 3600};
  double shortest = kShortestHour;
  if (run.traffic) {
    day.requests_per_s *= mean_over_peak(*run.traffic);
    shortest = std::max(shortest, 2 * run.traffic->turns * run.traffic->think_time_s);
  }
  const double hours = kHoursOfDay + 1;
  const double enough = std::max(shortest, kRequests / (hours * day.requests_per_s));
  const double longest = std::max(kShortestHour, kMostRequests / (hours * day.requests_per_s));
  day.hour_s = std::min({day.hour_s, enough, longest});
  return day;
}

ReplayAnswer replay_run(const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingRun& run,
                        const ReplayRun& asked) {
  NoTrace none;
  ReplayAnswer answer;
  const LayerStack stack = layer_stack(model);
  answer.estimate = estimate_serving(none, catalog, model, stack, gpu, run, true);
  const Engine* engine = find_engine_conventions(catalog, run.engine);
  const WeightFormat* format = weight_format_of(catalog.weight_formats, run);
  if (engine == nullptr || format == nullptr || !answer.estimate.memory) {
    answer.reasons = answer.estimate.reasons;
    return answer;
  }
  // The whole pool: what sequences share of it is what comes out.
  ServingRun alone = run;
  alone.traffic.reset();
  alone.prefix_hit_ratio = 0;
  alone.measured.prefix_hit_ratio.reset();
  const ServingMemory<NoTrace> memory = serving_memory(none, model, stack, gpu, *engine, *format, alone);
  if (memory.infeasible) {
    // With ways out, where the estimate found them.
    answer.reasons = answer.estimate.reasons;
    if (answer.reasons.empty()) answer.reasons = {*memory.infeasible};
    return answer;
  }
  auto clock = clock_of(catalog, model, stack, gpu, run, memory, *engine, *format, answer.reasons);
  if (!clock) return answer;
  const ServingLimits<NoTrace> limits = serving_limits(none, memory, run, *format);
  // Of traffic that is described the estimate has looked at the host memory already.
  answer.host = answer.estimate.host;
  if (answer.estimate.performance && run.traffic && !shares_prompts(run))
    answer.host =
        useful_host_tier(catalog, gpu, run, memory, answer.estimate.performance->lane, answer.estimate.assumptions);
  const Deployment deployment = deployment_of(catalog, run, model, memory, limits, answer.host);
  answer.capacity_tokens = deployment.limits.pool_tokens * static_cast<double>(deployment.lanes);
  answer.warm_up_s = asked.warm_up_s.value_or(default_warm_up(run, asked));
  TrafficSource source = asked.trace.empty()
                             ? TrafficSource(drawn_of(run, memory, model, answer.estimate.performance, asked))
                             : TrafficSource(asked.trace, asked.trace_clients);
  ReplayFigures figures = replay(*clock, deployment, source, answer.warm_up_s);
  if (auto problem = problem_of(run, asked, answer.warm_up_s, figures)) answer.reasons.push_back(std::move(*problem));
  if (answer.host && figures.flow.counted_s > 0) {
    const double ranks = run.parallelism.data * run.parallelism.attention_data;
    const double tokens = figures.host_share * figures.input_tokens * static_cast<double>(figures.requests);
    answer.host_load = answer.host->token * (tokens / ranks) / Seconds(figures.flow.counted_s);
  }
  if (figures.requests > 0) answer.figures = std::move(figures);
  return answer;
}

}  // namespace podwright::replay
