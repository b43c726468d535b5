#pragma once
/// Memory of a serving deployment on its fullest GPU, and how many tokens and sequences it holds.
/// And what would make an infeasible one feasible. docs/method/serving_memory.md.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "catalog/engine.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "catalog/weight_format.h"
#include "memory/prefix_share.h"
#include "memory/serving_activations.h"
#include "memory/serving_budget.h"
#include "memory/serving_run.h"
#include "memory/serving_weights.h"
#include "model/kv_cache.h"
#include "model/layers.h"

namespace podwright {

/// Bytes of one key or value element: fp32 4, bf16 and fp16 2, fp8 and int8 1, nvfp4 9/16, GGUF q8-0 17/16 and q4-0
/// 9/16. Absent for other words.
std::optional<double> kv_element_bytes(std::string_view precision);

/// The KV precision of a run: its own, else the engine's default ("model-dtype" is 32 bit for 32-bit weights, else 16
/// bit). Empty where neither is stated.
std::string_view kv_precision_of(const ServingRun& run, const EngineConventions& conventions,
                                 const WeightFormat& format);

/// What a deployment needs and holds. Per GPU: the fullest one.
template <class Tracer>
struct ServingMemory {
  Known<Tracer, Bytes> weights{};
  Known<Tracer, Bytes>
      kv_cache{};  ///< the pool, or what is allocated up front; below zero where not even the weights find room
  std::optional<Known<Tracer, Bytes>> activations;  ///< absent: no source states the engine's peak
  std::optional<Known<Tracer, Bytes>>
      runtime;  ///< communication, CUDA graphs, safety term, as far as sources state them
  Known<Tracer, Bytes> total{};
  Known<Tracer, Bytes> capacity{};                ///< as the driver reports it
  Known<Tracer, Bytes> bytes_per_token{};         ///< one sequence, one replica, all layers, below any window
  Known<Tracer, Bytes> bytes_per_token_on_gpu{};  ///< of the layers and heads of this GPU
  Known<Tracer, Bytes> bytes_per_sequence{};      ///< on this GPU, at `reserved_tokens`
  Known<Tracer, double> reserved_tokens{};        ///< that admission counts for one sequence
  Known<Tracer, double> blocks{};                 ///< of the pool of one attention rank
  Known<Tracer, double> kv_tokens{};              ///< that one attention rank holds (what engines print)
  Known<Tracer, double>
      concurrency{};  ///< sequences of full length in one attention rank, not rounded (what engines print)
  Known<Tracer, double> max_sequences_per_replica{};  ///< in flight, whole
  Known<Tracer, double> capacity_tokens{};            ///< of the whole deployment
  Known<Tracer, double> max_sequences{};              ///< of the whole deployment
  Known<Tracer, double> max_model_tokens{};           ///< longest sequence that fits
  double step_tokens = 0;                             ///< tokens of one engine step that it prepares for
  double sequence_limit = 0;                          ///< that one attention rank schedules; 0: no limit known
  double block_tokens = 1;                            ///< of a KV block
  double prefix_tokens = 0;                           ///< of the pool of one attention rank, kept for shared prefixes
  int stage = 0;                                      ///< pipeline stage of the fullest GPU
  std::optional<Infeasible> infeasible;               ///< ways out are added by add_ways_out()
  const EngineConventions* conventions = nullptr;
  std::string warning;  ///< about the engine's version; empty where it is known
};

/// Room of the pool, in tokens of running sequences, that a token takes which none uses. Layers of all kinds share the
/// blocks of vLLM: those that have left a window stay like any others until room is needed (vLLM, "Hybrid KV Cache
/// Manager"). Others drop them, or keep them in a pool of their own.
inline double kept_weight(std::string_view engine, const ServingMemory<NoTrace>& memory) {
  if (engine != "vllm" || !(memory.kv_cache > Bytes(0))) return 1;
  return std::max(1.0, memory.kv_tokens * (memory.bytes_per_token_on_gpu / memory.kv_cache));
}

namespace serving_detail {

/// What does not depend on the pipeline stage.
struct ServingCase {
  const Model& model;
  const LayerStack& stack;
  const Gpu& gpu;
  const WeightFormat& format;
  const ServingRun& run;
  const EngineConventions& conventions;
  KvStore store;
  double step_tokens = 0;
  double full_tokens = 0;      ///< length a sequence may reach
  double sequence_limit = 0;   ///< sequences per attention rank that the engine schedules; 0: no limit known
  double asked_sequences = 0;  ///< per attention rank, by the load; 0: as many as fit
  double graph_sequences = 0;
  bool expert_buffers = true;  ///< the format's kernels keep the experts' buffers
  bool kv_known = true;        ///< the bytes of the KV cache's precision are
};

ServingCase serving_case(const Model& model, const LayerStack& stack, const Gpu& gpu, const WeightFormat& format,
                         const ServingRun& run, const EngineConventions& conventions);

/// Every token of every layer is stored: no windows that shorten it, no constant states.
bool grows_evenly(const LayerStack& stack, bool hybrid_allocator);

/// The GPUs of one pipeline stage before sequences are counted.
template <class Tracer>
struct StageMemory {
  Known<Tracer, Bytes> weights{};
  std::optional<Known<Tracer, Bytes>> activations;
  std::optional<Known<Tracer, Bytes>> runtime;
  Known<Tracer, Bytes> budget{};  ///< may be negative
};

template <class Tracer>
void add_communication(Tracer& trace, const ServingCase& s, Total<Tracer, Bytes>& used, bool& any) {
  const EngineConventions& c = s.conventions;
  if (s.run.parallelism.pipeline > 1 && s.run.parallelism.tensor <= 1 && c.pipeline_communication) {
    used.add(trace.fact(c, "pipeline_communication", *c.pipeline_communication));
    any = true;
  } else if (const std::optional<double> bytes = by_tensor(c.communication, s.run.parallelism.tensor)) {
    used.add(trace.fact(c, "communication", Bytes(*bytes)));
    any = true;
  }
}

/// The default static fraction from what must stay free.
template <class Tracer>
Known<Tracer, double> static_pool_fraction(Tracer& trace, const ServingCase& s, const Known<Tracer, Bytes>& capacity) {
  const StaticReserve& reserve = *s.conventions.static_reserve;
  const auto fact = [&](std::string_view field, auto value) { return trace.fact(s.conventions, field, value); };
  const auto graphs = trace.method("graph_sequences", s.graph_sequences, "docs/method/serving_memory.md#static-pool");
  const auto gpus = trace.method(
      "gpus_of_replica", s.run.parallelism.tensor * s.run.parallelism.attention_data * s.run.parallelism.pipeline,
      "docs/method/serving_memory.md#static-pool");
  Total<Tracer, Bytes> kept;
  kept.add(fact("static_reserve.constant_mib", reserve.constant));
  kept.add(named("memory.step_reserve",
                 step_reserve(trace.method("step_tokens", s.step_tokens, "docs/method/serving_memory.md#step"),
                              fact("static_reserve.step_tokens_at_least", reserve.step_tokens_at_least),
                              fact("static_reserve.per_step_token_mib", reserve.per_step_token))));
  kept.add(named("memory.graph_reserve",
                 counted_reserve(graphs, fact("static_reserve.per_graph_sequence_mib", reserve.per_graph_sequence))));
  kept.add(named("memory.gpu_reserve", counted_reserve(gpus, fact("static_reserve.per_gpu_mib", reserve.per_gpu))));
  if (s.run.parallelism.attention_data > 1) {
    const auto rows =
        trace.method("graph_sequences_of_attention_ranks", s.graph_sequences * s.run.parallelism.attention_data,
                     "docs/method/serving_memory.md#static-pool");
    kept.add(named("memory.attention_data_reserve",
                   counted_reserve(rows, fact("static_reserve.per_graph_sequence_and_attention_rank_mib",
                                              reserve.per_graph_sequence_and_attention_rank))));
  }
  auto free = kept.sum(trace, "memory.reserve");
  if (value_of(capacity) > reserve.large_gpu_memory && reserve.large_gpu_memory > Bytes(0)) {
    free = named("memory.reserve_of_large_gpu",
                 max(free, fact("static_reserve.large_gpu_at_least_mib", reserve.large_gpu_at_least)));
  }
  return named("memory.static_fraction", static_fraction(capacity, free));
}

template <class Tracer>
StageMemory<Tracer> stage_memory(Tracer& trace, const ServingCase& s, int stage, const Known<Tracer, Bytes>& capacity) {
  const EngineConventions& c = s.conventions;
  const ServingParallelism& p = s.run.parallelism;
  StageMemory<Tracer> out;
  out.weights =
      serving_weights(trace, s.model, s.stack, s.format, p, {.stage = stage, .embedding_on_host = c.embedding_on_host});
  const bool last = stage == static_cast<int>(p.pipeline) - 1;
  const double sampled =
      s.asked_sequences > 0 && s.sequence_limit <= 0 ? s.asked_sequences : std::max(1.0, s.sequence_limit);
  out.activations = serving_activations(trace, s.model, s.stack, c, p,
                                        {.tokens = s.step_tokens,
                                         .sequences = sampled,
                                         .context = s.full_tokens,
                                         .last_stage = last,
                                         .expert_buffers = s.expert_buffers});

  Total<Tracer, Bytes> outside, used;
  bool any = false;
  used.add(out.weights);
  if (out.activations) used.add(*out.activations);
  add_communication(trace, s, outside, any);
  add_communication(trace, s, used, any);
  if (c.safety) {
    const auto safety = trace.fact(c, "safety", *c.safety);
    outside.add(safety);
    used.add(safety);
    any = true;
  }
  const bool graphs_count =
      c.cuda_graphs && (c.cuda_graphs_in_budget || c.kv_budget != KvBudgetRule::fraction_of_total);
  if (c.cuda_graphs) {
    const auto graphs = trace.fact(c, "cuda_graphs", *c.cuda_graphs);
    outside.add(graphs);
    if (graphs_count) used.add(graphs);
    any = true;
  }
  if (any) out.runtime = outside.sum(trace, "memory.runtime");
  const auto taken = used.sum(trace, "memory.used_before_kv");

  const auto fraction = [&]() -> Known<Tracer, double> {
    if (s.run.memory_fraction) return trace.input("/memory_fraction", *s.run.memory_fraction);
    if (c.memory_fraction) return trace.fact(c, "memory_fraction", *c.memory_fraction);
    if (c.static_reserve) return static_pool_fraction(trace, s, capacity);
    return 1.0;
  };
  switch (c.kv_budget.value_or(KvBudgetRule::none)) {
    case KvBudgetRule::fraction_of_total:
      out.budget = named("memory.kv_budget", budget_of_total(capacity, fraction(), taken));
      break;
    case KvBudgetRule::fraction_of_free:
      out.budget =
          named("memory.kv_budget",
                budget_of_free(capacity, fraction(), taken,
                               c.usable_fraction ? trace.fact(c, "usable_fraction", *c.usable_fraction) : 1.0));
      break;
    case KvBudgetRule::static_pool:
      out.budget = named("memory.kv_budget", budget_of_total(capacity, fraction(), out.weights));
      break;
    case KvBudgetRule::up_front:
    case KvBudgetRule::none:
      out.budget = named("memory.kv_budget", capacity - taken);
      break;
  }
  return out;
}

/// The stage whose GPUs hold the fewest tokens (with no room at all: the one that misses most).
int fullest_stage(const ServingCase& s, Bytes capacity);

/// Why nothing can be served, if so; without the message where it is not `worded`.
std::optional<Infeasible> serving_limit(const ServingCase& s, Bytes weights, Bytes budget, Bytes one_sequence,
                                        Bytes capacity, bool worded);

/// Lengths that admission and the engine count with.
template <class Tracer>
Known<Tracer, double> full_length(Tracer& trace, const ServingRun& run) {
  if (run.max_model_tokens) return trace.input("/max_model_tokens", *run.max_model_tokens);
  return named("memory.request_tokens",
               trace.input("/input_tokens", run.input_tokens) + trace.input("/output_tokens", run.output_tokens));
}

template <class Tracer>
Known<Tracer, double> reserved_length(Tracer& trace, const ServingRun& run, const EngineConventions& c) {
  const bool optimistic = c.reservation == Reservation::optimistic && run.input_tokens + run.output_tokens > 0;
  const auto input = trace.input("/input_tokens", run.input_tokens);
  const auto met = [&] {
    return named("memory.answer_met", met_length(trace.input("/output_tokens", run.output_tokens),
                                                 trace.input("/output_tokens_cv", run.output_tokens_cv)));
  };
  const auto whole = optimistic             ? named("memory.mean_tokens", mean_context(input, met()))
                     : run.max_model_tokens ? full_length(trace, run)
                                            : named("memory.request_tokens", input + met());
  if (!shares_tokens(run)) return whole;
  if (run.shared) return named("memory.own_tokens", tokens_beside_shared(whole, shared_tokens(trace, run)));
  return named("memory.own_tokens",
               own_tokens(whole, prefix_hits(trace, run), trace.input("/input_tokens", run.input_tokens)));
}

/// System prompts in use when `budget` is full of sequences, which take `own` beside their system prompt, and that
/// `shared`.
double prefixes_in_use(const SharedPrefix& prefix, Bytes budget, Bytes own, Bytes shared);

/// The pool that holds so many tokens. Engines count them in sequences of full length where layers have windows or
/// states.
template <class Tracer>
Known<Tracer, Bytes> measured_pool(Tracer& trace, double tokens, bool even, const Known<Tracer, Bytes>& bytes_per_token,
                                   const Known<Tracer, double>& full, const Known<Tracer, Bytes>& full_sequence) {
  const auto told = trace.input("/measured/kv_cache_tokens", tokens);
  return named("memory.measured_pool", even ? told * bytes_per_token : told / full * full_sequence);
}

/// What sequences may fill of a computed budget: all but what a chunk keeps beyond the windows, which engines leave out
/// of the tokens that they print.
template <class Tracer>
Known<Tracer, Bytes> budget_beside_chunk(Tracer& trace, const ServingCase& s, const std::vector<double>& layers,
                                         const Known<Tracer, Bytes>& budget, const Known<Tracer, double>& full,
                                         const Known<Tracer, Bytes>& full_sequence) {
  const bool windows = !grows_evenly(s.stack, s.store.hybrid_allocator) && s.store.hybrid_allocator;
  if (!windows || !(s.step_tokens > 0)) return budget;
  KvStore with_chunk = s.store;
  with_chunk.in_flight_tokens = s.step_tokens;
  const auto chunk = named("memory.chunk_in_windows",
                           kv_bytes_per_sequence(trace, s.model, s.stack, layers, with_chunk, full) - full_sequence);
  return named("memory.kv_budget_beside_chunk", budget - chunk);
}

/// What sequences may fill of it: all but the prefixes that they share.
template <class Tracer>
Known<Tracer, Bytes> budget_of_sequences(Tracer& trace, const ServingCase& s, const std::vector<double>& layers,
                                         Known<Tracer, Bytes> budget, ServingMemory<Tracer>& out) {
  const ServingRun& run = s.run;
  if (shares_tokens(run)) {
    const auto tokens = shared_tokens(trace, run);
    const auto shared = kv_bytes_per_sequence(trace, s.model, s.stack, layers, s.store, tokens);
    Known<Tracer, double> kinds = 1.0;
    if (run.shared)
      kinds = trace.method(
          "memory.system_prompts_in_use",
          prefixes_in_use(*run.shared, value_of(budget), value_of(out.bytes_per_sequence), value_of(shared)),
          kReusePage);
    out.prefix_tokens = value_of(kinds) * value_of(tokens);
    budget = named("memory.kv_budget_beside_prefix", budget - kinds * shared);
  }
  return budget;
}

/// An engine that allocates the whole of as many sequences as it is asked for; returns those that fit.
template <class Count, class Size, class Memory>
Count allocate(const Size& budget, const Count& full, const Size& full_sequence, const Count& block, const Count& most,
               Memory& out) {
  const auto held =
      named("memory.allocated_sequences",
            admitted_sequences(named("memory.full_sequences_in", sequences_in(budget, full_sequence)), most));
  out.kv_cache = named("memory.kv_cache", held * full_sequence);
  out.kv_tokens = named("memory.kv_tokens", held * full);
  out.blocks = named("memory.blocks", floor(out.kv_tokens / block));
  out.concurrency = held;
  return held;
}

/// An engine that fills its whole budget with blocks; returns the sequences that fit.
template <class Count, class Size, class Memory>
Count fill(bool even, const Size& whole_budget, const Size& budget, const Count& full, const Size& full_sequence,
           const Count& block, Memory& out) {
  out.kv_cache = whole_budget;
  if (even) {
    out.blocks = named("memory.blocks", blocks_in(budget, block, out.bytes_per_token_on_gpu));
    out.kv_tokens = named("memory.kv_tokens", out.blocks * block);
    out.concurrency = named("memory.concurrency", out.kv_tokens / full);
    return named("memory.fitting_sequences", out.kv_tokens / out.reserved_tokens);
  }
  out.concurrency = named("memory.concurrency", sequences_in(budget, full_sequence));
  out.kv_tokens = named("memory.kv_tokens", out.concurrency * full);
  out.blocks = named("memory.blocks", floor(out.kv_tokens / block));
  return named("memory.sequences_in", sequences_in(budget, out.bytes_per_sequence));
}

/// Tokens that the budget holds, those of shared prefixes among them.
template <class Count, class Size>
Count tokens_of_pool(bool even, const Size& budget, const Count& full, const Size& full_sequence, const Count& block,
                     const Size& bytes_per_token) {
  if (even)
    return named("memory.pool_tokens", named("memory.pool_blocks", blocks_in(budget, block, bytes_per_token)) * block);
  return named("memory.pool_tokens", named("memory.pool_sequences", sequences_in(budget, full_sequence)) * full);
}

}  // namespace serving_detail

/// Activation peak of the GPUs of the first pipeline stage: of several stages it does not sample, alone it does. Absent
/// where no source states it.
std::optional<Bytes> first_stage_activations(const Model& model, const Gpu& gpu, const Engine& engine,
                                             const WeightFormat& format, const ServingRun& run);

/// `stack` is layer_stack(model), made once per model by whoever asks often. Searches that reject thousands of layouts
/// and show a few leave out the words of what is infeasible.
template <class Tracer>
ServingMemory<Tracer> serving_memory(Tracer& trace, const Model& model, const LayerStack& stack, const Gpu& gpu,
                                     const Engine& engine, const WeightFormat& format, const ServingRun& run,
                                     bool worded = true) {
  namespace detail = serving_detail;
  const char* const page = "docs/method/serving_memory.md";
  ServingMemory<Tracer> out;
  ConventionsChoice choice = conventions_of(engine, run.engine_version);
  out.conventions = choice.conventions;
  out.warning = std::move(choice.warning);
  const EngineConventions& c = *out.conventions;
  const detail::ServingCase s = detail::serving_case(model, stack, gpu, format, run, c);
  out.step_tokens = s.step_tokens;

  out.capacity = gpu.memory_driver ? trace.fact(gpu, "memory_driver_gib", *gpu.memory_driver)
                                   : trace.fact(gpu, "memory_gb", gpu.memory.value_or(Bytes(0)));
  const Bytes capacity = value_of(out.capacity);
  out.stage = run.parallelism.pipeline > 1 ? detail::fullest_stage(s, capacity) : 0;
  const detail::StageMemory<Tracer> here = detail::stage_memory(trace, s, out.stage, out.capacity);
  out.weights = here.weights;
  out.activations = here.activations;
  out.runtime = here.runtime;

  const std::vector<double> layers = stage_layers(stack, {.pipeline = run.parallelism.pipeline}, out.stage);
  const std::vector<double> all = all_layers(stack);
  KvStore whole = s.store;
  whole.tensor = 1;
  const auto full = detail::full_length(trace, run);
  const auto block = run.block_tokens ? trace.input("/block_tokens", *run.block_tokens)
                     : c.block_tokens ? trace.fact(c, "block_tokens", *c.block_tokens)
                                      : 1.0;
  out.block_tokens = s.store.block_tokens;
  out.sequence_limit = s.sequence_limit;
  out.reserved_tokens = detail::reserved_length(trace, run, c);
  out.bytes_per_token = kv_bytes_per_token(trace, model, stack, all, whole);
  out.bytes_per_token_on_gpu = kv_bytes_per_token(trace, model, stack, layers, s.store);
  out.bytes_per_sequence = kv_bytes_per_sequence(trace, model, stack, layers, s.store, out.reserved_tokens);
  const auto full_sequence = kv_bytes_per_sequence(trace, model, stack, layers, s.store, full);

  const bool even = detail::grows_evenly(stack, s.store.hybrid_allocator);
  const auto& told = run.measured.kv_cache_tokens;
  const auto pool = told ? detail::measured_pool(trace, *told, even, out.bytes_per_token_on_gpu, full, full_sequence)
                         : detail::budget_beside_chunk(trace, s, layers, here.budget, full, full_sequence);
  const auto budget = detail::budget_of_sequences(trace, s, layers, pool, out);
  out.infeasible =
      detail::serving_limit(s, value_of(out.weights), value_of(budget), value_of(full_sequence), capacity, worded);

  const double limit = s.sequence_limit > 0 ? s.sequence_limit : 1e15;
  const bool allocated = !c.kv_budget || *c.kv_budget == KvBudgetRule::up_front || *c.kv_budget == KvBudgetRule::none;
  const auto most = trace.method("sequence_limit",
                                 allocated && s.asked_sequences > 0 ? std::min(limit, s.asked_sequences) : limit, page);
  const auto attention_ranks = trace.input("/parallelism/attention_data", run.parallelism.attention_data);
  const auto fitting = allocated && c.kv_budget
                           ? detail::allocate(budget, full, full_sequence, block, most, out)
                           : detail::fill(even, told ? pool : here.budget, budget, full, full_sequence, block, out);
  const auto growing = growing_kv_bytes_per_token(trace, model, stack, layers, s.store);
  if (even) {
    out.max_model_tokens =
        named("memory.max_model_tokens", longest_sequence(budget, Bytes(0), out.bytes_per_token_on_gpu));
  } else if (value_of(growing) > Bytes(0)) {
    const auto fixed = named("memory.fixed_part", full_sequence - full * growing);
    out.max_model_tokens = named("memory.max_model_tokens", longest_sequence(budget, fixed, growing));
  } else {
    out.max_model_tokens = trace.fact(model, "context_tokens", model.context_tokens);
  }

  const auto per_rank = named("memory.sequences_per_attention_rank", admitted_sequences(fitting, most));
  const auto at_once = run.measured.running_sequences
                           ? trace.input("/measured/running_sequences", *run.measured.running_sequences)
                           : per_rank;
  out.max_sequences_per_replica = named("memory.max_sequences_per_replica", at_once * attention_ranks);
  if (run.max_batch_size) {
    out.max_sequences_per_replica =
        named("memory.scheduled_sequences",
              admitted_sequences(out.max_sequences_per_replica, trace.input("/max_batch_size", *run.max_batch_size)));
  }
  const auto replicas = trace.input("/parallelism/data", run.parallelism.data);
  out.max_sequences = named("memory.max_sequences", out.max_sequences_per_replica * replicas);
  const bool prefix_apart = shares_tokens(run) && !(allocated && c.kv_budget);
  const auto tokens = prefix_apart
                          ? detail::tokens_of_pool(even, pool, full, full_sequence, block, out.bytes_per_token_on_gpu)
                          : out.kv_tokens;
  const auto of_replica = named("memory.tokens_of_replica", tokens * attention_ranks);
  out.capacity_tokens = named("memory.capacity_tokens", of_replica * replicas);

  Total<Tracer, Bytes> total;
  total.add(out.weights);
  total.add(out.kv_cache);
  if (out.activations) total.add(*out.activations);
  if (out.runtime) total.add(*out.runtime);
  out.total = total.sum(trace, "memory.total");
  return out;
}

template <class Tracer>
ServingMemory<Tracer> serving_memory(Tracer& trace, const Model& model, const Gpu& gpu, const Engine& engine,
                                     const WeightFormat& format, const ServingRun& run) {
  return serving_memory(trace, model, layer_stack(model), gpu, engine, format, run);
}

/// Adds the merge patches of the request that, each alone, leave room for at least one sequence: the most precise
/// weight format that does (among those with narrower weights), the smallest tensor-parallel group up to 8, a narrower
/// KV cache, a shorter input, the smallest GPU of the same vendor.
void add_ways_out(const Catalog& catalog, const Model& model, const Gpu& gpu, const Engine& engine,
                  const WeightFormat& format, const ServingRun& run, Infeasible& infeasible);

}  // namespace podwright
