#include "api/answer_estimate.h"

#include "api/write_estimate.h"

namespace podwright {
namespace {

/// Writes head, the estimate's own members and foot.
template <class Request, class Estimate, class Write>
void write_answer(JsonWriter& out, const Catalog& catalog, const Request& request, std::string_view kind, const std::vector<Assumption>& assumptions, const Estimate& estimate,
                  const Write& write) {
  out.text("kind", kind);
  out.text("model", request.model->id);
  out.text("gpu", request.gpu->id);
  out.number("gpu_count", request.gpu_count);
  out.boolean("feasible", estimate.feasible);
  if (!estimate.reasons.empty()) write_reasons(out, "reasons", estimate.reasons);
  write(out, estimate);
  write_texts(out, "unread_model_fields", request.model->unread_fields);
  write_texts(out, "not_modelled", estimate.not_modelled);
  write_foot(out, catalog, assumptions, estimate.assumptions);
}

/// Estimates with or without a trace; one code for both.
template <class Request, class Estimate, class Write>
Answer answer_with(const Catalog& catalog, const Request& request, std::string_view kind, const std::vector<Assumption>& assumptions, const Estimate& estimate_it,
                   const Write& write) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  out.begin_object();
  bool feasible = false;
  if (request.explain) {
    const auto estimate = estimate_it(trace);
    feasible = estimate.feasible;
    write_answer(out, catalog, request, kind, assumptions, estimate, write);
    out.key("trace");
    write_trace(out, trace);
  } else {
    NoTrace none;
    const auto estimate = estimate_it(none);
    feasible = estimate.feasible;
    write_answer(out, catalog, request, kind, assumptions, estimate, write);
  }
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

}  // namespace

Answer answer_serving(const Catalog& catalog, const ServingRequest& request, const std::vector<Assumption>& assumptions) {
  return answer_with(
      catalog, request, "serving", assumptions, [&](auto& trace) { return estimate_serving(trace, catalog, *request.model, *request.gpu, request.run); },
      [](JsonWriter& out, const auto& estimate) { write_serving_estimate(out, estimate); });
}

Answer answer_training(const Catalog& catalog, const TrainingRequest& request, const std::vector<Assumption>& assumptions) {
  return answer_with(
      catalog, request, "training", assumptions, [&](auto& trace) { return estimate_training(trace, catalog, *request.model, *request.gpu, request.run, request.system ? &*request.system : nullptr); },
      [](JsonWriter& out, const auto& estimate) { write_training_estimate(out, estimate); });
}

}  // namespace podwright
