#include "perf/disaggregated.h"

#include <algorithm>
#include <cmath>

#include "perf/estimate_serving.h"

namespace podwright {
namespace {

/// A pool that is ready to be asked for times.
struct Pool {
  ServingRun run;
  EngineCosts<NoTrace> costs;
  ServingLimits<NoTrace> limits;
  double lanes() const { return run.parallelism.pipeline * run.parallelism.data; }
};

ServingRun run_of_pool(const ServingRun& run, const ServingParallelism& layout) {
  ServingRun own = run;
  own.parallelism = layout;
  own.disaggregated.reset();
  own.load = {LoadKind::max_throughput, 0};
  return own;
}

void say_of_pool(const std::string& pool, std::vector<Infeasible>& reasons, std::size_t from) {
  for (std::size_t i = from; i < reasons.size(); ++i) {
    reasons[i].message = "The " + pool + " pool: " + reasons[i].message;
    reasons[i].ways_out.clear();  // they speak of the layout of the whole deployment
  }
}

/// Memory and costs of a pool; the memory also where it does not fit.
std::optional<Pool> ready_pool(const Catalog& catalog, const Model& model, const Gpu& gpu, const Engine& engine,
                               const WeightFormat& format, ServingRun run, const std::string& name,
                               std::optional<PoolFigures>& figures, DisaggregatedFigures& all) {
  NoTrace none;
  const std::size_t before = all.reasons.size();
  for (Infeasible& problem : serving_layout_problems(model, run)) all.reasons.push_back(std::move(problem));
  if (all.reasons.size() > before) {
    say_of_pool(name, all.reasons, before);
    return std::nullopt;
  }
  figures = PoolFigures{.memory = serving_memory(none, model, gpu, engine, format, run)};
  const ServingMemory<NoTrace>& memory = figures->memory;
  if (memory.infeasible) all.reasons.push_back(*memory.infeasible);
  Pool pool;
  if (all.reasons.size() == before) {
    pool.limits = serving_limits(none, memory, run, format);
    if (pool.limits.max_sequences < 1)
      all.reasons.push_back({.code = "no-room-for-one-sequence",
                             .message = "Not one sequence fits beside the weights.",
                             .shortfall = 0,
                             .unit = "",
                             .ways_out = {}});
  }
  if (all.reasons.size() == before) {
    auto costs = engine_costs(none, catalog, gpu, model, run, pool.limits, all.assumptions, all.reasons);
    if (costs && run.speculative &&
        !add_draft(none, catalog, model, gpu, engine, format, run, memory, pool.limits, *costs, all.assumptions,
                   all.reasons))
      costs.reset();
    if (costs) {
      pool.costs = std::move(*costs);
      pool.run = std::move(run);
      return pool;
    }
  }
  say_of_pool(name, all.reasons, before);
  return std::nullopt;
}

/// Time of a batch of prompts, and how many of them one batch takes at most.
struct PromptBatch {
  double most = 1;    ///< prompts of one batch
  double steps = 1;   ///< that one batch takes
  double tokens = 0;  ///< of one prompt, new ones
};

PromptBatch prompt_batch(const Pool& pool) {
  PromptBatch batch;
  batch.tokens = new_prompt_tokens(pool.run.input_tokens, pool.run.prefix_hit_ratio);
  const double room = prompt_room(pool.limits.max_batched_tokens, 0);
  batch.steps = prompt_chunks(batch.tokens, room);
  const double fitting = std::floor(room / std::max(1.0, batch.tokens));
  batch.most = std::max(1.0, std::min(fitting, std::floor(pool.limits.max_sequences / pool.lanes())));
  return batch;
}

double batch_time(const Pool& pool, const PromptBatch& batch, double prompts) {
  NoTrace none;
  const double tokens = prompts * batch.tokens / batch.steps;
  return batch.steps * engine_step(none, pool.costs, 0.0, tokens, prompts / batch.steps).total.base_units();
}

StepTimes<NoTrace> decode_step(const Pool& pool, double sequences) {
  NoTrace none;
  return lane_step(none, pool.costs, std::max(1.0, sequences / pool.lanes()), 0.0, 0.0);
}

/// From the first token to the last with this many sequences in the pool.
double answer_time(const Pool& pool, double sequences) {
  NoTrace none;
  const double steps = answer_steps(none, pool.costs, tokens_after_first(pool.run.output_tokens, 1.0));
  return steps * decode_step(pool, sequences).total.base_units();
}

/// Bandwidth between one GPU of the prefill pool and one of the decode pool.
std::optional<BytesPerSecond> link_of_pools(const Catalog& catalog, const Gpu& gpu, double gpus,
                                            std::vector<std::string>& assumptions) {
  NoTrace none;
  if (gpus <= node_gpus(catalog, gpu))
    return node_ceiling(none, catalog, gpu, "all-reduce-bus-bandwidth", 2, assumptions);
  const System* system = system_with_network(catalog, gpu);
  if (system == nullptr) return std::nullopt;
  return network_ceiling(none, catalog, *system);
}

Binding binding_of_pool(const Gpu& gpu, bool prefill, const StepTimes<NoTrace>& step) {
  Binding binding = binding_of(time_shares(step, 1.0), false, gpu.name);
  binding.message = std::string(prefill ? "The prefill" : "The decode") + " pool binds. " + binding.message;
  return binding;
}

}  // namespace

std::optional<PoolMatching> pool_matching(const Catalog& catalog) {
  const auto figure = [&](std::string_view id) { return find_operating_figure(catalog.operating_figures, id); };
  const PoolMatching matching{.prefill_share = figure("disaggregated-prefill-share"),
                              .decode_share = figure("disaggregated-decode-share"),
                              .ttft_factor = figure("disaggregated-ttft-factor")};
  if (matching.prefill_share == nullptr || matching.decode_share == nullptr || matching.ttft_factor == nullptr)
    return std::nullopt;
  return matching;
}

DisaggregatedFigures disaggregated_figures(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                           const Engine& engine, const WeightFormat& format, const ServingRun& run,
                                           const PoolMatching& matching) {
  DisaggregatedFigures all;
  const Disaggregated& asked = *run.disaggregated;
  ServingRun prompts_only = run_of_pool(run, asked.prefill);
  prompts_only.output_tokens = 1;
  prompts_only.output_tokens_cv = 0;
  prompts_only.speculative.reset();
  const auto prefill =
      ready_pool(catalog, model, gpu, engine, format, std::move(prompts_only), "prefill", all.prefill, all);
  const auto decode =
      ready_pool(catalog, model, gpu, engine, format, run_of_pool(run, asked.decode), "decode", all.decode, all);
  if (!prefill || !decode) return all;
  const auto link = link_of_pools(catalog, gpu, asked.prefill_gpus + asked.decode_gpus, all.assumptions);
  if (!link) {
    all.reasons.push_back({.code = "link-unknown",
                           .message = "The catalog knows no link between the pools.",
                           .shortfall = 0,
                           .unit = "",
                           .ways_out = {}});
    return all;
  }

  const PromptBatch batch = prompt_batch(*prefill);
  const double full_batch = batch_time(*prefill, batch, batch.most);
  all.prefill->own_rate = prefill->lanes() * batch.most / full_batch;
  const double places = decode->limits.max_sequences;
  all.decode->own_rate = places / answer_time(*decode, places);
  const double prefill_rate = all.prefill->own_rate * matching.prefill_share->typical;
  const double decode_rate = all.decode->own_rate * matching.decode_share->typical;
  const double most = std::min(prefill_rate, decode_rate);

  // Sequences that decode at a rate: Little's law with the share that the pool reaches.
  const auto decoding_at = [&](double rate) {
    const auto excess = [&](double sequences) {
      return rate * answer_time(*decode, sequences) / matching.decode_share->typical - sequences;
    };
    return excess(places) >= 0 ? places : falling_root(0, places, excess);
  };
  const auto prompt_at = [&](double rate) {
    return batch_time(*prefill, batch, std::max(1.0, std::min(1.0, rate / prefill_rate) * batch.most));
  };
  const Bytes moved = all.decode->memory.bytes_per_token;
  const double links = std::min(asked.prefill.tensor * asked.prefill.attention_data * asked.prefill.pipeline,
                                asked.decode.tensor * asked.decode.attention_data * asked.decode.pipeline);
  all.transfer = kv_transfer_time(run.input_tokens, moved, links, *link);
  const double factor = matching.ttft_factor->typical;
  const auto in_system_at = [&](double rate) {
    const double first = factor * prompt_at(rate) + all.transfer.base_units();
    return rate * (first + answer_time(*decode, decoding_at(rate)));
  };

  all.rate = most;
  if (run.load.kind == LoadKind::request_rate) {
    all.stable = run.load.value < most;
    if (all.stable) {
      all.rate = run.load.value;
      all.wait = open_wait(full_batch, prefill->lanes() * batch.most, all.rate / prefill_rate, run.input_tokens_cv);
    }
  } else if (run.load.kind == LoadKind::concurrency) {
    const double at_most = in_system_at(most);
    if (at_most > run.load.value) {
      all.rate = falling_root(0, most, [&](double rate) { return run.load.value - in_system_at(rate); });
    } else {
      all.closed_wait = Seconds((run.load.value - at_most) / most);
    }
  }
  all.decoding = decoding_at(all.rate);
  all.prompt = Seconds(prompt_at(all.rate));
  all.per_token = Seconds(answer_time(*decode, all.decoding) / tokens_after_first(run.output_tokens, 1.0));
  const StepTimes<NoTrace> step = decode_step(*decode, all.decoding);
  all.growing_share = growing_share(step);
  NoTrace none;
  const bool prefill_binds = prefill_rate <= decode_rate;
  all.binding = binding_of_pool(
      gpu, prefill_binds,
      prefill_binds
          ? engine_step(none, prefill->costs, 0.0, batch.most * batch.tokens / batch.steps, batch.most / batch.steps)
          : step);
  all.served = true;
  return all;
}

ServedLatency disaggregated_latency(const DisaggregatedFigures& figures, const ServingRun& run, double ttft,
                                    const UnexplainedScatter& unexplained) {
  const Traffic traffic = traffic_of(run);
  const double after_first = tokens_after_first(run.output_tokens, 1.0);
  ServedLatency served;
  served.ttft.mean = ttft - figures.wait.mean();
  served.ttft.prompts = figures.wait;
  served.ttft.scatter = traffic.input_cv * traffic.input_cv + unexplained.ttft * unexplained.ttft;
  served.tpot.mean = figures.per_token.base_units();
  served.tpot.scatter =
      (traffic.open ? population_scatter(figures.growing_share, std::max(1.0, figures.decoding)) : 0.0) +
      unexplained.tpot * unexplained.tpot;
  const double rest = after_first * served.tpot.mean;
  const double length = traffic.output_cv * (1.0 + 1.0 / after_first);
  served.request.mean = served.ttft.mean + rest;
  served.request.prompts = figures.wait;
  served.request.scatter = (served.ttft.mean * served.ttft.mean * served.ttft.scatter +
                            rest * rest * product_scatter(length * length, served.tpot.scatter)) /
                           (served.request.mean * served.request.mean);
  return served;
}

}  // namespace podwright
