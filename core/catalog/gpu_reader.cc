#include <algorithm>
#include <string>
#include <vector>

#include "catalog/item_reader.h"

namespace podwright {
namespace {

const std::vector<std::string> kPrecisions = {
    "fp64", "fp64_tensor", "fp32", "tf32", "bf16", "fp16", "fp16_fp16_accumulate", "fp8", "int8", "fp4", "int4"};
constexpr Range kPositive{.min = 1e-6, .max = 1e9};
constexpr Range kPrice{.min = 0, .max = 1e9};

void read_rates(ObjectReader& reader, std::string_view key, std::map<std::string, FlopsPerSecond>& rates) {
  const JsonNode* node = reader.object(key);
  if (node == nullptr) return;
  ObjectReader object(*node, reader.path(key), reader.errors());
  for (const std::string& precision : kPrecisions)
    if (const auto rate = object.number(precision, kPositive)) rates[precision] = tflops(*rate);
  object.finish();
}

/// A single price stands for its whole range.
std::optional<Price> read_price(ObjectReader& reader, std::string_view key) {
  const JsonNode* node = reader.object(key);
  if (node == nullptr) return {};
  ObjectReader object(*node, reader.path(key), reader.errors());
  const auto typical = object.number("typical", kPrice);
  const auto low = object.number("low", kPrice);
  const auto high = object.number("high", kPrice);
  if (!object.has("typical")) object.missing("typical", "the price to calculate with");
  object.finish();
  if (!typical) return {};
  if (low.value_or(*typical) > *typical || high.value_or(*typical) < *typical)
    object.error("typical", "conflict", "The typical price is outside its range.", "low <= typical <= high");
  return Price{usd(low.value_or(*typical)), usd(*typical), usd(high.value_or(*typical))};
}

void read_link(ObjectReader& reader, Gpu& gpu) {
  const JsonNode* node = reader.object("link");
  if (node == nullptr) return;
  ObjectReader object(*node, reader.path("link"), reader.errors());
  keep(gpu.link_name, object.text("name"));
  const auto both = object.number("gb_per_s_bidirectional", {.min = 0.0, .max = 1e6});
  auto one_way = object.number("gb_per_s_one_way", {.min = 0.0, .max = 1e6});
  if (both && one_way && std::max(*both, 2 * *one_way) > 1.001 * std::min(*both, 2 * *one_way))
    object.error("gb_per_s_one_way", "conflict", "One direction is not half of both.", "Give one of the two rates.");
  if (both && !one_way) one_way = *both / 2;
  if (one_way) gpu.link_bandwidth_one_way = gb_per_s(*one_way);
  keep(gpu.link_domain_gpus, object.number("domain_gpus", {.min = 1, .max = 1e6}));
  if (gpu.link_name == "none") {
    gpu.link_bandwidth_one_way.reset();
    gpu.link_domain_gpus = 1;
  }
  object.finish();
}

}  // namespace

void read_gpu(const JsonNode& node, const ItemPlace& place, Gpu& gpu, ErrorList& errors) {
  ObjectReader reader(node, place.path, errors);
  read_item_head(node, reader, place, gpu);
  keep(gpu.vendor, reader.text("vendor"));
  keep(gpu.architecture, reader.text("architecture"));
  keep(gpu.compute_capability, reader.text("compute_capability"));
  keep(gpu.form_factor, reader.text("form_factor"));
  keep(gpu.status, reader.text("status"));
  keep(gpu.year, reader.count("year", {.min = 2000, .max = 2100}));
  keep(gpu.sm_count, reader.count("sm_count", {.min = 1, .max = 1e5}));
  reader.count("cuda_cores", {.min = 0, .max = 1e7});
  reader.count("tensor_cores", {.min = 0, .max = 1e6});
  reader.count("tensor_core_generation", {.min = 1, .max = 100});
  keep(gpu.boost_clock_mhz, reader.number("boost_clock_mhz", {.min = 1, .max = 1e5}));
  read_rates(reader, "peak_dense_tflops", gpu.peak_dense_flops);
  read_rates(reader, "measured_matmul_tflops", gpu.measured_matmul_flops);
  reader.text("sparsity");
  if (const auto x = reader.number("memory_gb", kPositive)) gpu.memory = gb(*x);
  if (const auto x = reader.number("memory_driver_gib", kPositive)) gpu.memory_driver = gib(*x);
  keep(gpu.memory_type, reader.text("memory_type"));
  if (const auto x = reader.number("memory_bandwidth_gb_per_s", kPositive)) gpu.memory_bandwidth = gb_per_s(*x);
  keep(gpu.l2_mb, reader.number("l2_mb", kPositive));
  reader.number("shared_memory_kb_per_sm", kPositive);
  read_link(reader, gpu);
  keep(gpu.pcie_generation, reader.count("pcie_generation", {.min = 1, .max = 20}));
  if (const auto x = reader.number("board_power_w", kPositive)) gpu.board_power = watts(*x);
  if (const auto x = reader.number("gpu_power_w", kPositive)) gpu.gpu_power = watts(*x);
  keep(gpu.mig_max_instances, reader.count("mig_max_instances", {.min = 0, .max = 1000}));
  reader.text("ecc");
  if (const auto price = read_price(reader, "price_usd")) gpu.price = *price;
  read_price(reader, "price_usd_per_chip_hour");
  keep(gpu.price_basis, reader.text("price_basis"));
  reader.text("notes");
  if (place.complete) {
    if (!reader.has("memory_gb")) reader.missing("memory_gb", "memory of one GPU as printed");
    if (!reader.has("memory_bandwidth_gb_per_s"))
      reader.missing("memory_bandwidth_gb_per_s", "rate of the GPU's memory");
    if (!reader.has("peak_dense_tflops")) reader.missing("peak_dense_tflops", "dense peak rates by precision");
  }
  reader.finish();
}

std::optional<FlopsPerSecond> product_peak(const Gpu& gpu, std::string_view dtype) {
  std::string_view word = dtype;
  if (dtype == "fp8-block" || dtype == "mxfp8") word = "fp8";
  if (dtype == "nvfp4" || dtype == "mxfp4") word = "fp4";
  const auto peak = gpu.peak_dense_flops.find(std::string(word));
  if (peak == gpu.peak_dense_flops.end()) return {};
  return peak->second;
}

}  // namespace podwright
