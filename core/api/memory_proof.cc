#include "api/memory_proof.h"

#include <algorithm>
#include <cmath>

#include "api/field_reader.h"
#include "api/requests.h"
#include "api/search_request.h"
#include "base/json_write.h"
#include "base/number_text.h"
#include "base/words.h"
#include "export/training_files.h"
#include "perf/estimate_training.h"
#include "plan/planner.h"
#include "sizing/search_training.h"

namespace podwright {
namespace {

/// The layout whose memory is to be proved.
struct Layout {
  const Model* model;
  const Gpu* gpu;
  const System* system;
  const TrainingRun* run;
  double gpus;
};

/// What an argument of Megatron-LM must be for the layout; where a command leaves it out it is 1.
struct LayoutArgument {
  std::string_view name;
  double value;
  bool one_where_absent = false;
};

std::optional<Error> other_layout(const Layout& layout, const MegatronLog& log) {
  const TrainingParallelism& p = layout.run->parallelism;
  const LayoutArgument arguments[] = {
      {"tensor-model-parallel-size", p.tensor, true},     {"pipeline-model-parallel-size", p.pipeline, true},
      {"context-parallel-size", p.context, true},         {"expert-model-parallel-size", p.expert, true},
      {"micro-batch-size", layout.run->micro_batch_size}, {"global-batch-size", layout.run->global_batch_size},
      {"seq-length", layout.run->sequence_length},        {"num-layers", layout.model->layers},
      {"hidden-size", layout.model->hidden_size},         {"world-size", layout.gpus}};
  for (const LayoutArgument& one : arguments) {
    const auto said = log.arguments.find(std::string(one.name));
    if (said == log.arguments.end() && !one.one_where_absent) continue;
    const double value = said == log.arguments.end() ? 1.0 : said->second;
    if (value != one.value)
      return Error{"conflict", "",
                   "The log is of another layout: its " + std::string(one.name) + " is " + shortest_number(value) +
                       ", that of the request's layout " + shortest_number(one.value) + ".",
                   "Run the script of the export memory-proof of this request."};
  }
  return std::nullopt;
}

ProofFigure figure_of(Bytes value, const TrainingEstimate<NoTrace>& estimate) {
  if (!estimate.memory_bounds) return {.value = value, .low = {}, .high = {}};
  const double low = estimate.memory_bounds->low / estimate.memory->total;
  const double high = estimate.memory_bounds->high / estimate.memory->total;
  return {.value = value, .low = low * value, .high = high * value};
}

/// The fullest rank of the log; absent where none is of the fullest stage.
const MegatronRank* fullest_rank(const Layout& layout, const MegatronLog& log, int stage) {
  const MegatronRank* fullest = nullptr;
  bool of_stage = false;
  for (const MegatronRank& one : log.ranks) {
    of_stage = of_stage || stage_of_rank(layout.run->parallelism, one.rank) == stage;
    if (fullest == nullptr || one.max_allocated > fullest->max_allocated) fullest = &one;
  }
  return of_stage ? fullest : nullptr;
}

Result<MemoryProof> compared(const Catalog& catalog, const Layout& layout, const MegatronLog& log) {
  const TrainingRun& run = *layout.run;
  if (run.framework != kProofFramework)
    return failure(Error{"conflict", "/framework",
                         "The log is of Megatron-LM, and the layout of " + run.framework + ".",
                         "Set \"framework\" to \"" + std::string(kProofFramework) + "\"."});
  NoTrace none;
  const TrainingEstimate<NoTrace> estimate =
      estimate_training(none, catalog, *layout.model, layer_stack(*layout.model), *layout.gpu, run, layout.system);
  if (!estimate.memory)
    return failure(Error{"missing", "",
                         "There is no estimate of the memory: " +
                             (estimate.reasons.empty() ? "" : estimate.reasons.front().message.text()),
                         ""});
  const TrainingMemory<NoTrace>& memory = *estimate.memory;
  if (!log.arguments.empty())
    if (auto error = other_layout(layout, log)) return failure(std::move(*error));
  MemoryProof proof{.gpu = layout.gpu->name,
                    .ranks = layout.gpus,
                    .rank = first_rank_of_stage(run.parallelism, memory.stage),
                    .stage = memory.stage,
                    .stages = run.parallelism.pipeline,
                    .allocated = {},
                    .reserved = {},
                    .in_use = {},
                    .estimated_allocated = figure_of(memory.allocated, estimate),
                    .estimated_in_use = figure_of(memory.total, estimate),
                    .capacity = memory.capacity,
                    .theory = log.theory,
                    .notes = {}};
  if (log.arguments.empty())
    proof.notes.emplace_back(
        "The log names neither its command nor its arguments, so that its layout was not compared with the request's.");
  if (log.out_of_memory) {
    proof.state = ProofState::out_of_memory;
    return proof;
  }
  const MegatronRank* fullest = fullest_rank(layout, log, memory.stage);
  if (fullest == nullptr || log.ranks.back().rank >= layout.gpus)
    return failure(Error{"missing", "",
                         "The log has ranks up to " + shortest_number(log.ranks.back().rank) + ", and none of stage " +
                             shortest_number(memory.stage) + " (from 0) of " + shortest_number(layout.gpus) +
                             " ranks, which is the fullest.",
                         "Run the proof with RANK=" + shortest_number(proof.rank) + "."});
  proof.rank = fullest->rank;
  proof.stage = stage_of_rank(run.parallelism, fullest->rank);
  proof.allocated = fullest->max_allocated;
  proof.reserved = fullest->max_reserved;
  if (!proof.reserved)
    proof.notes.emplace_back("The log does not say what the allocator reserved: what it takes beyond is estimated.");
  proof.in_use = fullest->max_reserved ? *fullest->max_reserved + (memory.total - memory.reserved)
                                       : fullest->max_allocated + memory.runtime;
  const ProofFigure& expected = proof.estimated_allocated;
  if (!expected.low) proof.notes.emplace_back("The catalog does not know how far such estimates are off.");
  if (*proof.allocated > expected.high.value_or(expected.value)) proof.state = ProofState::above;
  if (*proof.allocated < expected.low.value_or(expected.value)) proof.state = ProofState::below;
  return proof;
}

std::string kind_of(const JsonNode& request) {
  const JsonNode* kind = request.find("kind");
  const JsonNode* type = request.find("type");
  if (kind == nullptr || !kind->is_text()) return "";
  return kind->text + (type != nullptr && type->is_text() && type->text != "training" ? "/" + type->text : "");
}

}  // namespace

Result<MemoryProof> memory_proof(const Catalog& catalog, const JsonNode& request, const MegatronLog& log) {
  const std::string kind = kind_of(request);
  if (kind == "training") {
    const auto read = read_request<TrainingRequest>(catalog, request);
    if (!read) return failure(read.error());
    const TrainingRequest& r = read->request;
    return compared(catalog, {&*r.model, &*r.gpu, r.system ? &*r.system : nullptr, &r.run, r.gpu_count}, log);
  }
  if (kind == "search") {
    const auto read = read_request<SearchRequest>(catalog, request);
    if (!read) return failure(read.error());
    const sizing::TrainingSearch search = found_layouts(catalog, read->request);
    if (search.best.empty())
      return failure(Error{"missing", "", "The search finds no layout whose memory could be proved.", ""});
    const sizing::TrainingCandidate& best = search.best.front();
    return compared(catalog, {&*read->request.model, best.gpu, best.system, &best.run, best.gpus}, log);
  }
  if (kind == "plan") {
    const auto read = read_request<PlanRequest>(catalog, request);
    if (!read) return failure(read.error());
    const Plans plans = make_plans(catalog, read->request);
    const PlacedWorkload* placed = plans.plans.empty() ? nullptr : first_training(plans.plans.front()).first;
    if (placed == nullptr)
      return failure(Error{"missing", "", "The plan has no training whose memory could be proved.", ""});
    const PlanDecision& decision = plans.plans.front().decision;
    return compared(catalog,
                    {&*read->request.workloads[placed->index].model, decision.gpu, decision.system(),
                     placed->training(), placed->gpu_count},
                    log);
  }
  return failure(Error{"wrong-type", "/kind",
                       "A log of Megatron-LM is compared with a plan, a search or a request of kind training.",
                       "Write {\"kind\": \"training\"} with the layout."});
}

std::string memory_proof_json(const MemoryProof& proof) {
  JsonWriter out;
  const auto gibibytes = [&](const char* key, const std::optional<Bytes>& value) {
    if (value) out.number(key, rounded_for_display(*value / gib(1)));
  };
  const auto figure = [&](const std::string& key, const ProofFigure& value) {
    gibibytes((key + "_gib").c_str(), value.value);
    gibibytes((key + "_gib_low").c_str(), value.low);
    gibibytes((key + "_gib_high").c_str(), value.high);
  };
  out.begin_object();
  out.text("kind", "memory-proof");
  out.text("state", word_of(proof.state, kProofStateWords));
  out.boolean("holds", proof.holds());
  out.boolean("fits", proof.fits());
  out.text("gpu", proof.gpu);
  out.number("ranks", proof.ranks);
  out.number("rank", proof.rank);
  out.number("stage", proof.stage);
  out.number("stages", proof.stages);
  gibibytes("allocated_gib", proof.allocated);
  gibibytes("reserved_gib", proof.reserved);
  gibibytes("in_use_gib", proof.in_use);
  figure("estimated_allocated", proof.estimated_allocated);
  figure("estimated_in_use", proof.estimated_in_use);
  gibibytes("capacity_gib", proof.capacity);
  if (proof.theory) {
    gibibytes("theory_weights_and_optimizer_gib", proof.theory->weights_and_optimizer);
    gibibytes("theory_activations_gib", proof.theory->activations);
    gibibytes("theory_total_gib", proof.theory->total);
  }
  write_texts(out, "notes", proof.notes);
  out.end_object();
  return out.take();
}

}  // namespace podwright
