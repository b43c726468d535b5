#pragma once
/// The requests of the contract and their tables of fields.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/request_calendar.h"
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
  bool explain = false;
};

struct ServingRequest {
  std::optional<Model> model;
  std::optional<Gpu> gpu;
  std::optional<System> system;
  double gpu_count = 0;
  ServingRun run;
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
void describe(FieldVisitor& visitor, const Catalog& catalog, CatalogRequest& request);
void describe(FieldVisitor& visitor, const Catalog& catalog, RuleOfThumbRequest& request);

}  // namespace podwright
