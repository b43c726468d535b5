#include "api/answer_plan.h"

#include <algorithm>
#include <optional>

#include "api/ways_out.h"
#include "api/write_common.h"
#include "api/write_plan.h"
#include "plan/contradictions.h"

namespace podwright {
namespace {

/// Where the values come from that the search chose, for the trace.
void add_chosen(std::map<std::string, std::string>& origins, const PlanRequest& request) {
  for (std::size_t i = 0; i < request.workloads.size(); ++i) {
    const std::string workload = "/workloads/" + std::to_string(i);
    for (const char* key :
         {"/parallelism/tensor", "/parallelism/pipeline", "/parallelism/virtual_pipeline", "/parallelism/context",
          "/parallelism/expert", "/parallelism/expert_tensor", "/parallelism/attention_data", "/parallelism/data",
          "/parallelism/zero_stage", "/micro_batch_size", "/load/request_rate_per_s", "/load/concurrency"})
      origins.emplace(workload + key, "chosen by the search, docs/method/search.md");
    origins.emplace(workload + "/prefix_hit_ratio", "default: not asked for");
  }
}

/// A reason of one workload tells patches of that workload, unless they change the constraints. What the search chooses
/// by itself, such as a layout, is no key of a plan request: such patches fall away.
std::vector<std::string> request_patches(const Catalog& catalog, const JsonNode& document,
                                         const RejectedGpu& rejected) {
  std::vector<std::string> patches;
  for (const std::string& patch : rejected.reason.ways_out) {
    const bool of_request = !rejected.index || patch.rfind("{\"constraints\"", 0) == 0;
    std::string of_plan = of_request ? patch : workload_patch(document, *rejected.index, patch);
    if (read_patched<PlanRequest>(catalog, document, of_plan)) patches.push_back(std::move(of_plan));
  }
  return patches;
}

constexpr std::string_view kShortfallPage = "docs/method/search.md";
constexpr std::string_view kShortfall = "plan.shortfall";

/// `trace` is null where no explanation is asked for.
void write_rejected(JsonWriter& out, const std::vector<RejectedGpu>& rejected, Trace* trace) {
  out.begin_list("rejected");
  for (const RejectedGpu& item : rejected) {
    out.begin_object();
    if (!item.gpu.empty()) out.text("gpu", item.gpu);
    if (!item.workload.empty()) out.text("workload", item.workload);
    if (trace == nullptr)
      write_reason_members(out, item.reason);
    else
      write_reason_members(out, item.reason, *trace, kShortfallPage, kShortfall);
    out.end_object();
  }
  out.end_list();
}

/// Columns, as charts want them.
void write_pareto(JsonWriter& out, const std::vector<ParetoPoint>& points) {
  if (points.empty()) return;
  const auto column = [&](std::string_view name, const auto& write) {
    out.begin_list(name);
    for (const ParetoPoint& point : points) write(point);
    out.end_list();
  };
  out.begin_object("pareto");
  column("gpu", [&](const ParetoPoint& p) { out.text(p.gpu); });
  column("gpu_count", [&](const ParetoPoint& p) { out.number(p.gpu_count); });
  const auto numbers = [&](std::string_view name, std::optional<double> ParetoPoint::*member) {
    const bool any = std::any_of(points.begin(), points.end(), [&](const auto& p) { return (p.*member).has_value(); });
    if (any) column(name, [&](const ParetoPoint& p) { write_number_or_null(out, p.*member); });
  };
  const bool layouts = std::any_of(points.begin(), points.end(), [](const auto& p) { return !p.layout.empty(); });
  if (layouts) column("layout", [&](const ParetoPoint& p) { out.text(p.layout); });
  numbers("ttft_s", &ParetoPoint::ttft_s);
  numbers("tpot_s", &ParetoPoint::tpot_s);
  numbers("run_s", &ParetoPoint::run_s);
  numbers("usd_per_hour", &ParetoPoint::rent_usd_per_hour);
  numbers("it_power_kw", &ParetoPoint::it_power_kw);
  out.end_object();
}

}  // namespace

Answer answer_plan(const Catalog& catalog, const JsonNode& document, const PlanRequest& request,
                   const std::vector<Assumption>& assumptions) {
  Plans plans = plans_or_contradictions(catalog, request);
  for (RejectedGpu& item : plans.rejected) item.reason.ways_out = request_patches(catalog, document, item);
  const bool feasible = !plans.plans.empty();
  std::optional<Trace> trace;
  if (request.options.explain) {
    auto origins = sources_of(assumptions);
    add_chosen(origins, request);
    trace.emplace(std::move(origins));
  }
  JsonWriter out(trace ? &*trace : nullptr);
  out.begin_object();
  out.text("kind", "plan");
  out.boolean("feasible", feasible);
  if (!feasible) {
    std::vector<Infeasible> reasons;
    for (const RejectedGpu& item : plans.rejected) reasons.push_back(item.reason);
    if (trace)
      write_reasons(out, "reasons", reasons, *trace, kShortfallPage, kShortfall);
    else
      write_reasons(out, "reasons", reasons);
  }
  out.begin_list("plans");
  for (std::size_t i = 0; i < plans.plans.size(); ++i) {
    const Plan& plan = plans.plans[i];
    if (trace) {
      write_plan(out, *trace, request, plan, plan_numbers(*trace, catalog, request, plan.decision), i + 1);
    } else {
      NoTrace none;
      write_plan(out, none, request, plan, plan.numbers, i + 1);
    }
  }
  out.end_list();
  write_pareto(out, plans.pareto);
  write_rejected(out, plans.rejected, trace ? &*trace : nullptr);
  out.begin_list("what_would_change_the_decision");
  for (const std::string& flip : plans.flips) out.text(flip);
  out.end_list();
  write_texts(out, "not_modelled", plans.not_modelled);
  write_foot(out, catalog, assumptions, plans.assumed);
  if (trace) {
    out.key("trace");
    write_trace(out, *trace);
  }
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

}  // namespace podwright
