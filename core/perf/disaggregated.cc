#include "perf/disaggregated.h"

#include <algorithm>

#include "perf/estimate_serving.h"
#include "perf/pool_prompts.h"

namespace podwright {
namespace {

/// A pool under part of its load takes as many prompts at once as come meanwhile.
Seconds prompt_at_load(const ServingPool& pool, const PromptBatch& batch, double load) {
  return batch_time(pool, batch, std::max(1.0, std::min(1.0, load) * batch.most));
}

Seconds transfer_of(const ServingPool& prefill, const ServingPool& decode, Bytes kv_of_token, BytesPerSecond link,
                    const ServingRun& run) {
  const auto gpus_of_replica = [](const ServingParallelism& p) { return p.tensor * p.attention_data * p.pipeline; };
  const double links = std::min(gpus_of_replica(prefill.run.parallelism), gpus_of_replica(decode.run.parallelism));
  return kv_transfer_time(run.input_tokens, kv_of_token, links, link);
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
    all.reasons.push_back({.code = "link-unknown",
                           .message = "The catalog knows no link between the pools.",
                           .shortfall = 0,
                           .unit = "",
                           .ways_out = {}});
    return all;
  }
  serve_by_pools(*prefill, *decode, all.decode_memory->bytes_per_token, *link, run, matching, all);
  const PromptBatch batch = prompt_batch(*prefill);
  all.binding = binding_of_pool(
      gpu, all.prefill_binds,
      all.prefill_binds ? prompt_step(*prefill, batch, batch.most) : answer_step(*decode, all.decoding));
  return all;
}

void serve_prompts(const ServingPool& prefill, const ServingPool& decode, Bytes kv_of_token, BytesPerSecond link,
                   double rate, const ServingRun& run, const PoolMatching& matching, DisaggregatedFigures& figures) {
  const PromptBatch batch = prompt_batch(prefill);
  const Seconds full_batch = batch_time(prefill, batch, batch.most);
  const double load = rate / (prefill.lanes() * batch.most / full_batch.base_units() * matching.prefill_share->typical);
  figures.prompt = prompt_at_load(prefill, batch, load);
  figures.transfer = transfer_of(prefill, decode, kv_of_token, link, run);
  figures.wait = open_wait(full_batch.base_units(), prefill.lanes() * batch.most, load, run.input_tokens_cv);
}

void serve_by_pools(const ServingPool& prefill, const ServingPool& decode, Bytes kv_of_token, BytesPerSecond link,
                    const ServingRun& run, const PoolMatching& matching, DisaggregatedFigures& all) {
  const PromptBatch batch = prompt_batch(prefill);
  const double places = decode.places();
  all.prefill_alone = rate_of_prompts(prefill, batch).base_units();
  all.decode_alone = rate_of_answers(decode, places).base_units();
  const double prefill_rate = all.prefill_alone * matching.prefill_share->typical;
  const double decode_rate = all.decode_alone * matching.decode_share->typical;
  const double most = std::min(prefill_rate, decode_rate);

  // Sequences that decode at a rate: Little's law with the share that the pool reaches.
  const auto decoding_at = [&](double rate) {
    const auto excess = [&](double sequences) {
      return rate * answer_time(decode, sequences).base_units() / matching.decode_share->typical - sequences;
    };
    return excess(places) >= 0 ? places : falling_root(0, places, excess);
  };
  const auto prompt_at = [&](double rate) { return prompt_at_load(prefill, batch, rate / prefill_rate).base_units(); };
  all.transfer = transfer_of(prefill, decode, kv_of_token, link, run);
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
      serve_prompts(prefill, decode, kv_of_token, link, all.rate, run, matching, all);
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
  all.per_token = answer_time(decode, all.decoding) / tokens_after_first(run.output_tokens, 1.0);
  all.of_lane = all.decoding / decode.lanes();
  all.growing_share = growing_share(answer_step(decode, all.decoding));
  all.prefill_binds = prefill_rate <= decode_rate;
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
  const double after_first = tokens_after_first(run.output_tokens, 1.0);
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
