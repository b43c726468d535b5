#include "api/answer_search.h"

#include <algorithm>

#include "api/ways_out.h"
#include "api/write_search.h"
#include "base/number_text.h"
#include "cost/rent.h"

namespace podwright {
namespace {

/// Price and power of a GPU type, and where they come from.
struct Offer {
  const SearchPrice* price = nullptr;  ///< of the request
  std::size_t price_index = 0;
  const SearchPrice* power = nullptr;
  std::size_t power_index = 0;
  std::optional<UsdPerSecond> rent;  ///< of the catalog, where the request gives none
  const GpuHourCost* meter = nullptr;
};

const GpuHourCost* metered(const Catalog& catalog, const Gpu& gpu) {
  for (const GpuHourCost& row : catalog.gpu_hour_costs)
    if (row.gpu_id == gpu.id && row.utility_power_per_gpu) return &row;
  return nullptr;
}

Offer offer_of(const Catalog& catalog, const SearchRequest& request, const Gpu& gpu) {
  Offer offer;
  for (std::size_t i = 0; i < request.prices.size(); ++i) {
    const SearchPrice& row = request.prices[i];
    if (row.gpu && row.gpu->id != gpu.id) continue;
    if (row.usd_per_gpu_hour && offer.price == nullptr) offer.price = &row, offer.price_index = i;
    if (row.kw_per_gpu && offer.power == nullptr) offer.power = &row, offer.power_index = i;
  }
  if (offer.price == nullptr) offer.rent = rent_market(catalog.cloud_prices, {.gpu_id = gpu.id}).cheapest_per_gpu;
  if (offer.power == nullptr) offer.meter = metered(catalog, gpu);
  return offer;
}

std::optional<UsdPerSecond> price_of(const Offer& offer) {
  return offer.price != nullptr ? std::optional(usd_per_hour(*offer.price->usd_per_gpu_hour)) : offer.rent;
}
std::optional<Watts> power_of(const Offer& offer) {
  if (offer.power != nullptr) return kw(*offer.power->kw_per_gpu);
  return offer.meter != nullptr ? offer.meter->utility_power_per_gpu : std::nullopt;
}

template <class Tracer>
std::optional<typename Tracer::template Known<UsdPerSecond>> known_price(Tracer& tracer, const Offer& offer) {
  const std::string row = "/prices/" + std::to_string(offer.price_index);
  if (offer.price != nullptr)
    return tracer.input(row + "/usd_per_gpu_hour", usd_per_hour(*offer.price->usd_per_gpu_hour));
  if (!offer.rent) return std::nullopt;
  return tracer.method("cost.cheapest_rent_per_gpu", *offer.rent, "docs/method/prices.md");
}

template <class Tracer>
std::optional<typename Tracer::template Known<Watts>> known_power(Tracer& tracer, const Offer& offer) {
  const std::string row = "/prices/" + std::to_string(offer.power_index);
  if (offer.power != nullptr) return tracer.input(row + "/kw_per_gpu", kw(*offer.power->kw_per_gpu));
  if (offer.meter == nullptr) return std::nullopt;
  return tracer.fact(*offer.meter, "all_in_utility_kw_per_gpu", *offer.meter->utility_power_per_gpu);
}

std::vector<sizing::GpuOffer> offers_of(const Catalog& catalog, const SearchRequest& request) {
  std::vector<sizing::GpuOffer> offers;
  for (const Gpu& gpu : request.gpus) {
    const Offer offer = offer_of(catalog, request, gpu);
    const bool in_system = request.system && (request.gpus.size() == 1 || holds_gpu(*request.system, gpu.id));
    offers.push_back({.gpu = &gpu,
                      .system = in_system ? &*request.system : nullptr,
                      .price_per_gpu = price_of(offer),
                      .power_per_gpu = power_of(offer)});
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

/// Where the numbers of the layouts come from, for the trace.
std::map<std::string, std::string> origins_of(const std::vector<Assumption>& assumptions, std::size_t layouts) {
  std::map<std::string, std::string> origins = sources_of(assumptions);
  const std::map<std::string, std::string> defaults = origins;
  for (std::size_t i = 0; i < layouts; ++i) {
    const std::string layout = "/layouts/" + std::to_string(i);
    for (const auto& [path, source] : defaults) origins.emplace(layout + path, source);
    for (const char* key : {"/parallelism/tensor", "/parallelism/pipeline", "/parallelism/virtual_pipeline",
                            "/parallelism/context", "/parallelism/expert", "/parallelism/expert_tensor",
                            "/parallelism/data", "/parallelism/zero_stage", "/micro_batch_size"})
      origins.emplace(layout + key, "chosen by the search, docs/method/search.md");
  }
  return origins;
}

template <class Tracer>
void write_layouts(JsonWriter& out, Tracer& tracer, const Catalog& catalog, const SearchRequest& request,
                   const sizing::TrainingSearch& search) {
  const LayerStack stack = layer_stack(*request.model);
  out.begin_list("layouts");
  for (std::size_t i = 0; i < search.best.size(); ++i) {
    const sizing::TrainingCandidate& candidate = search.best[i];
    const Offer offer = offer_of(catalog, request, *candidate.gpu);
    // Rates of the request are told once, whatever the layout.
    const auto price = known_price(tracer, offer);
    const auto power = known_power(tracer, offer);
    const TraceScope scope(tracer, "/layouts/" + std::to_string(i));
    out.begin_object();
    write_found_layout(out, tracer, candidate);
    const TrainingEstimate<Tracer> estimate =
        estimate_training(tracer, catalog, *request.model, stack, *candidate.gpu, candidate.run, candidate.system);
    write_training_estimate(out, estimate);
    if (request.tokens && estimate.step)
      write_run(out, tracer, *request.tokens, candidate, *estimate.step, price, power);
    write_texts(out, "why", candidate.why);
    out.end_object();
  }
  out.end_list();
}

/// What the defaults for price, power and limits mean.
std::vector<std::string> assumed_of(const Catalog& catalog, const SearchRequest& request,
                                    const sizing::TrainingSearch& search) {
  std::vector<std::string> assumed = search.assumptions;
  const sizing::TrainingLimits usual = sizing::usual_limits(request.workload.sequence_length);
  const sizing::TrainingLimits& limits = request.constraints.limits;
  if (limits.context.max == usual.context.max && limits.micro_batch_size.max == usual.micro_batch_size.max)
    assumed.push_back("Tried: at most " + shortest_number(usual.context.max) + " context ranks and " +
                      shortest_number(usual.micro_batch_size.max) + " sequences a micro-batch; set limits.");
  for (const Gpu& gpu : request.gpus) {
    if (!request.tokens) break;
    const Offer offer = offer_of(catalog, request, gpu);
    if (offer.rent)
      assumed.push_back(gpu.name + " costs " + dollars_text(offer.rent->base_units() * 3600) +
                        " an hour, the cheapest rent on demand that the catalog knows; set prices.");
    if (offer.meter != nullptr)
      assumed.push_back(gpu.name + " draws " + human_number(*offer.meter->utility_power_per_gpu / kw(1)) +
                        " kW at the meter with everything around it (" +
                        offer.meter->source_of("all_in_utility_kw_per_gpu") + "); set prices.");
  }
  return assumed;
}

}  // namespace

Answer answer_search(const Catalog& catalog, const JsonNode& document, const SearchRequest& request,
                     const std::vector<Assumption>& assumptions) {
  const sizing::TrainingSearch search = search_of(catalog, request);
  const bool feasible = !search.best.empty();
  Trace trace(origins_of(assumptions, search.best.size()));
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
  write_search_tail(out, search, request.tokens.has_value());
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
