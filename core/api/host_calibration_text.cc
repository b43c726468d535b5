#include "api/host_calibration_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/json_read.h"
#include "calibration/host_calibration.h"
#include "catalog/inline_item.h"

namespace podwright {
namespace {

/// Operations of kernel_rates.csv on a GPU, with their unit in files.
struct QuantityWords {
  std::string_view operation;
  std::string_view unit;
  double base_units;
};
constexpr std::array<QuantityWords, 11> kQuantities{{{"gemm", "TFLOP/s", 1e12},
                                                     {"context-attention", "TFLOP/s", 1e12},
                                                     {"weight-streaming", "GB/s", 1e9},
                                                     {"kv-reading", "GB/s", 1e9},
                                                     {"all-reduce-bus-bandwidth", "GB/s", 1e9},
                                                     {"all-gather-bus-bandwidth", "GB/s", 1e9},
                                                     {"all-to-all-bus-bandwidth", "GB/s", 1e9},
                                                     {"host-link", "GB/s", 1e9},
                                                     {"network-bus-bandwidth", "GB/s", 1e9},
                                                     {"all-reduce-latency", "us", 1e-6},
                                                     {"fused-all-reduce-latency", "us", 1e-6}}};
constexpr Range kPositiveRate{.min = 1e-9, .max = 1e9};

const QuantityWords* quantity_of(std::string_view operation) {
  for (const QuantityWords& quantity : kQuantities)
    if (quantity.operation == operation) return &quantity;
  return nullptr;
}

std::vector<std::string> operation_words() {
  std::vector<std::string> words;
  for (const QuantityWords& quantity : kQuantities) words.emplace_back(quantity.operation);
  return words;
}

void write_rate(JsonWriter& out, const HostRate& rate) {
  const QuantityWords* quantity = quantity_of(rate.operation);
  if (quantity == nullptr) return;
  out.begin_object();
  out.text("operation", rate.operation);
  out.text("precision", rate.precision);
  out.number("ranks", rate.ranks);
  out.text("probe", rate.probe);
  out.text("way", rate.way);
  out.number("probe_version", rate.probe_version);
  out.number("low", rate.low / quantity->base_units);
  out.number("typical", rate.typical / quantity->base_units);
  out.number("high", rate.high / quantity->base_units);
  out.text("unit", quantity->unit);
  out.text("note", rate.note);
  if (rate.against) {
    out.begin_object("against");
    out.number("host", rate.against->host / quantity->base_units);
    out.number("reference", rate.against->reference / quantity->base_units);
    out.number("half_width", rate.against->half_width);
    out.number("sizes", rate.against->sizes);
    out.text("source", rate.against->source);
    out.end_object();
  }
  out.end_object();
}

/// The machine beside the reference, in the unit of the rate.
std::optional<AgainstReference> read_against(ObjectReader& rate, ErrorList& errors, double base_units) {
  const JsonNode* node = rate.object("against");
  if (node == nullptr) return std::nullopt;
  ObjectReader reader(*node, rate.path("against"), errors);
  AgainstReference against;
  against.host = reader.number("host", kPositiveRate).value_or(0) * base_units;
  against.reference = reader.number("reference", kPositiveRate).value_or(0) * base_units;
  against.half_width = reader.number("half_width", {.min = 0, .max = 10}).value_or(0);
  against.sizes = static_cast<double>(reader.count("sizes", {.min = 1, .max = 1e6}).value_or(1));
  against.source = reader.text("source").value_or("");
  for (const char* key : {"host", "reference", "half_width", "source"})
    if (!reader.has(key)) reader.missing(key, "the ratio to the reference machine");
  reader.finish();
  return against.host > 0 && against.reference > 0 ? std::optional(against) : std::nullopt;
}

void read_rate(const JsonNode& node, const std::string& path, ErrorList& errors, HostCalibration& host) {
  ObjectReader reader(node, path, errors);
  HostRate rate;
  rate.gpu_id = host.gpu_id;
  rate.operation = reader.word("operation", operation_words()).value_or("");
  rate.precision = reader.word("precision", {"bf16", "fp16", "tf32", "fp32", "fp8", "int8", "fp4", "any"}).value_or("");
  rate.ranks = static_cast<double>(reader.count("ranks", {.min = 1, .max = 1e6}).value_or(1));
  rate.probe = reader.text("probe").value_or("");
  rate.way = reader.text("way").value_or("");
  rate.probe_version = static_cast<int>(reader.count("probe_version", {.min = 1, .max = 1e6}).value_or(1));
  const auto low = reader.number("low", kPositiveRate);
  const auto typical = reader.number("typical", kPositiveRate);
  const auto high = reader.number("high", kPositiveRate);
  const QuantityWords* quantity = quantity_of(rate.operation);
  const auto unit = reader.text("unit");
  if (quantity != nullptr && unit && *unit != quantity->unit)
    reader.error("unit", "out-of-range",
                 "The operation " + rate.operation + " is given in " + std::string(quantity->unit) + ".",
                 "Write \"" + std::string(quantity->unit) + "\".");
  rate.note = reader.text("note").value_or("");
  rate.against = read_against(reader, errors, quantity == nullptr ? 1 : quantity->base_units);
  for (const char* key : {"operation", "precision", "probe", "low", "typical", "high", "unit"})
    if (!reader.has(key)) reader.missing(key, "what the rate means");
  reader.finish();
  if (quantity == nullptr || !low || !typical || !high) return;
  if (!(*low <= *typical && *typical <= *high)) {
    reader.error("typical", "conflict", "The typical rate is outside its range.", "low <= typical <= high");
    return;
  }
  rate.low = *low * quantity->base_units;
  rate.typical = *typical * quantity->base_units;
  rate.high = *high * quantity->base_units;
  host.rates.push_back(std::move(rate));
}

/// The device by the catalog's id, or as an object of its own, which is added to `devices`.
void read_device_key(ObjectReader& reader, const Catalog& catalog, HostCalibration& host, std::vector<Gpu>& devices) {
  const JsonNode* node = reader.find("gpu");
  if (node == nullptr) {
    reader.missing("gpu", "the device that was measured");
    return;
  }
  if (node->is_object()) {
    if (auto gpu = read_inline_gpu(catalog, *node, reader.path("gpu"), reader.errors())) {
      host.gpu_id = gpu->id;
      gpu->origin = "calibration/" + gpu->id;
      devices.push_back(std::move(*gpu));
    }
    return;
  }
  const std::string id = reader.text("gpu").value_or("");
  if (const auto gpu = find_gpu(catalog, id)) {
    host.gpu_id = (*gpu)->id;
  } else {
    for (Error error : gpu.error()) {
      error.path = reader.path("gpu");
      reader.errors().add(node->order, std::move(error));
    }
  }
}

bool is_digest(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

HostCalibration read_host(const JsonNode& node, const std::string& path, const Catalog& catalog, ErrorList& errors,
                          std::vector<Gpu>& devices) {
  ObjectReader reader(node, path, errors);
  HostCalibration host;
  read_device_key(reader, catalog, host, devices);
  host.profile_digest = reader.text("profile_digest").value_or("");
  if (!reader.has("profile_digest"))
    reader.missing("profile_digest", "the profile behind the rates");
  else if (!is_digest(host.profile_digest))
    reader.error("profile_digest", "out-of-range", "A digest is 64 hexadecimal digits.", "Take it from the profile.");
  host.measured = reader.text("measured").value_or("");
  host.backend = reader.text("backend").value_or("");
  if (host.backend.find("fake") != std::string::npos)
    reader.error("backend", "conflict", "The rates are of scripted devices, which are no machine.",
                 "Measure a machine: `podwright probe`.");
  if (const auto memory = reader.number("memory_driver_gib", kPositiveRate)) host.memory = gib(*memory);
  if (const JsonNode* rates = reader.list("rates"))
    for (std::size_t i = 0; i < rates->items.size(); ++i)
      read_rate(rates->items[i], reader.path("rates") + "/" + std::to_string(i), errors, host);
  else if (!reader.has("rates"))
    reader.missing("rates", "what was measured");
  reader.finish();
  return host;
}

}  // namespace

void write_calibration(JsonWriter& out, const std::vector<HostCalibration>& hosts) {
  out.text("schema", kCalibrationSchema);
  out.begin_list("devices");
  for (const HostCalibration& host : hosts) {
    if (host.rates.empty()) continue;
    out.begin_object();
    if (host.device_json.empty()) {
      out.text("gpu", host.gpu_id);
    } else {
      out.key("gpu");
      out.verbatim(host.device_json);
    }
    out.text("profile_digest", host.profile_digest);
    if (!host.measured.empty()) out.text("measured", host.measured);
    if (!host.backend.empty()) out.text("backend", host.backend);
    if (host.memory) out.number("memory_driver_gib", raw(*host.memory) / raw(gib(1)));
    out.begin_list("rates");
    for (const HostRate& rate : host.rates) write_rate(out, rate);
    out.end_list();
    out.end_object();
  }
  out.end_list();
}

Result<Catalog> calibrated_catalog(const Catalog& catalog, const JsonNode& node, std::string_view path) {
  ErrorList errors;
  ObjectReader reader(node, std::string(path), errors);
  const auto schema = reader.text("schema");
  if (!reader.has("schema"))
    reader.missing("schema", "which file this is", "Write what `podwright calibrate PROFILE -o FILE` wrote.");
  else if (schema && *schema != kCalibrationSchema)
    reader.error("schema", "out-of-range",
                 "This program reads " + std::string(kCalibrationSchema) +
                     ", where plans follow ratios to a reference " + "machine; \"" + schema->substr(0, 40) +
                     "\" is another.",
                 "Write it again from its profile: `podwright calibrate PROFILE -o FILE`.");
  std::vector<HostCalibration> hosts;
  std::vector<Gpu> devices;
  if (const JsonNode* list = reader.list("devices")) {
    for (std::size_t i = 0; i < list->items.size(); ++i)
      hosts.push_back(
          read_host(list->items[i], reader.path("devices") + "/" + std::to_string(i), catalog, errors, devices));
    std::set<std::string_view> known;
    for (const HostCalibration& host : hosts)
      if (!host.gpu_id.empty() && !known.insert(host.gpu_id).second)
        reader.error("devices", "conflict", "\"" + host.gpu_id + "\" is calibrated twice.",
                     "Keep one device of each kind.");
  } else if (!reader.has("devices")) {
    reader.missing("devices", "the devices that were measured");
  }
  reader.finish();
  if (!errors.empty()) return failure(errors.take());
  return with_hosts(catalog, std::move(hosts), devices);
}

RateDisplay rate_display(std::string_view operation) {
  const auto* quantity = quantity_of(operation);
  return quantity == nullptr ? RateDisplay{} : RateDisplay{quantity->unit, quantity->base_units};
}

std::vector<std::string> rates_of_use(const HostCalibration& host, RateUse use) {
  std::vector<std::string> rates;
  for (const HostRate& rate : host.rates)
    if (rate.use == use) rates.push_back(quantity_text(rate));
  return rates;
}

std::vector<std::string> reasons_of_unchanged(const HostCalibration& host) {
  std::vector<std::string> reasons;
  for (const HostRate& rate : host.rates)
    if (rate.use == RateUse::none && std::find(reasons.begin(), reasons.end(), rate.why) == reasons.end())
      reasons.push_back(rate.why);
  return reasons;
}

}  // namespace podwright
