#include "calibration/reference_profile.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "calibration/judge_profile.h"
#include "calibration/usable_points.h"

namespace podwright {
namespace {

enum class Figure { none, flops, bytes, time };

Figure figure_of(std::string_view probe) {
  if (probe == "prefill.attn" || probe == "decode.attn" || probe == "hbm.read" || probe == "decode.weights")
    return probe == "prefill.attn" ? Figure::flops : Figure::bytes;
  if (probe == "pcie.h2d" || probe == "pcie.d2h") return Figure::bytes;
  if (probe == "coll.allreduce" || probe == "coll.allgather" || probe == "coll.alltoall") return Figure::time;
  return probe.starts_with("gemm.") && is_product_probe(probe) ? Figure::flops : Figure::none;
}

std::string_view unit_of(Figure figure) {
  return figure == Figure::flops ? "TFLOP/s" : figure == Figure::bytes ? "GB/s" : "us";
}

/// The catalog's id of the first GPU; empty where there is none.
std::string gpu_of(const HardwareProfile& profile) {
  for (const ProfileDevice& device : profile.devices)
    if (device.kind == "gpu") return device.key;
  return "";
}

/// What keeps a profile from being a reference; empty where nothing does.
Errors problems_of(const Catalog& catalog, const HardwareProfile& profile) {
  Errors errors;
  const auto refuse = [&](std::string path, std::string message, std::string hint) {
    errors.push_back({"conflict", std::move(path), std::move(message), std::move(hint)});
  };
  if (!profile.run.complete)
    refuse("/run/complete", "The run ended early.", "Run `podwright probe --standard` to its end.");
  if (profile.run.backend != "cuda")
    refuse("/run/backend", "A reference is measured by the CUDA probes, not by \"" + profile.run.backend + "\".",
           "Run `podwright probe --backend cuda --standard`.");
  if (profile.run.mode == RunMode::quick || profile.run.mode == RunMode::imported)
    refuse("/run/mode", "A " + std::string(word_of(profile.run.mode, kRunModeWords)) + " profile lacks most results.",
           "Run `podwright probe --standard`.");
  const std::string kind = gpu_of(profile);
  for (std::size_t i = 0; i < profile.devices.size(); ++i) {
    const ProfileDevice& device = profile.devices[i];
    if (device.kind != "gpu") continue;
    const std::string path = "/devices/" + std::to_string(i);
    if (device.key.empty() || device.key_match == KeyMatch::none || !find_gpu(catalog, device.key))
      refuse(path + "/key", "The catalog lacks " + device.name + ".", "Add the GPU to the catalog first.");
    else if (device.key != kind)
      refuse(path + "/key", "The profile holds several kinds of GPU.", "Measure them separately: --device.");
    if (!device.mig_slice.empty()) refuse(path + "/mig_slice", "A slice is not the whole GPU.", "Measure a whole GPU.");
  }
  if (kind.empty() && errors.empty())
    refuse("/devices", "The profile has no GPU.", "Run `podwright probe --backend cuda --standard`.");
  if (errors.empty() && judge_profile(catalog, profile).exit != ProbeExit::ok)
    refuse("/results", "A verdict on this machine reports a problem.",
           "`podwright verify PROFILE` names it; a reference is a healthy machine.");
  return errors;
}

ReferenceRate row_of(const ProfileDevice& device, const ProbeResult& result, const MeasuredRate& rate) {
  ReferenceRate row;
  row.gpu_id = device.key;
  row.probe = result.probe;
  row.way = way_of(result);
  row.dtype = result.dtype;
  row.mode = result.mode;
  row.size = result.size;
  row.low = rate.low;
  row.rate = rate.rate;
  row.high = rate.high;
  row.unit = unit_of(figure_of(result.probe));
  row.probe_version = result.version;
  return row;
}

bool same_result(const ReferenceRate& a, const ReferenceRate& b) {
  return a.gpu_id == b.gpu_id && a.probe == b.probe && a.way == b.way && a.dtype == b.dtype && a.mode == b.mode &&
         a.size == b.size && a.probe_version == b.probe_version;
}

}  // namespace

std::string way_of(const ProbeResult& result) {
  // "nccl 2.27.3", "cublaslt-67": what comes after the name is a version or a choice.
  std::string way = result.variant.algorithm.empty() ? result.variant.library : result.variant.algorithm;
  way = way.substr(0, way.find(' '));
  const std::size_t hyphen = way.rfind('-');
  if (hyphen != std::string::npos && way.find_first_not_of("0123456789", hyphen + 1) == std::string::npos)
    way.resize(hyphen);
  for (const auto& [set, word] : {std::pair{result.variant.graph.value_or(false), "+graph"},
                                  {result.variant.registered.value_or(false), "+registered"},
                                  {!result.variant.nvls.value_or(true), "+no-nvls"}})
    if (set) way += word;
  return way;
}

bool is_own_kernel(std::string_view way) { return way.starts_with("own") || way.starts_with("reference_kernel"); }

std::optional<MeasuredRate> reference_figure(const ProbeResult& result) {
  const Figure figure = figure_of(result.probe);
  if (figure == Figure::none || !result.time_s || result.size.nodes.value_or(1) > 1) return std::nullopt;
  if (figure == Figure::time) {
    const SampleSummary& time = *result.time_s;
    return MeasuredRate{time.lo95.value_or(time.min), time.median, time.hi95.value_or(time.p95)};
  }
  const double work = figure == Figure::flops ? result.counted.flops : result.counted.bytes;
  return work > 0 ? std::optional(rate_of(work, *result.time_s)) : std::nullopt;
}

const ReferenceRate* reference_of(const Catalog& catalog, std::string_view gpu_id, const ProbeResult& result) {
  if (catalog.reference_rates.empty()) return nullptr;
  ProfileDevice device;
  device.key = gpu_id;
  const ReferenceRate wanted = row_of(device, result, {});
  for (const ReferenceRate& row : catalog.reference_rates)
    if (same_result(row, wanted)) return &row;
  return nullptr;
}

bool has_reference(const Catalog& catalog, std::string_view gpu_id) {
  return std::any_of(catalog.reference_rates.begin(), catalog.reference_rates.end(),
                     [&](const ReferenceRate& row) { return row.gpu_id == gpu_id; });
}

Result<std::vector<ReferenceRate>> with_reference(const Catalog& catalog, const ReadProfile& read) {
  const HardwareProfile& profile = read.profile;
  if (Errors errors = problems_of(catalog, profile); !errors.empty()) return failure(std::move(errors));
  std::vector<std::vector<ReferenceRate>> alike;  // the same result on each device
  for (const ProfileDevice& device : profile.devices) {
    if (device.kind != "gpu") continue;
    for (const ProbeResult& result : profile.results) {
      const auto figure = reference_figure(result);
      if (!figure || !result.usable() || result.devices.empty() || result.devices.front() != device.id) continue;
      ReferenceRate row = row_of(device, result, *figure);
      row.source = profile_source(read.digest);
      const auto same =
          std::find_if(alike.begin(), alike.end(), [&](const auto& rows) { return same_result(rows.front(), row); });
      if (same == alike.end())
        alike.push_back({std::move(row)});
      else
        same->push_back(std::move(row));
    }
  }
  if (alike.empty())
    return failure({"conflict", "/results", "The profile holds no result that plans compare.",
                    "Run `podwright probe --standard`."});
  std::vector<ReferenceRate> table;
  for (const ReferenceRate& row : catalog.reference_rates)
    if (row.gpu_id != gpu_of(profile)) table.push_back(row);
  for (std::vector<ReferenceRate>& rows : alike) {
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>((rows.size() - 1) / 2);
    std::nth_element(rows.begin(), middle, rows.end(),
                     [](const ReferenceRate& a, const ReferenceRate& b) { return a.rate < b.rate; });
    table.push_back(std::move(*middle));
  }
  return table;
}

std::string profile_source(std::string_view digest) { return "profile-" + std::string(digest.substr(0, 16)); }

}  // namespace podwright
