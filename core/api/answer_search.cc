#include "api/answer_search.h"

#include <algorithm>

#include "api/ways_out.h"
#include "api/write_search.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "cost/machine_power.h"
#include "cost/rent.h"

namespace podwright {
namespace {

/// A GPU type of the request, and where its price and power come from.
struct Offer {
  const Gpu* gpu = nullptr;
  const System* system = nullptr;            ///< of the request, where it holds the GPU
  std::optional<std::size_t> price;          ///< row of the request
  std::optional<std::size_t> power;          ///< row of the request; absent: the machine's share
  std::optional<UsdPerSecond> catalog_rent;  ///< where the request tells no price
};

Offer offer_of(const Catalog& catalog, const SearchRequest& request, const Gpu& gpu) {
  Offer offer{.gpu = &gpu,
              .system = nullptr,
              .price = price_row(request, gpu),
              .power = power_row(request, gpu),
              .catalog_rent = {}};
  if (request.system && (request.gpus.size() == 1 || holds_gpu(*request.system, gpu.id)))
    offer.system = &*request.system;
  if (!offer.price) offer.catalog_rent = rent_market(catalog.cloud_prices, {.gpu_id = gpu.id}).cheapest_per_gpu;
  return offer;
}

template <class Tracer>
std::optional<typename Tracer::template Known<UsdPerSecond>> known_price(Tracer& tracer, const SearchRequest& request,
                                                                         const Offer& offer) {
  if (offer.price)
    return tracer.input("/prices/" + std::to_string(*offer.price) + "/usd_per_gpu_hour",
                        usd_per_hour(*request.prices[*offer.price].usd_per_gpu_hour));
  if (!offer.catalog_rent) return std::nullopt;
  return tracer.method("cost.cheapest_rent_per_gpu", *offer.catalog_rent, "docs/method/prices.md");
}

/// As a `training` request has it. What was assumed about the machine is added to `assumed`.
template <class Tracer>
std::optional<typename Tracer::template Known<Watts>> known_power(Tracer& tracer, const Catalog& catalog,
                                                                  const SearchRequest& request, const Offer& offer,
                                                                  std::vector<std::string>& assumed) {
  if (offer.power)
    return tracer.input("/prices/" + std::to_string(*offer.power) + "/kw_per_gpu",
                        kw(*request.prices[*offer.power].kw_per_gpu));
  return mean_gpu_power(tracer, catalog, offer.system, *offer.gpu, tracer.input("/load", request.load),
                        tracer.input("/pue", request.pue), assumed);
}

std::vector<sizing::GpuOffer> offers_of(const Catalog& catalog, const SearchRequest& request) {
  std::vector<sizing::GpuOffer> offers;
  NoTrace none;
  std::vector<std::string> told_later;
  for (const Gpu& gpu : request.gpus) {
    const Offer offer = offer_of(catalog, request, gpu);
    offers.push_back({.gpu = &gpu,
                      .system = offer.system,
                      .price_per_gpu = known_price(none, request, offer),
                      .power_per_gpu = known_power(none, catalog, request, offer, told_later)});
  }
  return offers;
}

sizing::TrainingSearch search_of(const Catalog& catalog, const SearchRequest& request) {
  return sizing::search_training(catalog, *request.model, offers_of(catalog, request), request.workload,
                                 request.constraints);
}

// Ways out

/// Patches of the request that may mend what stands against every layout.
std::vector<std::string> ideas(const Catalog& catalog, const SearchRequest& request, const Infeasible& reason) {
  std::vector<std::string> patches;
  const double most = request.constraints.gpu_counts.empty() ? request.constraints.max_gpus
                                                             : *std::max_element(request.constraints.gpu_counts.begin(),
                                                                                 request.constraints.gpu_counts.end());
  for (const double times : {2.0, 4.0, 8.0, 16.0}) {
    const std::string count = shortest_number(most * times);
    patches.push_back(request.gpu_count       ? merge_patch("gpu_count", most * times)
                      : request.max_gpu_count ? merge_patch("max_gpu_count", most * times)
                                              : "{\"gpu_counts\":[" + count + "]}");
  }
  if (reason.code == "deadline") patches.insert(patches.end(), reason.ways_out.begin(), reason.ways_out.end());
  // The smallest GPU of the catalog with room for what misses least, and the one with the most.
  const Gpu* larger =
      smallest_gpu_with(catalog.gpus, gpu_memory(request.gpus.front()) + Bytes(std::max(1.0, reason.shortfall)));
  if (larger != nullptr && reason.code == "does-not-fit")
    patches.push_back("{\"gpu\":null,\"gpus\":[\"" + larger->id + "\"]}");
  if (request.workload.method == TrainingMethod::full && reason.code == "does-not-fit") {
    patches.push_back(merge_patch("method", std::string("lora")));
    patches.push_back(merge_patch("method", std::string("qlora")));
  }
  return patches;
}

/// The first of each kind of idea that makes the request feasible.
std::vector<std::string> tried(const Catalog& catalog, const JsonNode& document, const SearchRequest& request,
                               const Infeasible& reason) {
  std::vector<std::string> working;
  std::string last_kind;
  for (const std::string& patch : ideas(catalog, request, reason)) {
    const std::string kind = patch.substr(0, patch.find(':'));
    if (kind == last_kind) continue;
    const auto changed = read_patched<SearchRequest>(catalog, document, patch);
    if (!changed) continue;
    SearchRequest quick = *changed;
    quick.constraints.top = 1;
    quick.constraints.every_layout = false;
    if (search_of(catalog, quick).best.empty()) continue;
    working.push_back(patch);
    last_kind = kind;
  }
  return working;
}

/// Why nothing is left: of the reasons that excluded layouts the one nearest to an answer.
std::vector<Infeasible> reasons_of(const Catalog& catalog, const JsonNode& document, const SearchRequest& request,
                                   const sizing::TrainingSearch& search) {
  for (const char* code : {"deadline", "does-not-fit", "framework"})
    for (const sizing::Rejection& rejection : search.rejected) {
      if (rejection.reason.code != code) continue;
      Infeasible reason = rejection.reason;
      reason.ways_out = tried(catalog, document, request, reason);
      return {std::move(reason)};
    }
  std::vector<Infeasible> reasons;
  for (const sizing::Rejection& rejection : search.rejected) reasons.push_back(rejection.reason);
  if (reasons.empty())
    reasons.push_back({.code = "no-layout",
                       .message = "No layout within the limits is legal on these GPU counts.",
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = {}});
  for (Infeasible& reason : reasons) reason.ways_out = tried(catalog, document, request, reason);
  return reasons;
}

/// What the search chose of a layout.
constexpr const char* kChosenOfLayouts[] = {
    "/parallelism/tensor",  "/parallelism/pipeline",   "/parallelism/virtual_pipeline",
    "/parallelism/context", "/parallelism/expert",     "/parallelism/expert_tensor",
    "/parallelism/data",    "/parallelism/zero_stage", "/micro_batch_size"};

template <class Tracer>
void write_layouts(JsonWriter& out, Tracer& tracer, const Catalog& catalog, const SearchRequest& request,
                   const sizing::TrainingSearch& search) {
  const LayerStack stack = layer_stack(*request.model);
  out.begin_list("layouts");
  for (std::size_t i = 0; i < search.best.size(); ++i) {
    const sizing::TrainingCandidate& candidate = search.best[i];
    const Offer offer = offer_of(catalog, request, *candidate.gpu);
    // Rates of the request are told once, whatever the layout.
    std::vector<std::string> told_later;
    const auto price = known_price(tracer, request, offer);
    const auto power = known_power(tracer, catalog, request, offer, told_later);
    const TraceScope scope(tracer, "/layouts/" + std::to_string(i));
    out.begin_object();
    write_found_layout(out, tracer, candidate);
    const TrainingEstimate<Tracer> estimate =
        estimate_training(tracer, catalog, *request.model, stack, *candidate.gpu, candidate.run, candidate.system);
    write_training_estimate(out, estimate);
    if (request.tokens && estimate.step)
      write_run(out,
                sizing::run_totals(tracer, *request.tokens, candidate.gpus, estimate.step->tokens_per_s, price, power));
    write_texts(out, "why", candidate.why);
    out.end_object();
  }
  out.end_list();
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
    const Offer offer = offer_of(catalog, request, gpu);
    if (offer.catalog_rent)
      assumed.push_back(gpu.name + " costs " + dollars_text(offer.catalog_rent->base_units() * 3600) +
                        " an hour, the cheapest rent on demand that the catalog knows; set prices.");
    std::vector<std::string> about_power;
    known_power(none, catalog, request, offer, about_power);
    sizing::add_once(assumed, about_power);
  }
  return assumed;
}

}  // namespace

Answer answer_search(const Catalog& catalog, const JsonNode& document, const SearchRequest& request,
                     const std::vector<Assumption>& assumptions) {
  const sizing::TrainingSearch search = search_of(catalog, request);
  const bool feasible = !search.best.empty();
  Trace trace(origins_of_found(assumptions, "/layouts/", search.best.size(), kChosenOfLayouts));
  JsonWriter out(&trace);
  const auto write = [&](auto& tracer) {
    out.text("kind", "search");
    out.text("type", "training");
    out.text("model", request.model->id);
    write_model_parameters(out, tracer, *request.model);
    out.text("objective", word_of(request.constraints.objective, sizing::kObjectiveWords));
    out.boolean("feasible", feasible);
    if (!feasible) write_reasons(out, "reasons", reasons_of(catalog, document, request, search));
    out.quantity_as("legal_layouts", unit::kNone,
                    tracer.method("search.legal_layouts", search.visited, "docs/method/search.md"));
    out.quantity_as("evaluated", unit::kNone,
                    tracer.method("search.evaluated", search.evaluated, "docs/method/search.md"));
    write_layouts(out, tracer, catalog, request, search);
  };
  out.begin_object();
  if (request.explain) {
    write(trace);
  } else {
    NoTrace none;
    write(none);
  }
  if (feasible) {
    const sizing::TrainingCandidate& best = search.best.front();
    write_launch(out, *request.model, best, node_gpus(catalog, *best.gpu, best.system));
  }
  write_search_tail(out, trace, search, request.tokens.has_value());
  write_texts(out, "unread_model_fields", request.model->unread_fields);
  write_texts(out, "not_modelled", search.not_modelled);
  write_foot(out, catalog, assumptions, assumed_of(catalog, request, search));
  if (request.explain) {
    out.key("trace");
    write_trace(out, trace);
  }
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

}  // namespace podwright
