#include "plan/reachable_limit.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sizing/latency_limit.h"

namespace podwright {
namespace {

constexpr std::string_view kTtft = "ttft_s_p95_max";
constexpr std::string_view kTpot = "tpot_s_p95_max";

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

}  // namespace

void make_reachable(const Catalog& catalog, const PlanRequest& request, Plans& plans) {
  if (!plans.plans.empty() || plans.rejected.empty() || request.workloads.size() > 1) return;
  RejectedGpu& nearest = plans.rejected.front();
  PlanRequest changed = request;
  auto* need = std::get_if<ServingNeed>(&changed.workloads.front().need);
  // With users the load follows from the limits.
  if (need == nullptr || need->load.users) return;
  for (const std::vector<Gpu>* gpus : {&catalog.gpus, &request.constraints.gpus})
    for (const Gpu& gpu : *gpus)
      if (gpu.id == nearest.gpu) changed.constraints.gpus = {gpu};
  changed.options.draws = 0;
  changed.options.top = 1;
  Patch tried;
  Infeasible reason = nearest.reason;
  for (int tries = 0; tries < kMostTries && loosen(reason, *need, tried); ++tries) {
    const Plans trial = make_plans(catalog, changed);
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

}  // namespace podwright
