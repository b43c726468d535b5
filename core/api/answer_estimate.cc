#include "api/answer_estimate.h"

#include <algorithm>

#include "api/ways_out.h"
#include "api/write_calendar.h"
#include "api/write_estimate.h"
#include "api/write_roofline.h"

namespace podwright {
namespace {

constexpr std::string_view kServingLimits = "docs/method/serving_memory.md";
constexpr std::string_view kTrainingLimits = "docs/method/training_memory.md";

/// Writes head, the estimate's own members and foot.
template <class Tracer, class Request, class Estimate, class Write>
void write_answer(JsonWriter& out, Tracer& tracer, const Catalog& catalog, const Request& request,
                  std::string_view kind, const std::vector<Assumption>& assumptions, const Estimate& estimate,
                  const Write& write) {
  out.text("kind", kind);
  out.text("model", request.model->id);
  write_model_parameters(out, tracer, *request.model);
  out.text("gpu", request.gpu->id);
  out.quantity_as("gpu_count", unit::kNone, tracer.input("/gpu_count", request.gpu_count));
  out.boolean("feasible", estimate.feasible);
  if (!estimate.reasons.empty())
    write_reasons(out, "reasons", estimate.reasons, tracer, kind == "serving" ? kServingLimits : kTrainingLimits,
                  "estimate.shortfall");
  write(out, tracer, estimate);
  write_texts(out, "unread_model_fields", request.model->unread_fields);
  write_texts(out, "not_modelled", estimate.not_modelled);
  write_foot(out, catalog, assumptions, estimate.assumptions);
}

/// Makes the ways out legal patches of the request and tries them: those that make it feasible stay; where none does,
/// those after which the reason is gone.
template <class Request, class Estimate, class EstimateIt>
void complete_ways_out(const Catalog& catalog, const JsonNode& document, const EstimateIt& estimate_it,
                       Estimate& estimate) {
  for (Infeasible& reason : estimate.reasons) {
    std::vector<std::string> feasible;
    std::vector<std::string> lifting;
    for (const std::string& way_out : reason.ways_out) {
      const std::string patch = with_gpu_count(document, way_out);
      const auto changed = read_patched<Request>(catalog, document, patch);
      if (!changed) continue;
      NoTrace none;
      const auto after = estimate_it(none, *changed);
      const bool stays = std::any_of(after.reasons.begin(), after.reasons.end(),
                                     [&](const Infeasible& other) { return other.code == reason.code; });
      if (!stays) (after.feasible ? feasible : lifting).push_back(patch);
    }
    reason.ways_out = std::move(feasible.empty() ? lifting : feasible);
  }
}

/// Estimates with or without a trace; one code for both.
template <class Request, class EstimateIt, class Write>
Answer answer_with(const Catalog& catalog, const JsonNode& document, const Request& request, std::string_view kind,
                   const std::vector<Assumption>& assumptions, const EstimateIt& estimate_it, const Write& write) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  bool feasible = false;
  const auto answer_on = [&](auto& tracer) {
    auto estimate = estimate_it(tracer, request);
    complete_ways_out<Request>(catalog, document, estimate_it, estimate);
    feasible = estimate.feasible;
    write_answer(out, tracer, catalog, request, kind, assumptions, estimate, write);
  };
  out.begin_object();
  if (request.explain) {
    answer_on(trace);
    out.key("trace");
    write_trace(out, trace);
  } else {
    NoTrace none;
    answer_on(none);
  }
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

}  // namespace

Answer answer_serving(const Catalog& catalog, const JsonNode& document, const ServingRequest& request,
                      const std::vector<Assumption>& assumptions) {
  return answer_with(
      catalog, document, request, "serving", assumptions,
      [&](auto& tracer, const ServingRequest& r) { return estimate_serving(tracer, catalog, *r.model, *r.gpu, r.run); },
      [&](JsonWriter& out, auto& tracer, const auto& estimate) {
        write_serving_estimate(out, estimate);
        write_roofline(out, tracer, *request.gpu, request.run, estimate);
      });
}

Answer answer_training(const Catalog& catalog, const JsonNode& document, const TrainingRequest& request,
                       const std::vector<Assumption>& assumptions) {
  return answer_with(
      catalog, document, request, "training", assumptions,
      [&](auto& tracer, const TrainingRequest& r) { return estimate_with_calendar(tracer, catalog, r); },
      [](JsonWriter& out, auto&, const auto& estimate) {
        write_training_estimate(out, estimate);
        write_calendar(out, estimate);
      });
}

}  // namespace podwright
