#include "api/answer_catalog.h"

#include <algorithm>

#include "base/json_read.h"
#include "base/json_write.h"
#include "base/nearest.h"

namespace podwright {
namespace {

void optional_number(JsonWriter& out, std::string_view key, const std::optional<double>& value) {
  if (value) out.number(key, *value);
}
template <class Known>
void optional_quantity(JsonWriter& out, std::string_view name, const DisplayUnit& display,
                       const std::optional<Known>& value) {
  if (value) out.quantity(name, display, *value);
}
void optional_text(JsonWriter& out, std::string_view key, const std::string& value) {
  if (!value.empty()) out.text(key, value);
}

/// The few columns by which people pick an item; `show` gives the whole.
void list_columns(JsonWriter& out, const Gpu& gpu) {
  out.text("vendor", gpu.vendor);
  optional_text(out, "architecture", gpu.architecture);
  optional_text(out, "form_factor", gpu.form_factor);
  optional_quantity(out, "memory", unit::kGb, gpu.memory);
  optional_quantity(out, "memory_bandwidth", unit::kGbPerSecond, gpu.memory_bandwidth);
  const auto bf16 = gpu.peak_dense_flops.find("bf16");
  if (bf16 != gpu.peak_dense_flops.end()) out.quantity("bf16_dense", unit::kTflops, bf16->second);
  optional_quantity(out, "board_power", unit::kKw, gpu.board_power);
}
void list_columns(JsonWriter& out, const Model& model) {
  optional_text(out, "organisation", model.organisation);
  optional_text(out, "arch", model.arch);
  optional_number(out, "total_parameters", model.total_parameters);
  optional_number(out, "active_parameters", model.active_parameters);
  optional_number(out, "context_tokens", model.context_tokens > 0 ? std::optional(model.context_tokens) : std::nullopt);
}
void list_columns(JsonWriter& out, const System& system) {
  out.number("gpu_count", system.gpu_count);
  optional_quantity(out, "power_max", unit::kKw, system.power_max);
  optional_number(out, "rack_units", system.rack_units);
  optional_text(out, "cooling", system.cooling);
}
void list_columns(JsonWriter& out, const Switch& item) {
  optional_text(out, "technology", item.kind);
  optional_number(out, "ports", item.ports);
}
void list_columns(JsonWriter& out, const ReferenceArchitecture& item) {
  optional_text(out, "document", item.document);
  optional_text(out, "confidence", item.confidence);
}
void list_columns(JsonWriter& out, const EnergyRegion& region) {
  optional_text(out, "type", region.kind);
  optional_number(out, "electricity_price_per_kwh", region.electricity_price_kwh);
  optional_text(out, "price_currency", region.price_currency);
}
template <class Item>
void list_columns(JsonWriter&, const Item&) {}

/// What a list shows of an item.
template <class Item>
void write_columns(JsonWriter& out, const Item& item) {
  out.text("id", item.id);
  out.text("name", item.name);
  list_columns(out, item);
}

/// What is shown of an item whose table keeps no object of it.
template <class Item>
void write_row_facts(JsonWriter&, const Item&) {}
void write_row_facts(JsonWriter& out, const WeightFormat& format) {
  out.number("bits_per_weight", format.bits_per_weight);
  out.number("embedding_bits", format.embedding_bits);
  out.number("head_bits", format.head_bits);
  out.text("files", format.files);
  optional_text(out, "compute_precision", format.compute_precision);
  optional_text(out, "definition", format.definition);
}

template <class Item>
std::string list_items(std::string_view table, const std::vector<Item>& items) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", "catalog");
  out.text("list", table);
  out.begin_list("items");
  for (const Item& item : items) {
    out.begin_object();
    write_columns(out, item);
    out.end_object();
  }
  out.end_list();
  out.end_object();
  return out.take();
}

void write_source(JsonWriter& out, const Source& source) {
  out.begin_object();
  out.text("id", source.id);
  out.text("title", source.title);
  optional_text(out, "publisher", source.publisher);
  optional_text(out, "url", source.url);
  optional_text(out, "date", source.date);
  optional_text(out, "retrieved", source.retrieved);
  out.text("kind", source.kind);
  optional_text(out, "licence", source.licence);
  out.end_object();
}

std::string list_sources(const Catalog& catalog) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", "catalog");
  out.text("list", "sources");
  out.begin_list("items");
  for (const Source& source : catalog.sources) write_source(out, source);
  out.end_list();
  out.end_object();
  return out.take();
}

/// Every source that the item names, whole.
void write_sources_of(JsonWriter& out, const Catalog& catalog, const CatalogItem& item) {
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
  out.begin_list("sources");
  for (const std::string& id : ids)
    if (const Source* source = find_source(catalog, id)) write_source(out, *source);
  out.end_list();
}

template <class Item>
Answer show_item(const Catalog& catalog, const CatalogRequest& request, const std::vector<Item>& items,
                 std::string_view aliases) {
  const std::string id = canonical_id(catalog, aliases, request.id);
  std::vector<std::string> ids;
  for (const Item& item : items) {
    ids.push_back(item.id);
    if (item.id != id) continue;
    JsonWriter out;
    out.begin_object();
    out.text("kind", "catalog");
    out.text("show", request.show);
    if (item.json.empty()) {
      out.begin_object("item");
      write_columns(out, item);
      write_row_facts(out, item);
      out.end_object();
    } else {
      out.key("item");
      // Kept as it was written, line breaks and all.
      out.verbatim(json_text(*parse_json(item.json)));
    }
    write_sources_of(out, catalog, item);
    out.end_object();
    return {out.take(), Outcome::answer};
  }
  return {
      errors_json({{"unknown-id", "/id", "There is no \"" + request.id + "\" in " + request.show + ".",
                    did_you_mean(request.id, ids,
                                 "List the ids with {\"kind\": \"catalog\", \"list\": \"" + request.show + "\"}.")}}),
      Outcome::wrong_input};
}

Answer list_table(const Catalog& catalog, const std::string& table) {
  if (table == "gpus") return {list_items(table, catalog.gpus), Outcome::answer};
  if (table == "models") return {list_items(table, catalog.models), Outcome::answer};
  if (table == "systems") return {list_items(table, catalog.systems), Outcome::answer};
  if (table == "switches") return {list_items(table, catalog.switches), Outcome::answer};
  if (table == "architectures") return {list_items(table, catalog.architectures), Outcome::answer};
  if (table == "engines") return {list_items(table, catalog.engines), Outcome::answer};
  if (table == "weight-formats") return {list_items(table, catalog.weight_formats), Outcome::answer};
  if (table == "regions") return {list_items(table, catalog.energy_regions), Outcome::answer};
  return {list_sources(catalog), Outcome::answer};
}

}  // namespace

Answer answer_catalog(const Catalog& catalog, const CatalogRequest& request) {
  if (!request.list.empty()) return list_table(catalog, request.list);
  if (request.show == "gpus") return show_item(catalog, request, catalog.gpus, "gpus");
  if (request.show == "models") return show_item(catalog, request, catalog.models, "models");
  if (request.show == "systems") return show_item(catalog, request, catalog.systems, "systems");
  if (request.show == "switches") return show_item(catalog, request, catalog.switches, "");
  if (request.show == "architectures") return show_item(catalog, request, catalog.architectures, "");
  if (request.show == "engines") return show_item(catalog, request, catalog.engines, "engines");
  return show_item(catalog, request, catalog.weight_formats, "precisions");
}

}  // namespace podwright
