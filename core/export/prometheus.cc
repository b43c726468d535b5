#include "export/prometheus.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "base/civil_day.h"
#include "base/number_text.h"
#include "base/words.h"

namespace podwright {
namespace {

struct Label {
  std::string_view name;
  std::string value;
};
using Labels = std::vector<Label>;

/// Backslash, quote and line break are written with a backslash; everything else stands for itself. A carriage return,
/// which would take a terminal back to the beginning of its line, does not.
std::string escaped_label(std::string_view value) {
  std::string escaped;
  for (const char c : whole_characters(value)) {
    if (c == '\\' || c == '"') escaped += '\\';
    if (c == '\n')
      escaped += "\\n";
    else if (c == '\r')
      escaped += kReplacement;
    else
      escaped += c;
  }
  return escaped;
}

/// Collects the samples of each metric, which must stand together; a series that is there already is left out.
class Exposition {
 public:
  void add(std::string_view metric, const Labels& labels, double value) {
    std::string series(metric);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      series += i == 0 ? "{" : ",";
      series += labels[i].name;
      series += "=\"" + escaped_label(labels[i].value) + "\"";
    }
    if (!labels.empty()) series += "}";
    if (!known_.insert(series).second) return;
    const auto head =
        std::find_if(kMetrics.begin(), kMetrics.end(), [&](const MetricHead& one) { return one.name == metric; });
    samples_[static_cast<std::size_t>(head - kMetrics.begin())] += series + " " + shortest_number(value) + "\n";
  }

  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < kMetrics.size(); ++i) {
      if (samples_[i].empty()) continue;
      const std::string name(kMetrics[i].name);
      text += "# HELP " + name + " " + std::string(kMetrics[i].help) + "\n# TYPE " + name + " gauge\n" + samples_[i];
    }
    return text;
  }

 private:
  std::array<std::string, kMetrics.size()> samples_;
  std::set<std::string> known_;
};

/// A gauge for each word: 1 for that of `state`.
template <class Enum, std::size_t N>
void add_states(Exposition& out, std::string_view metric, const Labels& labels, Enum state,
                const std::array<std::string_view, N>& words) {
  for (std::size_t i = 0; i < N; ++i) {
    Labels of_word = labels;
    of_word.push_back({"state", std::string(words[i])});
    out.add(metric, of_word, static_cast<std::size_t>(state) == i ? 1 : 0);
  }
}

/// Seconds since 1970 of "2026-01-31T12:00:00Z"; absent for another text.
std::optional<double> seconds_of(std::string_view utc) {
  if (utc.size() != 20 || utc[10] != 'T' || utc[13] != ':' || utc[16] != ':' || utc[19] != 'Z') return std::nullopt;
  const auto day = day_number(utc.substr(0, 10));
  double of_day = 0;
  for (const std::size_t at : {11U, 14U, 17U}) {
    const char tens = utc[at];
    const char ones = utc[at + 1];
    if (tens < '0' || tens > '5' || ones < '0' || ones > '9') return std::nullopt;
    of_day = of_day * 60 + (tens - '0') * 10 + (ones - '0');
  }
  if (!day) return std::nullopt;
  return static_cast<double>(*day) * 86400 + of_day;
}

void add_profile(Exposition& out, const std::string& node, const HardwareProfile& profile) {
  const ProfileEnvironment& with = profile.environment;
  out.add("podwright_profile_info",
          {{"node", node},
           {"version", profile.tool.version},
           {"backend", profile.run.backend},
           {"mode", std::string(word_of(profile.run.mode, kRunModeWords))},
           {"driver", with.driver},
           {"cuda", with.cuda_runtime},
           {"cublaslt", with.cublaslt},
           {"nccl", with.nccl}},
          1);
  if (const auto start = seconds_of(profile.run.started))
    out.add("podwright_profile_start_timestamp_seconds", {{"node", node}}, *start);
  if (profile.run.duration_s) out.add("podwright_profile_duration_seconds", {{"node", node}}, *profile.run.duration_s);
  out.add("podwright_profile_complete", {{"node", node}}, profile.run.complete ? 1 : 0);
  for (const HealthCounter& counter : profile.health_counters)
    out.add("podwright_health_errors_increase", {{"node", node}, {"device", counter.device}, {"counter", counter.name}},
            counter.after - counter.before);
}

void add_rate(Exposition& out, const Labels& labels, RateUnit unit, double rate) {
  switch (unit) {
    case RateUnit::bytes_per_s:
      return out.add("podwright_bandwidth_bytes_per_second", labels, rate);
    case RateUnit::flops_per_s:
      return out.add("podwright_compute_flops_per_second", labels, rate);
    case RateUnit::operations_per_s:
      if (rate > 0) out.add("podwright_operation_seconds", labels, 1 / rate);
      return;
    case RateUnit::bytes:
      return out.add("podwright_memory_bytes", labels, rate);
  }
}

void add_judgement(Exposition& out, const std::string& node, const HardwareProfile& profile,
                   const ProfileJudgement& judgement) {
  for (const DeviceVerdict& one : judgement.devices) {
    const ProfileDevice* device = find_device(profile, one.device);
    add_states(out, "podwright_device_state",
               {{"node", node}, {"device", one.device}, {"name", device == nullptr ? "" : device->name}}, one.state,
               kDeviceStateWords);
  }
  std::vector<std::pair<std::string, VerdictKind>> counted;
  for (const ProfileVerdict& one : judgement.verdicts) counted.emplace_back(one.device, one.verdict.kind);
  for (const auto& [device, kind] : counted)
    out.add("podwright_verdicts",
            {{"node", node}, {"device", device}, {"verdict", std::string(word_of(kind, kVerdictWords))}},
            static_cast<double>(std::count(counted.begin(), counted.end(), std::pair(device, kind))));
  for (const ProfileVerdict& one : judgement.verdicts) {
    if (!one.rate) continue;
    add_rate(out,
             {{"node", node},
              {"device", one.device},
              {"probe", one.probe},
              {"dtype", one.dtype},
              {"mode", std::string(word_of(one.mode, kProbeModeWords))},
              {"judged", one.judged}},
             one.unit, one.rate->rate);
  }
}

void add_node(Exposition& out, const JudgedNode& node) {
  const Labels labels{{"node", node.name}};
  add_states(out, "podwright_node_state", labels, node.state, kNodeStateWords);
  out.add("podwright_node_exit_code", labels, static_cast<double>(node.exit));
  for (const SlowNode& slow : node.slow)
    out.add("podwright_node_slower_ratio",
            {{"node", node.name}, {"device", slow.device}, {"probe", slow.probe}, {"limit", slow.limit}},
            slow.slower_by);
  if (!node.read) return;
  add_profile(out, node.name, node.read->profile);
  add_judgement(out, node.name, node.read->profile, node.judgement);
}

}  // namespace

std::string prometheus_text(const FleetJudgement& fleet, std::string_view program) {
  Exposition out;
  out.add("podwright_build_info", {{"version", std::string(program)}}, 1);
  for (std::size_t i = 0; i < kNodeStateWords.size(); ++i)
    out.add("podwright_fleet_nodes", {{"state", std::string(kNodeStateWords[i])}},
            static_cast<double>(fleet.count(static_cast<NodeState>(i))));
  for (const MixedVersion& mixed : fleet.mixed)
    out.add("podwright_fleet_versions", {{"of", mixed.of}}, static_cast<double>(mixed.uses.size()));
  for (const JudgedNode& node : fleet.nodes) add_node(out, node);
  return out.text();
}

std::string prometheus_text(const JudgedNode& node, std::string_view program) {
  Exposition out;
  out.add("podwright_build_info", {{"version", std::string(program)}}, 1);
  add_node(out, node);
  return out.text();
}

}  // namespace podwright
