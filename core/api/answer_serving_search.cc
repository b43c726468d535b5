#include "api/answer_serving_search.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/ways_out.h"
#include "api/write_search.h"
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "cost/rent.h"
#include "sizing/kubernetes_manifest.h"
#include "sizing/search_serving.h"
#include "sizing/serving_launch.h"

namespace podwright {
namespace {

constexpr const char* kSearchPage = "docs/method/search.md#serving";
constexpr const char* kCertaintyPage = "docs/method/search.md#how-sure-a-limit-is-kept";

/// Rows of the request go before the catalog's list prices.
template <class Tracer>
std::optional<typename Tracer::template Known<UsdPerSecond>> known_price(Tracer& tracer, const Catalog& catalog,
                                                                         const ServingSearchRequest& request,
                                                                         const Gpu& gpu) {
  if (const auto row = price_row(request, gpu))
    return tracer.input("/prices/" + std::to_string(*row) + "/usd_per_gpu_hour",
                        usd_per_hour(request.prices[*row].usd_per_gpu_hour));
  const auto cheapest = rent_market(catalog.cloud_prices, {.gpu_id = gpu.id}).cheapest_per_gpu;
  if (!cheapest) return std::nullopt;
  return tracer.method("cost.cheapest_rent_per_gpu", *cheapest, "docs/method/prices.md");
}

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
    offers.push_back({.gpu = gpu,
                      .system = nullptr,
                      .price_per_gpu = known_price(none, catalog, request, *gpu),
                      .power_per_gpu = {}});
  return sizing::search_serving(catalog, *request.model, offers, request.workload, request.constraints);
}

// Ways out

/// Patches that may mend what stands against every deployment, those of the reason first.
std::vector<std::string> ideas(const Catalog& catalog, const ServingSearchRequest& request, const Infeasible& reason) {
  std::vector<std::string> patches = reason.ways_out;
  // The deployment that misses least may then need too many GPUs: looser limits too.
  for (const sizing::LatencyLimit& limit : request.workload.limits)
    if (word_of(limit.latency, sizing::kLatencyWords) == reason.code)
      for (const double times : {1.5, 2.0, 4.0})
        patches.push_back(merge_patch(sizing::key_of(limit),
                                      sizing::rounded_up(times * (limit.most.base_units() + reason.shortfall))));
  for (const double times : {2.0, 4.0, 8.0, 16.0})
    patches.push_back(
        merge_patch(request.gpu_count ? "gpu_count" : "max_gpu_count", request.constraints.max_gpus * times));
  if (!request.gpus.empty()) {
    std::string ids;
    for (const Gpu* gpu : sizing::data_centre_gpus(catalog)) ids += (ids.empty() ? "\"" : ",\"") + gpu->id + "\"";
    patches.push_back("{\"gpu\":null,\"gpus\":[" + ids + "]}");
  }
  if (!request.workload.weight_precisions.empty()) patches.push_back("{\"weight_precisions\":null}");
  if (reason.code == "engine-cannot-start")
    patches.insert(patches.end(), {R"({"engines":null})", R"({"engines":["llama.cpp"]})"});
  return patches;
}

std::vector<std::string> tried(const Catalog& catalog, const JsonNode& document, const ServingSearchRequest& request,
                               const Infeasible& reason) {
  std::vector<std::string> working;
  std::string last_kind;
  for (const std::string& patch : ideas(catalog, request, reason)) {
    const std::string kind = patch.substr(0, patch.find(':'));
    if (kind == last_kind) continue;
    const auto changed = read_patched<ServingSearchRequest>(catalog, document, patch);
    if (!changed) continue;
    ServingSearchRequest quick = *changed;
    quick.constraints.top = 1;
    // A coarse search finds no deployment that a full one does not, but never pools.
    const auto& arrangements = quick.workload.arrangements;
    const bool whole =
        std::find(arrangements.begin(), arrangements.end(), sizing::Arrangement::aggregated) != arrangements.end();
    if (whole) quick.constraints.effort = sizing::Effort::coarse;
    if (search_of(catalog, quick).best.empty()) continue;
    working.push_back(patch);
    last_kind = kind;
  }
  return working;
}

/// Of the reasons that excluded deployments the nearest one that a patch of the request mends; where none is mended,
/// the one that excludes most.
std::vector<Infeasible> reasons_of(const Catalog& catalog, const JsonNode& document,
                                   const ServingSearchRequest& request, const sizing::ServingSearch& search) {
  const sizing::Rejection* widest = nullptr;
  for (const char* code : {"gpu-limit", "ttft", "tpot", "request", "no-room-for-one-sequence", "no-room-for-kv-cache",
                           "weights-do-not-fit", "engine-cannot-start"})
    for (const sizing::Rejection& rejection : search.rejected) {
      if (widest == nullptr || rejection.count > widest->count) widest = &rejection;
      if (rejection.reason.code != code) continue;
      Infeasible reason = rejection.reason;
      reason.ways_out = tried(catalog, document, request, reason);
      if (!reason.ways_out.empty()) return {std::move(reason)};
    }
  if (widest != nullptr) {
    Infeasible reason = widest->reason;
    reason.ways_out.clear();
    return {std::move(reason)};
  }
  return {{.code = "no-layout",
           .message = "There is no deployment to try on these GPUs.",
           .shortfall = 0,
           .unit = "",
           .ways_out = {}}};
}

// The answer

/// What the search chose of a deployment.
constexpr const char* kChosenOfDeployments[] = {
    "/parallelism/tensor",        "/parallelism/pipeline",    "/parallelism/expert", "/parallelism/attention_data",
    "/parallelism/data",          "/load/request_rate_per_s", "/max_batched_tokens", "/disaggregated/prefill_gpus",
    "/disaggregated/decode_gpus", "/speculative/draft_tokens"};

/// Each limit with what is reached of it, and how sure that is.
template <class Tracer>
void write_limits(JsonWriter& out, Tracer& tracer, const std::vector<sizing::LimitCertainty>& limits) {
  const auto tell = [&](const char* key, const char* id, const DisplayUnit& display, const auto& value) {
    if (value) out.quantity_as(key, display, tracer.method(id, *value, kCertaintyPage));
  };
  if (limits.empty()) return;
  out.begin_list("limits");
  for (const sizing::LimitCertainty& one : limits) {
    out.begin_object();
    out.text("limit", sizing::key_of(one.limit));
    out.quantity_as("limit_s", unit::kSeconds,
                    tracer.input("/" + std::string(sizing::key_of(one.limit)), one.limit.most));
    out.quantity_as("reached_s", unit::kSeconds, tracer.method("search.limit_reached", one.reached, kCertaintyPage));
    tell("reached_s_low", "search.limit_reached_low", unit::kSeconds, one.low);
    tell("reached_s_high", "search.limit_reached_high", unit::kSeconds, one.high);
    tell("probability", "search.limit_probability", unit::kNone, one.probability);
    if (one.high) out.text("kept", sizing::certainty_word(one));
    out.end_object();
  }
  out.end_list();
}

template <class Tracer>
void write_price(JsonWriter& out, Tracer& tracer, const Catalog& catalog, const ServingSearchRequest& request,
                 const sizing::ServingCandidate& candidate, const ServingEstimate<Tracer>& estimate,
                 const std::optional<typename Tracer::template Known<UsdPerSecond>>& price) {
  if (!price || !estimate.performance) return;
  const auto gpus = tracer.method("layout.gpu_count", candidate.gpus, kSearchPage);
  const auto rent = named("cost.rent", rent_rate(gpus, *price));
  out.begin_object("cost");
  out.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, *price);
  out.quantity_as("usd_per_hour", unit::kUsdPerHour, rent);
  out.quantity_as(
      "usd_per_million_output_tokens", unit::kUsd,
      named("cost.million_output_tokens", million_token_price(rent, estimate.performance->output_tokens_per_s)));
  if (!price_row(request, *candidate.gpu)) {
    const RentMarket market = rent_market(catalog.cloud_prices, {.gpu_id = candidate.gpu->id});
    if (market.cheapest != nullptr) {
      out.text("basis", "list price on demand");
      out.text("provider", market.cheapest->provider);
      out.text("as_of", market.cheapest->as_of);
    }
  }
  out.end_object();
}

/// Slices or GPUs, engine and format.
template <class Tracer>
void write_place(JsonWriter& out, ChosenNumbers<Tracer>& chosen, const sizing::ServingCandidate& candidate) {
  out.text("layout", sizing::layout_text(candidate.run));
  out.text("gpu", candidate.gpu->id);
  if (candidate.slice) {
    out.begin_object("slice");
    out.text("profile", candidate.slice->name);
    chosen.write("count", candidate.run.parallelism.data);
    chosen.write("share_of_gpu", candidate.gpus);
    out.end_object();
  } else {
    chosen.write("gpu_count", candidate.gpus);
  }
  out.text("engine", candidate.run.engine);
  out.text("weight_precision", candidate.run.weight_precision);
}

/// Sizes of the parallel groups, of each pool where there are two.
template <class Tracer>
void write_layout(JsonWriter& out, ChosenNumbers<Tracer>& chosen, const ServingRun& run) {
  const std::optional<Disaggregated>& pools = run.disaggregated;
  const auto arrangement = pools ? sizing::Arrangement::disaggregated : sizing::Arrangement::aggregated;
  out.text("arrangement", word_of(arrangement, sizing::kArrangementWords));
  const auto write_sizes = [&](const ServingParallelism& sizes) {
    out.begin_object("parallelism");
    chosen.write(sizes);
    out.end_object();
  };
  const auto write_pool = [&](std::string_view name, double gpus, const ServingParallelism& sizes) {
    out.begin_object(name);
    chosen.write("gpu_count", gpus);
    write_sizes(sizes);
    out.end_object();
  };
  if (!pools) return write_sizes(run.parallelism);
  out.begin_object("pools");
  write_pool("prefill", pools->prefill_gpus, pools->prefill);
  write_pool("decode", pools->decode_gpus, pools->decode);
  out.end_object();
}

/// The highest rates that keep every limit.
template <class Tracer>
void write_rates(JsonWriter& out, Tracer& tracer, const sizing::ServingCandidate& candidate) {
  const auto tell = [&](const char* key, const char* id, const char* page, const std::optional<PerSecond>& rate) {
    if (rate) out.quantity_as(key, unit::kPerSecond, tracer.method(id, *rate, page));
  };
  tell("max_requests_per_s", "search.max_requests_per_s", kSearchPage, candidate.max_requests_per_s);
  tell("max_requests_per_s_low", "search.max_requests_per_s_low", kCertaintyPage, candidate.max_requests_per_s_low);
  tell("max_requests_per_s_high", "search.max_requests_per_s_high", kCertaintyPage, candidate.max_requests_per_s_high);
}

template <class Tracer>
void write_deployment(JsonWriter& out, Tracer& tracer, const Catalog& catalog, const ServingSearchRequest& request,
                      const LayerStack& stack, const sizing::ServingCandidate& candidate, const std::string& place) {
  const auto price = known_price(tracer, catalog, request, *candidate.gpu);
  const TraceScope scope(tracer, place);
  ServingEstimate<Tracer> estimate =
      estimate_serving(tracer, catalog, *request.model, stack, candidate.speed_gpu(), candidate.run, false);
  add_bounds(tracer, catalog, *request.model, candidate.speed_gpu(), candidate.run, estimate);
  ChosenNumbers<Tracer> chosen(out, tracer);
  out.begin_object();
  write_place(out, chosen, candidate);
  write_layout(out, chosen, candidate.run);
  if (candidate.run.speculative) chosen.write("draft_tokens", candidate.run.speculative->draft_tokens);
  if (candidate.step_tokens > 0) chosen.write("max_batched_tokens", candidate.step_tokens);
  chosen.write("request_rate_per_s", candidate.run.load.value);
  write_rates(out, tracer, candidate);
  write_limits(out, tracer, candidate.limits);
  write_serving_estimate(out, estimate);
  write_price(out, tracer, catalog, request, candidate, estimate, price);
  write_texts(out, "why", candidate.why);
  out.end_object();
}

void write_launch(JsonWriter& out, const Catalog& catalog, const Model& model, const sizing::ServingCandidate& best) {
  const double node = node_gpus(catalog, *best.gpu, best.system);
  std::optional<double> places;
  if (!best.run.disaggregated) places = best.places / best.run.parallelism.data;
  out.begin_list("launch");
  for (const auto& program : sizing::serving_launch_arguments(model, *best.gpu, best.run, node, places))
    write_arguments(out, program);
  out.end_list();
  const sizing::KubernetesManifest manifest = sizing::kubernetes_manifest(model, *best.gpu, best.run, node, places);
  out.begin_object("kubernetes");
  if (!manifest.yaml.empty()) out.text("yaml", manifest.yaml);
  write_texts(out, "cannot", manifest.cannot);
  out.end_object();
}

/// Columns, as charts want them.
void write_front(JsonWriter& out, const std::vector<sizing::ServingPoint>& front, bool peak) {
  const auto column = [&](std::string_view name, const auto& write) {
    out.begin_list(name);
    for (const sizing::ServingPoint& point : front) write(point);
    out.end_list();
  };
  const auto number = [&](double value) { out.number(rounded_for_display(value)); };
  using Point = sizing::ServingPoint;
  const auto with_bounds = [&](const std::string& name, const auto& value, const auto& half_width) {
    column(name, [&](const Point& p) { number(value(p)); });
    for (const bool upper : {false, true})
      column(name + (upper ? "_high" : "_low"), [&](const Point& p) {
        p.widths ? number(value(p) * math::exp((upper ? 1 : -1) * half_width(*p.widths))) : out.null();
      });
  };
  const auto of_steps = [](const ServingWidths& widths) { return widths.tpot; };
  out.begin_object("pareto");
  with_bounds(
      "tokens_per_s_per_user", [](const Point& p) { return 1 / p.tpot.base_units(); }, of_steps);
  with_bounds(
      "output_tokens_per_s_per_gpu", [](const Point& p) { return p.output_tokens_per_s_per_gpu; }, of_steps);
  column("usd_per_million_output_tokens", [&](const Point& p) {
    p.price_of_million_output ? number(p.price_of_million_output->base_units()) : out.null();
  });
  with_bounds(
      "tpot_s", [](const Point& p) { return p.tpot.base_units(); }, of_steps);
  with_bounds(
      "ttft_s", [](const Point& p) { return p.ttft.base_units(); },
      [](const ServingWidths& widths) { return widths.ttft; });
  column("within_limits", [&](const Point& p) { out.boolean(p.within_limits); });
  column("in_flight_per_replica", [&](const Point& p) { number(p.in_flight); });
  if (peak) column("gpu_count", [&](const Point& p) { number(p.gpus); });
  column("gpu", [&](const Point& p) { out.text(p.gpu); });
  column("slice", [&](const Point& p) { p.slice.empty() ? out.null() : out.text(p.slice); });
  column("engine", [&](const Point& p) { out.text(p.engine); });
  column("layout", [&](const Point& p) { out.text(p.layout); });
  out.end_object();
}

std::vector<std::string> assumed_of(const Catalog& catalog, const ServingSearchRequest& request,
                                    const sizing::ServingSearch& search) {
  std::vector<std::string> assumed = search.assumptions;
  if (request.gpus.empty()) {
    std::vector<std::string> names;
    for (const Gpu* gpu : sizing::data_centre_gpus(catalog)) names.push_back(gpu->id);
    assumed.push_back("Tried: the data-centre GPUs of the catalog, " + joined(names) + "; set gpus.");
  }
  for (const sizing::ServingCandidate& candidate : search.best) sizing::add_once(assumed, candidate.interval_basis);
  for (const sizing::ServingCandidate& candidate : search.slices) sizing::add_once(assumed, candidate.interval_basis);
  if (!search.slices.empty())
    assumed.push_back(
        "A slice costs its share of the GPU, so other work must fill the rest; no published run on slices stands "
        "behind its times.");
  for (const sizing::ServingCandidate& candidate : search.best) {
    if (price_row(request, *candidate.gpu)) continue;
    const auto rent = rent_market(catalog.cloud_prices, {.gpu_id = candidate.gpu->id}).cheapest_per_gpu;
    const bool by_price =
        request.peak_requests_per_s.has_value() && request.constraints.objective == sizing::ServingObjective::cost;
    sizing::add_once(assumed, {rent ? candidate.gpu->name + " costs " + dollars_text(rent->base_units() * 3600) +
                                          " an hour, the lowest list price on demand that the catalog knows; set "
                                          "prices."
                                    : "No price of " + candidate.gpu->name + " is known" +
                                          (by_price ? ": it is ranked behind all that have one, by its GPUs" : "") +
                                          "; set prices."});
  }
  return assumed;
}

}  // namespace

Answer answer_serving_search(const Catalog& catalog, const JsonNode& document, const ServingSearchRequest& request,
                             const std::vector<Assumption>& assumptions) {
  const sizing::ServingSearch search = search_of(catalog, request);
  const bool feasible = !search.best.empty();
  const bool peak = request.peak_requests_per_s.has_value();
  const LayerStack stack = layer_stack(*request.model);
  std::map<std::string, std::string> origins =
      origins_of_found(assumptions, "/deployments/", search.best.size(), kChosenOfDeployments);
  origins.merge(origins_of_found(assumptions, "/slices/", search.slices.size(), kChosenOfDeployments));
  Trace trace(std::move(origins));
  JsonWriter out(&trace);
  const auto write = [&](auto& tracer) {
    out.text("kind", "search");
    out.text("type", "serving");
    out.text("question", peak ? "deployment" : "max_rate");
    out.text("model", request.model->id);
    write_model_parameters(out, tracer, *request.model);
    if (peak) out.text("objective", word_of(request.constraints.objective, sizing::kServingObjectiveWords));
    out.boolean("feasible", feasible);
    if (!feasible) write_reasons(out, "reasons", reasons_of(catalog, document, request, search));
    out.quantity_as("evaluated", unit::kNone, tracer.method("search.evaluated", search.evaluated, kSearchPage));
    out.quantity_as("pruned", unit::kNone, tracer.method("search.pruned", search.pruned, kSearchPage));
    out.begin_list("deployments");
    for (std::size_t i = 0; i < search.best.size(); ++i)
      write_deployment(out, tracer, catalog, request, stack, search.best[i], "/deployments/" + std::to_string(i));
    out.end_list();
    if (search.slices.empty()) return;
    out.begin_list("slices");
    for (std::size_t i = 0; i < search.slices.size(); ++i)
      write_deployment(out, tracer, catalog, request, stack, search.slices[i], "/slices/" + std::to_string(i));
    out.end_list();
  };
  out.begin_object();
  if (request.explain) {
    write(trace);
  } else {
    NoTrace none;
    write(none);
  }
  if (feasible) write_launch(out, catalog, *request.model, search.best.front());
  write_front(out, search.front, peak);
  write_rejected(out, trace, search.rejected);
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
