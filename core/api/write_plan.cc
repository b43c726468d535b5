#include "api/write_plan.h"

#include "api/write_design.h"
#include "api/write_plan_carbon.h"
#include "api/write_plan_cost.h"
#include "api/write_plan_reliability.h"
#include "architecture/design_summary.h"

namespace podwright {
namespace {

/// `architecture` in words, the members of its design, and `energy`, as far as they are known.
template <class Tracer>
void write_plan_design(JsonWriter& out, Tracer& trace, const PlanDecision& decision,
                       const std::optional<Design<Tracer>>& built, const Design<NoTrace>* plain,
                       const std::optional<MachineEnergy<Tracer>>& energy) {
  const ArchitectureDesign& design = *decision.design;
  out.begin_object("architecture");
  out.text("architecture", design.architecture_id);
  out.text("title", design.title);
  if (design.parts.system != nullptr) {
    out.text("system", design.parts.system->id);
    out.text("system_name", design.parts.system->name);
  }
  if (plain != nullptr) out.text("summary", design_summary(design, *plain));
  if (built) write_design_size(out, built->size);
  write_told(out, design, plain);
  std::vector<std::string> advice;
  for (const DesignAdvice& item : decision.advice) advice.push_back(item.text);
  write_texts(out, "advice", advice);
  out.end_object();
  if (!built) return;
  write_design(out, trace, *built);
  if (!energy) return;
  out.begin_object("energy");
  out.quantity("facility_power_max", unit::kKw, energy->facility_power_max);
  out.quantity("facility_power_mean", unit::kKw, energy->facility_power);
  out.quantity("energy_per_year", unit::kKwh, energy->per_year);
  out.end_object();
}

}  // namespace

template <class Tracer>
void write_plan(JsonWriter& out, Tracer& trace, const PlanRequest& request, const Plan& plan,
                const PlanNumbers<Tracer>& numbers, std::size_t rank) {
  const PlanDecision& decision = plan.decision;
  out.begin_object();
  out.number("rank", static_cast<double>(rank));
  out.text("summary", plan.summary);
  out.text("gpu", decision.gpu->id);
  out.text("gpu_name", decision.gpu->name);
  out.quantity("gpu_count", unit::kNone, numbers.demand.gpu_count);
  out.begin_list("layouts");
  for (const PlacedWorkload& placed : decision.placed) write_layout(out, trace, request, decision, placed);
  out.end_list();
  out.begin_list("estimates");
  for (std::size_t i = 0; i < numbers.demand.workloads.size(); ++i) {
    out.begin_object();
    const PlanWorkload& workload = request.workloads[decision.placed[i].index];
    out.text("workload", workload.name);
    write_model_parameters(out, trace, *workload.model);
    write_texts(out, "unread_model_fields", workload.model->unread_fields);
    write_workload_numbers(out, numbers.demand.workloads[i]);
    if (request.options.roofline && numbers.demand.workloads[i].serving) {
      const TraceScope scope(trace, "/workloads/" + std::to_string(decision.placed[i].index));
      write_roofline(out, trace, *decision.gpu, decision.placed[i].serving, *numbers.demand.workloads[i].serving);
    }
    out.end_object();
  }
  out.end_list();
  if (decision.design) {
    const Design<NoTrace>* plain = plan.numbers.design ? &*plan.numbers.design : nullptr;
    write_plan_design(out, trace, decision, numbers.design, plain, numbers.cost.energy);
  }
  write_plan_cost(out, trace, request, plan, numbers);
  write_plan_carbon(out, request, decision, numbers.carbon);
  if (numbers.reliability) write_plan_reliability(out, *numbers.reliability);
  write_verdict(out, plan.verdict);
  write_texts(out, "reasons", plan.reasons);
  write_texts(out, "risks", plan.risks);
  out.end_object();
}

template void write_plan(JsonWriter&, NoTrace&, const PlanRequest&, const Plan&, const PlanNumbers<NoTrace>&,
                         std::size_t);
template void write_plan(JsonWriter&, Trace&, const PlanRequest&, const Plan&, const PlanNumbers<Trace>&, std::size_t);

}  // namespace podwright
