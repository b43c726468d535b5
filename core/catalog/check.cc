#include "catalog/check.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/number_text.h"
#include "catalog/fact_date.h"
#include "catalog/price_problems.h"
#include "catalog/traffic.h"

namespace podwright {
namespace {

// Plausible ranges. They are wide on purpose: a figure outside is a slip of a unit or a digit, not a surprising
// product.
constexpr double kMinBandwidth = 20e9, kMaxBandwidth = 100e12;  // B/s, from laptop memory to the next HBM
constexpr double kMinFlopsPerSmClock = 64,
                 kMaxFlopsPerSmClock = 65536;  // dense 16-bit FLOP per multiprocessor and clock
constexpr double kMinDriverShare = 0.85,
                 kMaxDriverShare = 1.01;  // driver's GiB / printed GB, which is printed in powers of two or ten
constexpr double kConsistency = 0.02;     // rounding of printed rates
constexpr double kHoursPerDay = 24;

class Checker {
 public:
  explicit Checker(const Catalog& catalog) : catalog_(catalog) {
    for (const Source& source : catalog.sources) source_ids_.insert(source.id);
  }

  CatalogCheck run(std::string_view today, double stale_days) {
    check_sources();
    check_references();
    for (const Gpu& gpu : catalog_.gpus) check_gpu(gpu);
    for (const Model& model : catalog_.models) check_model(model);
    for (const System& system : catalog_.systems) check_system(system);
    for (const CloudPrice& price : catalog_.cloud_prices) check_cloud_price(price);
    for (const EnergyRegion& region : catalog_.energy_regions) check_energy(region);
    for (const FailureRate& rate : catalog_.failure_rates) check_failure(rate);
    for (const ResaleValue& value : catalog_.resale_values) check_resale(value);
    for (const ProbeNorm& norm : catalog_.probe_norms) check_probe_norm(norm);
    for (const TrafficPreset& preset : catalog_.traffic_presets) check_traffic_preset(preset);
    check_reference_rates();
    check_ages(today, stale_days);
    return std::move(result_);
  }

 private:
  void problem(const CatalogItem& item, std::string what) {
    result_.problems.push_back(item.origin + ": " + std::move(what));
  }

  /// Counts the number and compares it.
  void range(const CatalogItem& item, std::string_view field, const std::optional<double>& value, double min,
             double max) {
    if (!value) return;
    ++result_.facts;
    if (*value >= min && *value <= max) return;
    problem(item, std::string(field) + " = " + shortest_number(*value) + ", plausible is " + shortest_number(min) +
                      " to " + shortest_number(max));
  }
  template <class Unit>
  void range(const CatalogItem& item, std::string_view field, const std::optional<Unit>& value, double min,
             double max) {
    if (value) range(item, field, std::optional<double>(value->base_units()), min, max);
  }

  // --- sources and references

  void check_source_ids(const CatalogItem& item, std::string_view field, std::string_view ids) {
    while (!ids.empty()) {
      const std::size_t end = std::min(ids.find("; "), ids.size());
      const std::string id(ids.substr(0, end));
      ids.remove_prefix(std::min(end + 2, ids.size()));
      if (source_ids_.count(id) == 0)
        problem(item, std::string(field) + " names the source \"" + id + "\", which sources.json lacks");
    }
  }
  template <class Items>
  void check_item_sources(const Items& items) {
    for (const auto& item : items) {
      check_source_ids(item, "the row", item.source);
      for (const auto& [field, sources] : item.sources) check_source_ids(item, field, sources);
    }
  }
  template <class Item>
  void check_row_has_source(const std::vector<Item>& rows) {
    for (const Item& row : rows)
      if (row.source.empty() && row.sources.empty()) problem(row, "the row names no source");
  }
  template <class Item>
  void check_unique_ids(const std::vector<Item>& items) {
    std::set<std::string> ids;
    for (const Item& item : items) {
      if (!ids.insert(item.id).second) problem(item, "the id \"" + item.id + "\" occurs twice");
      for (const char c : item.id)
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.')) {
          problem(item, "the id \"" + item.id + "\" is not kebab-case");
          break;
        }
    }
  }

  void check_sources() {
    const Catalog& c = catalog_;
    const auto of_items = [&](const auto&... items) { (check_item_sources(items), ...); };
    of_items(c.gpus, c.models, c.systems, c.switches, c.architectures, c.architecture_bands, c.weight_formats,
             c.reference_rates, c.training_recipes.get().stacks, c.training_recipes.get().contexts,
             c.training_frameworks, c.server_prices, c.energy_regions, c.training_efficiency.constants,
             c.serving_efficiency.constants);
    for (const Engine& engine : c.engines) check_item_sources(engine.conventions);
    const auto of_rows = [&](const auto&... rows) { ((check_item_sources(rows), check_row_has_source(rows)), ...); };
    of_rows(c.architecture_claims.get(), c.study_bands.get(), c.software_products, c.kernel_rates, c.probe_norms.get(),
            c.ggml_types.get(), c.mig_profiles.get(), c.cloud_prices, c.cloud_data_prices, c.purchase_prices,
            c.failure_rates, c.operating_figures, c.traffic_presets, c.training_rates.get(),
            c.training_efficiency.software, c.training_efficiency.spreads, c.serving_efficiency.software,
            c.serving_efficiency.spreads, c.serving_efficiency.support, c.training_support, c.resale_values,
            c.gpu_hour_costs.get(), c.price_history, c.currencies.get());
    const auto of_documents = [&](const auto& items) {
      for (const auto& item : items) check_source_ids(item, "document", item.document);
    };
    of_documents(c.architecture_claims);
    of_documents(c.study_bands);
  }

  template <class Item>
  static std::set<std::string> ids_of(const std::vector<Item>& items) {
    std::set<std::string> ids;
    for (const Item& item : items) ids.insert(item.id);
    return ids;
  }
  void refers(const CatalogItem& item, std::string_view noun, const std::string& id,
              const std::set<std::string>& known) {
    if (!id.empty() && known.count(id) == 0)
      problem(item, "names the " + std::string(noun) + " \"" + id + "\", which the catalog lacks");
  }

  void check_references() {
    const auto unique = [&](const auto&... items) { (check_unique_ids(items), ...); };
    unique(catalog_.gpus, catalog_.models.get(), catalog_.systems, catalog_.switches, catalog_.architectures,
           catalog_.engines, catalog_.architecture_claims.get(), catalog_.software_products, catalog_.traffic_presets);
    const std::set<std::string> gpus = ids_of(catalog_.gpus);
    const std::set<std::string> systems = ids_of(catalog_.systems);
    const std::set<std::string> switches = ids_of(catalog_.switches);
    for (const System& system : catalog_.systems)
      for (const std::string& gpu : system.gpus) refers(system, "GPU", gpu, gpus);
    for (const ReferenceArchitecture& architecture : catalog_.architectures) {
      for (const std::string& system : architecture.systems) refers(architecture, "system", system, systems);
      for (const std::string& id : {architecture.fabric_switch, architecture.site.storage_switch,
                                    architecture.site.in_band_switch, architecture.site.out_of_band_switch})
        refers(architecture, "switch", id, switches);
      refers(architecture, "architecture", architecture.site.like, ids_of(catalog_.architectures));
    }
    const auto of_gpus = [&](const auto& rows) {
      for (const auto& row : rows)
        if (row.gpu_id != "any") refers(row, "GPU", row.gpu_id, gpus);
    };
    const auto all_of_gpus = [&](const auto&... tables) { (of_gpus(tables), ...); };
    all_of_gpus(catalog_.cloud_prices, catalog_.failure_rates, catalog_.training_rates, catalog_.resale_values,
                catalog_.gpu_hour_costs, catalog_.price_history, catalog_.kernel_rates, catalog_.probe_norms,
                catalog_.reference_rates, catalog_.architecture_bands, catalog_.server_prices);
    const std::set<std::string> frameworks = ids_of(catalog_.training_frameworks.get());
    for (const TrainingSupport& support : catalog_.training_support) {
      refers(support, "GPU", support.gpu, gpus);
      refers(support, "framework", support.framework, frameworks);
    }
    for (const ArchitectureBand& band : catalog_.architecture_bands) refers(band, "system", band.system_id, systems);
    for (const StudyBand& band : catalog_.study_bands)
      for (const double number : band.claims)
        if (number > static_cast<double>(catalog_.architecture_claims.size()))
          problem(band, "names a claim that the catalog lacks");
    const std::set<std::string> products = ids_of(catalog_.software_products);
    for (const SoftwareProduct& product : catalog_.software_products)
      refers(product, "software product", product.contained_in, products);
    const std::set<std::string> prices = ids_of(catalog_.purchase_prices);
    for (const ServerPrice& price : catalog_.server_prices) {
      refers(price, "system", price.system_id, systems);
      refers(price, "purchase price", price.price_item, prices);
    }
    check_aliases("gpus", gpus);
    check_aliases("models", ids_of(catalog_.models.get()));
    check_aliases("systems", systems);
    if (!catalog_.engines.empty()) check_aliases("engines", ids_of(catalog_.engines));
  }

  void check_aliases(const std::string& name_space, const std::set<std::string>& ids) {
    const auto aliases = catalog_.aliases.find(name_space);
    if (aliases == catalog_.aliases.end()) return;
    for (const auto& [spelling, id] : aliases->second) {
      if (ids.count(id) == 0)
        result_.problems.push_back("catalog/aliases.json: the spelling \"" + spelling + "\" stands for \"" + id +
                                   "\", which " + name_space + " lacks");
      if (ids.count(spelling) != 0 && spelling != id)
        result_.problems.push_back("catalog/aliases.json: the spelling \"" + spelling +
                                   "\" is the id of another item than \"" + id + "\"");
    }
  }

  // --- plausible figures

  static double rate_of(const std::map<std::string, FlopsPerSecond>& rates, const char* precision) {
    const auto rate = rates.find(precision);
    return rate == rates.end() ? 0 : rate->second.base_units();
  }

  void check_gpu(const Gpu& gpu) {
    range(gpu, "memory_bandwidth", gpu.memory_bandwidth, kMinBandwidth, kMaxBandwidth);
    range(gpu, "memory", gpu.memory, 1e9, 4e12);
    range(gpu, "board_power", gpu.board_power, 5, 5000);
    range(gpu, "gpu_power", gpu.gpu_power, 5, 5000);
    range(gpu, "link_bandwidth_one_way", gpu.link_bandwidth_one_way, 1e9, 10e12);
    range(gpu, "boost_clock_mhz", gpu.boost_clock_mhz, 300, 4000);
    if (gpu.memory && gpu.memory_driver)
      range(gpu, "memory_driver_gib / memory_gb",
            gpu.memory_driver->base_units() / gib(1).base_units() / (gpu.memory->base_units() / gb(1).base_units()),
            kMinDriverShare, kMaxDriverShare);
    const double sixteen_bit = std::max(rate_of(gpu.peak_dense_flops, "bf16"), rate_of(gpu.peak_dense_flops, "fp16"));
    if (sixteen_bit > 0 && gpu.sm_count && gpu.boost_clock_mhz)
      range(gpu, "16-bit FLOP per multiprocessor and clock", sixteen_bit / (*gpu.sm_count * *gpu.boost_clock_mhz * 1e6),
            kMinFlopsPerSmClock, kMaxFlopsPerSmClock);
    // A narrower format is never slower, except the integer units that recent data-centre parts gave up.
    const char* const by_width[] = {"tf32", "bf16", "fp8", "fp4"};
    double widest = 0;
    for (const char* precision : by_width) {
      const double rate = rate_of(gpu.peak_dense_flops, precision);
      if (rate == 0) continue;
      ++result_.facts;
      if (rate < widest * (1 - kConsistency))
        problem(gpu, std::string("peak_dense_tflops.") + precision + " is below the rate of a wider format");
      widest = std::max(widest, rate);
    }
    for (const auto& [precision, measured] : gpu.measured_matmul_flops) {
      const double peak = rate_of(gpu.peak_dense_flops, precision.c_str());
      if (peak > 0) range(gpu, "measured / peak matrix rate of " + precision, measured.base_units() / peak, 0.2, 1.0);
    }
  }

  void check_model(const Model& model) {
    range(model, "layers", model.layers, 1, 1000);
    range(model, "vocab_size", model.vocab_size, 100, 2e6);
    range(model, "hidden_size", model.hidden_size, 64, 1e5);
    range(model, "total_parameters", model.total_parameters, 1e6, 1e14);
    if (model.total_parameters && model.active_parameters)
      range(model, "active / total parameters", *model.active_parameters / *model.total_parameters, 1e-3, 1);
    if (model.kv_bytes_per_token_bf16 && model.kv_growing_bytes_per_token_bf16 &&
        *model.kv_growing_bytes_per_token_bf16 > *model.kv_bytes_per_token_bf16)
      problem(model, "more key-value bytes grow with the context than there are");
  }

  void check_system(const System& system) {
    range(system, "gpu_count", system.gpu_count, 1, 1e4);
    range(system, "power_max", system.power_max, 500, 500e3);
    if (system.power_max) range(system, "power per GPU", system.power_max->base_units() / system.gpu_count, 100, 5000);
  }

  void check_energy(const EnergyRegion& region) {
    range(region, "electricity_price_kwh", region.electricity_price_kwh, 0.01, 1);
    range(region, "grid_gco2_per_kwh", region.grid_gco2_per_kwh, 0, 1500);
  }

  void check_failure(const FailureRate& rate) {
    range(rate, "share", rate.share, 0, 1);
    if (rate.gpus && rate.mtbf_h && rate.gpu_hours_per_failure && *rate.gpu_hours_per_failure > 0)
      range(rate, "gpus x mtbf_h / gpu_hours_per_failure", *rate.gpus * *rate.mtbf_h / *rate.gpu_hours_per_failure,
            1 - kConsistency, 1 + kConsistency);
    if (rate.window_days && rate.count && rate.mtbf_h && *rate.count > 0)
      range(rate, "window / count / mtbf_h", *rate.window_days * kHoursPerDay / *rate.count / *rate.mtbf_h,
            1 - kConsistency, 1 + kConsistency);
  }

  void check_resale(const ResaleValue& value) {
    range(value, "fraction_low", value.fraction_low, 0, 2);
    range(value, "fraction_high", value.fraction_high, value.fraction_low.value_or(0), 2);
    range(value, "price_high", value.price_high, value.price_low.value_or(0), 1e6);
    range(value, "age_months_to", value.age_months_to, value.age_months_from.value_or(0), 240);
  }

  /// Published products lie below the peak of their format, and floors of shares where a device can still be told slow.
  void check_probe_norm(const ProbeNorm& norm) {
    if (norm.denominator != NormDenominator::none) {
      range(norm, "ok", norm.ok, 0.05, 1);
      range(norm, "low", norm.low, 0.05, 1);
    }
    if (norm.kind != NormKind::band) return;
    for (const Gpu& gpu : catalog_.gpus) {
      if (gpu.id != norm.gpu_id) continue;
      const auto peak = product_peak(gpu, norm.dtype);
      if (!peak) continue;
      range(norm, "p10 / peak", *norm.p10 / peak->base_units(), 0.1, 1);
      range(norm, "p90 / peak", *norm.p90 / peak->base_units(), 0.1, 1);
    }
  }

  /// One profile for each GPU, each result once, and none beyond the data sheet.
  void check_reference_rates() {
    std::set<std::string> ids;
    std::map<std::string, std::string> profiles;
    for (const ReferenceRate& rate : catalog_.reference_rates) {
      ++result_.facts;
      if (!ids.insert(rate.id).second) problem(rate, "the result \"" + rate.id + "\" occurs twice");
      const auto [first, added] = profiles.emplace(rate.gpu_id, rate.source);
      if (!added && first->second != rate.source)
        problem(rate, "is of the profile \"" + rate.source + "\", and other rows of " + rate.gpu_id + " of \"" +
                          first->second + "\"; a GPU has one reference profile");
      for (const Gpu& gpu : catalog_.gpus) {
        if (gpu.id != rate.gpu_id) continue;
        const auto peak = product_peak(gpu, rate.dtype);
        if (rate.unit == "TFLOP/s" && peak) range(rate, "rate / peak", rate.rate / raw(*peak), 1e-6, 1.05);
        const bool memory = rate.unit == "GB/s" && !rate.probe.starts_with("pcie.");
        if (memory && gpu.memory_bandwidth)
          range(rate, "rate / memory_bandwidth", rate.rate / raw(*gpu.memory_bandwidth), 0.002, 1.05);
      }
    }
  }

  void check_traffic_preset(const TrafficPreset& preset) {
    const TrafficPattern pattern{.system_prompt_tokens = preset.system_prompt_tokens.value_or(0),
                                 .turns = preset.turns.value_or(1)};
    range(preset, "new tokens of a prompt",
          std::optional(fresh_tokens(pattern, *preset.input_tokens, *preset.output_tokens)), 1, 1e8);
    if (preset.prefix_hit_ratio && shares_prompts(pattern))
      problem(preset, "a hit ratio and what prompts share both say what the prefix cache finds");
    if (!preset.hours.empty() && preset.hours.size() != 24) problem(preset, "hours are not 24 numbers");
  }

  void check_cloud_price(const CloudPrice& price) {
    for (const auto& rate : {price.on_demand, price.spot, price.reserved_1y, price.reserved_3y})
      result_.facts += rate ? 1 : 0;
    for (std::string& what : price_problems(price)) problem(price, std::move(what));
  }

  // --- age

  void check_ages(std::string_view today, double stale_days) {
    const std::optional<std::int64_t> now = earliest_day(today);
    if (!now) {
      result_.problems.push_back("\"" + std::string(today.substr(0, 60)) + "\" is not a date; write 2026-06-18");
      return;
    }
    // One line per table, provider and date: rows of one price list age together.
    std::map<std::string, int> aged;
    const auto age = [&](const CatalogItem& item, std::string_view table, std::string_view group,
                         const std::string& as_of) {
      const std::optional<std::int64_t> date = earliest_day(as_of);
      if (!date) return problem(item, "\"" + as_of.substr(0, 60) + "\" is not a date");
      if (static_cast<double>(*now - *date) > stale_days)
        ++aged[std::string(table) + ", " + (group.empty() ? "" : std::string(group) + ", ") + "as of " + as_of];
    };
    for (const CloudPrice& price : catalog_.cloud_prices) age(price, "prices_cloud.csv", price.provider, price.as_of);
    for (const CloudDataPrice& price : catalog_.cloud_data_prices)
      age(price, "prices_cloud_data.csv", price.provider, price.as_of);
    for (const PurchasePrice& price : catalog_.purchase_prices)
      age(price, "prices_on_premises.csv", price.category, price.as_of);
    for (const ResaleValue& value : catalog_.resale_values) age(value, "resale_values.csv", "", value.as_of);
    for (const GpuHourCost& cost : catalog_.gpu_hour_costs) age(cost, "gpu_hour_tco.csv", "", cost.as_of);
    for (const auto& [what, rows] : aged)
      result_.stale.push_back(what + ": " + std::to_string(rows) + (rows == 1 ? " row" : " rows"));
  }

  const Catalog& catalog_;
  CatalogCheck result_;
  std::set<std::string> source_ids_;
};

}  // namespace

CatalogCheck check_catalog(const Catalog& catalog, std::string_view today, double stale_days) {
  return Checker(catalog).run(today, stale_days);
}

}  // namespace podwright
