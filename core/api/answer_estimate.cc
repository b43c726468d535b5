#include "api/answer_estimate.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/calendar_table.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/roofline_table.h"
#include "api/ways_out.h"

namespace podwright {
namespace {

constexpr std::string_view kServingLimits = "docs/method/serving_memory.md";
constexpr std::string_view kTrainingLimits = "docs/method/training_memory.md";

/// Head, the estimate's own fields and foot.
template <class Table, class Tracer, class Request, class Estimate, class Own>
void describe_answer(Table& v, Tracer& tracer, const Catalog& catalog, const Request& request, std::string_view kind,
                     const std::vector<Assumption>& assumptions, const Estimate& estimate, const Own& describe_own) {
  v.text({"kind"}, kind);
  v.text({"model"}, [&] { return std::string_view(request.model->id); });
  const Model* model = request.model ? &*request.model : nullptr;
  describe_model_parameters(v, tracer, model);
  v.text({"gpu"}, [&] { return std::string_view(request.gpu->id); });
  v.number({"gpu_count", "GPUs"}, [&] { return tracer.input("/gpu_count", request.gpu_count); });
  v.flag({"feasible"}, estimate.feasible);
  if (const auto part = v.when(!estimate.reasons.empty()))
    describe_reasons(v, estimate.reasons, tracer, kind == "serving" ? kServingLimits : kTrainingLimits,
                     "estimate.shortfall");
  describe_own(v, tracer, request, estimate);
  describe_unread_fields(v, model);
  v.texts({"not_modelled", "Not modelled yet"}, estimate.not_modelled);
  describe_foot(v, catalog, assumptions, estimate.assumptions);
}

const auto kServing = [](auto& v, auto& tracer, const ServingRequest& request, const auto& estimate) {
  describe(v, estimate);
  describe_roofline(v, tracer, request.gpu ? &*request.gpu : nullptr, request.run, estimate);
};
const auto kTraining = [](auto& v, auto&, const TrainingRequest&, const auto& estimate) {
  describe(v, estimate);
  describe_calendar(v, estimate);
};

/// Makes the ways out legal patches of the request and tries them: those that make it feasible stay; where none does,
/// those after which the reason is gone.
template <class Request, class Estimate, class EstimateIt>
void complete_ways_out(const Catalog& catalog, const JsonNode& document, const EstimateIt& estimate_it,
                       Estimate& estimate) {
  for (Infeasible& reason : estimate.reasons) {
    std::vector<Patch> feasible;
    std::vector<Patch> lifting;
    for (const Patch& way_out : reason.ways_out) {
      const Patch patch = with_gpu_count(document, way_out);
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
template <class Request, class EstimateIt, class Own>
Answer answer_with(const Catalog& catalog, const JsonNode& document, const Request& request, std::string_view kind,
                   const std::vector<Assumption>& assumptions, const EstimateIt& estimate_it, const Own& describe_own) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  AnswerWriter v(out);
  bool feasible = false;
  const auto answer_on = [&](auto& tracer) {
    auto estimate = estimate_it(tracer, request);
    complete_ways_out<Request>(catalog, document, estimate_it, estimate);
    feasible = estimate.feasible;
    describe_answer(v, tracer, catalog, request, kind, assumptions, estimate, describe_own);
  };
  out.begin_object();
  NoTrace none;
  if (request.explain)
    answer_on(trace);
  else
    answer_on(none);
  describe_trace(v, request.explain ? &trace : nullptr);
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

template <class Request, class Estimate, class Own>
void describe_shape(AnswerShape& v, std::string_view kind, const Own& describe_own) {
  NoTrace none;
  describe_answer(v, none, Catalog{}, Request{}, kind, {}, Estimate{}, describe_own);
  describe_trace(v, nullptr);
}

}  // namespace

Answer answer_serving(const Catalog& catalog, const JsonNode& document, const ServingRequest& request,
                      const std::vector<Assumption>& assumptions) {
  return answer_with(
      catalog, document, request, "serving", assumptions,
      [&](auto& tracer, const ServingRequest& r) { return estimate_serving(tracer, catalog, *r.model, *r.gpu, r.run); },
      kServing);
}

Answer answer_training(const Catalog& catalog, const JsonNode& document, const TrainingRequest& request,
                       const std::vector<Assumption>& assumptions) {
  return answer_with(
      catalog, document, request, "training", assumptions,
      [&](auto& tracer, const TrainingRequest& r) { return estimate_with_calendar(tracer, catalog, r); }, kTraining);
}

void describe_serving_answer(AnswerShape& v) {
  describe_shape<ServingRequest, ServingEstimate<NoTrace>>(v, "serving", kServing);
}

void describe_training_answer(AnswerShape& v) {
  describe_shape<TrainingRequest, CalendarEstimate<NoTrace>>(v, "training", kTraining);
}

}  // namespace podwright
