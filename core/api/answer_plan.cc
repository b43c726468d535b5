#include "api/requests.h"

#include <algorithm>
#include <optional>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/field_reader.h"
#include "api/plan_table.h"
#include "api/training_exports.h"
#include "plan/asked_load.h"
#include "plan/goal.h"
#include "plan/planner.h"
#include "plan/reachable_limit.h"

namespace podwright {
namespace {

/// Where the values come from that the search chose, for the trace.
void add_chosen(std::map<std::string, std::string>& origins, const PlanRequest& request) {
  for (std::size_t i = 0; i < request.workloads.size(); ++i) {
    const std::string workload = "/workloads/" + std::to_string(i);
    for (const char* key :
         {"/parallelism/tensor", "/parallelism/pipeline", "/parallelism/virtual_pipeline", "/parallelism/context",
          "/parallelism/expert", "/parallelism/expert_tensor", "/parallelism/attention_data", "/parallelism/data",
          "/parallelism/zero_stage", "/micro_batch_size", "/load/request_rate_per_s", "/load/concurrency",
          "/disaggregated/prefill_gpus", "/disaggregated/decode_gpus", "/speculative/draft_tokens"})
      origins.emplace(workload + key, "chosen by the search, docs/method/search.md");
  }
}

/// What the search chooses by itself, such as a layout, is no key of a plan request: such patches fall away.
std::vector<Patch> request_patches(const Catalog& catalog, const JsonNode& document, const RejectedGpu& rejected) {
  std::vector<Patch> patches;
  for (const Patch& patch : rejected.reason.ways_out)
    if (read_patched<PlanRequest>(catalog, document, patch)) patches.push_back(patch.of(document));
  return patches;
}

constexpr std::string_view kShortfallPage = "docs/method/search.md";
constexpr std::string_view kShortfall = "plan.shortfall";

void describe_rejected(auto& v, auto& trace, const std::vector<RejectedGpu>& rejected) {
  v.list({"rejected"}, rejected, [&](const RejectedGpu& item) {
    v.text({"gpu"}, unless_empty(item.gpu));
    v.text({"gpu_name", "GPU"}, unless_empty(item.gpu_name));
    v.text({"workload"}, unless_empty(item.workload));
    describe_reason(v, item.reason, trace, kShortfallPage, kShortfall);
  });
}

// Numbers that are in their unit already.
constexpr DisplayUnit kShownUsdPerHour{"_usd_per_hour", "USD/h", 1.0};
constexpr DisplayUnit kShownKw{"_kw", "kW", 1.0};

/// Columns, as charts want them. One without a value for any point is left out.
void describe_pareto(auto& v, const std::vector<ParetoPoint>& points) {
  const auto any = [&](const auto& has) { return v.when(std::any_of(points.begin(), points.end(), has)); };
  const auto numbers = [&](const AnswerField& field, std::optional<double> ParetoPoint::*member) {
    if (const auto part = any([&](const ParetoPoint& p) { return (p.*member).has_value(); }))
      v.column(field, points, [&](const ParetoPoint& p) { return p.*member; });
  };
  if (const auto part = v.when(!points.empty()))
    v.group({"pareto", "Faster for one user, or more for all"}, [&] {
      v.column({"gpu"}, points, [](const ParetoPoint& p) { return p.gpu; });
      v.column({"gpu_count", "GPUs"}, points, [](const ParetoPoint& p) { return p.gpu_count; });
      if (const auto layouts = any([](const ParetoPoint& p) { return !p.layout.empty(); }))
        v.column({"layout"}, points, [](const ParetoPoint& p) { return p.layout; });
      numbers({"ttft_without_wait_s", "Time to first token, without waiting", unit::kSeconds}, &ParetoPoint::ttft_s);
      numbers({"tpot_s", "Time per output token", unit::kSeconds}, &ParetoPoint::tpot_s);
      numbers({"run_s", unit::kSeconds}, &ParetoPoint::run_s);
      numbers({"usd_per_hour", "All GPUs, per hour", kShownUsdPerHour}, &ParetoPoint::rent_usd_per_hour);
      numbers({"it_power_kw", "Servers at full load", kShownKw}, &ParetoPoint::it_power_kw);
    });
}

/// What is asked of the plans: the load of each serving workload, in each way in which it can be given.
void describe_loads(auto& v, auto& trace, const std::vector<PlanWorkload>& workloads) {
  std::vector<std::size_t> serving;
  for (std::size_t i = 0; i < workloads.size(); ++i)
    if (workloads[i].serving() != nullptr) serving.push_back(i);
  if (const auto part = v.when(!serving.empty()))
    v.list({"loads", "The load"}, serving, [&](std::size_t index) {
      const ServingNeed need = index < workloads.size() ? *workloads[index].serving() : ServingNeed{};
      const TraceScope scope(trace, "/workloads/" + std::to_string(index));
      const auto load = asked_load(trace, need);
      v.text({"workload"}, index < workloads.size() ? workloads[index].name : "");
      v.number({"peak_requests_per_s", "Requests at the peak", unit::kPerSecond}, load.peak);
      v.number({"mean_requests_per_s", "Requests on average", unit::kPerSecond}, load.mean);
      v.number({"users", "Users at once"}, load.users);
      v.number({"tokens_per_day"}, load.tokens_per_day);
      v.number({"peak_over_mean"}, load.peak_over_mean);
    });
}

/// Is there a plan, and does its best keep every limit for sure?
bool shown_to_hold(const Plans& plans) { return !plans.plans.empty() && plans.plans.front().verdict.unchecked.empty(); }

/// Files that start the first workload that trains; nothing where the plan has none.
ExportFiles files_of(const Catalog& catalog, const PlanRequest& request, const Plan& plan) {
  const PlanDecision& decision = plan.decision;
  const auto [placed, place] = first_training(plan);
  if (placed == nullptr) return {};
  const PlanWorkload& workload = request.workloads[placed->index];
  const WorkloadNumbers<NoTrace>& numbers = plan.numbers.demand.workloads[place];
  return files_of_training(catalog, request.exports,
                           {.model = *workload.model,
                            .gpu = *decision.gpu,
                            .run = *placed->training(),
                            .gpus = placed->gpu_count,
                            .node_gpus = sizing::host_gpus(catalog, *decision.gpu, decision.system()),
                            .length = length_of(workload.training()->tokens, *numbers.training, numbers.calendar),
                            .names = request.deploy});
}

const PlanNumbers<NoTrace>& untraced_numbers(const Plan& plan) { return plan.numbers; }

/// `numbers_of` a plan: its own, or their traced twin where an explanation is asked for.
void describe_answer(auto& v, auto& trace, const Asked& asked, const GoalFound& found, const Plans& plans,
                     const auto& numbers_of) {
  const PlanRequest& request = found.request;
  const bool feasible = shown_to_hold(plans);
  v.text({"kind"}, "plan");
  v.flag({"feasible"}, feasible);
  if (const auto part = v.when(!feasible)) {
    std::vector<Infeasible> reasons;
    if (plans.plans.empty())
      for (const RejectedGpu& item : plans.rejected) reasons.push_back(item.reason);
    else
      for (const UncheckedLimit& unchecked : plans.plans.front().verdict.unchecked)
        reasons.push_back({.code = "unchecked", .message = unchecked.says});
    describe_reasons(v, reasons, trace, kShortfallPage, kShortfall);
  }
  v.object({"goal", "The most that the limits give"}, found.says, [&](const Message& says) {
    v.word({"asked"}, request.goal, kPlanGoalWords);
    v.number({"most_gpus_tried", "Largest cluster tried, GPUs"}, found.most_gpus_tried);
    describe_message(v, says);
  });
  describe_loads(v, trace, request.workloads);
  std::size_t rank = 0;
  v.list({"plans"}, plans.plans,
         [&](const Plan& plan) { describe_plan(v, trace, asked.catalog, request, plan, numbers_of(plan), ++rank); });
  if (const auto part = v.when(!request.exports.empty() && !plans.plans.empty()))
    describe_exports(v, v.real() ? files_of(asked.catalog, request, plans.plans.front()) : ExportFiles{});
  describe_pareto(v, plans.pareto);
  describe_rejected(v, trace, plans.rejected);
  v.list({"what_would_change_the_decision"}, plans.flips, [&](const Message& flip) { describe_message(v, flip); });
  v.texts({"not_modelled", "Not modelled yet"}, plans.not_modelled);
  describe_foot(v, asked, plans.assumed);
}

}  // namespace

namespace {

Answer answer_with(const Asked& asked, const PlanRequest& given) {
  const Catalog& catalog = asked.catalog;
  const GoalFound found = most_of_goal(catalog, given);
  const PlanRequest& request = found.request;
  Plans plans = make_plans(catalog, request);
  make_reachable(catalog, request, plans);
  for (RejectedGpu& item : plans.rejected) item.reason.ways_out = request_patches(catalog, asked.document, item);
  auto origins = sources_of(asked.assumptions);
  add_chosen(origins, request);
  Trace trace(std::move(origins));
  return written_answer(&trace, shown_to_hold(plans), [&](AnswerWriter& v) {
    if (request.options.explain) {
      describe_answer(v, trace, asked, found, plans,
                      [&](const Plan& plan) { return plan_numbers(trace, catalog, request, plan.decision); });
    } else {
      NoTrace none;
      describe_answer(v, none, asked, found, plans, untraced_numbers);
    }
    describe_trace(v, request.options.explain ? &trace : nullptr);
  });
}

}  // namespace

Answer answer_plan(const Asked& asked, const PlanRequest& request) {
  if (request.quotes.empty()) return answer_with(asked, request);
  const Catalog quoted = with_quotes(asked.catalog, request.quotes, request.economics.price_policy.as_of);
  return answer_with({quoted, asked.document, asked.assumptions, asked.kinds}, request);
}

void describe_plan_answer(AnswerShape& v) {
  NoTrace none;
  describe_answer(v, none, nothing_asked(), GoalFound{}, Plans{}, untraced_numbers);
  describe_trace(v, nullptr);
}

}  // namespace podwright
