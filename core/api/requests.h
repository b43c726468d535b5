#pragma once
/// The requests of the contract, their tables of fields and their answers.
#include <optional>
#include <string>

#include "api/fields.h"
#include "api/outcome.h"
#include "api/traffic_fields.h"
#include "api/training_fields.h"
#include "base/patch.h"
#include "memory/serving_run.h"
#include "memory/training_run.h"
#include "plan/plan_request.h"

namespace podwright {

struct TrainingRequest {
  std::optional<Model> model;
  std::optional<Gpu> gpu;
  std::optional<System> system;
  double gpu_count = 0;
  TrainingRun run;
  CalendarRequest calendar;
  TrainingPower power;
  bool suggest = false;
  bool explain = false;
};

struct ServingRequest {
  std::optional<Model> model;
  std::optional<Gpu> gpu;
  std::optional<System> system;
  double gpu_count = 0;
  ServingRun run;
  bool suggest = false;
  bool explain = false;
};

struct CatalogRequest {
  std::string list;  ///< a table: gpus, models ...
  std::string show;  ///< a table whose item `id` is shown whole
  std::string id;
};

struct RuleOfThumbRequest {
  std::optional<Model> model;
  double parameters = 0;  ///< a plain count: 70e9
  double bits_per_weight = 16;
  double overhead = 0.2;
  std::optional<double> tokens;  ///< of all sequences together, for the quick KV cache; needs a model
  bool explain = false;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, TrainingRequest& request);
void describe(FieldVisitor& visitor, const Catalog& catalog, ServingRequest& request);
void describe(FieldVisitor& visitor, const Catalog& catalog, PlanRequest& request);
/// The fields of a deployment and its load; what is known of lengths beyond them.
TrafficDefaults describe_deployment(FieldVisitor& visitor, const Catalog& catalog, ServingRequest& request);
/// With a trace, which says what the request does not.
TrafficDefaults describe_deployment(FieldVisitor& visitor, const Catalog& catalog,
                                    const std::optional<TraceDefaults>& trace, ServingRequest& request);
void check_deployment(FieldVisitor& visitor, ServingRequest& request);
/// Without what bounds its mean lengths, which a trace says.
void check_traced_deployment(FieldVisitor& visitor, ServingRequest& request);
void describe(FieldVisitor& visitor, const Catalog& catalog, CatalogRequest& request);
void describe(FieldVisitor& visitor, const Catalog& catalog, RuleOfThumbRequest& request);

Answer answer_training(const Asked& asked, const TrainingRequest& request);
Answer answer_serving(const Asked& asked, const ServingRequest& request);
Answer answer_plan(const Asked& asked, const PlanRequest& request);
Answer answer_catalog(const Asked& asked, const CatalogRequest& request);
Answer answer_rule_of_thumb(const Asked& asked, const RuleOfThumbRequest& request);

/// Their fields.
void describe_training_answer(AnswerShape& v);
void describe_serving_answer(AnswerShape& v);
void describe_plan_answer(AnswerShape& v);
void describe_rule_of_thumb_answer(AnswerShape& v);

/// `patch` of a training or serving request with the `gpu_count` that its `parallelism` then asks for.
Patch with_gpu_count(const JsonNode& document, const Patch& patch);

}  // namespace podwright
