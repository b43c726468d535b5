#include "api/plan_on_host.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "api/explain_request.h"
#include "api/host_calibration_text.h"
#include "api/kind.h"
#include "base/math.h"
#include "base/number_text.h"
#include "sizing/training_launch.h"

namespace podwright {
namespace {

const JsonNode* at(const JsonNode* node, std::string_view path) {
  while (node != nullptr && !path.empty()) {
    const std::size_t slash = path.find('/');
    node = node->find(path.substr(0, slash));
    path = slash == std::string_view::npos ? "" : path.substr(slash + 1);
  }
  return node;
}

std::string text_at(const JsonNode& node, std::string_view path) {
  const JsonNode* found = at(&node, path);
  return found != nullptr && found->is_text() ? found->text : std::string();
}

bool holds(const HardwareProfile& profile, std::string_view gpu) {
  return std::any_of(profile.devices.begin(), profile.devices.end(),
                     [&](const ProfileDevice& device) { return !gpu.empty() && device.key == gpu; });
}

/// Parts of an answer that hold figures, with the workload they belong to.
struct AnswerPart {
  std::string workload;
  const JsonNode* node = nullptr;
};
/// Of the best plan, deployment or layout on a GPU that the profile holds; of the best of all where none is.
std::vector<AnswerPart> parts_of(const JsonNode& answer, const HardwareProfile& profile) {
  const auto first = [&](std::string_view key) -> const JsonNode* {
    const JsonNode* list = answer.find(key);
    if (list == nullptr || !list->is_list() || list->items.empty()) return nullptr;
    for (const JsonNode& one : list->items)
      if (holds(profile, text_at(one, "gpu"))) return &one;
    return &list->items.front();
  };
  for (const char* key : {"deployments", "layouts"})
    if (const JsonNode* best = first(key)) return {{"", best}};
  const JsonNode* plan = first("plans");
  if (plan == nullptr) return {{"", &answer}};
  std::vector<AnswerPart> parts{{"", plan}};
  if (const JsonNode* layouts = plan->find("layouts"))
    for (const JsonNode& layout : layouts->items) parts.push_back({text_at(layout, "workload"), &layout});
  if (const JsonNode* estimates = plan->find("estimates"))
    for (const JsonNode& estimate : estimates->items) parts.push_back({text_at(estimate, "workload"), &estimate});
  return parts;
}

/// The GPU of that plan, deployment, layout or estimate.
std::string gpu_of(const JsonNode& answer, const HardwareProfile& profile) {
  for (const AnswerPart& part : parts_of(answer, profile))
    if (const std::string gpu = text_at(*part.node, "gpu"); !gpu.empty()) return gpu;
  return "";
}

/// A number as a sentence says it, to so many digits.
using SaidWith = std::string (*)(double, int);
std::string milliseconds(double seconds, int digits) { return human_number(seconds * 1e3, digits) + " ms"; }
std::string in_seconds(double seconds, int digits) { return human_number(seconds, digits) + " s"; }
std::string plainly(double number, int digits) { return human_number(number, digits); }
std::string in_gib(double number, int digits) { return human_number(number, digits) + " GiB"; }
std::string in_dollars(double number, int digits) { return "$" + human_number(number, digits); }

/// A figure of an answer, where it stands and how sentences call it.
struct FigurePlace {
  std::string_view path;
  std::string_view words;
  SaidWith text;
};

constexpr std::array<FigurePlace, 13> kFigures{
    {{"gpu_count", "the number of GPUs", plainly},
     {"parallelism/data", "the replicas", plainly},
     {"step/time_s", "the time of a step", in_seconds},
     {"throughput/tokens_per_s", "the trained tokens/s", plainly},
     {"latency/ttft_s", "the time to the first token", milliseconds},
     {"latency/tpot_s", "the time per output token", milliseconds},
     {"throughput/requests_per_s", "the requests/s", plainly},
     {"throughput/output_tokens_per_s", "the output tokens/s", plainly},
     {"stable_requests_per_s", "the requests/s without a growing queue", plainly},
     {"memory_per_gpu/total_gib", "the memory per GPU", in_gib},
     {"cost/cloud/as_needed_usd_per_year", "the rent of a year", in_dollars},
     {"cost/on_premises/annual_usd", "the cost of owning for a year", in_dollars},
     {"cost/usd_per_hour", "the cost of an hour", in_dollars}}};

std::optional<ReplannedFigure::Value> figure_at(const JsonNode& part, std::string_view path) {
  const JsonNode* value = at(&part, path);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const auto bound = [&](const char* end) -> std::optional<double> {
    const JsonNode* found = at(&part, std::string(path) + end);
    return found != nullptr && found->is_number() ? std::optional(found->number) : std::nullopt;
  };
  return ReplannedFigure::Value{bound("_low"), value->number, bound("_high")};
}

/// The path without its first object: "tpot_s".
std::string name_of(std::string_view path) {
  if (path == "parallelism/data") return "replicas";
  const std::size_t slash = path.find('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

void add_figures(std::vector<ReplannedFigure>& figures, const JsonNode& answer, const HardwareProfile& profile,
                 bool after) {
  for (const AnswerPart& part : parts_of(answer, profile))
    for (const FigurePlace& place : kFigures) {
      const auto value = figure_at(*part.node, place.path);
      if (!value) continue;
      const std::string figure = name_of(place.path);
      auto known = std::find_if(figures.begin(), figures.end(), [&](const ReplannedFigure& f) {
        return f.workload == part.workload && f.figure == figure;
      });
      if (known == figures.end())
        known = figures.insert(figures.end(), {part.workload, figure, std::nullopt, std::nullopt});
      (after ? known->after : known->before) = value;
    }
}

/// "catalog/kernel_rates.csv/21" of "n131:catalog/kernel_rates.csv/21/typical".
std::string_view origin_of(std::string_view node_id, std::string_view field) {
  const std::size_t colon = node_id.find(':');
  if (colon == std::string_view::npos) return "";
  const std::string_view path = node_id.substr(colon + 1);
  if (path.size() <= field.size() + 1 || path.substr(path.size() - field.size()) != field) return "";
  return path.substr(0, path.size() - field.size() - 1);
}

/// What was measured in place of an assumption: one rate, or the memory.
HostCalibration only(const HostCalibration& host, const HostRate* rate) {
  HostCalibration alone = host;
  alone.rates.clear();
  if (rate != nullptr) alone.rates.push_back(*rate);
  if (rate != nullptr) alone.memory.reset();
  return alone;
}

class Assumptions {
 public:
  Assumptions(const Catalog& catalog, const std::vector<HostCalibration>& hosts, const HardwareProfile& profile)
      : catalog_(catalog), hosts_(hosts), profile_(profile) {}

  /// Every measured rate and every memory that the traced answer stands on, once.
  std::vector<HostAssumption> of(const JsonNode& answer) {
    if (const JsonNode* trace = answer.find("trace"))
      for (const JsonNode& node : trace->items) {
        const std::string id = text_at(node, "id");
        if (const std::string_view origin = origin_of(id, "typical"); !origin.empty()) rate(origin);
        if (const std::string_view origin = origin_of(id, "memory_driver_gib"); !origin.empty()) memory(origin);
      }
    of_judged_gpu(answer);
    devices(answer);
    return std::move(found_);
  }

 private:
  /// A plan that compares several GPUs stands on the rates of one.
  void of_judged_gpu(const JsonNode& answer) {
    const std::string gpu = gpu_of(answer, profile_);
    if (gpu.empty()) return;
    found_.erase(std::remove_if(found_.begin(), found_.end(), [&](const HostAssumption& a) { return a.gpu != gpu; }),
                 found_.end());
  }

  /// GPUs that the answer takes of one host.
  double planned_on_host(const JsonNode& answer, const std::string& gpu) const {
    const auto known = find_gpu(catalog_, gpu);
    const auto count = figure_at(*parts_of(answer, profile_).front().node, "gpu_count");
    if (!known || !count || gpu != gpu_of(answer, profile_)) return 1;
    return std::min(count->value, sizing::host_gpus(catalog_, **known, nullptr));
  }

  /// Before all else: does the profile hold as many devices of the plan's kind?
  void devices(const JsonNode& answer) {
    std::vector<HostAssumption> kinds;
    for (const HostAssumption& one : found_) {
      if (std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.gpu == one.gpu; })) continue;
      const auto count =
          static_cast<double>(std::count_if(profile_.devices.begin(), profile_.devices.end(),
                                            [&](const ProfileDevice& device) { return device.key == one.gpu; }));
      HostAssumption kind;
      kind.gpu = one.gpu;
      kind.what = kDevicesAssumed;
      kind.assumed = planned_on_host(answer, one.gpu);
      kind.measured = {count, count, count};
      kind.unit = "devices";
      kind.state = count >= kind.assumed ? AssumptionState::met : AssumptionState::not_met;
      kind.sentence = count >= kind.assumed ? "The profile holds " + shortest_number(count) + " of them."
                      : count > 0           ? "The profile holds " + shortest_number(count) + " of the " +
                                        shortest_number(kind.assumed) + " that the plan takes of one host."
                                  : "The profile has no " + one.gpu + ": it is of another machine than the plan's.";
      kinds.push_back(std::move(kind));
    }
    found_.insert(found_.begin(), kinds.begin(), kinds.end());
  }

  const HostCalibration* host_of_gpu(std::string_view gpu) const {
    for (const HostCalibration& host : hosts_)
      if (host.gpu_id == gpu) return &host;
    return nullptr;
  }
  bool is_new(const std::string& gpu, const std::string& what) const {
    return std::none_of(found_.begin(), found_.end(),
                        [&](const HostAssumption& a) { return a.gpu == gpu && a.what == what; });
  }

  void judge(HostAssumption assumption, const HostCalibration* host, bool larger_is_better) {
    const std::string& gpu = assumption.gpu;
    if (host == nullptr) {
      assumption.sentence = "The profile has no " + gpu + ".";
    } else if (!assumption.measured) {
      if (assumption.sentence.empty()) assumption.sentence = "The profile does not contain it.";
    } else {
      const auto share_of = [&](double measured) {
        return larger_is_better ? measured / assumption.assumed : assumption.assumed / measured;
      };
      const auto [low, typical, high] = *assumption.measured;
      const double worst = share_of(larger_is_better ? low : high);
      const double best = share_of(larger_is_better ? high : low);
      assumption.state = worst >= kKeptShare ? AssumptionState::met
                         : best < kKeptShare ? AssumptionState::not_met
                                             : AssumptionState::unknown;
      assumption.sentence =
          "This host has " + human_number(100 * share_of(typical), 3) + " % of what the plan assumes" +
          (assumption.state == AssumptionState::unknown ? "; the measurement is too coarse to decide." : ".");
    }
    found_.push_back(std::move(assumption));
  }

  /// What the machine has of the plan's rate: as plans take it, so that own kernels are not held against a vendor's.
  static void compare(HostAssumption& assumption, const KernelRate& told, const HostRate& rate, double base_units) {
    if (rate.use == RateUse::none) {
      assumption.sentence = rate.why;
      return;
    }
    double low = rate.low, typical = rate.typical, high = rate.high;
    if (rate.use == RateUse::relative) {
      typical = told.typical * (rate.against->host / rate.against->reference);
      low = typical * math::exp(-rate.against->half_width);
      high = typical * math::exp(rate.against->half_width);
    }
    assumption.measured = {low / base_units, typical / base_units, high / base_units};
  }

  void rate(std::string_view origin) {
    for (const KernelRate& told : catalog_.kernel_rates) {
      if (told.origin != origin) continue;
      const RateDisplay display = rate_display(told.operation);
      if (display.unit.empty()) return;
      HostAssumption assumption;
      assumption.gpu = told.gpu_id;
      assumption.what = quantity_text(told);
      if (told.gpu_id == "any" || !is_new(assumption.gpu, assumption.what)) return;
      assumption.assumed = told.typical / display.base_units;
      assumption.unit = display.unit;
      const HostCalibration* host = host_of_gpu(told.gpu_id);
      for (const HostRate& rate : host == nullptr ? std::vector<HostRate>{} : host->rates)
        if (same_quantity(rate, told)) compare(assumption, told, rate, display.base_units);
      judge(std::move(assumption), host, !is_time(told));
      return;
    }
  }

  /// The smallest memory of the profile's devices of this kind, as the driver reports it.
  void memory(std::string_view origin) {
    for (const Gpu& gpu : catalog_.gpus) {
      if (gpu.origin != origin || !gpu.memory_driver || !is_new(gpu.id, "memory_driver")) continue;
      HostAssumption assumption;
      assumption.gpu = gpu.id;
      assumption.what = "memory_driver";
      assumption.assumed = raw(*gpu.memory_driver) / raw(gib(1));
      assumption.unit = "GiB";
      const HostCalibration* host = host_of_gpu(gpu.id);
      if (host != nullptr && host->memory) {
        const double measured = raw(*host->memory) / raw(gib(1));
        assumption.measured = {measured, measured, measured};
      }
      judge(std::move(assumption), host, true);
      return;
    }
  }

  const Catalog& catalog_;
  const std::vector<HostCalibration>& hosts_;
  const HardwareProfile& profile_;
  std::vector<HostAssumption> found_;
};

bool has_known_device(const HardwareProfile& profile) {
  return std::any_of(profile.devices.begin(), profile.devices.end(),
                     [](const ProfileDevice& device) { return !device.key.empty(); });
}

/// What the answer takes of one GPU must fit into what one process could allocate.
void check_allocatable(const JsonNode& answer, const HardwareProfile& profile, std::vector<HostAssumption>& found) {
  double most = 0;
  for (const AnswerPart& part : parts_of(answer, profile))
    if (const auto total = figure_at(*part.node, "memory_per_gpu/total_gib")) most = std::max(most, total->value);
  const std::string gpu = gpu_of(answer, profile);
  // The memory of another kind of device says nothing of the plan's.
  if (most <= 0 || (!holds(profile, gpu) && has_known_device(profile))) return;
  const CheckedAssumption checked = check_assumption(
      profile,
      {.quantity = PlanAssumption::Quantity::allocatable_memory, .value = most, .dtype = "", .probe = "", .ranks = 0});
  HostAssumption assumption;
  assumption.gpu = checked.device;
  assumption.what = "allocatable_memory";
  assumption.assumed = most;
  assumption.unit = "GiB";
  if (checked.measured) assumption.measured = {*checked.measured, *checked.measured, *checked.measured};
  assumption.state = checked.state;
  assumption.sentence = checked.reason;
  found.push_back(std::move(assumption));
}

bool is_feasible(const JsonNode& answer) {
  const JsonNode* feasible = answer.find("feasible");
  return feasible != nullptr && feasible->boolean;
}

std::string signed_percent(double change) {
  return (change < 0 ? "-" : "+") + human_number(100 * (change < 0 ? -change : change), 2) + " %";
}

/// "from 103 ms to 113 ms"; where three digits do not tell the two apart, with as many as do.
std::string from_to(const FigureImpact& impact, SaidWith text) {
  int digits = 3;
  while (digits < 9 && text(impact.before, digits) == text(impact.after, digits)) ++digits;
  return "from " + text(impact.before, digits) + " to " + text(impact.after, digits);
}

std::string impact_text(const FigureImpact& impact) {
  const auto place = std::find_if(kFigures.begin(), kFigures.end(),
                                  [&](const FigurePlace& one) { return name_of(one.path) == impact.figure; });
  PODWRIGHT_ASSERT(place != kFigures.end());
  return std::string(place->words) + (impact.workload.empty() ? " " : " of " + impact.workload + " ") +
         from_to(impact, place->text) + (impact.before > 0 ? " (" + signed_percent(impact.change()) + ")" : "");
}

std::string impact_sentence(const HostAssumption& one) {
  if (one.feasible_alone == false) return "With this alone no plan meets the request.";
  std::string text;
  for (const FigureImpact& impact : one.impact) text += (text.empty() ? "" : ", ") + impact_text(impact);
  return text.empty() ? "This alone changes no figure of the plan." : "This alone changes " + text + ".";
}

JsonNode answered(RequestKinds kinds, const Catalog& catalog, const JsonNode& request) {
  const auto answer = parse_json(answer_request(kinds, catalog, json_text(request)).text);
  PODWRIGHT_ASSERT(answer.has_value());
  return *answer;
}

/// The measured rates of `host` under an assumption's name, or its memory; absent where it is neither.
std::optional<HostCalibration> measured_alone(const std::vector<HostCalibration>& hosts, const HostAssumption& one) {
  for (const HostCalibration& host : hosts) {
    if (host.gpu_id != one.gpu) continue;
    if (one.what == "memory_driver") return only(host, nullptr);
    for (const HostRate& rate : host.rates)
      if (quantity_text(rate) == one.what) return only(host, &rate);
  }
  return std::nullopt;
}

/// What each missed assumption costs: the plan again with this figure of the machine's and all others the catalog's.
void add_impacts(RequestKinds kinds, const Catalog& catalog, const std::vector<HostCalibration>& hosts,
                 const JsonNode& request, const HardwareProfile& profile, std::vector<HostAssumption>& assumptions) {
  // Draws of prices change no figure here, and take most of the time.
  const JsonNode plain =
      text_at(request, "kind") == "plan" ? merged(request, *parse_json(R"({"options":{"draws":0}})")) : request;
  std::optional<JsonNode> before;
  for (HostAssumption& one : assumptions) {
    if (one.state != AssumptionState::not_met) continue;
    const auto alone = measured_alone(hosts, one);
    if (!alone) continue;
    if (!before) before = answered(kinds, catalog, plain);
    const JsonNode after = answered(kinds, with_hosts(catalog, {*alone}, {}), plain);
    one.feasible_alone = is_feasible(after);
    std::vector<ReplannedFigure> figures;
    add_figures(figures, *before, profile, false);
    add_figures(figures, after, profile, true);
    for (const ReplannedFigure& figure : figures)
      if (figure.before && figure.after && figure.before->value != figure.after->value)
        one.impact.push_back({figure.workload, figure.figure, figure.before->value, figure.after->value});
    one.costs = impact_sentence(one);
  }
}

JsonNode without_trace(JsonNode answer) {
  for (std::size_t i = 0; i < answer.keys.size(); ++i) {
    if (answer.keys[i] != "trace") continue;
    answer.keys.erase(answer.keys.begin() + static_cast<std::ptrdiff_t>(i));
    answer.items.erase(answer.items.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  return answer;
}

}  // namespace

PlanOnHost plan_on_host(RequestKinds kinds, const Catalog& catalog, const JsonNode& request,
                        const ReadProfile& profile) {
  PlanOnHost plan;
  const std::string kind = text_at(request, "kind");
  if (const RequestKind* row = find_kind(kinds, kind); row == nullptr || !row->takes_calibration) {
    plan.errors = {{"out-of-range", "/plan/kind", "The answer to \"" + kind + "\" stands on no rates of a machine.",
                    "Give a request of kind plan, serving, training or search."}};
    return plan;
  }
  if (request.find("calibration") != nullptr) {
    plan.errors = {{"conflict", "/plan/calibration", "The plan brings a calibration of its own.",
                    "Leave it out: the plan is compared with the profile's rates."}};
    return plan;
  }
  JsonWriter calibration;
  calibration.begin_object();
  calibration.begin_object("calibration");
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, profile);
  write_calibration(calibration, hosts);
  calibration.end_object();
  calibration.end_object();
  const JsonNode asked = explained(request);
  const JsonNode before = answered(kinds, catalog, asked);
  const JsonNode after = answered(kinds, catalog, merged(asked, *parse_json(calibration.take())));
  if (plan.errors = errors_inside(after, "/plan"); !plan.errors.empty()) return plan;
  const bool had_answer = before.find("errors") == nullptr;
  if (had_answer) {
    plan.feasible_before = is_feasible(before);
    plan.assumptions = Assumptions(catalog, hosts, profile.profile).of(before);
    add_figures(plan.figures, before, profile.profile, false);
  }
  if (had_answer) add_impacts(kinds, catalog, hosts, request, profile.profile, plan.assumptions);
  check_allocatable(had_answer ? before : after, profile.profile, plan.assumptions);
  add_figures(plan.figures, after, profile.profile, true);
  plan.feasible_after = is_feasible(after);
  plan.gpu_before = had_answer ? gpu_of(before, profile.profile) : "";
  plan.gpu_after = gpu_of(after, profile.profile);
  plan.replanned = json_text(without_trace(after));
  return plan;
}

}  // namespace podwright
