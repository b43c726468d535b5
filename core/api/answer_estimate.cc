#include "api/requests.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/field_reader.h"
#include "api/measured_table.h"
#include "base/stable_sort.h"
#include "sizing/faster_runs.h"

namespace podwright {
namespace {

constexpr std::string_view kServingLimits = "docs/method/serving_memory.md";
constexpr std::string_view kTrainingLimits = "docs/method/training_memory.md";

constexpr std::string_view kFasterPage = "docs/method/search.md#what-would-make-it-faster";

/// A change of the request after which it is faster, by a share of its speed.
struct Gain {
  Patch set;
  double share = 0;
};

/// Speed of a deployment under its load: of a request where requests come at a rate, else the tokens of a second.
double speed_of(const ServingEstimate<NoTrace>& estimate, const ServingRun& run) {
  if (!estimate.performance || !estimate.performance->stable) return 0;
  const ServingPerformance<NoTrace>& speed = *estimate.performance;
  if (run.load.kind == LoadKind::request_rate) return speed.request ? 1 / raw(*speed.request) : 0;
  return raw(speed.total_tokens_per_s);
}

double speed_of(const CalendarEstimate<NoTrace>& estimate, const TrainingRun&) {
  return estimate.step ? raw(estimate.step->tokens_per_s) : 0;
}

/// The patch of a request with `measured`, which is of one engine as it was started: of one started otherwise it says
/// nothing.
Patch without_stale_measurement(const JsonNode& document, const Patch& patch) {
  constexpr std::string_view kOfTheStart[] = {
      "/gpu",          "/engine",         "/weight_precision",   "/kv_precision",    "/parallelism",
      "/gpu_count",    "/max_batch_size", "/max_batched_tokens", "/memory_fraction", "/max_model_tokens",
      "/block_tokens", "/speculative"};
  const bool stale = std::any_of(std::begin(kOfTheStart), std::end(kOfTheStart),
                                 [&](std::string_view field) { return patch.changes(field); });
  return stale && document.find("measured") != nullptr ? Patch(patch).clear("/measured") : patch;
}

/// Of the changes that are legal and fit those that make it faster, most first; of several values of one field the
/// best.
template <class Request, class EstimateIt>
std::vector<Gain> gains_of(const Asked& asked, const Request& request, const EstimateIt& estimate_it) {
  constexpr double kLeast = 0.01;
  constexpr std::size_t kMost = 5;
  NoTrace none;
  const double before = speed_of(estimate_it(none, request), request.run);
  std::vector<Gain> gains;
  if (!(before > 0)) return gains;
  for (Patch& setting : sizing::faster_settings(*request.model, *request.gpu, request.run)) {
    Patch set = without_stale_measurement(asked.document, setting);
    const auto changed = read_patched<Request>(asked.catalog, asked.document, set);
    if (!changed) continue;
    const auto after = estimate_it(none, *changed);
    const double share = speed_of(after, changed->run) / before - 1;
    if (after.feasible && share >= kLeast) gains.push_back({std::move(set), share});
  }
  sort_stably(gains, [](const Gain& a, const Gain& b) { return a.share > b.share; });
  std::vector<Gain> best;
  for (Gain& gain : gains)
    if (best.size() < kMost &&
        std::none_of(best.begin(), best.end(), [&](const Gain& one) { return one.set.first() == gain.set.first(); }))
      best.push_back(std::move(gain));
  return best;
}

void describe_faster(auto& v, auto& tracer, Tuning tuning, const std::vector<Gain>& gains) {
  v.group({"faster", "What would make it faster"}, [&] {
    v.word({"tuning"}, tuning, kTuningWords);
    v.list({"changes"}, gains, [&](const Gain& gain) {
      v.any({"set", "Merge patch of the request"}, [&](JsonWriter& out) { out.verbatim(gain.set.text()); });
      v.number({"gain"}, [&] { return tracer.method("estimate.gain", gain.share, kFasterPage); });
      describe_message(v, say("faster", "setting"_v = gain.set.text(), "gain"_v = gain.share));
    });
  });
}

/// Head, the estimate's own fields and foot.
void describe_answer(auto& v, auto& tracer, const Asked& asked, const auto& request, std::string_view kind,
                     const auto& estimate, const std::vector<Gain>& gains, const auto& describe_own) {
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
  describe_own(v, tracer, asked, request, estimate);
  if (const auto part = v.when(request.suggest)) describe_faster(v, tracer, request.run.tuning, gains);
  describe_unread_fields(v, model);
  v.texts({"not_modelled", "Not modelled yet"}, estimate.not_modelled);
  describe_foot(v, asked, estimate.assumptions);
}

/// The step without the rates of a measured host; absent where none is measured, and where it does not fit.
std::optional<TrainingStep<NoTrace>> plain_step(const Catalog& catalog, const TrainingRequest& request) {
  if (!request.model || !request.gpu || catalog.uncalibrated == nullptr) return std::nullopt;
  NoTrace none;
  const Catalog& plain = *catalog.uncalibrated;
  const auto known = find_gpu(plain, request.gpu->id);
  return estimate_training(none, plain, *request.model, known ? **known : *request.gpu, request.run,
                           request.system ? &*request.system : nullptr)
      .step;
}

void describe_plain_step(auto& v, auto& tracer, const std::optional<TrainingStep<NoTrace>>& plain) {
  v.object(kPlainFigures, plain, [&](const TrainingStep<NoTrace>& step) {
    v.number({"time_s", unit::kSeconds}, tracer.method("plain.time_s", step.total, kMeasuredPage));
    v.number({"tokens_per_s", unit::kPerSecond}, tracer.method("plain.tokens_per_s", step.tokens_per_s, kMeasuredPage));
  });
}

const auto kServing = [](auto& v, auto& tracer, const Asked& asked, const ServingRequest& request,
                         const auto& estimate) {
  describe(v, estimate);
  describe_calibrated(v, tracer, request.run, estimate);
  const auto plain = plain_serving(asked.catalog, request.model, request.gpu, request.run);
  describe_engine_figures(v, tracer, plain ? plain->engine : std::vector<MeasuredFigure>{});
  describe_plain(v, tracer, plain);
  describe_roofline(v, tracer, request.gpu ? &*request.gpu : nullptr, request.run, estimate);
};
const auto kTraining = [](auto& v, auto& tracer, const Asked& asked, const TrainingRequest& request,
                          const auto& estimate) {
  describe(v, estimate);
  describe_plain_step(v, tracer, plain_step(asked.catalog, request));
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
      const Patch patch = without_stale_measurement(asked.document, with_gpu_count(asked.document, way_out));
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
    std::vector<Gain> gains;
    if (request.suggest && estimate.feasible) gains = gains_of(asked, request, estimate_it);
    return written_answer(&trace, estimate.feasible, [&](AnswerWriter& v) {
      describe_answer(v, tracer, asked, request, kind, estimate, gains, describe_own);
      describe_trace(v, request.explain ? &trace : nullptr);
    });
  };
  NoTrace none;
  return request.explain ? answer_on(trace) : answer_on(none);
}

template <class Request, class Estimate, class Own>
void describe_shape(AnswerShape& v, std::string_view kind, const Own& describe_own) {
  NoTrace none;
  describe_answer(v, none, nothing_asked(), Request{}, kind, Estimate{}, {}, describe_own);
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
