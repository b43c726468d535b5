#include "calibration/host_calibration.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/append.h"
#include "base/json_write.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/host_rates.h"
#include "calibration/judge_profile.h"
#include "calibration/rate_use.h"
#include "calibration/reference_profile.h"
#include "calibration/usable_points.h"

namespace podwright {
namespace {

/// Lower-case letters and digits, all else as single hyphens.
std::string kebab(std::string_view text) {
  std::string id;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (letter || capital) id += capital ? static_cast<char>(c - 'A' + 'a') : c;
    if (!letter && !capital && !id.empty() && id.back() != '-') id += '-';
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id;
}

bool is_known(const Catalog& catalog, const ProfileDevice& device) {
  return !device.key.empty() && find_gpu(catalog, device.key).has_value();
}

/// Under which plans know its kind of device.
std::string id_of(const Catalog& catalog, const ProfileDevice& device) {
  return is_known(catalog, device) ? device.key : "host-" + kebab(device.name.empty() ? device.id : device.name);
}

/// GiB of a device that the catalog lacks; processors have the memory of their host.
std::optional<double> memory_of(const HardwareProfile& profile, const ProfileDevice& device) {
  if (device.memory_total_gib) return device.memory_total_gib;
  if (device.memory_allocatable_gib) return device.memory_allocatable_gib;
  return device.kind == "cpu" ? profile.host.memory_gib : std::nullopt;
}

/// A device of which the catalog knows nothing: its peaks are the best rates that its own probes saw. Empty, and why in
/// `notes`, where the profile does not tell what a plan must know of a device.
std::string device_json(const HardwareProfile& profile, const ProfileDevice& device, const std::string& id,
                        std::vector<std::string>& notes) {
  const DevicePeaks peaks = measured_peaks(profile, device);
  const auto memory = memory_of(profile, device);
  if (peaks.flops.empty() || !peaks.bandwidth || !memory) {
    notes.push_back("The catalog lacks " + device.id + " (" + device.name +
                    "), and its profile gives no rate of products, no bandwidth or no size of its memory: no plan can "
                    "be made on it.");
    return "";
  }
  JsonWriter out;
  out.begin_object();
  out.text("id", id);
  out.text("name", device.name.empty() ? id : device.name);
  out.text("form_factor", device.kind == "cpu" ? "processor" : "");
  if (!device.compute_capability.empty()) out.text("compute_capability", device.compute_capability);
  if (device.sm_count) out.number("sm_count", *device.sm_count);
  out.begin_object("peak_dense_tflops");
  for (const auto& [dtype, flops] : peaks.flops)
    if (dtype == "fp64" || !product_precision(dtype).empty())
      out.number(dtype == "fp64" ? "fp64" : product_precision(dtype), raw(flops) / 1e12);
  out.end_object();
  out.number("memory_gb", raw(gib(*memory)) / raw(gb(1)));
  out.number("memory_driver_gib", *memory);
  out.number("memory_bandwidth_gb_per_s", raw(*peaks.bandwidth) / 1e9);
  out.text("notes", "Peaks are the best rates that probes of this device measured.");
  out.end_object();
  return out.take();
}

/// How fast a device is: against the reference, or by itself; of times the inverse.
double speed_of(const HostRate& rate, bool against) {
  const double figure = against ? rate.against->host / rate.against->reference : rate.typical;
  return is_time(rate) ? 1 / figure : figure;
}

/// The slower rate of each operation, precision and number of ranks.
void keep_slower(std::vector<HostRate>& rates, HostRate&& rate) {
  for (HostRate& known : rates) {
    if (!same_quantity(known, rate)) continue;
    const bool against = known.against && rate.against;
    if (speed_of(rate, against) < speed_of(known, against)) known = std::move(rate);
    return;
  }
  rates.push_back(std::move(rate));
}

const HostRate* rate_of_host(const HostCalibration& host, std::string_view operation, std::string_view precision) {
  for (const HostRate& rate : host.rates)
    if (rate.operation == operation && rate.precision == precision && rate.ranks == 1) return &rate;
  return nullptr;
}

/// The catalog's reading of 8- and 4-bit weights or caches, as much slower or faster as this machine reads 16-bit ones:
/// the same memory serves them all.
std::vector<KernelRate> scaled_readings(const Catalog& catalog, const HostCalibration& host) {
  std::vector<KernelRate> scaled;
  for (const char* operation : {"weight-streaming", "kv-reading"}) {
    const HostRate* wide = rate_of_host(host, operation, "bf16");
    if (wide == nullptr || wide->use != RateUse::relative) continue;
    for (const char* precision : {"fp8", "fp4"}) {
      KernelRate like = *wide;
      like.precision = precision;
      const KernelRate* narrow = find_exact_rate(catalog, like);
      const HostRate* own = rate_of_host(host, operation, precision);
      if (narrow != nullptr && (own == nullptr || own->use == RateUse::none))
        scaled.push_back(scaled_row(*narrow, host, *wide));
    }
  }
  return scaled;
}

void add_source(Catalog& catalog, const HostCalibration& host) {
  const std::string id = profile_source(host.profile_digest);
  if (find_source(catalog, id) != nullptr) return;
  const std::string day = host.measured.substr(0, 10);
  catalog.sources.push_back({.id = id,
                             .title = "Hardware profile sha256:" + host.profile_digest +
                                      (host.backend.empty() ? "" : ", measured with " + host.backend),
                             .publisher = "",
                             .url = "",
                             .date = day,
                             .retrieved = day,
                             .kind = "measured",
                             .licence = "",
                             .confidence = "primary"});
}

/// In place of the row of the same quantity.
void put(Catalog& catalog, KernelRate rate) {
  rate.id = rate.gpu_id + "/" + rate.operation + "/" + rate.precision + "/" + shortest_number(rate.ranks);
  rate.name = rate.id;
  rate.called = rate.operation;
  rate.origin = "calibration/" + rate.id;
  rate.key = kernel_rate_key(rate.gpu_id, rate.operation, rate.precision);
  for (KernelRate& known : catalog.kernel_rates)
    if (same_quantity(known, rate)) {
      known = std::move(rate);
      return;
    }
  catalog.kernel_rates.push_back(std::move(rate));
}

/// Why plans take no more of a machine, each reason once with the rates that it is about.
void note_uses(HostCalibration& host) {
  std::map<std::string, std::string> of_reason;
  for (const HostRate& rate : host.rates)
    if (rate.use == RateUse::none) {
      std::string& rates = of_reason[rate.why];
      rates += (rates.empty() ? "" : ", ") + quantity_text(rate);
    }
  for (const auto& [why, rates] : of_reason)
    add_once(host.notes, host.gpu_id + ": " + why + " Plans keep the catalog's " + rates + ".");
}

}  // namespace

DevicePeaks device_peaks(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device) {
  if (device.key.empty()) return measured_peaks(profile, device);
  const auto gpu = find_gpu(catalog, device.key);
  return gpu ? catalog_peaks(catalog, **gpu) : measured_peaks(profile, device);
}

std::vector<HostCalibration> host_calibrations(const Catalog& catalog, const ReadProfile& read) {
  const HardwareProfile& profile = read.profile;
  const bool has_gpu = std::any_of(profile.devices.begin(), profile.devices.end(),
                                   [](const ProfileDevice& device) { return device.kind == "gpu"; });
  const bool scripted = is_scripted(profile);
  std::vector<HostCalibration> hosts;
  for (const ProfileDevice& device : profile.devices) {
    if (has_gpu && device.kind != "gpu") continue;
    const bool known = is_known(catalog, device);
    const std::string id = id_of(catalog, device);
    auto host = std::find_if(hosts.begin(), hosts.end(), [&](const HostCalibration& h) { return h.gpu_id == id; });
    if (host == hosts.end()) {
      HostCalibration added;
      added.gpu_id = id;
      added.profile_digest = read.digest;
      added.measured = profile.run.started;
      added.backend = profile.run.backend;
      if (!known && !scripted) added.device_json = device_json(profile, device, id, added.notes);
      hosts.push_back(std::move(added));
      host = hosts.end() - 1;
    }
    if (scripted) {
      add_once(host->notes, "Scripted devices (--backend fake) are no machine: plans take nothing of them.");
      continue;
    }
    if (!device.mig_slice.empty()) {
      add_once(host->notes, device.id + " is a slice of a GPU: plans take rates of whole ones.");
      continue;
    }
    if (!known && host->device_json.empty()) continue;
    for (HostRate& rate : host_rates(catalog, profile, device)) keep_slower(host->rates, std::move(rate));
    if (known && device.memory_total_gib)
      host->memory = std::min(host->memory.value_or(gib(*device.memory_total_gib)), gib(*device.memory_total_gib));
  }
  for (HostCalibration& host : hosts) {
    decide_uses(catalog, host);
    note_uses(host);
  }
  return hosts;
}

const HostCalibration* host_of(const Catalog& catalog, const std::vector<HostCalibration>& hosts,
                               const ProfileDevice& device) {
  if (!device.mig_slice.empty()) return nullptr;
  const std::string id = id_of(catalog, device);
  const auto host = std::find_if(hosts.begin(), hosts.end(), [&](const HostCalibration& h) { return h.gpu_id == id; });
  return host == hosts.end() ? nullptr : &*host;
}

bool plans_take_from(const HostCalibration& host) {
  return host.memory || !host.device_json.empty() ||
         std::any_of(host.rates.begin(), host.rates.end(),
                     [](const HostRate& rate) { return rate.use != RateUse::none; });
}

std::vector<std::string> calibration_cautions(const Catalog& catalog, const HardwareProfile& profile) {
  std::vector<std::string> cautions;
  if (is_scripted(profile))
    cautions.emplace_back("The profile is of scripted devices (--backend fake): it does not describe a machine.");
  if (!profile.run.complete)
    cautions.emplace_back("The run ended early: for what is missing, plans keep the catalog's rates.");
  std::string wrong;
  for (const ProfileVerdict& one : judge_profile(catalog, profile).verdicts) {
    const VerdictKind kind = one.verdict.kind;
    if (kind != VerdictKind::failed && kind != VerdictKind::bad && kind != VerdictKind::low &&
        kind != VerdictKind::invalid)
      continue;
    wrong += (wrong.empty() ? "" : ", ") + std::string(word_of(kind, kVerdictWords)) + ": " + one.probe +
             (one.device.empty() ? "" : " of " + one.device);
  }
  if (!wrong.empty())
    cautions.push_back("The machine is not as it should be (" + wrong +
                       "; `podwright verify PROFILE` says why); its rates are taken as they were measured.");
  return cautions;
}

Catalog with_hosts(const Catalog& catalog, std::vector<HostCalibration> hosts, const std::vector<Gpu>& devices) {
  Catalog calibrated = catalog;
  calibrated.uncalibrated = catalog.uncalibrated == nullptr ? &catalog : catalog.uncalibrated;
  for (const Gpu& device : devices) calibrated.gpus.push_back(device);
  for (HostCalibration& host : hosts) {
    add_source(calibrated, host);
    decide_uses(catalog, host);
    for (KernelRate& rate : scaled_readings(catalog, host)) put(calibrated, std::move(rate));
    for (const HostRate& rate : host.rates)
      if (auto row = plan_rate(catalog, host, rate)) put(calibrated, std::move(*row));
    for (Gpu& gpu : calibrated.gpus) {
      if (gpu.id != host.gpu_id || !host.memory) continue;
      gpu.memory_driver = host.memory;
      gpu.sources["memory_driver_gib"] = profile_source(host.profile_digest);
    }
    calibrated.hosts.push_back(std::move(host));
  }
  return calibrated;
}

}  // namespace podwright
