#include "api/search_request.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/field_reader.h"
#include "api/launch_table.h"
#include "api/plan_table.h"
#include "api/search_table.h"
#include "base/append.h"
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "cost/rent.h"
#include "export/deployment_files.h"
#include "sizing/search_serving.h"

namespace podwright {
namespace {

constexpr const char* kSearchPage = "docs/method/search.md#serving";

std::vector<const Gpu*> gpus_of_request(const Catalog& catalog, const ServingSearchRequest& request) {
  if (request.gpus.empty()) return sizing::data_centre_gpus(catalog);
  std::vector<const Gpu*> gpus;
  for (const Gpu& gpu : request.gpus) gpus.push_back(&gpu);
  return gpus;
}

sizing::ServingSearch search_of(const Catalog& catalog, const ServingSearchRequest& request) {
  NoTrace none;
  std::vector<sizing::GpuOffer> offers;
  for (const Gpu* gpu : gpus_of_request(catalog, request))
    offers.push_back({.gpu = gpu, .price_per_gpu = known_price(none, catalog, request, *gpu, offers_of_gpu(gpu->id))});
  return sizing::search_serving(catalog, *request.model, offers, request.workload, request.constraints);
}

// Ways out

/// Patches that may mend what is against every deployment, those of the reason first.
std::vector<Patch> ideas(const Catalog& catalog, const ServingSearchRequest& request, const Infeasible& reason) {
  std::vector<Patch> patches = reason.ways_out;
  // The deployment that misses least may then need too many GPUs: looser limits too.
  for (const sizing::LatencyLimit& limit : request.workload.limits)
    if (word_of(limit.latency, sizing::kLatencyWords) == reason.code)
      for (const double times : {1.5, 2.0, 4.0})
        patches.emplace_back("/" + sizing::key_of(limit),
                             sizing::rounded_up(times * (limit.most.base_units() + reason.shortfall)));
  for (const double times : {2.0, 4.0, 8.0, 16.0})
    patches.emplace_back(request.gpu_count ? "/gpu_count" : "/max_gpu_count", request.constraints.max_gpus * times);
  if (!request.gpus.empty()) {
    std::vector<std::string> ids;
    for (const Gpu* gpu : sizing::data_centre_gpus(catalog)) ids.push_back(gpu->id);
    patches.push_back(Patch().clear("/gpu").set("/gpus", ids));
  }
  if (!request.workload.weight_precisions.empty()) patches.push_back(Patch().clear("/weight_precisions"));
  if (reason.code == "engine-cannot-start")
    patches.insert(patches.end(),
                   {Patch().clear("/engines"), Patch("/engines", std::vector<std::string>{"llama.cpp"})});
  return patches;
}

std::vector<Patch> tried(const Asked& asked, const ServingSearchRequest& request, const Infeasible& reason) {
  return working_ideas<ServingSearchRequest>(
      asked, ideas(asked.catalog, request, reason), [&](ServingSearchRequest quick) {
        quick.constraints.top = 1;
        // A coarse search finds no deployment that a full one does not, but never pools.
        const auto& arrangements = quick.workload.arrangements;
        if (std::find(arrangements.begin(), arrangements.end(), sizing::Arrangement::aggregated) != arrangements.end())
          quick.constraints.effort = sizing::Effort::coarse;
        return !search_of(asked.catalog, quick).best.empty();
      });
}

/// Of the reasons that excluded deployments the nearest one that a patch of the request mends; where none is mended,
/// the one that excludes most.
std::vector<Infeasible> reasons_of(const Asked& asked, const ServingSearchRequest& request,
                                   const sizing::ServingSearch& search) {
  const sizing::Rejection* widest = nullptr;
  for (const char* code : {"gpu-limit", "ttft", "tpot", "request", "no-room-for-one-sequence", "no-room-for-kv-cache",
                           "weights-do-not-fit", "engine-cannot-start"})
    for (const sizing::Rejection& rejection : search.rejected) {
      if (widest == nullptr || rejection.count > widest->count) widest = &rejection;
      if (rejection.reason.code != code) continue;
      Infeasible reason = rejection.reason;
      reason.ways_out = tried(asked, request, reason);
      if (!reason.ways_out.empty()) return {std::move(reason)};
    }
  if (widest != nullptr) {
    Infeasible reason = widest->reason;
    reason.ways_out.clear();
    return {std::move(reason)};
  }
  return {{.code = "no-layout", .message = say("no-layout/deployments")}};
}

// The answer

/// What the search chose of a deployment.
constexpr const char* kChosenOfDeployments[] = {
    "/parallelism/tensor",        "/parallelism/pipeline",    "/parallelism/expert", "/parallelism/attention_data",
    "/parallelism/data",          "/load/request_rate_per_s", "/max_batched_tokens", "/disaggregated/prefill_gpus",
    "/disaggregated/decode_gpus", "/speculative/draft_tokens"};

template <class Table, class Tracer>
void describe_price(Table& v, Tracer& tracer, const Catalog& catalog, const ServingSearchRequest& request,
                    const sizing::ServingCandidate& candidate, const ServingEstimate<Tracer>& estimate,
                    const std::optional<Known<Tracer, UsdPerSecond>>& price) {
  if (const auto part = v.when(price && estimate.performance))
    v.object({"cost"}, price, [&](const auto& per_gpu) {
      const auto gpus = tracer.method("layout.gpu_count", candidate.gpus, kSearchPage);
      const auto rent = named("cost.rent", rent_rate(gpus, per_gpu));
      v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, per_gpu);
      v.number({"usd_per_hour", "All GPUs, per hour", unit::kUsdPerHour}, rent);
      v.number({"usd_per_million_output_tokens", "One million output tokens", unit::kUsd}, [&] {
        return named("cost.million_output_tokens",
                     million_token_price(rent, estimate.performance->output_tokens_per_s));
      });
      const CloudPrice* offer = nullptr;
      if (v.real()) offer = rent_row(catalog, request, *candidate.gpu, offers_of_gpu(candidate.gpu->id));
      describe_basis(v, offer);
    });
}

/// Slices or GPUs, engine and format.
void describe_place(auto& v, auto& tracer, const sizing::ServingCandidate& candidate) {
  v.text({"layout"}, [&] { return sizing::layout_text(candidate.run); });
  v.text({"gpu"}, [&] { return candidate.gpu->id; });
  v.object({"slice"}, candidate.slice, [&](const MigProfile& slice) {
    v.text({"profile"}, slice.name);
    describe_chosen(v, tracer, {"count"}, candidate.run.parallelism.data);
    describe_chosen(v, tracer, {"share_of_gpu"}, candidate.gpus);
  });
  if (const auto part = v.when(candidate.slice == nullptr))
    describe_chosen(v, tracer, {"gpu_count", "GPUs"}, candidate.gpus);
  v.text({"engine"}, candidate.run.engine);
  v.text({"weight_precision"}, candidate.run.weight_precision);
}

/// The highest rates that keep every limit.
void describe_rates(auto& v, auto& tracer, const sizing::ServingCandidate& candidate) {
  const auto told = [&](const char* id, const std::optional<PerSecond>& rate) {
    return rate ? std::optional(tracer.method(id, *rate, kCertaintyPage)) : std::nullopt;
  };
  v.number({"max_requests_per_s", "Maximum requests", unit::kPerSecond},
           [&] { return tracer.method("search.max_requests_per_s", candidate.max_requests_per_s, kSearchPage); });
  v.number({"max_requests_per_s_low", "Maximum requests, low", unit::kPerSecond},
           [&] { return told("search.max_requests_per_s_low", candidate.max_requests_per_s_low); });
  v.number({"max_requests_per_s_high", "Maximum requests, high", unit::kPerSecond},
           [&] { return told("search.max_requests_per_s_high", candidate.max_requests_per_s_high); });
}

template <class Table, class Tracer>
void describe_deployment(Table& v, Tracer& tracer, const Catalog& catalog, const ServingSearchRequest& request,
                         const LayerStack& stack, const sizing::ServingCandidate& candidate, const std::string& place) {
  std::optional<Known<Tracer, UsdPerSecond>> price;
  if (v.real()) price = known_price(tracer, catalog, request, *candidate.gpu, offers_of_gpu(candidate.gpu->id));
  const TraceScope scope(tracer, place);
  ServingEstimate<Tracer> estimate;
  if (v.real()) {
    estimate = estimate_serving(tracer, catalog, *request.model, stack, candidate.speed_gpu(), candidate.run, false);
    add_bounds(tracer, catalog, *request.model, candidate.speed_gpu(), candidate.run, estimate);
  }
  describe_place(v, tracer, candidate);
  v.word({"arrangement"},
         candidate.run.disaggregated ? sizing::Arrangement::disaggregated : sizing::Arrangement::aggregated,
         sizing::kArrangementWords);
  describe_arrangement(v, tracer, candidate.run);
  if (const auto part = v.when(candidate.step_tokens > 0))
    describe_chosen(v, tracer, {"max_batched_tokens", "Maximum tokens of a step"}, candidate.step_tokens);
  v.object({"measured"}, candidate.run.measured.kv_cache_tokens,
           [&](double tokens) { describe_chosen(v, tracer, {"kv_cache_tokens"}, tokens); });
  describe_chosen(v, tracer, {"request_rate_per_s", unit::kPerSecond}, candidate.run.load.value);
  describe_rates(v, tracer, candidate);
  describe_limits(v, tracer, candidate.limits);
  describe(v, estimate);
  describe_price(v, tracer, catalog, request, candidate, estimate, price);
  v.texts({"why"}, candidate.why);
}

/// The files that the request asks for, of one deployment.
ExportFiles files_of(const Catalog& catalog, const ServingSearchRequest& request,
                     const sizing::ServingCandidate& candidate) {
  std::vector<DeploymentExport> wanted;
  for (std::size_t i = 0; i < kDeploymentExportWords.size(); ++i)
    for (const std::string& word : request.exports)
      if (word == "all" || word == kDeploymentExportWords[i]) wanted.push_back(static_cast<DeploymentExport>(i));
  return deployment_files({.model = *request.model,
                           .gpu = *candidate.gpu,
                           .run = candidate.run,
                           .node_gpus = node_gpus(catalog, *candidate.gpu, candidate.system),
                           .places = places_of_replica(candidate.run, candidate.places),
                           .names = request.deploy},
                          wanted);
}

/// Columns, as charts want them.
void describe_front(auto& v, const std::vector<sizing::ServingPoint>& front, bool peak) {
  using Point = sizing::ServingPoint;
  const auto number = [](double value) { return rounded_for_display(value); };
  const auto with_bounds = [&](const AnswerField& field, const auto& value, const auto& half_width) {
    v.column(field, front, [&](const Point& p) { return number(value(p)); });
    for (const bool upper : {false, true}) {
      const std::string key = std::string(field.key) + (upper ? "_high" : "_low");
      const std::string label = std::string(field.label) + (upper ? ", high" : ", low");
      v.column({key, label, field.unit}, front, [&](const Point& p) -> std::optional<double> {
        if (!p.widths) return std::nullopt;
        return number(value(p) * math::exp((upper ? 1 : -1) * half_width(*p.widths)));
      });
    }
  };
  const auto of_steps = [](const ServingWidths& widths) { return widths.tpot; };
  const auto of_prompts = [](const ServingWidths& widths) { return widths.ttft; };
  const auto itself = [](auto Point::*member) { return [member](const Point& p) { return p.*member; }; };
  v.group({"pareto", "Faster for one user, or more for all"}, [&] {
    with_bounds(
        {"tokens_per_s_per_user", "Speed for one user", unit::kPerSecond},
        [](const Point& p) { return 1 / p.tpot.base_units(); }, of_steps);
    with_bounds(
        {"output_tokens_per_s_per_gpu", "Output tokens per GPU", unit::kPerSecond},
        [](const Point& p) { return p.output_tokens_per_s_per_gpu; }, of_steps);
    v.column({"usd_per_million_output_tokens", "One million output tokens", unit::kUsd}, front,
             [&](const Point& p) -> std::optional<double> {
               if (!p.price_of_million_output) return std::nullopt;
               return number(p.price_of_million_output->base_units());
             });
    with_bounds(
        {"tpot_s", "Time per output token", unit::kSeconds}, [](const Point& p) { return p.tpot.base_units(); },
        of_steps);
    with_bounds(
        {"ttft_without_wait_s", "Time to first token, without waiting", unit::kSeconds},
        [](const Point& p) { return p.ttft.base_units(); }, of_prompts);
    v.column({"within_limits"}, front, itself(&Point::within_limits));
    v.column({"in_flight_per_replica", "Requests in flight per replica"}, front,
             [&](const Point& p) { return number(p.in_flight); });
    if (const auto part = v.when(peak))
      v.column({"gpu_count", "GPUs"}, front, [&](const Point& p) { return number(p.gpus); });
    v.column({"gpu"}, front, itself(&Point::gpu));
    v.column({"slice"}, front, [](const Point& p) { return unless_empty(p.slice); });
    v.column({"engine"}, front, itself(&Point::engine));
    v.column({"layout"}, front, itself(&Point::layout));
  });
}

std::vector<std::string> assumed_of(const Catalog& catalog, const ServingSearchRequest& request,
                                    const sizing::ServingSearch& search) {
  std::vector<std::string> assumed = search.assumptions;
  if (request.gpus.empty()) {
    std::vector<std::string> names;
    for (const Gpu* gpu : sizing::data_centre_gpus(catalog)) names.push_back(gpu->id);
    assumed.push_back("Tried: the data-centre GPUs of the catalog, " + joined(names) + "; set gpus.");
  }
  for (const sizing::ServingCandidate& candidate : search.best) append_once(assumed, candidate.interval_basis);
  for (const sizing::ServingCandidate& candidate : search.slices) append_once(assumed, candidate.interval_basis);
  if (!search.slices.empty())
    assumed.push_back(
        "A slice costs its share of the GPU, so other work must fill the rest; its times are not based on "
        "published runs on slices.");
  for (const sizing::ServingCandidate& candidate : search.best) {
    if (price_row(request, *candidate.gpu)) continue;
    const CloudPrice* row = rent_row(catalog, request, *candidate.gpu, offers_of_gpu(candidate.gpu->id));
    const bool by_price =
        request.peak_requests_per_s.has_value() && request.constraints.objective == sizing::ServingObjective::cost;
    append_once(assumed,
                {row != nullptr
                     ? price_assumed(*candidate.gpu, *row)
                     : "No price of " + candidate.gpu->name + " is known" +
                           (by_price ? ": it is ranked behind all that have one, by its GPUs" : "") + "; set prices."});
  }
  return assumed;
}

void describe_found(auto& v, auto& tracer, const Catalog& catalog, const ServingSearchRequest& request,
                    const sizing::ServingSearch& search, const std::vector<Infeasible>& reasons) {
  const bool peak = request.peak_requests_per_s.has_value();
  const Model* model = request.model ? &*request.model : nullptr;
  v.text({"kind"}, "search");
  v.text({"type"}, "serving");
  v.text({"question"}, peak ? "deployment" : "max_rate");
  v.text({"model"}, [&] { return model->id; });
  describe_model_parameters(v, tracer, model);
  if (const auto part = v.when(peak))
    v.word({"objective"}, request.constraints.objective, sizing::kServingObjectiveWords);
  v.flag({"feasible"}, !search.best.empty());
  NoTrace none;
  if (const auto part = v.when(search.best.empty())) describe_reasons(v, reasons, none, "", "");
  v.number({"evaluated", "Candidates evaluated"},
           [&] { return tracer.method("search.evaluated", search.evaluated, kSearchPage); });
  v.number({"pruned", "Discarded early"}, [&] { return tracer.method("search.pruned", search.pruned, kSearchPage); });
  const LayerStack stack = v.real() ? layer_stack(*model) : LayerStack{};
  const auto deployments = [&](const AnswerField& field, const std::vector<sizing::ServingCandidate>& found) {
    std::size_t next = 0;
    v.list(field, found, [&](const sizing::ServingCandidate& candidate) {
      describe_deployment(v, tracer, catalog, request, stack, candidate,
                          "/" + std::string(field.key) + "/" + std::to_string(next++));
    });
  };
  deployments({"deployments"}, search.best);
  if (const auto part = v.when(!search.slices.empty())) deployments({"slices"}, search.slices);
}

void describe_rest(auto& v, Trace& trace, const Asked& asked, const ServingSearchRequest& request,
                   const sizing::ServingSearch& search) {
  const Model* model = request.model ? &*request.model : nullptr;
  const sizing::ServingCandidate best = search.best.empty() ? sizing::ServingCandidate{} : search.best.front();
  if (const auto part = v.when(!search.best.empty()))
    describe_serving_launch(v, asked.catalog, model, best.gpu, best.system, &best.run, best.places);
  if (const auto part = v.when(!search.best.empty() && !request.exports.empty()))
    describe_exports(v, v.real() ? files_of(asked.catalog, request, best) : ExportFiles{});
  describe_front(v, search.front, request.peak_requests_per_s.has_value());
  describe_search_rejected(v, trace, search.rejected);
  describe_unread_fields(v, model);
  v.texts({"not_modelled", "Not modelled yet"}, search.not_modelled);
  describe_foot(v, asked, assumed_of(asked.catalog, request, search));
  describe_trace(v, request.explain ? &trace : nullptr);
}

}  // namespace

Answer answer_serving_search(const Asked& asked, const ServingSearchRequest& request) {
  const sizing::ServingSearch search = search_of(asked.catalog, request);
  const bool feasible = !search.best.empty();
  std::vector<Infeasible> reasons;
  if (!feasible) reasons = reasons_of(asked, request, search);
  std::map<std::string, std::string> origins =
      origins_of_found(asked.assumptions, "/deployments/", search.best.size(), kChosenOfDeployments);
  origins.merge(origins_of_found(asked.assumptions, "/slices/", search.slices.size(), kChosenOfDeployments));
  Trace trace(std::move(origins));
  return written_answer(trace, request.explain, feasible, [&](AnswerWriter& v, auto& tracer) {
    describe_found(v, tracer, asked.catalog, request, search, reasons);
    describe_rest(v, trace, asked, request, search);
  });
}

void describe_serving_search_answer(AnswerShape& v) {
  NoTrace none;
  Trace trace;
  describe_found(v, none, Catalog{}, ServingSearchRequest{}, sizing::ServingSearch{}, {});
  describe_rest(v, trace, nothing_asked(), ServingSearchRequest{}, sizing::ServingSearch{});
}

}  // namespace podwright
