#include "perf/disaggregated.h"

#include <algorithm>

#include "perf/serving_performance.h"

namespace podwright {
namespace {

/// A pool under part of its load takes as many prompts at once as come meanwhile.
Seconds prompt_at_load(const ServingPool& pool, const PromptBatch& batch, double load) {
  return batch_time(pool, batch, std::max(1.0, std::min(1.0, load) * batch.most));
}

/// A request's cache lies on the GPUs of one attention rank; each of the decode pool's receives its part, the copies of
/// heads that several hold included.
Seconds transfer_of(const ServingPool& prefill, const ServingPool& decode, BytesPerSecond link, const ServingRun& run) {
  const auto gpus_of_cache = [](const ServingParallelism& p) { return p.tensor * p.pipeline; };
  const double from = gpus_of_cache(prefill.run.parallelism);
  const double to = gpus_of_cache(decode.run.parallelism);
  return kv_transfer_time(run.input_tokens, to * decode.kv_on_gpu, std::min(from, to), link);
}

Waiting wait_of_prompts(const ServingPool& prefill, const PoolRates& rates, double rate, const ServingRun& run) {
  return open_wait(rates.full_batch.base_units(), prefill.lanes() * rates.batch.most, rate / rates.prefill.base_units(),
                   run.input_tokens_cv, 0);
}

Binding binding_of_pool(const Gpu& gpu, bool prefill, const StepTimes<NoTrace>& step) {
  Binding binding = binding_of(time_shares(step, 1.0), false, gpu.name);
  const auto alone = "binding"_v = std::move(binding.says);
  binding.says = prefill ? say("pool-binds/prefill", alone) : say("pool-binds/decode", alone);
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

std::optional<BytesPerSecond> link_of_pools(const Catalog& catalog, const Gpu& gpu, double gpus,
                                            std::vector<std::string>& assumptions) {
  NoTrace none;
  if (gpus <= node_gpus(catalog, gpu))
    return node_ceiling(none, catalog, gpu, "all-reduce-bus-bandwidth", 2, assumptions);
  const System* system = system_with_network(catalog, gpu);
  if (system == nullptr) return std::nullopt;
  return network_ceiling(none, catalog, *system);
}

DisaggregatedFigures disaggregated_figures(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                           const Engine& engine, const WeightFormat& format, const ServingRun& run,
                                           const PoolMatching& matching) {
  DisaggregatedFigures all;
  const Disaggregated& asked = *run.disaggregated;
  const LayerStack stack = layer_stack(model);
  const auto prefill = ready_pool(catalog, model, stack, gpu, engine, format, run, PoolTask::prompts, asked.prefill,
                                  all.prefill_memory, all.assumptions, all.reasons);
  const auto decode = ready_pool(catalog, model, stack, gpu, engine, format, run, PoolTask::answers, asked.decode,
                                 all.decode_memory, all.assumptions, all.reasons);
  if (!prefill || !decode) return all;
  const auto link = link_of_pools(catalog, gpu, asked.prefill_gpus + asked.decode_gpus, all.assumptions);
  if (!link) {
    all.reasons.push_back({.code = "link-unknown", .message = say("no-link/pools")});
    return all;
  }
  const PoolRates rates = pool_rates(*prefill, *decode, matching);
  serve_by_pools(*prefill, *decode, rates, *link, run, matching, all);
  all.binding = binding_of_pool(
      gpu, all.prefill_binds,
      all.prefill_binds ? prompt_step(*prefill, rates.batch, rates.batch.most) : answer_step(*decode, all.decoding));
  return all;
}

PoolRates pool_rates(const ServingPool& prefill, const ServingPool& decode, const PoolMatching& matching) {
  PoolRates rates;
  rates.batch = prompt_batch(prefill);
  rates.full_batch = batch_time(prefill, rates.batch, rates.batch.most);
  rates.prefill_alone = prefill.lanes() * rates.batch.most / rates.full_batch;
  rates.decode_alone = rate_of_answers(decode, decode.places());
  rates.prefill = matched_rate(rates.prefill_alone, matching.prefill_share->typical);
  rates.decode = matched_rate(rates.decode_alone, matching.decode_share->typical);
  return rates;
}

void serve_by_pools(const ServingPool& prefill, const ServingPool& decode, const PoolRates& rates, BytesPerSecond link,
                    const ServingRun& run, const PoolMatching& matching, DisaggregatedFigures& all) {
  const double places = decode.places();
  const double prefill_rate = rates.prefill.base_units();
  const double most = rates.most().base_units();
  all.prefill_alone = rates.prefill_alone.base_units();
  all.decode_alone = rates.decode_alone.base_units();

  // Sequences that decode at a rate: Little's law with the share that the pool reaches.
  const auto decoding_at = [&](double rate) {
    const auto excess = [&](double sequences) {
      return rate * answer_time(decode, sequences).base_units() / matching.decode_share->typical - sequences;
    };
    return excess(places) >= 0 ? places : falling_root(0, places, excess);
  };
  const auto prompt_at = [&](double rate) {
    return prompt_at_load(prefill, rates.batch, rate / prefill_rate).base_units();
  };
  all.transfer = transfer_of(prefill, decode, link, run);
  const double factor = matching.ttft_factor->typical;
  const auto in_system_at = [&](double rate) {
    const double first = factor * prompt_at(rate) + all.transfer.base_units();
    return rate * (first + answer_time(decode, decoding_at(rate)).base_units());
  };

  all.rate = most;
  if (run.load.kind == LoadKind::request_rate) {
    all.stable = run.load.value < most;
    if (all.stable) {
      all.rate = run.load.value;
      all.wait = wait_of_prompts(prefill, rates, all.rate, run);
    }
  } else if (run.load.kind == LoadKind::concurrency) {
    // Clients that think are neither in a pool nor wait.
    const auto clients_at = [&](double rate) { return in_system_at(rate) + rate * think_time(run); };
    const double at_most = clients_at(most);
    if (at_most > run.load.value) {
      all.rate = falling_root(0, most, [&](double rate) { return run.load.value - clients_at(rate); });
    } else {
      all.closed_wait = Seconds((run.load.value - at_most) / most);
    }
  }
  all.decoding = decoding_at(all.rate);
  all.prompt = Seconds(prompt_at(all.rate));
  all.per_token = answer_time(decode, all.decoding) / tokens_after_first(run.output_tokens);
  all.of_lane = all.decoding / decode.lanes();
  all.growing_share = growing_share(answer_step(decode, all.decoding));
  all.prefill_binds = rates.prefill <= rates.decode;
  all.served = true;
}

double mean_first_token(const DisaggregatedFigures& figures, const PoolMatching& matching) {
  return disaggregated_first_token(figures.prompt, matching.ttft_factor->typical, figures.transfer,
                                   Seconds(figures.wait.mean()) + figures.closed_wait)
      .base_units();
}

ServedLatency disaggregated_latency(const DisaggregatedFigures& figures, const ServingRun& run, double ttft,
                                    const UnexplainedScatter& unexplained) {
  const Traffic traffic = traffic_of(run);
  const double after_first = tokens_after_first(run.output_tokens);
  ServedLatency served;
  served.ttft.mean = ttft - figures.wait.mean();
  served.ttft.prompts = figures.wait;
  served.ttft.scatter = traffic.input_cv * traffic.input_cv + unexplained.ttft * unexplained.ttft;
  served.tpot.mean = figures.per_token.base_units();
  served.tpot.scatter =
      (traffic.open ? population_scatter(figures.growing_share, std::max(1.0, figures.of_lane)) : 0.0) +
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
