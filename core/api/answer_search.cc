#include "api/search_request.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/field_reader.h"
#include "api/launch_table.h"
#include "api/plan_table.h"
#include "api/requests.h"
#include "api/search_table.h"
#include "api/training_exports.h"
#include "base/append.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "cost/purchase.h"
#include "cost/rent.h"
#include "memory/gpu_memory.h"
#include "sizing/run_totals.h"
#include "sizing/search_training.h"

namespace podwright {
namespace {

/// The request's server, where it holds the GPU.
const System* system_of(const SearchRequest& request, const Gpu& gpu) {
  const bool holds = request.system && (request.gpus.size() == 1 || holds_gpu(*request.system, gpu.id));
  return holds ? &*request.system : nullptr;
}

/// Power as a `training` request has it, where no row of the request gives it. What was assumed about the machine is
/// added to `assumed`.
template <class Tracer>
std::optional<Known<Tracer, Watts>> known_power(Tracer& tracer, const Catalog& catalog, const SearchRequest& request,
                                                const Gpu& gpu, std::vector<std::string>& assumed) {
  if (const auto row = power_row(request, gpu))
    return tracer.input("/prices/" + std::to_string(*row) + "/kw_per_gpu", kw(*request.prices[*row].kw_per_gpu));
  return mean_gpu_power(tracer, catalog, system_of(request, gpu), gpu, tracer.input("/load", request.load),
                        tracer.input("/pue", request.pue), assumed);
}

/// Where a layout may be rented: as a plan rents it.
RentFilter offers_of(const Catalog& catalog, const sizing::TrainingCandidate& candidate) {
  return offers_of_job(candidate.gpu->id, candidate.gpus, node_gpus(catalog, *candidate.gpu));
}

std::vector<sizing::GpuOffer> offers_of(const Catalog& catalog, const SearchRequest& request) {
  std::vector<sizing::GpuOffer> offers;
  NoTrace none;
  std::vector<std::string> told_later;
  for (const Gpu& gpu : request.gpus)
    offers.push_back({.gpu = &gpu,
                      .system = system_of(request, gpu),
                      .price_per_gpu = {},
                      .power_per_gpu = known_power(none, catalog, request, gpu, told_later),
                      .price_in_job = [&, node = node_gpus(catalog, gpu)](double gpus) {
                        NoTrace inside;
                        return known_price(inside, catalog, request, gpu, offers_of_job(gpu.id, gpus, node));
                      }});
  return offers;
}

// Ways out

/// Patches of the request that may mend what is against every layout.
std::vector<Patch> ideas(const Catalog& catalog, const SearchRequest& request, const Infeasible& reason) {
  std::vector<Patch> patches;
  const double most = request.constraints.gpu_counts.empty() ? request.constraints.max_gpus
                                                             : *std::max_element(request.constraints.gpu_counts.begin(),
                                                                                 request.constraints.gpu_counts.end());
  for (const double times : {2.0, 4.0, 8.0, 16.0})
    if (request.gpu_count || request.max_gpu_count)
      patches.emplace_back(request.gpu_count ? "/gpu_count" : "/max_gpu_count", most * times);
    else
      patches.emplace_back("/gpu_counts", std::vector<double>{most * times});
  if (reason.code == "deadline") append(patches, reason.ways_out);
  // The smallest GPU of the catalog with room for what misses least, and the one with the most.
  const Gpu* larger =
      smallest_gpu_with(catalog.gpus, gpu_memory(request.gpus.front()) + Bytes(std::max(1.0, reason.shortfall)));
  if (larger != nullptr && reason.code == "does-not-fit")
    patches.push_back(Patch().clear("/gpu").set("/gpus", std::vector<std::string>{larger->id}));
  if (request.workload.method == TrainingMethod::full && reason.code == "does-not-fit") {
    patches.emplace_back("/method", "lora");
    patches.emplace_back("/method", "qlora");
  }
  return patches;
}

std::vector<Patch> tried(const Asked& asked, const SearchRequest& request, const Infeasible& reason) {
  return working_ideas<SearchRequest>(asked, ideas(asked.catalog, request, reason), [&](SearchRequest quick) {
    quick.constraints.top = 1;
    quick.constraints.every_layout = false;
    return !found_layouts(asked.catalog, quick).best.empty();
  });
}

/// Why nothing is left: of the reasons that excluded layouts the one nearest to an answer.
std::vector<Infeasible> reasons_of(const Asked& asked, const SearchRequest& request,
                                   const sizing::TrainingSearch& search) {
  for (const char* code : {"deadline", "does-not-fit", "framework"})
    for (const sizing::Rejection& rejection : search.rejected) {
      if (rejection.reason.code != code) continue;
      Infeasible reason = rejection.reason;
      reason.ways_out = tried(asked, request, reason);
      return {std::move(reason)};
    }
  std::vector<Infeasible> reasons;
  for (const sizing::Rejection& rejection : search.rejected) reasons.push_back(rejection.reason);
  if (reasons.empty()) reasons.push_back({.code = "no-layout", .message = say("no-layout/counts")});
  for (Infeasible& reason : reasons) reason.ways_out = tried(asked, request, reason);
  return reasons;
}

/// What the search chose of a layout.
constexpr const char* kChosenOfLayouts[] = {
    "/parallelism/tensor",  "/parallelism/pipeline",   "/parallelism/virtual_pipeline",
    "/parallelism/context", "/parallelism/expert",     "/parallelism/expert_tensor",
    "/parallelism/data",    "/parallelism/zero_stage", "/micro_batch_size"};

/// Sizes that the search chose, then the estimate of the layout.
void describe_found_layout(auto& v, auto& tracer, const sizing::TrainingCandidate& candidate) {
  const TrainingRun& run = candidate.run;
  v.text({"layout"}, [&] { return sizing::layout_text(run); });
  v.text({"gpu"}, [&] { return candidate.gpu->id; });
  v.fields(candidate.system, [&](const System& system) { v.text({"system", "Server"}, system.id); });
  describe_chosen(v, tracer, {"gpu_count", "GPUs"}, candidate.gpus);
  v.group({"parallelism"}, [&] {
    describe_sizes(v, tracer, run.parallelism);
    v.word({"shard", "What is sharded over"}, run.parallelism.shard, kShardWords);
  });
  v.word({"precision"}, run.precision, kPrecisionWords);
  describe_chosen(v, tracer, {"micro_batch_size", "Micro-batch"}, run.micro_batch_size);
  v.word({"schedule"}, run.schedule, kScheduleWords);
  v.flag({"embedding_and_loss_as_layers", "Embedding and loss count as layers"}, run.embedding_and_loss_as_layers);
  v.word({"activation_recompute"}, run.activation_recompute, kRecomputeWords);
}

/// Time, GPU-hours, money and energy of all tokens, as far as they are known.
template <class Table, class Tracer>
void describe_totals(Table& v, const sizing::RunTotals<Tracer>& totals) {
  v.number({"time_days", unit::kDays}, totals.time);
  v.number({"gpu_hours", "GPU-hours", unit::kHours}, totals.gpu_time);
  v.number({"cost_usd", unit::kUsd}, totals.cost);
  v.number({"energy_kwh", unit::kKwh}, totals.energy);
}

/// Rates of the request are told once, whatever the layout.
template <class Table, class Tracer>
void describe_layout(Table& v, Tracer& tracer, const Catalog& catalog, const SearchRequest& request,
                     const LayerStack& stack, const sizing::TrainingCandidate& candidate, std::size_t place) {
  std::optional<Known<Tracer, UsdPerSecond>> price;
  std::optional<Known<Tracer, Watts>> power;
  if (v.real()) {
    std::vector<std::string> told_later;
    price = known_price(tracer, catalog, request, *candidate.gpu, offers_of(catalog, candidate));
    power = known_power(tracer, catalog, request, *candidate.gpu, told_later);
  }
  const TraceScope scope(tracer, "/layouts/" + std::to_string(place));
  describe_found_layout(v, tracer, candidate);
  const TrainingEstimate<Tracer> estimate =
      v.real()
          ? estimate_training(tracer, catalog, *request.model, stack, *candidate.gpu, candidate.run, candidate.system)
          : TrainingEstimate<Tracer>{};
  describe(v, estimate);
  if (const auto part = v.when(request.tokens && estimate.step))
    v.object(
        {"run", "The run"},
        [&] {
          return sizing::run_totals(tracer, *request.tokens, candidate.gpus, estimate.step->tokens_per_s, price, power);
        },
        [&](const auto& totals) {
          describe_totals(v, totals);
          v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, price);
          const CloudPrice* offer = nullptr;
          if (v.real()) offer = rent_row(catalog, request, *candidate.gpu, offers_of(catalog, candidate));
          describe_basis(v, offer);
        });
  v.texts({"why"}, candidate.why);
}

// Numbers that are in their unit already.
constexpr DisplayUnit kShownDays{"_days", "d", 1.0};
constexpr DisplayUnit kShownKwh{"_kwh", "kWh", 1.0};

/// Columns, as charts want them. Times are those of a step where the tokens are not told.
void describe_front(auto& v, const sizing::TrainingPareto& pareto, bool tokens_told) {
  const auto itself = [](const auto& value) { return value; };
  v.column({"gpu"}, pareto.gpu, itself);
  v.column({"gpu_count", "GPUs"}, pareto.gpus, itself);
  if (const auto part = v.when(tokens_told)) {
    v.column({"run_time_days", kShownDays}, pareto.time, [](Seconds time) { return time / days(1); });
    v.column({"cost_usd", unit::kUsd}, pareto.cost_usd, itself);
    v.column({"energy_kwh", kShownKwh}, pareto.energy_kwh, itself);
  }
  if (const auto part = v.when(!tokens_told))
    v.column({"step_time_s", unit::kSeconds}, pareto.time,
             [](Seconds time) { return rounded_for_display(time / seconds(1)); });
  v.column({"layout"}, pareto.layout, itself);
}

/// Limits that the request left as they are, in one sentence; empty: none.
std::string usual_limits_text(const SearchRequest& request) {
  const sizing::TrainingLimits usual = sizing::usual_limits(request.workload.sequence_length);
  const sizing::TrainingLimits& limits = request.constraints.limits;
  std::vector<std::string> tried;
  if (limits.context.max == usual.context.max) tried.push_back(shortest_number(usual.context.max) + " context ranks");
  if (limits.micro_batch_size.max == usual.micro_batch_size.max)
    tried.push_back(shortest_number(usual.micro_batch_size.max) + " sequences a micro-batch");
  return tried.empty() ? "" : "Tried: at most " + joined(tried, " and ") + "; set limits.";
}

/// What the defaults for price, power and limits mean.
std::vector<std::string> assumed_of(const Catalog& catalog, const SearchRequest& request,
                                    const sizing::TrainingSearch& search) {
  std::vector<std::string> assumed = search.assumptions;
  const std::string tried = usual_limits_text(request);
  if (!tried.empty()) assumed.push_back(tried);
  if (!request.tokens) return assumed;
  NoTrace none;
  for (const Gpu& gpu : request.gpus) {
    std::vector<std::string> about_power;
    known_power(none, catalog, request, gpu, about_power);
    append_once(assumed, about_power);
  }
  for (const sizing::TrainingCandidate& candidate : search.best)
    if (const CloudPrice* row = rent_row(catalog, request, *candidate.gpu, offers_of(catalog, candidate)))
      append_once(assumed, {price_assumed(*candidate.gpu, *row)});
  return assumed;
}

constexpr std::string_view kLayoutSearchPage = "docs/method/search.md";

void describe_found(auto& v, auto& tracer, const Catalog& catalog, const SearchRequest& request,
                    const sizing::TrainingSearch& search, const std::vector<Infeasible>& reasons) {
  const Model* model = request.model ? &*request.model : nullptr;
  v.text({"kind"}, "search");
  v.text({"type"}, "training");
  v.text({"model"}, [&] { return model->id; });
  describe_model_parameters(v, tracer, model);
  v.word({"objective"}, request.constraints.objective, sizing::kObjectiveWords);
  v.number({"sequence_length"}, request.workload.sequence_length);
  v.number({"global_batch_size", "Global batch"}, request.workload.global_batch_size);
  v.flag({"feasible"}, !search.best.empty());
  NoTrace none;
  if (const auto part = v.when(search.best.empty())) describe_reasons(v, reasons, none, "", "");
  v.number({"legal_layouts"}, [&] { return tracer.method("search.legal_layouts", search.visited, kLayoutSearchPage); });
  v.number({"evaluated", "Candidates evaluated"},
           [&] { return tracer.method("search.evaluated", search.evaluated, kLayoutSearchPage); });
  const LayerStack stack = v.real() ? layer_stack(*model) : LayerStack{};
  std::size_t next = 0;
  v.list({"layouts"}, search.best, [&](const sizing::TrainingCandidate& candidate) {
    describe_layout(v, tracer, catalog, request, stack, candidate, next++);
  });
}

/// How long a layout's run goes on with the failures and checkpoints of a `training` request.
sizing::TrainingLength run_length(const Catalog& catalog, const SearchRequest& request,
                                  const sizing::TrainingCandidate& candidate) {
  if (!request.tokens) return {};
  TrainingRequest training;
  training.model = request.model;
  training.gpu = *candidate.gpu;
  if (candidate.system != nullptr) training.system = *candidate.system;
  training.gpu_count = candidate.gpus;
  training.run = candidate.run;
  training.calendar.tokens = request.tokens;
  NoTrace none;
  const auto estimate = estimate_with_calendar(none, catalog, training);
  return length_of(request.tokens, estimate, estimate.calendar);
}

/// The files that the request asks for, of one layout.
ExportFiles files_of(const Catalog& catalog, const SearchRequest& request, const sizing::TrainingCandidate& candidate) {
  return files_of_training(catalog, request.exports,
                           {.model = *request.model,
                            .gpu = *candidate.gpu,
                            .run = candidate.run,
                            .gpus = candidate.gpus,
                            .node_gpus = sizing::host_gpus(catalog, *candidate.gpu, candidate.system),
                            .length = run_length(catalog, request, candidate),
                            .names = request.deploy});
}

void describe_rest(auto& v, Trace& trace, const Asked& asked, const SearchRequest& request,
                   const sizing::TrainingSearch& search) {
  const Model* model = request.model ? &*request.model : nullptr;
  const sizing::TrainingCandidate best = search.best.empty() ? sizing::TrainingCandidate{} : search.best.front();
  if (const auto part = v.when(!search.best.empty()))
    describe_training_launch(v, asked.catalog, model, best.gpu, best.system, &best.run, best.gpus,
                             v.real() ? run_length(asked.catalog, request, best) : sizing::TrainingLength{});
  if (const auto part = v.when(!search.best.empty() && !request.exports.empty()))
    describe_exports(v, v.real() ? files_of(asked.catalog, request, best) : ExportFiles{});
  v.group({"pareto", "Faster for one user, or more for all"},
          [&] { describe_front(v, search.pareto, request.tokens.has_value()); });
  describe_search_rejected(v, trace, search.rejected);
  describe_unread_fields(v, model);
  v.texts({"not_modelled", "Not modelled yet"}, search.not_modelled);
  describe_foot(v, asked, assumed_of(asked.catalog, request, search));
  describe_trace(v, request.explain ? &trace : nullptr);
}

}  // namespace

sizing::TrainingSearch found_layouts(const Catalog& catalog, const SearchRequest& request) {
  return sizing::search_training(catalog, *request.model, offers_of(catalog, request), request.workload,
                                 request.constraints);
}

Answer answer_search(const Asked& asked, const SearchRequest& request) {
  const sizing::TrainingSearch search = found_layouts(asked.catalog, request);
  const bool feasible = !search.best.empty();
  std::vector<Infeasible> reasons;
  if (!feasible) reasons = reasons_of(asked, request, search);
  Trace trace(origins_of_found(asked.assumptions, "/layouts/", search.best.size(), kChosenOfLayouts));
  return written_answer(trace, request.explain, feasible, [&](AnswerWriter& v, auto& tracer) {
    describe_found(v, tracer, asked.catalog, request, search, reasons);
    describe_rest(v, trace, asked, request, search);
  });
}

void describe_training_search_answer(AnswerShape& v) {
  NoTrace none;
  Trace trace;
  describe_found(v, none, Catalog{}, SearchRequest{}, sizing::TrainingSearch{}, {});
  describe_rest(v, trace, nothing_asked(), SearchRequest{}, sizing::TrainingSearch{});
}

}  // namespace podwright
