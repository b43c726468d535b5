#include "api/import_rates.h"

#include <optional>
#include <string_view>
#include <vector>

#include "api/host_calibration_text.h"
#include "calibration/host_calibration.h"
#include "calibration/machine_formulas.h"
#include "calibration/rate_use.h"
#include "perf/ceilings.h"
#include "perf/roofline.h"

namespace podwright {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (const std::string_view one : words)
    if (one == word) return true;
  return false;
}

/// What the data sheet promises for an operation, base units; absent where it says nothing of it.
std::optional<double> data_sheet(const Gpu& gpu, const KernelRate& rate) {
  if (is_one_of(rate.operation, {"gemm", "context-attention"})) {
    const auto peak = product_peak(gpu, rate.precision);
    return peak ? std::optional<double>(raw(*peak)) : std::nullopt;
  }
  if (is_one_of(rate.operation, {"weight-streaming", "kv-reading"}))
    return gpu.memory_bandwidth ? std::optional<double>(raw(*gpu.memory_bandwidth)) : std::nullopt;
  const bool collective =
      is_one_of(rate.operation, {"all-reduce-bus-bandwidth", "all-gather-bus-bandwidth", "all-to-all-bus-bandwidth"});
  const auto& link = gpu.link_bandwidth_one_way;
  return collective && link && raw(*link) > 0 ? std::optional<double>(raw(*link)) : std::nullopt;
}

void write_rate(JsonWriter& out, const Catalog& catalog, const HostCalibration& host, const HostRate& rate) {
  const RateDisplay display = rate_display(rate.operation);
  const auto gpu = find_gpu(catalog, rate.gpu_id);
  const auto sheet = gpu ? data_sheet(**gpu, rate) : std::nullopt;
  const KernelRate* planned = find_kernel_rate(catalog, rate.gpu_id, rate.operation, rate.precision, rate.ranks);
  out.begin_object();
  out.text("gpu", rate.gpu_id);
  out.text("operation", rate.operation);
  out.text("precision", rate.precision);
  out.number("ranks", rate.ranks);
  out.text("unit", display.unit);
  if (sheet) out.number("data_sheet", *sheet / display.base_units);
  if (planned != nullptr && planned->ranks == rate.ranks)
    out.number("planned_without", planned->typical / display.base_units);
  if (const auto follows = plan_rate(catalog, host, rate))
    out.number("planned_with", follows->typical / display.base_units);
  out.number("measured_low", rate.low / display.base_units);
  out.number("measured", rate.typical / display.base_units);
  out.number("measured_high", rate.high / display.base_units);
  if (sheet) {
    out.number("share_low", rate.low / *sheet);
    out.number("share", rate.typical / *sheet);
    out.number("share_high", rate.high / *sheet);
  }
  out.end_object();
}

const HostRate* rate_of(const HostCalibration& host, std::string_view operation) {
  for (const HostRate& rate : host.rates)
    if (rate.operation == operation) return &rate;
  return nullptr;
}

void write_roofline(JsonWriter& out, const Gpu& gpu, const KernelRate& product, const KernelRate& reading) {
  const auto peak = product_peak(gpu, product.precision);
  if (!peak || !gpu.memory_bandwidth) return;
  const auto roof = [&](std::string_view name, FlopsPerSecond flops, BytesPerSecond bandwidth) {
    out.begin_object(name);
    out.number("tflops", raw(flops) / 1e12);
    out.number("memory_gb_per_s", raw(bandwidth) / 1e9);
    out.number("ridge_flop_per_byte", ridge_point(flops, bandwidth).base_units());
    out.end_object();
  };
  out.begin_object();
  out.text("gpu", gpu.id);
  out.text("precision", product.precision);
  roof("data_sheet", *peak, *gpu.memory_bandwidth);
  roof("measured", FlopsPerSecond(product.typical), BytesPerSecond(reading.typical));
  out.end_object();
}

}  // namespace

void write_import_rates(JsonWriter& out, const Catalog& catalog, const ReadProfile& read) {
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, read);
  out.begin_list("rates");
  for (const HostCalibration& host : hosts)
    for (const HostRate& rate : host.rates) write_rate(out, catalog, host, rate);
  out.end_list();
  out.begin_list("rooflines");
  for (const HostCalibration& host : hosts) {
    const auto gpu = find_gpu(catalog, host.gpu_id);
    const HostRate* reading = rate_of(host, "weight-streaming");
    if (reading == nullptr) reading = rate_of(host, "kv-reading");
    if (!gpu || reading == nullptr) continue;
    for (const HostRate& rate : host.rates)
      if (rate.operation == "gemm") write_roofline(out, **gpu, rate, *reading);
  }
  out.end_list();
}

}  // namespace podwright
