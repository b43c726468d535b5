#include "calibration/device_verdict.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/append.h"
#include "base/stable_sort.h"
#include "calibration/rate_ceiling.h"
#include "measure/health.h"
#include "measure/health_rules.h"

namespace podwright {
namespace {

constexpr std::string_view kHost = "host";

/// By the device that they count for: what was found and judged. What is of none is the machine's.
template <class Item>
using ByDevice = std::map<std::string_view, std::vector<const Item*>>;

template <class Item>
ByDevice<Item> by_device(const HardwareProfile& profile, const std::vector<Item>& items) {
  std::set<std::string_view> devices;
  for (const ProfileDevice& device : profile.devices) devices.insert(device.id);
  ByDevice<Item> found;
  for (const Item& item : items) {
    const bool own = devices.count(item.device) > 0;
    found[own ? std::string_view(item.device) : kHost].push_back(&item);
  }
  return found;
}

/// 3 of "d3" and of "n1.d3"; empty of what is no device.
std::string number_of(const std::string& device) {
  const std::string own = device.substr(device.find('.') + 1);
  const bool plain =
      own.size() > 1 && own.front() == 'd' && own.find_first_not_of("0123456789", 1) == std::string::npos;
  return plain ? own.substr(1) : "";
}

/// The command with the node on which it is to be run, of a device of a merged profile.
std::string on_node(std::string command, const std::string& device) {
  const std::size_t dot = device.find('.');
  const bool merged =
      device.front() == 'n' && dot != std::string::npos && device.find_first_not_of("0123456789", 1) == dot;
  return command.empty() || !merged ? command : command + "  # on node " + device.substr(0, dot);
}

Message title_of(const ProfileDevice* device) {
  if (device == nullptr) return say("device/host");
  return device->kind == "gpu"
             ? say("device/gpu",
                   "index"_v = device->id.find('.') == std::string::npos ? number_of(device->id) : device->id)
             : say("device/processors");
}

/// What is collected for one verdict.
struct Collected {
  std::vector<Message> service;
  std::vector<Message> impossible;
  std::vector<Message> look;
  std::vector<Message> wrong_figures;  ///< whole sentences
  std::vector<DeviceStep> steps;       ///< of what is grave, then of the rest
  std::vector<DeviceStep> later_steps;
  double good_checks = 0;
  double good_rates = 0;
  double good_amounts = 0;  ///< of memory, among the rates: how much there is says nothing of how it works
};

void add_step(std::vector<DeviceStep>& steps, DeviceStep step) {
  const bool known = std::any_of(steps.begin(), steps.end(), [&](const DeviceStep& one) {
    return one.command == step.command && one.advice == step.advice;
  });
  if (!known) steps.push_back(std::move(step));
}

void take_finding(const HealthFinding& finding, Collected& all) {
  const bool grave = finding.gravity == HealthGravity::failed;
  (grave ? all.service : all.look).push_back(finding.says);
  if (finding.check == nullptr) return;
  const auto advice = advice_message(*finding.check);
  add_step(grave ? all.steps : all.later_steps,
           {advice ? *advice : as_written(finding.check->advice),
            on_node(next_command(*finding.check, number_of(finding.device)), finding.device)});
}

void take_verdict(const ProfileVerdict& one, Collected& all) {
  const auto probe = "probe"_v = probe_title(one.probe);
  const auto rate = "rate"_v = one.rate ? rate_text(one.unit, one.rate->rate) : std::string("-");
  const auto add = [&](std::vector<Message>& causes, Message cause) {
    causes.push_back(std::move(cause));
    if (!one.explanation.next_command.empty())
      add_step(&causes == &all.service ? all.steps : all.later_steps,
               {as_written(""), on_node(one.explanation.next_command, one.device)});
  };
  // The findings behind it are taken by themselves.
  if (one.probe == "health") return;
  switch (one.verdict.kind) {
    case VerdictKind::ok:
      ++all.good_rates;
      all.good_amounts += one.unit == RateUnit::bytes ? 1 : 0;
      return;
    case VerdictKind::failed:
      return add(all.service, say("rate/wrong", probe));
    case VerdictKind::bad:
      return add(all.service, one.rate ? say("rate/bad", probe, rate) : as_written(one.verdict.sentence));
    case VerdictKind::low:
      return add(all.look, one.rate ? say("rate/low", probe, rate) : as_written(one.verdict.sentence));
    case VerdictKind::high:
      return add(all.look, say("rate/high", probe, rate));
    case VerdictKind::limited:
      return add(all.look, say("rate/limited", probe, rate, "cause"_v = one.verdict.cause));
    case VerdictKind::invalid:
      return add(all.look, say("rate/invalid", probe));
    case VerdictKind::impossible:
      all.wrong_figures.push_back(one.says ? *one.says : as_written(one.verdict.sentence));
      return add(all.impossible, say("rate/impossible", probe, rate));
    default:
      return;  // neither good nor bad
  }
}

void take_check(const HealthCheck& check, DeviceVerdict& verdict, Collected& all) {
  if (check.state == HealthState::not_present) return;
  const Message title = rule_title(check.name);
  add_once(check.state == HealthState::unknown ? verdict.not_checked : verdict.checked, title);
  if (check.state == HealthState::ok) ++all.good_checks;
}

void conclude(const Message& title, bool scripted, Collected& all, DeviceVerdict& verdict) {
  const auto device = "device"_v = title;
  verdict.steps = std::move(all.steps);
  append(verdict.steps, std::move(all.later_steps));
  append(verdict.causes, all.service);
  append(verdict.causes, all.impossible);
  append(verdict.causes, all.look);
  const auto causes = "causes"_v = listed(verdict.causes);
  if (!all.service.empty()) {
    verdict.state = DeviceState::service;
    verdict.says = say("device-service", device, causes);
  } else if (!all.impossible.empty()) {
    verdict.state = DeviceState::impossible;
    verdict.says = say("device-impossible", device, "sentences"_v = all.wrong_figures);
  } else if (!all.look.empty()) {
    verdict.state = DeviceState::look;
    verdict.says = say("device-look", device, causes);
  } else if (scripted) {
    verdict.says = say("device-scripted", device);
  } else if (all.good_checks + all.good_rates > all.good_amounts) {
    verdict.state = DeviceState::fine;
    verdict.says = say("device-fine", device, "checks"_v = all.good_checks, "rates"_v = all.good_rates);
  } else {
    verdict.says = say("device-unjudged", device);
  }
}

}  // namespace

std::vector<DeviceVerdict> device_verdicts(const HardwareProfile& profile, const ProfileJudgement& judgement,
                                           const std::vector<Straggler>& stragglers) {
  const std::vector<HealthFinding> all_findings = health_findings(profile);
  auto checks = by_device(profile, profile.health_checks);
  auto findings = by_device(profile, all_findings);
  auto judged = by_device(profile, judgement.verdicts);
  auto slow = by_device(profile, stragglers);
  std::vector<DeviceVerdict> verdicts;
  const auto judge = [&](const std::string& id, const ProfileDevice* device) {
    DeviceVerdict verdict;
    Collected all;
    verdict.device = id;
    if (device != nullptr) {
      verdict.name = device->name;
      verdict.gpu = device->key;
      verdict.match = device->key_match;
    }
    for (const HealthCheck* check : checks[id]) take_check(*check, verdict, all);
    for (const HealthFinding* finding : findings[id]) take_finding(*finding, all);
    for (const ProfileVerdict* one : judged[id]) take_verdict(*one, all);
    for (const Straggler* one : slow[id])
      all.look.push_back(say("rate/straggler", "probe"_v = probe_title(one->probe)));
    conclude(title_of(device), is_scripted(profile), all, verdict);
    if (device != nullptr || verdict.state != DeviceState::unjudged) verdicts.push_back(std::move(verdict));
  };
  for (const ProfileDevice& device : profile.devices) judge(device.id, &device);
  judge(std::string(kHost), nullptr);
  sort_stably(verdicts, [](const DeviceVerdict& a, const DeviceVerdict& b) { return a.state < b.state; });
  return verdicts;
}

std::string step_text(const DeviceStep& step) {
  const std::string advice = step.advice.text();
  const std::string command = step.command.empty() ? "" : "Next: " + step.command;
  if (advice.empty()) return command;
  return advice + "." + (command.empty() ? "" : " " + command);
}

bool any_judged(const std::vector<DeviceVerdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(),
                     [](const DeviceVerdict& one) { return one.state != DeviceState::unjudged; });
}

std::optional<Message> unjudged_gpus(const std::vector<DeviceVerdict>& verdicts, const HardwareProfile& profile) {
  double gpus = 0, unjudged = 0;
  for (const DeviceVerdict& one : verdicts) {
    const ProfileDevice* device = find_device(profile, one.device);
    if (device == nullptr || device->kind != "gpu") continue;
    ++gpus;
    unjudged += one.state == DeviceState::unjudged ? 1 : 0;
  }
  if (unjudged == 0) return std::nullopt;
  return is_scripted(profile) ? say("machine/scripted")
                              : say("machine/unjudged", "unjudged"_v = unjudged, "all"_v = gpus);
}

Message machine_summary(const std::vector<DeviceVerdict>& verdicts, const HardwareProfile& profile) {
  if (!any_judged(verdicts)) return is_scripted(profile) ? say("machine/scripted") : say("machine/nothing-judged");
  std::array<double, kDeviceStateWords.size()> counts{};
  double gpus = 0;
  for (const DeviceVerdict& one : verdicts) {
    const ProfileDevice* device = find_device(profile, one.device);
    if (device == nullptr || device->kind != "gpu") continue;
    ++counts[static_cast<std::size_t>(one.state)];
    ++gpus;
  }
  // Of processors alone the verdicts themselves are short enough.
  if (gpus == 0) return verdicts.front().says;
  // Figures of the machine as a whole come first where nothing was said of a GPU by itself.
  const auto host =
      std::find_if(verdicts.begin(), verdicts.end(), [](const DeviceVerdict& one) { return one.device == kHost; });
  const auto count = [&](DeviceState state) { return counts[static_cast<std::size_t>(state)]; };
  const auto all = "all"_v = gpus;
  std::vector<Message> parts;
  if (count(DeviceState::unjudged) == gpus && host != verdicts.end()) parts.push_back(host->says);
  if (const double n = count(DeviceState::service); n > 0)
    parts.push_back(say("machine/service", "service"_v = n, all));
  if (const double n = count(DeviceState::impossible); n > 0)
    parts.push_back(say("machine/impossible", "impossible"_v = n, all));
  if (const double n = count(DeviceState::look); n > 0) parts.push_back(say("machine/look", "look"_v = n, all));
  if (const double n = count(DeviceState::fine); n > 0) parts.push_back(say("machine/fine", "fine"_v = n, all));
  if (auto unjudged = unjudged_gpus(verdicts, profile)) parts.push_back(std::move(*unjudged));
  return say("sentences", "sentences"_v = parts);
}

}  // namespace podwright
