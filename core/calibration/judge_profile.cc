#include "calibration/judge_profile.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/number_text.h"
#include "base/stable_sort.h"
#include "base/words.h"
#include "calibration/device_roofs.h"
#include "calibration/device_verdict.h"
#include "calibration/judged_rate.h"
#include "calibration/rate_ceiling.h"
#include "calibration/verdict_causes.h"
#include "catalog/training_efficiency.h"
#include "measure/health.h"
#include "measure/sample_summary.h"

namespace podwright {
namespace {

constexpr double kNearLandmark = 0.05;
constexpr double kNearPeers = 0.05;  // of what the peers' median and both clocks let expect
constexpr double kEps = 1e-9;

std::string mode_word(ProbeMode mode) { return std::string(word_of(mode, kProbeModeWords)); }

std::string title_of(const ProfileVerdict& one) {
  std::string text = one.probe;
  if (one.mode == ProbeMode::sustained) text += " sustained";
  if (!one.judged.empty()) text += " (" + one.judged + ")";
  return text;
}

/// What to try next; empty where nothing is wrong.
std::string next_command(const ProfileVerdict& one) {
  const VerdictKind kind = one.verdict.kind;
  // What its sentence says to do is not a measurement.
  if (one.probe == "health") return "";
  if (kind == VerdictKind::ok || kind == VerdictKind::skipped || kind == VerdictKind::unjudged) return "";
  if (kind == VerdictKind::impossible) return "";  // what its sentence says comes first
  if (kind == VerdictKind::uncertain || kind == VerdictKind::high || kind == VerdictKind::invalid ||
      kind == VerdictKind::failed)
    return "podwright probe --standard --only " + one.probe + " -o again.json";
  const std::string& cause = one.explanation.causes.empty() ? one.verdict.cause : one.explanation.causes.front().cause;
  if (cause == "shared") return "nvidia-smi pmon -c 1";
  if (cause == "slice") return "nvidia-smi mig -lgi";
  if (one.explanation.binding_roof == "host link")
    return "nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max "
           "--format=csv";
  if (one.explanation.binding_roof == "link") return "nvidia-smi nvlink --status";
  if (one.explanation.binding_roof == "memory") return "nvidia-smi -q -d ECC,ROW_REMAPPER,TEMPERATURE";
  if (one.explanation.binding_roof == "capacity") return "nvidia-smi --query-compute-apps=pid,used_memory --format=csv";
  if (one.explanation.binding_roof == "launch") return "podwright probe --standard --only launch,host -o again.json";
  return "nvidia-smi -q -d POWER,CLOCK,PERFORMANCE,TEMPERATURE";
}

bool is_collective(std::string_view probe) { return probe.starts_with("coll."); }

/// The device whose result it is. A collective is one of the machine: "host", of a merged profile "n1.host" where all
/// of its devices are of that node.
std::string owner_of(const ProbeResult& result) {
  const std::string& first = result.devices.front();
  if (!is_collective(result.probe)) return first;
  const std::string node = first.substr(0, first.find('.') + 1);
  const bool within = std::all_of(result.devices.begin(), result.devices.end(),
                                  [&](const std::string& device) { return device.starts_with(node); });
  return (within ? node : "") + "host";
}

class Judge {
 public:
  Judge(const Catalog& catalog, const HardwareProfile& profile) : catalog_(catalog), profile_(profile) {}

  ProfileJudgement judged() {
    for (const ProfileDevice& device : profile_.devices) judge_device(device);
    add_health(nullptr);
    compare_with_peers();
    add_slow_nodes();
    finish_verdicts();
    if (is_scripted(profile_)) disown_scripted();
    judgement_.devices = device_verdicts(profile_, judgement_, stragglers_);
    judgement_.summary = machine_summary(judgement_.devices, profile_);
    return std::move(judgement_);
  }

 private:
  void finish_verdicts() {
    for (ProfileVerdict& one : judgement_.verdicts) {
      one.explanation.next_command = next_command(one);
      judgement_.exit = std::max(judgement_.exit, exit_of(one.verdict.kind));
      // Processors are shared with others, whose work their times show.
      if (one.verdict.kind == VerdictKind::invalid && is_gpu(one.device))
        judgement_.exit = std::max(judgement_.exit, ProbeExit::low);
    }
    for (const ProbeResult& result : profile_.results)
      if (result.skip) judgement_.exit = std::max(judgement_.exit, exit_of(result.skip->reason, false));
  }

  /// A scripted device passes for none: what is wrong with it stays, so that runs can be tried without a GPU.
  void disown_scripted() {
    for (ProfileVerdict& one : judgement_.verdicts) {
      const VerdictKind kind = one.verdict.kind;
      if (kind != VerdictKind::ok && kind != VerdictKind::high && kind != VerdictKind::uncertain) continue;
      one.verdict.kind = VerdictKind::unjudged;
      one.verdict.sentence = "Scripted, not measured: " + one.verdict.sentence;
    }
    note("Scripted devices (--backend fake) are no machine: nothing of this profile was measured.");
  }

  bool is_gpu(const std::string& id) const {
    const ProfileDevice* device = find_device(profile_, id);
    return device != nullptr && device->kind == "gpu";
  }
  bool has_event(const ProfileDevice& device, std::string_view name) const {
    return std::any_of(profile_.health_events.begin(), profile_.health_events.end(),
                       [&](const HealthEvent& event) { return event.device == device.id && event.name == name; });
  }
  void note(std::string sentence) { judgement_.notes.push_back(std::move(sentence)); }

  void judge_device(const ProfileDevice& device) {
    add_unusable(device);
    add_health(&device);
    const DeviceRoofs roofs = roofs_of(catalog_, profile_, device);
    if (roofs.gpu == nullptr) return add_unknown(device);
    if (device.key_match == KeyMatch::name)
      note(device.id + " was matched with " + device.key + " by its name alone; the norms are those of that GPU.");
    for (const ProbeNorm& norm : catalog_.probe_norms) {
      if (norm.gpu_id != "any" && norm.gpu_id != roofs.gpu->id) continue;
      if (norm.kind == NormKind::floor) judge_floor(device, roofs, norm);
      if (norm.kind == NormKind::band) compare_shapes(device, norm);
    }
    add_trained_down(device, roofs);
    add_impossible(device, roofs);
    add_without_norm(device);
  }

  /// Results that withhold their rate or are not to be believed, one verdict for each probe.
  void add_unusable(const ProfileDevice& device) {
    std::map<std::tuple<std::string, std::string, VerdictKind>, ProfileVerdict> found;
    std::map<std::tuple<std::string, std::string, VerdictKind>, int> counts;
    for (const ProbeResult& result : profile_.results) {
      if (result.skip || result.usable() || result.devices.empty() || result.devices.front() != device.id) continue;
      const Verdict verdict = judge(result, {});
      if (verdict.kind != VerdictKind::failed && verdict.kind != VerdictKind::invalid) continue;
      if (result.probe == "mem.integrity" && has_event(device, "memory_mismatch")) continue;  // which says where
      const auto key = std::make_tuple(result.probe, result.dtype, verdict.kind);
      if (++counts[key] > 1) continue;
      found[key] = {.probe = result.probe,
                    .device = owner_of(result),
                    .dtype = result.dtype,
                    .mode = result.mode,
                    .verdict = verdict};
    }
    for (auto& [key, one] : found) {
      const int count = counts[key];
      if (count > 1) one.judged = std::to_string(count) + " sizes";
      judgement_.verdicts.push_back(std::move(one));
    }
  }

  /// What counters, events and checks of the run say of the device; null: of all that is none, as the host.
  void add_health(const ProfileDevice* device) {
    for (const HealthFinding& finding : findings_) {
      if (device == nullptr ? find_device(profile_, finding.device) != nullptr : finding.device != device->id) continue;
      if (finding.gravity == HealthGravity::warning) {
        note(finding.device + ": " + finding.message + ".");
        continue;
      }
      judgement_.exit = std::max(judgement_.exit, exit_of(finding.gravity));
      judgement_.verdicts.push_back(
          {.probe = "health",
           .device = finding.device,
           .verdict = {VerdictKind::failed, "", "none", finding.device + ": " + finding.message + "."}});
    }
  }

  /// What a run of several nodes found slow, beside the verdicts on single rates: the comparison is with the other
  /// nodes, so that it has no norm.
  void add_slow_nodes() {
    for (const HealthEvent& event : profile_.health_events) {
      if (event.name == "slow_node")
        judgement_.verdicts.push_back(
            {.probe = event.message.substr(0, event.message.find(' ')),  // the first word of the sentence
             .device = event.device,
             .judged = "compared with the other nodes",
             .verdict = {VerdictKind::low, "", "none",
                         event.message + ". Plans that wait for the slowest node go at its pace."}});
      if (event.name == "slow_set")
        note(event.device + ": an older version found its node slow in all-reduces over TCP between the " +
             "processors. That says nothing about its GPUs and is not judged; measure again.");
    }
  }

  void add_unknown(const ProfileDevice& device) {
    judgement_.verdicts.push_back(
        {.device = device.id,
         .verdict = {
             VerdictKind::unjudged, "", "none",
             (device.name.empty() ? device.id : device.name) +
                 (device.key.empty() ? " has no entry in the catalog" : ": the catalog has no \"" + device.key + "\"") +
                 ", so that nothing of it has a norm. Compare runs of one machine with each other."}});
  }

  void judge_floor(const ProfileDevice& device, const DeviceRoofs& roofs, const ProbeNorm& norm) {
    const auto judged = judged_rate(profile_, device, norm);
    if (!judged) return;
    VerdictNorms norms;
    norms.floors = floors_on(norm, roofs);
    if (!norms.floors) return;
    ProfileVerdict one{.probe = norm.probe,
                       .device = judged->results.empty() ? device.id : owner_of(*judged->results.front()),
                       .dtype = norm.dtype,
                       .mode = norm.mode,
                       .judged = judged->judged,
                       .rate = judged->rate,
                       .unit = judged->unit};
    const JudgedOn on{profile_, *judged, norm, device, roofs};
    norms.causes = known_causes(on);
    if (norm.denominator == NormDenominator::negotiated_link) use_host_link(roofs, norms);
    one.verdict = judge_rate(title_of(one), judged->rate, judged->unit, norms);
    one.explanation = explained(on, catalog_.training_efficiency[Efficiency::quantisation_share].value);
    if (norms.causes.size() > 1 || one.verdict.cause == "link") add_link_cause(roofs, norm, one);
    accuse_trained_down(roofs, norm, one);
    spare_unknown_link(roofs, norm, one);
    doubt_impossible(roofs, judged->results, one);
    spare_few_shapes(norm, *judged, one);
    find_landmark(norm, one);
    judgement_.verdicts.push_back(std::move(one));
  }

  /// A slot with fewer or slower lanes than the data sheet names limits; it is not a fault of the device.
  static void use_host_link(const DeviceRoofs& roofs, VerdictNorms& norms) {
    if (!roofs.host_link_sheet || !roofs.host_link) return;
    const double share = roofs.host_link->bandwidth / roofs.host_link_sheet->bandwidth;
    if (share >= 1 - kEps) return;
    norms.floors->denominator = raw(roofs.host_link_sheet->bandwidth);
    norms.floors->denominator_name = "datasheet's link (" + roofs.host_link_sheet->text() + ")";
    norms.causes.insert(norms.causes.begin(), {"link", share});
  }
  static void add_link_cause(const DeviceRoofs& roofs, const ProbeNorm& norm, ProfileVerdict& one) {
    if (norm.denominator != NormDenominator::negotiated_link || !roofs.host_link || !roofs.host_link_sheet) return;
    one.explanation.causes.insert(one.explanation.causes.begin(),
                                  {"link", "the link runs at " + roofs.host_link->text() + ", the data sheet names " +
                                               roofs.host_link_sheet->text()});
  }

  /// A link that runs below what device and slot allow; empty where it does not, or nothing shows it.
  static std::string trained_down(const DeviceRoofs& roofs) {
    if (!roofs.host_link || !roofs.host_link_most) return "";
    if (raw(roofs.host_link->bandwidth) >= (1 - kEps) * raw(roofs.host_link_most->bandwidth)) return "";
    return "under load the link runs at " + roofs.host_link->text() + ", device and slot allow " +
           roofs.host_link_most->text();
  }

  /// It is a fault also where no copy was judged, as at a generation for which no one published what copies reach.
  void add_trained_down(const ProfileDevice& device, const DeviceRoofs& roofs) {
    const std::string evidence = trained_down(roofs);
    const auto told = [&](const ProfileVerdict& one) {
      return one.device == device.id && one.probe.rfind("pcie.", 0) == 0 && one.verdict.kind == VerdictKind::bad;
    };
    if (evidence.empty() || std::any_of(judgement_.verdicts.begin(), judgement_.verdicts.end(), told)) return;
    judgement_.verdicts.push_back({.probe = "pcie",
                                   .device = device.id,
                                   .verdict = {VerdictKind::bad, "", "generic",
                                               "pcie: " + evidence + ". Look for a fault in the slot, riser or cable."},
                                   .explanation = {.binding_roof = "host link"}});
  }

  /// A link that trained down is a fault, however well it is used.
  static void accuse_trained_down(const DeviceRoofs& roofs, const ProbeNorm& norm, ProfileVerdict& one) {
    const std::string evidence = trained_down(roofs);
    if (norm.denominator != NormDenominator::negotiated_link || evidence.empty()) return;
    one.verdict = {VerdictKind::bad, "", "generic",
                   title_of(one) + " " + rate_text(one.unit, one.rate->rate) + ": " + evidence +
                       ". Look for a fault in the slot, riser or cable."};
    one.explanation.causes.insert(one.explanation.causes.begin(), {"link", evidence});
  }

  /// A slot of fewer lanes or an older generation is not a fault of the device, and nothing says which slot it is.
  static void spare_unknown_link(const DeviceRoofs& roofs, const ProbeNorm& norm, ProfileVerdict& one) {
    const bool accused = one.verdict.kind == VerdictKind::bad || one.verdict.kind == VerdictKind::low;
    if (norm.denominator != NormDenominator::negotiated_link || !roofs.host_link_assumed || !accused) return;
    one.verdict.kind = VerdictKind::low;
    one.verdict.sentence += " The files do not say which link the slot allows; nvidia-smi -q -x does.";
  }

  /// No device is faster than its hardware.
  void doubt_impossible(const DeviceRoofs& roofs, const std::vector<const ProbeResult*>& results, ProfileVerdict& one) {
    const ProbeSize size = results.empty() ? ProbeSize{} : results.front()->size;
    const double clock = one.explanation.clock_ratio.value_or(1);
    const auto ceiling = rate_ceiling(catalog_, roofs, one.probe, one.dtype, size, clock);
    if (!ceiling) return;
    one.says = above_ceiling(*ceiling, one, *roofs.gpu);
    if (one.says) one.verdict = {VerdictKind::impossible, "", "generic", one.says->text()};
  }

  /// Rates of collectives and links that no norm is about, where they are beyond the hardware: the worst of each probe.
  void add_impossible(const ProfileDevice& device, const DeviceRoofs& roofs) {
    std::map<std::string, ProfileVerdict> worst;
    const auto doubt = [&](ProfileVerdict one, const std::vector<const ProbeResult*>& results) {
      doubt_impossible(roofs, results, one);
      if (one.verdict.kind != VerdictKind::impossible) return;
      const auto [at, is_new] = worst.try_emplace(one.probe, one);
      if (!is_new && at->second.rate->rate < one.rate->rate) at->second = std::move(one);
    };
    for (const ProbeResult& result : profile_.results)
      if (result.usable() && !result.devices.empty() && result.devices.front() == device.id)
        if (const auto rate = collective_rate(result))
          doubt({.probe = result.probe, .device = owner_of(result), .dtype = result.dtype, .rate = rate}, {&result});
    for (const ProfileLink& link : profile_.links)
      if (const std::string probe = probe_of(link, device.id); !probe.empty())
        doubt({.probe = probe,
               .device = device.id,
               .rate = MeasuredRate{*link.bytes_per_s, *link.bytes_per_s, *link.bytes_per_s}},
              {});
    for (auto& entry : worst) {
      ProfileVerdict& one = entry.second;
      const bool told =
          std::any_of(judgement_.verdicts.begin(), judgement_.verdicts.end(), [&](const ProfileVerdict& other) {
            return other.device == one.device && other.probe == one.probe &&
                   other.verdict.kind == VerdictKind::impossible;
          });
      if (!told) judgement_.verdicts.push_back(std::move(one));
    }
  }

  /// Single shapes differ between libraries by more than any threshold, so that few of them accuse no one.
  static void spare_few_shapes(const ProbeNorm& norm, const JudgedRate& judged, ProfileVerdict& one) {
    const bool accused = one.verdict.kind == VerdictKind::bad || one.verdict.kind == VerdictKind::low;
    if (norm.sizes != NormSizes::nine_products || norm.mode == ProbeMode::sustained || !accused) return;
    if (judged.results.size() >= kLeastProducts) return;
    one.verdict.kind = VerdictKind::uncertain;
    one.verdict.sentence = title_of(one) + " " + rate_text(one.unit, one.rate->rate) +
                           " lies below the norm, but libraries differ more in single shapes: at least " +
                           std::to_string(kLeastProducts) + " of the nine are needed.";
  }

  void find_landmark(const ProbeNorm& floor, ProfileVerdict& one) {
    for (const ProbeNorm& norm : catalog_.probe_norms) {
      if (norm.kind != NormKind::landmark || norm.gpu_id != floor.gpu_id || norm.probe != floor.probe ||
          norm.ranks != floor.ranks)
        continue;
      if (one.rate->rate < (1 - kNearLandmark) * *norm.p50 || one.rate->rate > (1 + kNearLandmark) * *norm.p50)
        continue;
      one.explanation.causes.insert(one.explanation.causes.begin(), {"nvls", norm.note});
    }
  }

  /// Single shapes outside their band are told and accuse no one.
  void compare_shapes(const ProfileDevice& device, const ProbeNorm& norm) {
    VerdictNorms norms;
    norms.band = PublishedBand{*norm.p10, norm.p50.value_or(*norm.p10), *norm.p90, norm.source};
    const ResultQuery query{.probe = norm.probe, .device = device.id, .dtype = norm.dtype, .mode = norm.mode};
    for (const ProbeResult* result : usable_results(profile_, query)) {
      const auto rate = rate_for(norm, *result);
      if (!is_large_product(result->size) || !rate) continue;
      const VerdictKind kind = judge_rate("", *rate, RateUnit::flops_per_s, norms).kind;
      if (kind == VerdictKind::ok || kind == VerdictKind::uncertain) continue;
      note(norm.probe + " " + shape_text(result->size) + " " + mode_word(result->mode) + " on " + device.id + ": " +
           rate_text(RateUnit::flops_per_s, rate->rate) + (kind == VerdictKind::high ? ", above" : ", below") +
           " the published " + rate_text(RateUnit::flops_per_s, *norm.p10) + " to " +
           rate_text(RateUnit::flops_per_s, *norm.p90) +
           ". One shape says more about the library than about the device.");
    }
  }

  /// Probes of the device of which nothing was judged.
  void add_without_norm(const ProfileDevice& device) {
    std::vector<std::string> names;
    for (const ProbeResult& result : profile_.results) {
      if (!result.usable() || result.devices.empty() || result.devices.front() != device.id) continue;
      const bool judged =
          std::any_of(judgement_.verdicts.begin(), judgement_.verdicts.end(), [&](const ProfileVerdict& one) {
            return one.device == owner_of(result) && one.probe == result.probe && one.rate;
          });
      if (!judged && std::find(names.begin(), names.end(), result.probe) == names.end()) names.push_back(result.probe);
    }
    if (names.empty()) return;
    sort_stably(names);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    note("Without a norm on " + device.id + " at the sizes measured: " + text + ".");
  }

  /// Devices of one kind compared with each other.
  void compare_with_peers() {
    std::map<std::string, std::vector<const ProfileDevice*>> kinds;
    for (const ProfileDevice& device : profile_.devices)
      if (device.kind == "gpu")
        kinds[(device.key.empty() ? device.name : device.key) + device.mig_slice].push_back(&device);
    for (const auto& [kind, devices] : kinds) {
      if (devices.size() > 1)
        compare_kind(devices);
      else if (!devices.front()->key.empty())
        note(devices.front()->id + " is the only device of its kind here: the comparison with peers does not apply.");
    }
  }

  void compare_kind(const std::vector<const ProfileDevice*>& devices) {
    const std::vector<ProfileVerdict> copies = copies_without_norm(devices);
    std::map<std::tuple<std::string, std::string, int, std::string>, std::vector<const ProfileVerdict*>> groups;
    for (const ProfileVerdict& one : judgement_.verdicts) {
      const bool here = std::any_of(devices.begin(), devices.end(),
                                    [&](const ProfileDevice* device) { return device->id == one.device; });
      if (here && one.rate) groups[{one.probe, one.dtype, static_cast<int>(one.mode), one.judged}].push_back(&one);
    }
    for (const ProfileVerdict& one : copies) groups[{one.probe, "", 0, ""}].push_back(&one);
    for (const auto& [key, group] : groups) {
      std::vector<MeasuredRate> rates;
      for (const ProfileVerdict* one : group) rates.push_back(*one->rate);
      for (const std::size_t i : compare_peers(rates).stragglers) {
        if (const std::string limit = limit_beside_peers(*group[i], group); !limit.empty()) {
          note(group[i]->device + " lies below its peers in " + title_of(*group[i]) + ", which its limited " + limit +
               " accounts for.");
          continue;
        }
        note(group[i]->device + " is a straggler: " + title_of(*group[i]) + " " +
             rate_text(group[i]->unit, rates[i].rate) + ", below 95 % of the median of the " +
             std::to_string(rates.size()) + " devices of its kind.");
        judgement_.exit = std::max(judgement_.exit, ProbeExit::low);
        stragglers_.push_back({group[i]->device, group[i]->probe});
      }
    }
  }

  /// Copies from and to the host of devices that the catalog lacks: their peers are all that they can be compared with.
  std::vector<ProfileVerdict> copies_without_norm(const std::vector<const ProfileDevice*>& devices) const {
    std::vector<ProfileVerdict> copies;
    for (const ProfileDevice* device : devices)
      for (const ProfileLink& link : profile_.links)
        if (const std::string probe = probe_of(link, device->id); device->key.empty() && probe.starts_with("pcie."))
          copies.push_back({.probe = probe,
                            .device = device->id,
                            .rate = MeasuredRate{*link.bytes_per_s, *link.bytes_per_s, *link.bytes_per_s}});
    return copies;
  }

  /// Clock or power, where it is known to be limited and accounts for what lacks to the peers; else empty.
  static std::string limit_beside_peers(const ProfileVerdict& one, const std::vector<const ProfileVerdict*>& peers) {
    if (one.verdict.kind == VerdictKind::limited) return one.verdict.cause;
    const auto seen =
        std::find_if(one.explanation.causes.begin(), one.explanation.causes.end(),
                     [](const SeenCause& cause) { return cause.cause == "clock" || cause.cause == "power"; });
    if (seen == one.explanation.causes.end() || !one.explanation.clock_ratio) return "";
    std::vector<double> rates;
    std::vector<double> clocks;
    for (const ProfileVerdict* peer : peers) {
      rates.push_back(peer->rate->rate);
      if (peer->explanation.clock_ratio) clocks.push_back(*peer->explanation.clock_ratio);
    }
    const double expected = median_of(rates) * *one.explanation.clock_ratio / median_of(clocks);
    return one.rate->high >= (1 - kNearPeers) * expected ? seen->cause : "";
  }

  const Catalog& catalog_;
  const HardwareProfile& profile_;
  const std::vector<HealthFinding> findings_ = health_findings(profile_);
  ProfileJudgement judgement_;
  std::vector<Straggler> stragglers_;
};

}  // namespace

ProfileJudgement judge_profile(const Catalog& catalog, const HardwareProfile& profile) {
  return Judge(catalog, profile).judged();
}

std::string explanation_text(const VerdictExplanation& explanation) {
  const auto percent = [](double share) { return human_number(100 * share) + " %"; };
  std::string text;
  if (!explanation.binding_roof.empty()) {
    text = "Bound by " + explanation.binding_roof;
    if (explanation.arithmetic_intensity && explanation.ridge)
      text += " (" + human_number(*explanation.arithmetic_intensity) + " FLOP per byte, compute binds above " +
              human_number(*explanation.ridge) + ")";
    text += ".";
  }
  std::string shares;
  for (const RoofShare& share : explanation.shares)
    shares += (shares.empty() ? " " : ", ") + percent(share.share) + " of the " + share.roof;
  if (!shares.empty()) text += shares + ".";
  if (explanation.clock_ratio && explanation.at_that_clock)
    text += " The clock was " + percent(*explanation.clock_ratio) + " of the data sheet's; " +
            percent(*explanation.at_that_clock) + " of what it allows was reached.";
  if (!explanation.deficit.empty()) {
    std::string terms;
    for (const DeficitTerm& term : explanation.deficit)
      terms += (terms.empty() ? "" : " x ") + term.of + " " + percent(term.share) + " (" + term.evidence + ")";
    text += " " + percent(explanation.shares.front().share) + " is " + terms + ".";
  }
  for (const SeenCause& cause : explanation.causes) text += " Seen: " + cause.cause + ", " + cause.evidence + ".";
  if (!explanation.next_command.empty()) text += " Next: " + explanation.next_command;
  return text.empty() || text.front() != ' ' ? text : text.substr(1);
}

}  // namespace podwright
