#include "api/requests.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/field_reader.h"

namespace podwright {
namespace {

constexpr std::string_view kServingLimits = "docs/method/serving_memory.md";
constexpr std::string_view kTrainingLimits = "docs/method/training_memory.md";

/// Head, the estimate's own fields and foot.
void describe_answer(auto& v, auto& tracer, const Asked& asked, const auto& request, std::string_view kind,
                     const auto& estimate, const auto& describe_own) {
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
  describe_foot(v, asked, estimate.assumptions);
}

const auto kServing = [](auto& v, auto& tracer, const ServingRequest& request, const auto& estimate) {
  describe(v, estimate);
  describe_roofline(v, tracer, request.gpu ? &*request.gpu : nullptr, request.run, estimate);
};
const auto kTraining = [](auto& v, auto&, const TrainingRequest&, const auto& estimate) {
  describe(v, estimate);
  describe_calendar(v, estimate);
};

/// GPUs that the sizes of the parallel groups multiply to; absent sizes are 1.
double gpus_named(const JsonNode& document) {
  double gpus = 1;
  const JsonNode* parallelism = document.find("parallelism");
  if (parallelism == nullptr) return gpus;
  for (const char* key : {"tensor", "pipeline", "context", "attention_data", "data"})
    if (const JsonNode* size = parallelism->find(key); size != nullptr && size->is_number()) gpus *= size->number;
  return gpus;
}

/// Makes the ways out legal patches of the request and tries them: those that make it feasible stay; where none does,
/// those after which the reason is gone.
template <class Request, class Estimate, class EstimateIt>
void complete_ways_out(const Asked& asked, const EstimateIt& estimate_it, Estimate& estimate) {
  for (Infeasible& reason : estimate.reasons) {
    std::vector<Patch> feasible;
    std::vector<Patch> lifting;
    for (const Patch& way_out : reason.ways_out) {
      const Patch patch = with_gpu_count(asked.document, way_out);
      const auto changed = read_patched<Request>(asked.catalog, asked.document, patch);
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
Answer answer_with(const Asked& asked, const Request& request, std::string_view kind, const EstimateIt& estimate_it,
                   const Own& describe_own) {
  Trace trace(sources_of(asked.assumptions));
  const auto answer_on = [&](auto& tracer) {
    auto estimate = estimate_it(tracer, request);
    complete_ways_out<Request>(asked, estimate_it, estimate);
    return written_answer(&trace, estimate.feasible, [&](AnswerWriter& v) {
      describe_answer(v, tracer, asked, request, kind, estimate, describe_own);
      describe_trace(v, request.explain ? &trace : nullptr);
    });
  };
  NoTrace none;
  return request.explain ? answer_on(trace) : answer_on(none);
}

template <class Request, class Estimate, class Own>
void describe_shape(AnswerShape& v, std::string_view kind, const Own& describe_own) {
  NoTrace none;
  describe_answer(v, none, nothing_asked(), Request{}, kind, Estimate{}, describe_own);
  describe_trace(v, nullptr);
}

}  // namespace

Patch with_gpu_count(const JsonNode& document, const Patch& patch) {
  if (!patch.changes("/parallelism")) return patch;
  const double count = gpus_named(merged(document, patch.merge_patch(document)));
  const JsonNode* before = document.find("gpu_count");
  return before != nullptr && before->number == count ? patch : Patch(patch).set("/gpu_count", count);
}

Answer answer_serving(const Asked& asked, const ServingRequest& request) {
  const auto estimate_it = [&](auto& tracer, const ServingRequest& r) {
    return estimate_serving(tracer, asked.catalog, *r.model, *r.gpu, r.run);
  };
  return answer_with(asked, request, "serving", estimate_it, kServing);
}

Answer answer_training(const Asked& asked, const TrainingRequest& request) {
  const auto estimate_it = [&](auto& tracer, const TrainingRequest& r) {
    return estimate_with_calendar(tracer, asked.catalog, r);
  };
  return answer_with(asked, request, "training", estimate_it, kTraining);
}

void describe_serving_answer(AnswerShape& v) {
  describe_shape<ServingRequest, ServingEstimate<NoTrace>>(v, "serving", kServing);
}

void describe_training_answer(AnswerShape& v) {
  describe_shape<TrainingRequest, CalendarEstimate<NoTrace>>(v, "training", kTraining);
}

}  // namespace podwright
