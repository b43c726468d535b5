#include "cli/print_profile.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/characters.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/judged_rate.h"
#include "cli/text_table.h"
#include "measure/health.h"

namespace podwright::cli {
namespace {

/// A remark below the tables.
std::string line(std::string_view label, const std::string& text) { return labelled(label, text, 14); }

std::string bytes_text(double value) {
  constexpr double kStep = 1024;
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  int unit = 0;
  for (; unit < 3 && value >= kStep; ++unit) value /= kStep;
  return human_number(value, 4) + " " + units[unit];
}

/// `type`: also that of the data, where the probe's name does not give it.
std::string size_text(const ProbeResult& result, bool type = false) {
  const ProbeSize& size = result.size;
  std::string text = type ? result.dtype : "";
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  const auto whole = [](double value) { return shortest_number(value); };
  if (size.m && size.n && size.k) add(whole(*size.m) + " x " + whole(*size.n) + " x " + whole(*size.k));
  if (size.bytes && !size.m) add(bytes_text(*size.bytes));
  if (size.row_bytes) add("rows " + bytes_text(*size.row_bytes));
  if (size.batch) add("batch " + whole(*size.batch));
  if (size.context_tokens) add("context " + whole(*size.context_tokens));
  if (size.page_tokens) add("page " + whole(*size.page_tokens));
  if (size.ranks) add(whole(*size.ranks) + " ranks");
  if (size.threads && !size.ranks) add(whole(*size.threads) + (*size.threads == 1 ? " thread" : " threads"));
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return human_number(seconds * 1e9) + " ns";
  if (seconds < 1e-3) return human_number(seconds * 1e6) + " us";
  if (seconds < 1) return human_number(seconds * 1e3) + " ms";
  return human_number(seconds) + " s";
}

std::string bytes_per_s_text(double rate) {
  return rate >= 1e12 ? human_number(rate / 1e12) + " TB/s" : human_number(rate / 1e9) + " GB/s";
}

std::string rate_text(const ProbeResult& result) {
  const auto flops = result.flops_per_s();
  const auto bytes = result.bytes_per_s();
  const bool product = result.size.m.has_value() || result.probe.rfind("prefill", 0) == 0;
  if (flops && (product || !bytes))
    return *flops >= 1e12 ? human_number(*flops / 1e12) + " TFLOP/s" : human_number(*flops / 1e9) + " GFLOP/s";
  // A collective has two rates, of which the one of the bus is judged.
  if (const auto bus = collective_rate(result); bus && bytes)
    return "bus " + bytes_per_s_text(bus->rate) + ", algorithm " + bytes_per_s_text(*bytes);
  return bytes ? bytes_per_s_text(*bytes) : "";
}

std::string flags_text(const ProbeResult& result) {
  std::string text;
  for (const ProbeFlag& flag : result.flags) {
    text += text.empty() ? "" : ", ";
    text += kFlagWords[static_cast<std::size_t>(flag.kind)];
    const bool says_more = flag.kind == FlagKind::throttled || flag.kind == FlagKind::wrong_result;
    if (says_more && !flag.detail.empty()) text += " (" + flag.detail + ")";
  }
  return text;
}

std::string plus_minus(const ProbeResult& result) {
  const auto half = result.time_s ? result.time_s->relative_half_width() : std::nullopt;
  return half ? fixed_number(100 * *half, 1) + " %" : "-";
}

std::string result_rows(const HardwareProfile& profile) {
  std::vector<const ProbeResult*> order;
  std::map<std::string, std::set<std::string>> types;
  for (const ProbeResult& result : profile.results) {
    if (result.skip) continue;
    order.push_back(&result);
    types[result.probe].insert(result.dtype);
  }
  std::stable_sort(order.begin(), order.end(), [](const ProbeResult* a, const ProbeResult* b) {
    const auto key = [](const ProbeResult& one) {
      const ProbeSize& size = one.size;
      return std::make_tuple(one.probe, one.devices.front(), one.dtype, size.n.value_or(0) * size.k.value_or(0),
                             size.bytes.value_or(0) + size.m.value_or(0), size.page_tokens.value_or(0),
                             size.context_tokens.value_or(0), size.batch.value_or(0));
    };
    return key(*a) < key(*b);
  });
  std::vector<std::vector<std::string>> rows{{"probe", "device", "size", "time", "+-", "rate", "marks"}};
  for (const ProbeResult* result : order) {
    const std::string mode = result->mode == ProbeMode::sustained ? " sustained" : "";
    const bool type = types[result->probe].size() > 1 || result->size.context_tokens;
    // Of a wrong output there is no time.
    rows.push_back({result->probe + mode, result->devices.front(), size_text(*result, type),
                    result->time_s ? seconds_text(result->time_s->median) : "-", plus_minus(*result),
                    rate_text(*result), flags_text(*result)});
  }
  return rows.size() > 1 ? text_table(rows) : "";
}

/// Rates of links that no result tells of: of a run they stand among the results.
std::string link_rows(const HardwareProfile& profile) {
  std::vector<std::vector<std::string>> rows{{"from", "to", "rate"}};
  if (profile.run.mode == RunMode::imported)
    for (const ProfileLink& link : profile.links)
      if (link.bytes_per_s) rows.push_back({link.from, link.to, bytes_per_s_text(*link.bytes_per_s)});
  return rows.size() > 1 ? text_table(rows) : "";
}

/// What a device drew while it worked without rest: "689 W, 702 W in the highest twentieth, 71 C ...".
std::string load_text(const ProbeResult& result) {
  const LoadFigures& load = *result.load;
  std::string text;
  const auto add = [&](const std::optional<double>& value, const std::string& before, double scale,
                       const std::string& after) {
    if (value) text += (text.empty() ? "" : ", ") + before + human_number(*value * scale, 3) + after;
  };
  constexpr double kPico = 1e12;
  add(load.power_w, "", 1, load.energy_j ? " W by the counter of energy" : " W");
  add(load.power_w_p95, "", 1, " W in the highest twentieth");
  add(load.temperature_c_max, "at most ", 1, " C");
  add(load.memory_temperature_c_max, "memory at most ", 1, " C");
  add(load.j_per_flop, "", kPico, " pJ/FLOP");
  if (!load.j_per_flop) add(load.j_per_byte, "", kPico, " pJ/byte");
  add(load.power_capped_after_s, "at the limit of power after ", 1, " s");
  add(load.throttled_after_s, "slowed down after ", 1, " s");
  for (const CounterRise& rise : load.counters) add(rise.count, rise.name + " +", 1, "");
  return text;
}

std::string load_lines(const HardwareProfile& profile) {
  std::string text;
  for (const ProbeResult& result : profile.results) {
    if (!result.load || !result.time_s) continue;
    if (const std::string figures = load_text(result); !figures.empty())
      text += line("load", result.devices.front() + " " + result.probe + ": " + figures);
  }
  return text;
}

std::string overlap_lines(const HardwareProfile& profile) {
  std::string text;
  for (const ProbeResult& result : profile.results)
    if (result.overlap_efficiency)
      text +=
          line("overlap", "a product during an all-reduce of " + bytes_text(result.size.bytes.value_or(0)) +
                              " between " + shortest_number(result.size.ranks.value_or(0)) + ": " +
                              fixed_number(100 * *result.overlap_efficiency, 0) + " % of the shorter one is hidden");
  return text;
}

std::string device_lines(const HardwareProfile& profile) {
  std::string text;
  for (const ProfileDevice& device : profile.devices) {
    text += device.id + "  " + (device.name.empty() ? "unnamed device" : line_of(device.name));
    if (!device.key.empty()) text += ", " + device.key + " of the catalog";
    if (device.kind == "cpu" && profile.host.logical_cores)
      text += ", " + shortest_number(*profile.host.logical_cores) + " processors";
    if (device.memory_total_gib) text += ", " + human_number(*device.memory_total_gib) + " GiB";
    if (device.power_limit_w) text += ", " + human_number(*device.power_limit_w) + " W limit";
    if (device.idle_power_w) text += ", " + human_number(*device.idle_power_w, 3) + " W at rest";
    text += "\n";
  }
  return text;
}

/// One line for each reason, with all that was left out for it.
std::string left_out(const HardwareProfile& profile) {
  struct LeftOut {
    std::map<std::string, int> sizes;  ///< of each probe
    std::set<std::string> consequences;
  };
  std::map<std::string, LeftOut> reasons;
  for (const ProbeResult& result : profile.results) {
    if (!result.skip) continue;
    const std::string& message = result.skip->message;
    LeftOut& one =
        reasons[std::string(word_of(result.skip->reason, kSkipReasonWords)) + (message.empty() ? "" : ", " + message)];
    ++one.sizes[result.probe];
    if (!result.skip->consequence.empty()) one.consequences.insert(result.skip->consequence);
  }
  std::string text;
  for (const auto& [reason, one] : reasons) {
    std::string all;
    for (const auto& [probe, sizes] : one.sizes)
      all += (all.empty() ? "" : ", ") + probe + (sizes > 1 ? " (" + std::to_string(sizes) + " sizes)" : "");
    all += ": " + reason;
    for (const std::string& consequence : one.consequences) all += "; " + consequence;
    text += line("not measured", all);
  }
  return text;
}

/// Events that no verdict, note or limit tells.
std::string event_lines(const HardwareProfile& profile) {
  std::string text;
  for (const HealthEvent& event : profile.health_events) {
    HardwareProfile alone;
    alone.health_events = {event};
    const bool told = event.name == "slow_node" || event.name == "slow_set" || event.name == "rank_lost" ||
                      !health_findings(alone).empty();
    if (!told) text += line("event", event.device + " " + event.name + ": " + event.message);
  }
  return text;
}

/// Checks that say the same, in one line.
struct AlikeChecks {
  HealthState state;
  std::string seen;
  std::string names;
  std::string devices;
};

/// Adds to `of` where `same` and the state and what was seen agree, else a line of its own.
void add_alike(std::vector<AlikeChecks>& lines, const AlikeChecks& one, std::string AlikeChecks::*same,
               std::string AlikeChecks::*of) {
  for (AlikeChecks& line : lines) {
    if (line.state != one.state || line.seen != one.seen || line.*same != one.*same) continue;
    line.*of += ", " + one.*of;
    return;
  }
  lines.push_back(one);
}

/// How many checks are well, and what each says that says nothing about the machine; those that warn or failed are
/// findings.
std::string check_lines(const HardwareProfile& profile) {
  if (profile.health_checks.empty()) return "";
  int good = 0;
  std::vector<AlikeChecks> of_name;
  std::vector<AlikeChecks> lines;
  for (const HealthCheck& check : profile.health_checks) {
    if (check.state == HealthState::ok) ++good;
    if (check.state == HealthState::unknown || check.state == HealthState::not_present)
      add_alike(of_name, {check.state, check.seen, check.name, check.device}, &AlikeChecks::names,
                &AlikeChecks::devices);
  }
  for (const AlikeChecks& one : of_name) add_alike(lines, one, &AlikeChecks::devices, &AlikeChecks::names);
  std::string text =
      line("health", std::to_string(good) + " of " + std::to_string(profile.health_checks.size()) + " checks are ok");
  for (const AlikeChecks& one : lines)
    text += line("not checked",
                 one.devices + ": " +
                     (one.state == HealthState::unknown ? one.names + " could not be checked: " + one.seen
                                                        : one.seen + ", so there is nothing to check of " + one.names) +
                     ".");
  return text;
}

/// What all lines above come to.
std::string closing_line(const ProfileJudgement& judgement) {
  constexpr std::size_t kMostNamed = 16;
  std::vector<std::string> others;
  std::vector<std::string> unjudged;
  std::size_t fine = 0;
  for (const ProfileVerdict& one : judgement.verdicts) {
    const std::string probe = one.probe.empty() ? "rates" : one.probe;
    const std::string what = probe + (one.device.empty() ? "" : " of " + one.device);
    if (one.verdict.kind == VerdictKind::ok)
      ++fine;
    else if (one.verdict.kind == VerdictKind::unjudged)
      unjudged.push_back(what);
    else
      others.push_back(what + " " + std::string(word_of(one.verdict.kind, kVerdictWords)));
  }
  const std::size_t judged = judgement.verdicts.size() - unjudged.size();
  std::string text;
  if (judged > 0)
    text = std::to_string(fine) + " of " + std::to_string(judged) + " verdicts are ok" +
           (others.empty() ? "." : ": " + joined(others) + ".");
  if (!unjudged.empty())
    text += (text.empty() ? "" : " ") + std::string("Not judged: ") + first_of(unjudged, kMostNamed) + ".";
  return text.empty() ? "" : "\n" + labelled("", text, 0);
}

constexpr std::size_t kMostUnjudged = 16;
constexpr std::size_t kBesideLabel = 11;  // column of what a verdict says

/// The rates of a device in order, where they are few: what the file was measured for.
std::string good_rate_lines(const ProfileJudgement& judgement, const DeviceVerdict& device, std::size_t indent) {
  constexpr std::size_t kFew = 3;
  if (device.state != DeviceState::fine) return "";
  std::string text;
  std::size_t rates = 0;
  for (const ProfileVerdict& one : judgement.verdicts) {
    const bool own = device.device == one.device || (device.device == "host" && one.device.ends_with(".host"));
    if (!own || one.verdict.kind != VerdictKind::ok || !one.rate) continue;
    ++rates;
    text += labelled("", one.verdict.sentence, indent);
  }
  return rates <= kFew ? text : "";
}

}  // namespace

std::string profile_summary(const HardwareProfile& profile) {
  std::string text = device_lines(profile) + "\n" + result_rows(profile) + link_rows(profile);
  if (const std::string loads = load_lines(profile); !loads.empty()) text += "\n" + loads;
  text += overlap_lines(profile);
  if (const std::string rest = left_out(profile); !rest.empty()) text += "\n" + rest;
  text += check_lines(profile) + event_lines(profile);
  for (const std::string& limit : profile.limits) text += line("limit", limit);
  if (!profile.run.complete) text += "The profile is unfinished: what it contains is complete, the rest is missing.\n";
  const bool intervals = std::any_of(profile.results.begin(), profile.results.end(), [](const ProbeResult& result) {
    return result.time_s && result.time_s->relative_half_width();
  });
  const bool imported = profile.run.mode == RunMode::imported;
  if (!profile.results.empty())
    text += std::string("\ntime: ") + (imported ? "of one operation, as the file has it" : "median of one operation") +
            (intervals ? "; +-: half of its 95 % interval" : "") + "; rate: counted work over it.\n";
  return text;
}

std::string device_verdict_lines(const ProfileJudgement& judgement) {
  std::string text = labelled("", judgement.summary.text(), 0);
  std::vector<std::string> unjudged;
  for (const DeviceVerdict& one : judgement.devices) {
    if (one.state == DeviceState::unjudged) {
      unjudged.push_back(one.device);
      continue;
    }
    text += labelled(word_of(one.state, kDeviceStateWords), one.says.text(), kBesideLabel);
    for (const DeviceStep& step : one.steps) {
      const std::string advice = step.advice.text();
      if (!advice.empty()) text += labelled("", advice + ".", kBesideLabel);
      if (!step.command.empty()) text += labelled("", "next: " + step.command, kBesideLabel);
    }
    text += good_rate_lines(judgement, one, kBesideLabel);
  }
  if (unjudged.size() == 1) text += labelled("unjudged", judgement.devices.back().says.text(), kBesideLabel);
  if (unjudged.size() > 1)
    text += labelled("unjudged",
                     first_of(unjudged, kMostUnjudged) +
                         ": no file gives the condition of each, and no rate in the files has a "
                         "norm of its own.",
                     kBesideLabel);
  return text;
}

std::string verdict_lines(const ProfileJudgement& judgement) {
  std::string text;
  const bool several =
      std::any_of(judgement.verdicts.begin(), judgement.verdicts.end(),
                  [&](const ProfileVerdict& one) { return one.device != judgement.verdicts.front().device; });
  std::vector<ProfileVerdict> verdicts = judgement.verdicts;
  std::stable_partition(verdicts.begin(), verdicts.end(),
                        [](const ProfileVerdict& one) { return one.verdict.kind != VerdictKind::unjudged; });
  std::vector<std::pair<std::string, std::vector<std::string>>> unjudged;  // sentence, devices
  for (const ProfileVerdict& one : verdicts) {
    if (one.verdict.kind == VerdictKind::unjudged && one.verdict.sentence.starts_with(one.device + " ")) {
      const std::string of_each = one.verdict.sentence.substr(one.device.size());
      if (unjudged.empty() || unjudged.back().first != of_each) unjudged.push_back({of_each, {}});
      unjudged.back().second.push_back(one.device);
      continue;
    }
    const std::string place = several ? one.device + ": " : "";
    std::string sentence = (one.verdict.sentence.rfind(place, 0) == 0 ? "" : place) + one.verdict.sentence;
    const std::string why = explanation_text(one.explanation);
    if (one.verdict.kind != VerdictKind::ok && !why.empty()) sentence += " " + why;
    text += labelled(word_of(one.verdict.kind, kVerdictWords), sentence, kBesideLabel);
  }
  for (const auto& [of_each, devices] : unjudged)
    text += labelled(
        word_of(VerdictKind::unjudged, kVerdictWords),
        devices.size() == 1 ? devices.front() + of_each : first_of(devices, kMostUnjudged) + ": each" + of_each,
        kBesideLabel);
  for (const std::string& note : judgement.notes) text += labelled("note", note, kBesideLabel);
  return text + closing_line(judgement);
}

std::string serving_summary(const ServingMeasurement& measured) {
  std::vector<std::vector<std::string>> rows{{"measured", "value"}};
  const auto add = [&](const std::string& name, const std::optional<double>& value, const std::string& unit,
                       double scale = 1) {
    if (value) rows.push_back({name, human_number(*value * scale, 4) + unit});
  };
  add("requests", measured.requests, "");
  add("concurrency", measured.concurrency, "");
  add("requests per second", measured.requests_per_s, "");
  add("output tokens per second", measured.output_tokens_per_s, "");
  add("prompt, mean", measured.input_tokens, " tokens");
  add("answer, mean", measured.output_tokens, " tokens");
  add("first token, mean", measured.ttft_s, " ms", 1e3);
  add("first token, 99 %", measured.ttft_s_p99, " ms", 1e3);
  add("later token, mean", measured.tpot_s, " ms", 1e3);
  add("later token, 99 %", measured.tpot_s_p99, " ms", 1e3);
  return measured.tool + (measured.model.empty() ? "" : ", " + measured.model) + "\n" + text_table(rows);
}

std::string training_summary(const TrainingMeasurement& measured) {
  return measured.tool + ", " + measured.model + "\n" +
         text_table({{"measured", "value"},
                     {"step, mean", human_number(measured.step_time_s, 4) + " s"},
                     {"sequences of a step", human_number(measured.global_batch, 9)},
                     {"tokens of a sequence", human_number(measured.sequence_tokens, 9)},
                     {"sequences trained", human_number(measured.samples, 9)}});
}

}  // namespace podwright::cli
