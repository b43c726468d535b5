#pragma once
/// Speculative decoding: a draft proposes tokens, one step of the model checks them all. What it costs, what it yields,
/// and the memory that the draft takes. docs/method/speculative_and_disaggregated.md.
#include <memory>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/units.h"
#include "memory/serving_memory.h"
#include "perf/engine_step.h"

namespace podwright {

/// Tokens that one step yields on average: the accepted ones of `drafts` proposals in a row, and the model's own. From
/// 1 (nothing is accepted) to drafts + 1. The power is no equation of the explained grammar, so it is told as a method.
double tokens_per_verified_step(double drafts, double acceptance);

/// Proposals of a step that follow the first.
constexpr auto later_drafts(Of<double> auto drafts) {
  return cited("definition: proposals follow each other", drafts - 1.0);
}

/// First proposal in the same step as the prompts, the others with decoding sequences only.
constexpr auto draft_time(Of<double> auto drafts, Of<Seconds> auto first, Of<Seconds> auto later) {
  return cited("definition: proposals follow each other", first + later_drafts(drafts) * later);
}

/// Sequences that the pool holds when it gives up room for the draft's weights, and each of its tokens for the draft's
/// own keys and values.
auto sequences_beside_draft(Of<double> auto sequences, Of<Bytes> auto pool, Of<Bytes> auto draft_weights,
                            Of<Bytes> auto per_token, Of<Bytes> auto draft_per_token) {
  return cited("docs/method/speculative_and_disaggregated.md#memory",
               floor(sequences * max(0.0, 1.0 - draft_weights / pool) * (per_token / (per_token + draft_per_token))));
}

inline constexpr const char* kSpeculativePage = "docs/method/speculative_and_disaggregated.md#speculative-decoding";

/// What a lane needs to know of its draft.
template <class Tracer>
struct Drafting {
  using Count = Known<Tracer, double>;
  Count drafts{};
  Count tokens_per_step{};
  EngineCosts<Tracer> costs;  ///< of the draft
};

/// One layer of the model with its output head: the draft of multi-token prediction and of EAGLE heads.
Model draft_head_of(const Model& model);

/// Memory of the draft on one GPU.
struct DraftMemory {
  Bytes weights;    ///< that the served model does not hold anyway
  Bytes per_token;  ///< keys and values
};
DraftMemory draft_memory(const Model& model, const Gpu& gpu, const Engine& engine, const WeightFormat& format,
                         const ServingRun& run);

/// The load of the step that checks: the proposals ride along as tokens of prompts do.
template <class Tracer>
StepLoad<Tracer> verified_load(Tracer& trace, const Drafting<Tracer>& drafting, const StepLoad<Tracer>& load) {
  const auto proposed = named("perf.proposed_tokens", load.decoding * drafting.drafts);
  return {.decoding = load.decoding,
          .prompt_tokens = sum_of(trace, "perf.tokens_beside_decoding", load.prompt_tokens, proposed),
          .prompts = load.prompts};
}

/// A step in which sequences decode, with the draft's steps before it where there is a draft.
template <class Tracer>
StepTimes<Tracer> lane_step(Tracer& trace, const EngineCosts<Tracer>& costs, const StepLoad<Tracer>& load) {
  if (!costs.drafting) return engine_step(trace, costs, load);
  const Drafting<Tracer>& drafting = *costs.drafting;
  StepTimes<Tracer> step = engine_step(trace, costs, verified_load(trace, drafting, load));
  const auto later = engine_step(trace, drafting.costs, {load.decoding, 0.0, 0.0}).total;
  const auto first = value_of(load.prompt_tokens) > 0 ? engine_step(trace, drafting.costs, load).total : later;
  step.draft =
      value_of(load.decoding) > 0 ? named("perf.draft_time", draft_time(drafting.drafts, first, later)) : first;
  step.total = sum_of(trace, "perf.step_with_draft", step.total, step.draft);
  return step;
}

/// Steps in which an answer is decoded.
template <class Tracer>
Known<Tracer, double> answer_steps(const EngineCosts<Tracer>& costs, const Known<Tracer, double>& tokens) {
  if (!costs.drafting) return tokens;
  return named("perf.verified_steps", cited("arXiv 2211.17192 section 3.1", tokens / costs.drafting->tokens_per_step));
}

/// The limits with what a draft leaves of the pool.
template <class Tracer>
void leave_room_for_draft(Tracer& trace, const DraftMemory& needs, const ServingMemory<Tracer>& memory,
                          ServingLimits<Tracer>& limits) {
  const auto weights = trace.method("perf.draft_weights", needs.weights, kSpeculativePage);
  const auto per_token = trace.method("perf.draft_bytes_per_token", needs.per_token, kSpeculativePage);
  limits.max_sequences = named(
      "perf.sequences_beside_draft",
      sequences_beside_draft(limits.max_sequences, memory.kv_cache, weights, memory.bytes_per_token_on_gpu, per_token));
  limits.memory_sequences = sequences_beside_draft(limits.memory_sequences, value_of(memory.kv_cache), needs.weights,
                                                   value_of(memory.bytes_per_token_on_gpu), needs.per_token);
}

/// Gives the costs their draft and the limits what it leaves. False, with the reason, where it does not fit or a rate
/// is missing.
template <class Tracer>
bool add_draft(Tracer& trace, const Catalog& catalog, const Model& model, const Gpu& gpu, const Engine& engine,
               const WeightFormat& format, const ServingRun& run, const ServingMemory<Tracer>& memory,
               ServingLimits<Tracer>& limits, EngineCosts<Tracer>& costs, std::vector<std::string>& assumptions,
               std::vector<Infeasible>& reasons) {
  const Speculative& asked = *run.speculative;
  const Model draft = asked.draft_model ? *asked.draft_model : draft_head_of(model);
  const DraftMemory needs = draft_memory(draft, gpu, engine, format, run);
  // An engine that was measured had its draft.
  const bool counted = run.measured.kv_cache_tokens || run.measured.running_sequences;
  if (!counted) leave_room_for_draft(trace, needs, memory, limits);
  if (value_of(limits.max_sequences) < 1) {
    reasons.push_back({.code = "no-room-for-draft",
                       .message = say("no-room-for-draft"),
                       .ways_out = {Patch().clear("/speculative")}});
    return false;
  }
  Drafting<Tracer> drafting;
  drafting.drafts = trace.input("/speculative/draft_tokens", asked.draft_tokens);
  trace.input("/speculative/acceptance", asked.acceptance);
  drafting.tokens_per_step =
      trace.method("perf.tokens_per_verified_step", tokens_per_verified_step(asked.draft_tokens, asked.acceptance),
                   kSpeculativePage);
  auto draft_costs = engine_costs(trace, catalog, gpu, draft, layer_stack(draft), run, limits, assumptions, reasons);
  if (!draft_costs) return false;
  drafting.costs = std::move(*draft_costs);
  // The step that checks reads every sequence's keys once, but works on the last token and all proposals.
  const auto checked = named("perf.verified_tokens", cited("arXiv 2211.17192 section 2.3", drafting.drafts + 1.0));
  costs.decode_attention_work = named("perf.verified_attention_work", costs.decode_attention_work * checked);
  costs.head_work_per_row = named("perf.verified_head_work", costs.head_work_per_row * checked);
  // A token is chosen for every row of the head, and the hosts return as many tokens as a step yields.
  costs.sampling_row = named("perf.verified_sampling", costs.sampling_row * checked);
  costs.host_sequence = named("perf.host_of_yielded_tokens", costs.host_sequence * drafting.tokens_per_step);
  costs.drafting = std::make_shared<const Drafting<Tracer>>(std::move(drafting));
  return true;
}

}  // namespace podwright
