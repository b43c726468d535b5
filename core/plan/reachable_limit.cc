#include "plan/reachable_limit.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/stable_sort.h"
#include "sizing/latency_limit.h"

namespace podwright {
namespace {

constexpr std::string_view kTtft = "ttft_s_p95_max";
constexpr std::string_view kTpot = "tpot_s_p95_max";
constexpr std::string_view kDeadline = "deadline";
constexpr std::string_view kDeadlineDays = "deadline_days";

constexpr int kMostTries = 8;
constexpr double kLooser = 1.1;

/// What the patch gives a field of the first workload.
std::optional<double> number_of(const Patch& patch, std::string_view key) {
  const JsonNode changes = patch.merge_patch();
  const JsonNode* workloads = changes.find("workloads");
  const JsonNode* first = workloads == nullptr ? nullptr : workloads->find("0");
  const JsonNode* value = first == nullptr ? nullptr : first->find(key);
  return value == nullptr ? std::nullopt : std::optional(value->number);
}

/// Gives `need` the limit that the reason offers, a looser one where that was tried; false where it offers none.
bool loosen(const Infeasible& reason, ServingNeed& need, Patch& tried) {
  for (const auto& [key, limit] : {std::pair(kTtft, &need.ttft_s_max), std::pair(kTpot, &need.tpot_s_max)})
    for (const Patch& way_out : reason.ways_out)
      if (const auto most = number_of(way_out, key); most && *limit) {
        const std::string at = "/workloads/0/" + std::string(key);
        *limit = tried.changes(at) ? std::max(*most, sizing::rounded_up(**limit * kLooser)) : *most;
        tried.set(at, **limit);
        return true;
      }
  return false;
}

/// The request for this GPU alone, for its best plan and no draws.
PlanRequest for_gpu(const Catalog& catalog, const PlanRequest& request, std::string_view id) {
  PlanRequest alone = request;
  for (const std::vector<Gpu>* gpus : {&catalog.gpus, &request.constraints.gpus})
    for (const Gpu& gpu : *gpus)
      if (gpu.id == id) alone.constraints.gpus = {gpu};
  alone.options.draws = 0;
  alone.options.top = 1;
  return alone;
}

void loosen_latency(const Catalog& catalog, PlanRequest alone, RejectedGpu& nearest) {
  auto& need = std::get<ServingNeed>(alone.workloads.front().need);
  // With users the load follows from the limits.
  if (need.load.users) return;
  Patch tried;
  Infeasible reason = nearest.reason;
  for (int tries = 0; tries < kMostTries && loosen(reason, need, tried); ++tries) {
    const Plans trial = make_plans(catalog, alone);
    if (!trial.plans.empty()) {
      nearest.reason.ways_out.front() = tried;
      return;
    }
    // Another limit may be next; any other reason may be one that a looser limit lifts as well.
    if (!trial.rejected.empty() &&
        (trial.rejected.front().reason.code == "ttft" || trial.rejected.front().reason.code == "tpot"))
      reason = trial.rejected.front().reason;
  }
}

/// A later deadline that the GPU keeps: the network of the design, which a layout's search does not know, takes time
/// too. Absent where something else stands in the way then.
std::optional<double> kept_deadline(const Catalog& catalog, PlanRequest alone, double days) {
  for (int tries = 0; tries < kMostTries; ++tries) {
    std::get<TrainingNeed>(alone.workloads.front().need).deadline_days = days;
    const Plans trial = make_plans(catalog, alone);
    if (!trial.plans.empty()) return days;
    if (trial.rejected.empty() || trial.rejected.front().reason.code != kDeadline) return std::nullopt;
    const std::vector<Patch>& ways_out = trial.rejected.front().reason.ways_out;
    const auto later = ways_out.empty() ? std::nullopt : number_of(ways_out.front(), kDeadlineDays);
    if (!later) return std::nullopt;
    days = *later;
  }
  return std::nullopt;
}

void move_deadlines(const Catalog& catalog, const PlanRequest& request, std::vector<RejectedGpu>& rejected) {
  for (RejectedGpu& item : rejected) {
    if (item.reason.code != kDeadline) continue;
    for (const Patch& way_out : std::exchange(item.reason.ways_out, {}))
      if (const auto days = number_of(way_out, kDeadlineDays))
        if (const auto kept = kept_deadline(catalog, for_gpu(catalog, request, item.gpu), *days))
          item.reason.ways_out.emplace_back("/workloads/0/" + std::string(kDeadlineDays), *kept);
  }
  const auto keeps_none = [](const RejectedGpu& item) {
    return item.reason.code == kDeadline && item.reason.ways_out.empty();
  };
  sort_stably(rejected, [&](const RejectedGpu& a, const RejectedGpu& b) { return keeps_none(a) < keeps_none(b); });
}

}  // namespace

void make_reachable(const Catalog& catalog, const PlanRequest& request, Plans& plans) {
  if (!plans.plans.empty() || plans.rejected.empty() || request.workloads.size() > 1) return;
  if (request.workloads.front().serving() != nullptr)
    loosen_latency(catalog, for_gpu(catalog, request, plans.rejected.front().gpu), plans.rejected.front());
  else
    move_deadlines(catalog, request, plans.rejected);
}

}  // namespace podwright
