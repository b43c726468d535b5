#include "api/write_plan_carbon.h"

#include "api/write_carbon_numbers.h"
#include "api/write_common.h"

namespace podwright {
namespace {

constexpr DisplayUnit kGrams{"", "gCO2e", 1.0};

template <class Tracer>
void write_way(JsonWriter& out, std::string_view key, const PlanRequest& request, const PlanDecision& decision,
               const WayCarbon<Tracer>& way) {
  out.begin_object(key);
  write_carbon_numbers(out, way.year);
  if (way.g_per_million_output_tokens)
    out.quantity_as("g_co2e_per_million_output_tokens", kGrams, *way.g_per_million_output_tokens);
  bool any = false;
  for (const auto& run : way.kg_per_run) any = any || run.has_value();
  if (any) {
    out.begin_list("runs");
    for (std::size_t i = 0; i < way.kg_per_run.size(); ++i) {
      if (!way.kg_per_run[i]) continue;
      out.begin_object();
      out.text("workload", request.workloads[decision.placed[i].index].name);
      out.quantity_as("kg_co2e_per_run", kKgCo2e, *way.kg_per_run[i]);
      out.end_object();
    }
    out.end_list();
  }
  write_texts(out, "missing", way.missing);
  write_texts(out, "cautions", way.cautions);
  out.end_object();
}

}  // namespace

template <class Tracer>
void write_plan_carbon(JsonWriter& out, const PlanRequest& request, const PlanDecision& decision,
                       const PlanCarbon<Tracer>& carbon) {
  if (!carbon.own && !carbon.on_demand && !carbon.committed) return;
  out.begin_object("carbon");
  if (carbon.own) write_way(out, "own", request, decision, *carbon.own);
  if (carbon.on_demand) write_way(out, "rent_on_demand", request, decision, *carbon.on_demand);
  if (carbon.committed) write_way(out, "rent_committed", request, decision, *carbon.committed);
  out.end_object();
}

template void write_plan_carbon(JsonWriter&, const PlanRequest&, const PlanDecision&, const PlanCarbon<NoTrace>&);
template void write_plan_carbon(JsonWriter&, const PlanRequest&, const PlanDecision&, const PlanCarbon<Trace>&);

}  // namespace podwright
