#include "sizing/serving_why.h"

#include <cmath>
#include <optional>

#include "base/number_text.h"

namespace podwright::sizing {
namespace {

/// A limit kept with this probability lies at the upper bound of a 90 % interval.
constexpr double kAlmostCertain = 0.95;

std::vector<StepPart> parts_of(const StepTimes<NoTrace>& step) {
  return {{"weights and matrix products", step.linear.base_units()},
          {"the output head", step.head.base_units()},
          {"attention", step.decode_attention.base_units() + step.prefill_attention.base_units()},
          {"exchanges between GPUs", step.communication.base_units()},
          {"launches and the host", step.overhead.base_units()},
          {"the draft", step.draft.base_units()}};
}

/// Of two decode steps: the part that grows most and the one that shrinks most.
std::string step_changes(const StepTimes<NoTrace>& from, const StepTimes<NoTrace>& to) {
  const std::string text = text_of(step_shifts(parts_of(from), parts_of(to)), 0.01 * from.total.base_units());
  return text.empty() ? text : "; a decode step takes " + text;
}

/// "3 GPUs more", "1 GPU fewer", "as many GPUs" than the first has.
std::string more_gpus(const ServingCandidate& first, const ServingCandidate& other) {
  const double more = other.gpus - first.gpus;
  if (more == 0) return "as many GPUs";
  return human_number(std::fabs(more), 5) + (std::fabs(more) == 1 ? " GPU " : " GPUs ") + (more > 0 ? "more" : "fewer");
}

/// "12 % more expensive", "3 % cheaper", "as expensive" as the first; absent where a price is not known.
std::optional<std::string> dearer(const ServingCandidate& first, const ServingCandidate& other) {
  if (!first.price || !other.price) return std::nullopt;
  const double ratio = *other.price / *first.price;
  if (ratio == 1) return "as expensive";
  return ratio > 1 ? percent_text(ratio - 1, 2) + " more expensive" : percent_text(1 - ratio, 2) + " cheaper";
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// GPUs and price of `other` against the first, what the objective looks at first.
std::string sizes_against(const ServingCandidate& first, const ServingCandidate& other, ServingObjective objective) {
  const auto price = dearer(first, other);
  if (objective == ServingObjective::gpus) return more_gpus(first, other) + (price ? ", " + *price : "");
  if (price) return *price;
  return first.price ? "no price is known" : more_gpus(first, other);
}

std::string name_of(const ServingCandidate& c) {
  return shortest_number(c.gpus) + " x " + c.gpu->name + " with " + c.run.engine + ", " + layout_text(c.run);
}

const LimitCertainty* tightest(const ServingCandidate& candidate) {
  const LimitCertainty* tight = nullptr;
  for (const LimitCertainty& one : candidate.limits)
    if (tight == nullptr || one.reached / one.limit.most > tight->reached / tight->limit.most) tight = &one;
  return tight;
}

/// How sure the limits are kept, and what would make it sure.
void add_certainty(const ServingCandidate& best, const ServingWorkload& workload, std::vector<std::string>& why) {
  for (const LimitCertainty& one : best.limits) why.push_back("How sure: " + certainty_text(one));
  if (!best.max_requests_per_s_low) return;
  const double low = best.max_requests_per_s_low->base_units();
  if (low >= best.run.load.value) return;
  if (!(low > 0)) {
    why.emplace_back(
        "At the slow end of the intervals not even a request alone keeps the limits; more replicas do not help.");
  } else if (workload.peak_requests_per_s > 0 && !best.run.disaggregated) {
    const double replicas = best.run.parallelism.data;
    const double needed = std::ceil(workload.peak_requests_per_s / (low / replicas));
    if (needed > replicas)
      why.push_back("To keep all limits even at the slow end of the intervals takes " + human_number(needed, 4) +
                    " replicas (" + human_number(best.gpus / replicas * needed, 5) + " GPUs).");
  } else {
    why.push_back("Even at the slow end of the intervals it keeps all limits up to " + human_number(low, 3) +
                  " requests/s.");
  }
}

}  // namespace

void tell_why(std::vector<ServingCandidate>& best, const ServingWorkload& workload, ServingObjective objective) {
  if (best.empty()) return;
  best[0].why = why_best(best[0], workload);
  for (std::size_t i = 1; i < best.size(); ++i) best[i].why = {why_not(best[0], best[i], workload, objective)};
  if (std::string surer = surer_one(best, workload, objective); !surer.empty()) best[0].why.push_back(std::move(surer));
}

std::vector<std::string> why_best(const ServingCandidate& best, const ServingWorkload& workload) {
  std::vector<std::string> why;
  if (const LimitCertainty* tight = tightest(best)) {
    const double room = 1 - tight->reached / tight->limit.most;
    const auto [reached, most] = time_texts(tight->reached, tight->limit.most);
    why.push_back("Of the limits " + text_of(tight->limit) + " has the least room: " + reached + " of " + most + " (" +
                  percent_text(room, 2) + " left); the deployment keeps all up to " +
                  human_number(best.max_requests_per_s.base_units(), 3) + " requests/s.");
  }
  add_certainty(best, workload, why);
  why.push_back(best.binding.says.text());
  why.push_back(human_number(best.in_flight, 3) + " sequences are in flight on average, " +
                human_number(best.places, 4) + " fit; each GPU holds " + fixed_number(best.memory_per_gpu / gib(1), 1) +
                " GiB.");
  return why;
}

std::optional<double> least_sure(const ServingCandidate& candidate) {
  std::optional<double> least;
  for (const LimitCertainty& one : candidate.limits)
    if (one.probability && (!least || *one.probability < *least)) least = one.probability;
  return least;
}

std::string surer_one(const std::vector<ServingCandidate>& best, const ServingWorkload& workload,
                      ServingObjective objective) {
  const auto almost_certain = [](const ServingCandidate& candidate) {
    const auto share = least_sure(candidate);
    return share && *share >= kAlmostCertain;
  };
  if (!least_sure(best.front()) || almost_certain(best.front())) return "";
  for (std::size_t i = 1; i < best.size(); ++i) {
    if (!almost_certain(best[i])) continue;
    std::string text = "Surer: #" + shortest_number(static_cast<double>(i + 1)) + " keeps each limit with " +
                       chance_text(*least_sure(best[i]));
    if (workload.peak_requests_per_s > 0) text += "; " + sizes_against(best[0], best[i], objective);
    return text + ".";
  }
  return "";
}

std::string why_not(const ServingCandidate& best, const ServingCandidate& other, const ServingWorkload& workload,
                    ServingObjective objective) {
  std::string text;
  if (workload.peak_requests_per_s > 0) {
    text = capitalised(sizes_against(best, other, objective)) + ": " + name_of(other);
    const double spare = other.max_requests_per_s.base_units() / other.gpus;
    const double spare_of_best = best.max_requests_per_s.base_units() / best.gpus;
    text += "; a GPU carries " + human_number(spare, 3) + " requests/s within the limits, of the first " +
            human_number(spare_of_best, 3);
  } else {
    text = percent_text(1 - other.max_requests_per_s / best.max_requests_per_s, 2) +
           " fewer requests: " + name_of(other) + " carries " + human_number(other.max_requests_per_s.base_units(), 3) +
           " a second";
  }
  // The steps of pools are not those of replicas that do all.
  if (best.run.disaggregated || other.run.disaggregated) return text + ".";
  return text + step_changes(best.decode_step, other.decode_step) + ".";
}

}  // namespace podwright::sizing
