#include <algorithm>

#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/requests.h"
#include "base/nearest.h"
#include "base/words.h"
#include "cost/provider_name.h"

namespace podwright {
namespace {

/// The few columns by which people pick an item; `show` gives the whole.
void list_columns(AnswerWriter& v, const Gpu& gpu) {
  v.text({"vendor"}, gpu.vendor);
  v.text({"architecture"}, unless_empty(gpu.architecture));
  v.text({"form_factor"}, unless_empty(gpu.form_factor));
  v.number({"memory_gb", unit::kGb}, gpu.memory);
  v.number({"memory_bandwidth_gb_per_s", unit::kGbPerSecond}, gpu.memory_bandwidth);
  const auto bf16 = gpu.peak_dense_flops.find("bf16");
  if (bf16 != gpu.peak_dense_flops.end()) v.number({"bf16_dense_tflops", unit::kTflops}, bf16->second);
  v.number({"board_power_kw", unit::kKw}, gpu.board_power);
  v.number({"gpu_power_kw", "Power of the GPU alone", unit::kKw}, gpu.gpu_power);
}
void list_columns(AnswerWriter& v, const Model& model) {
  v.text({"organisation"}, unless_empty(model.organisation));
  v.text({"arch"}, unless_empty(model.arch));
  v.number({"total_parameters"}, model.total_parameters);
  v.number({"active_parameters"}, model.active_parameters);
  if (model.context_tokens > 0) v.number({"context_tokens"}, model.context_tokens);
}
void list_columns(AnswerWriter& v, const System& system) {
  v.number({"gpu_count"}, system.gpu_count);
  v.number({"power_max_kw", unit::kKw}, system.power_max);
  v.number({"rack_units"}, system.rack_units);
  v.text({"cooling"}, unless_empty(system.cooling));
}
void list_columns(AnswerWriter& v, const Switch& item) {
  v.text({"technology"}, unless_empty(item.kind));
  v.number({"ports"}, item.ports);
}
void list_columns(AnswerWriter& v, const ReferenceArchitecture& item) {
  v.text({"document"}, unless_empty(item.document));
  v.text({"confidence"}, unless_empty(item.confidence));
}
void list_columns(AnswerWriter& v, const EnergyRegion& region) {
  v.text({"type"}, unless_empty(region.kind));
  v.number({"electricity_price_per_kwh"}, region.electricity_price_kwh);
  v.text({"price_currency"}, unless_empty(region.price_currency));
}
void list_columns(AnswerWriter& v, const Currency& currency) {
  v.text({"sign"}, currency.sign);
  v.number({"per_usd", "For one US dollar"}, currency.per_usd);
  v.text({"as_of"}, currency.as_of);
}
void list_columns(AnswerWriter& v, const TrafficPreset& preset) {
  v.number({"input_tokens"}, preset.input_tokens);
  v.number({"output_tokens"}, preset.output_tokens);
  for (const TrafficPresetNumber& number : kTrafficPresetNumbers) v.number({number.key}, preset.*number.value);
  if (preset.hours.empty()) return;
  v.any({"hours"}, [&](JsonWriter& out) {
    out.begin_list();
    for (const double hour : preset.hours) out.number(hour);
    out.end_list();
  });
}
template <class Item>
void list_columns(AnswerWriter&, const Item&) {}

/// What a list shows of an item.
void describe_row(AnswerWriter& v, const auto& item) {
  v.text({"id"}, item.id);
  v.text({"name"}, item.name);
  list_columns(v, item);
}
/// What a cloud asks for a GPU by the hour: an offer in one region, of one day.
void describe_row(AnswerWriter& v, const CloudPrice& price) {
  v.text({"id"}, price.origin);
  v.text({"provider", "Provider"}, provider_name(price.provider));
  v.text({"instance"}, price.instance);
  v.text({"gpu"}, price.gpu_id.empty() ? price.gpu_text : price.gpu_id);
  v.number({"gpu_count", "GPUs"}, price.gpu_count);
  v.text({"region"}, price.region);
  v.text({"country"}, unless_empty(price.country));
  v.text({"segment", "Kind of provider"}, word_of(price.segment, kCloudSegmentWords));
  const auto per_gpu = [&](const AnswerField& field, const std::optional<UsdPerSecond>& of_instance) {
    if (of_instance && price.gpu_count > 0) v.number(field, *of_instance / price.gpu_count);
  };
  per_gpu({"usd_per_gpu_hour", "On demand", unit::kUsdPerHour}, price.on_demand);
  per_gpu({"spot_usd_per_gpu_hour", "Spot", unit::kUsdPerHour}, price.spot);
  per_gpu({"reserved_1y_usd_per_gpu_hour", "For a year", unit::kUsdPerHour}, price.reserved_1y);
  per_gpu({"reserved_3y_usd_per_gpu_hour", "For three years", unit::kUsdPerHour}, price.reserved_3y);
  per_gpu({"contract_usd_per_gpu_hour", "By contract", unit::kUsdPerHour}, price.contract);
  v.text({"network"}, unless_empty(price.network));
  v.text({"as_of", "Price as of"}, price.as_of);
  v.text({"source"}, price.source);
}
void describe_row(AnswerWriter& v, const Source& known) {
  const Source source = whole_source(known);
  v.text({"id"}, source.id);
  v.text({"title"}, source.title);
  v.text({"publisher"}, unless_empty(source.publisher));
  v.text({"url"}, unless_empty(source.url));
  v.text({"date"}, unless_empty(source.date));
  v.text({"retrieved"}, unless_empty(source.retrieved));
  v.text({"kind"}, source.kind);
  v.text({"licence"}, unless_empty(source.licence));
}

/// What is shown of an item whose table keeps no object of it.
template <class Item>
void describe_row_facts(AnswerWriter&, const Item&) {}
void describe_row_facts(AnswerWriter& v, const WeightFormat& format) {
  v.number({"bits_per_weight"}, format.bits_per_weight);
  v.number({"embedding_bits"}, format.embedding_bits);
  v.number({"head_bits"}, format.head_bits);
  v.text({"files"}, format.files);
  v.text({"compute_precision"}, unless_empty(format.compute_precision));
  v.text({"definition"}, unless_empty(format.definition));
}

template <class Item>
Answer list_items(std::string_view table, const std::vector<Item>& items) {
  return written_answer(nullptr, true, [&](AnswerWriter& v) {
    v.text({"kind"}, "catalog");
    v.text({"list"}, table);
    v.list({"items"}, items, [&](const Item& item) { describe_row(v, item); });
  });
}

/// Every source that the item names, once.
std::vector<Source> named_sources(const Catalog& catalog, const CatalogItem& item) {
  std::vector<std::string> ids;
  const auto add = [&ids](std::string_view list) {
    while (!list.empty()) {
      const std::size_t end = std::min(list.find("; "), list.size());
      const std::string id(list.substr(0, end));
      if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
      list.remove_prefix(std::min(end + 2, list.size()));
    }
  };
  for (const auto& [field, list] : item.sources) add(list);
  add(item.source);
  std::vector<Source> sources;
  for (const std::string& id : ids)
    if (const Source* source = find_source(catalog, id)) sources.push_back(*source);
  return sources;
}

template <class Item>
Answer show_item(const Catalog& catalog, const CatalogRequest& request, const std::vector<Item>& items,
                 std::string_view aliases) {
  const std::string id = canonical_id(catalog, aliases, request.id);
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.id == id; });
  if (found == items.end())
    return wrong_input(
        {{"unknown-id", "/id", "There is no \"" + request.id + "\" in " + request.show + ".",
          did_you_mean(request.id, ids(items),
                       "List the ids with {\"kind\": \"catalog\", \"list\": \"" + request.show + "\"}.")}});
  return written_answer(nullptr, true, [&](AnswerWriter& v) {
    v.text({"kind"}, "catalog");
    v.text({"show"}, request.show);
    if (found->json.empty())
      v.group({"item"}, [&] {
        describe_row(v, *found);
        describe_row_facts(v, *found);
      });
    else  // Kept as it was written, line breaks and all.
      v.any({"item"}, [&](JsonWriter& out) { out.verbatim(json_text(*parse_json(found->json))); });
    v.list({"sources"}, named_sources(catalog, *found), [&](const Source& source) { describe_row(v, source); });
  });
}

/// `use` of the table of items that can be shown, and of the namespace of their aliases.
Answer of_table(const Catalog& catalog, std::string_view table, const auto& use) {
  if (table == "gpus") return use(catalog.gpus, "gpus");
  if (table == "models") return use(catalog.models.get(), "models");
  if (table == "systems") return use(catalog.systems, "systems");
  if (table == "switches") return use(catalog.switches, "");
  if (table == "architectures") return use(catalog.architectures, "");
  if (table == "engines") return use(catalog.engines, "engines");
  if (table == "traffic-presets") return use(catalog.traffic_presets, "");
  return use(catalog.weight_formats, "precisions");
}

}  // namespace

Answer answer_catalog(const Asked& asked, const CatalogRequest& request) {
  const Catalog& catalog = asked.catalog;
  if (request.list == "regions") return list_items(request.list, catalog.energy_regions);
  if (request.list == "prices") return list_items(request.list, catalog.cloud_prices);
  if (request.list == "currencies") return list_items(request.list, catalog.currencies.get());
  if (request.list == "sources") return list_items(request.list, catalog.sources);
  if (!request.list.empty())
    return of_table(catalog, request.list,
                    [&](const auto& items, std::string_view) { return list_items(request.list, items); });
  return of_table(catalog, request.show, [&](const auto& items, std::string_view aliases) {
    return show_item(catalog, request, items, aliases);
  });
}

}  // namespace podwright
