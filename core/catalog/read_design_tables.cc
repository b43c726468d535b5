#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "base/lower_case.h"
#include "catalog/catalog_table.h"
#include "catalog/site_terms.h"

namespace podwright {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_last_not_of(' ') - from + 1));
}

std::vector<std::string> list_of(std::string_view cell) {
  std::vector<std::string> entries;
  while (true) {
    const std::size_t end = cell.find(';');
    if (std::string entry = trimmed(cell.substr(0, end)); !entry.empty()) entries.push_back(std::move(entry));
    if (end == std::string_view::npos) return entries;
    cell.remove_prefix(end + 1);
  }
}

const std::string& entry_for(const std::vector<std::string>& entries, std::size_t index) {
  return entries.size() == 1 ? entries.front() : entries[index];
}

std::optional<double> whole_number(TableReader& table, std::string_view column, double least) {
  const auto value = table.number(column, least);
  if (value && *value != std::floor(*value))
    table.error("out-of-range", "The column \"" + std::string(column) + "\" needs a whole number.", "");
  return value;
}

double needed_whole_number(TableReader& table, std::string_view column, double least) {
  table.needed_text(column);
  return whole_number(table, column, least).value_or(least);
}

/// The columns gpus, systems and architectures hold lists separated by ";" that run in parallel (a single entry serves
/// all); each row gives one band per GPU.
void read_architecture_bands(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  TableReader table(path, text, errors);
  catalog.architecture_bands.clear();
  do {
    ArchitectureBand band;
    band.family = table.text("family");
    band.ownership = list_of(table.text("ownership"));
    band.fabrics = list_of(table.text("fabric"));
    band.tenancy = list_of(table.text("tenancy"));
    for (const std::string& word : band.tenancy)
      if (!of_word<Tenancy>(word, kTenancyWords))
        table.error("out-of-range", "The column \"tenancy\" holds \"" + word.substr(0, 60) + "\".",
                    "one-team, several-teams, several-tenants");
    band.compute_fabric = table.text("compute_fabric");
    band.kind = table.text("kind");
    band.why = table.text("why");
    band.min_nodes = needed_whole_number(table, "min_nodes", 1);
    band.max_nodes = whole_number(table, "max_nodes", 1);
    band.max_scalable_units = whole_number(table, "max_scalable_units", 1);
    band.manager_nodes = needed_whole_number(table, "manager_nodes", 0);
    if (band.max_nodes && *band.max_nodes < band.min_nodes)
      table.error("out-of-range", "The column \"max_nodes\" is below \"min_nodes\".", "");
    band.fit = table.word<BandFit>("fit", kBandFitWords);
    const std::vector<std::string> gpus = list_of(table.needed_text("gpus"));
    if (gpus.empty()) table.error("out-of-range", "The column \"gpus\" names no GPU.", "at least one id");
    const std::vector<std::string> systems = list_of(table.text("systems"));
    const std::vector<std::string> architectures = list_of(table.text("architectures"));
    band.source = table.text("source");
    const bool parallel = (systems.size() == 1 || systems.size() == gpus.size()) &&
                          (architectures.size() == 1 || architectures.size() == gpus.size());
    if (!parallel) {
      table.error("out-of-range", "The lists do not run in parallel.",
                  "systems and architectures: one entry, or one for each GPU");
      continue;
    }
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      band.gpu_id = gpus[i];
      band.system_id = entry_for(systems, i);
      band.architecture_id = entry_for(architectures, i);
      const std::string id =
          band.architecture_id + "/" + band.system_id + "/" + band.gpu_id + "/" + table.text("min_nodes");
      table.place(band, id, id);
      catalog.architecture_bands.push_back(band);
    }
  } while (table.next());
}

constexpr double kMostClaims = 1e6;

/// "2; 5" -> 2, 5; false where an entry is not a whole number above 0.
bool read_claims(std::string_view cell, std::vector<double>& claims) {
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find("; "), cell.size());
    const std::string entry(cell.substr(0, end));
    if (entry.empty() || entry.find_first_not_of("0123456789") != std::string::npos) return false;
    claims.push_back(std::strtod(entry.c_str(), nullptr));
    if (claims.back() < 1 || claims.back() > kMostClaims) return false;
    cell.remove_prefix(std::min(end + 2, cell.size()));
  }
  return true;
}

/// Of a cell that separates them by spaces; an error where one is not in the range.
template <class Number>
std::vector<Number> numbers_of(TableReader& table, std::string_view column, Range range) {
  std::vector<Number> numbers;
  const std::string& cell = table.text(column);
  const char* at = cell.c_str();
  for (char* end = nullptr;; at = end) {
    const double number = std::strtod(at, &end);
    if (end == at) return numbers;
    if (number >= range.min && number <= range.max)
      numbers.push_back(static_cast<Number>(number));
    else
      table.error("out-of-range", "The column \"" + std::string(column) + "\" holds \"" + cell.substr(0, 60) + "\".",
                  "Legal: " + range_text(range) + ".");
  }
}

void read_architecture_claim(TableReader& table, ArchitectureClaim& claim) {
  claim.number = table.needed("number", 1);
  if (claim.number != static_cast<double>(table.row()))
    table.error("out-of-range", "The claims are numbered from 1 without gaps.", "");
  table.head(claim, "architecture-" + table.text("number"), "Claim " + table.text("number"));
  claim.document = table.needed_text("document");
  claim.claim = table.needed_text("claim");
  claim.verified = table.needed_text("verified");
  claim.quantity = table.text("quantity");
  claim.claimed_value = table.number("claimed_value");
  claim.verified_value = table.number("verified_value");
  claim.unit = table.text("unit");
  if (claim.verified_value.has_value() != !claim.quantity.empty() || claim.quantity.empty() != claim.unit.empty())
    table.error("missing", "A verified value needs the quantity and the unit that it is of.", "");
  claim.verdict = table.word<StudyVerdict>("verdict", kStudyVerdictWords);
}

void read_study_band(TableReader& table, StudyBand& band) {
  band.size_name = table.text("name");
  band.min_gpus = table.needed("min_gpus", 1);
  band.max_gpus = table.number("max_gpus", band.min_gpus);
  band.statement = table.needed_text("statement");
  band.correction = table.needed_text("correction");
  band.document = table.needed_text("document");
  table.needed_text("source");
  if (!read_claims(table.text("claims"), band.claims))
    table.error("wrong-type", "The column \"claims\" needs numbers of claims, found \"" + table.text("claims") + "\".",
                "Write \"2; 5\".");
  table.head(band, "study-size-" + std::to_string(table.row()), band.size_name.empty() ? "gap" : band.size_name);
}

void read_software_product(TableReader& table, SoftwareProduct& product) {
  table.head(product, table.needed_text("id"), table.needed_text("name"));
  product.role = table.needed_text("role");
  if (!table.text("counted_per").empty())
    product.counted_per = table.word<LicenceUnit>("counted_per", kLicenceUnitWords);
  product.contained_in = table.text("contained_in");
  product.note = table.text("note");
}

void read_ggml_types(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  TableReader table(path, text, errors);
  std::vector<GgmlType> types;
  std::set<double> numbers;
  do {
    GgmlType type;
    const std::string name = table.needed_text("name");
    table.head(type, lower_case(name), name);
    type.number = table.needed("number", 0, 1e6);
    type.block_weights = table.needed("block_weights", 1, 65536);
    type.block_bytes = table.needed("block_bytes", 1, 65536);
    if (table.on_row() && !numbers.insert(type.number).second)
      table.error("duplicate-key", "The number " + table.text("number") + " occurs twice.", "One row for each type.");
    if (table.on_row()) types.push_back(std::move(type));
  } while (table.next());
  catalog.ggml_types = std::move(types);
}

void read_mig_profile(TableReader& table, MigProfile& profile) {
  profile.gpu_id = table.needed_text("gpu_id");
  const std::string name = table.needed_text("profile");
  table.head(profile, profile.gpu_id + "/" + name, name);
  profile.gpu_memory_slices = table.needed("gpu_memory_slices", 1, 8);
  profile.gpu_compute_slices = table.needed("gpu_compute_slices", 1, 8);
  profile.memory_slices = table.needed("memory_slices", 1, profile.gpu_memory_slices);
  profile.compute_slices = table.needed("compute_slices", 1, profile.gpu_compute_slices);
  profile.instances = table.needed("instances", 1, profile.gpu_memory_slices);
  table.needed_text("starts");
  profile.starts = numbers_of<int>(table, "starts", {0, profile.gpu_memory_slices});
  for (const int start : profile.starts)
    if (start + profile.memory_slices > profile.gpu_memory_slices)
      table.error("out-of-range", "An instance would end after the GPU's last slice.", "Starts from 0.");
  if (const auto memory = table.number("memory_gib", 0.1, 1e4)) profile.memory = gib(*memory);
  profile.sm_count = table.number("sm_count", 1, 1e4);
}

void read_operating_figure(TableReader& table, OperatingFigure& figure) {
  const std::string id = table.needed_text("id");
  table.head(figure, id, id);
  figure.called = id;
  const double unit = table.unit({"s", "GB/s", "parameters/s", "GPUs", "1", "V", "W", "A", "U", "m", "K"});
  figure.low = table.needed("low") * unit;
  figure.typical = table.needed("typical") * unit;
  figure.high = table.needed("high") * unit;
  table.check_range(figure.low, figure.typical, figure.high);
}

void read_traffic_preset(TableReader& table, TrafficPreset& preset) {
  table.head(preset, table.needed_text("id"), table.needed_text("name"));
  preset.input_tokens = table.needed("input_tokens", 1, 1e8);
  preset.output_tokens = table.needed("output_tokens", 1, 1e8);
  for (const TrafficPresetNumber& number : kTrafficPresetNumbers)
    preset.*number.value = table.number(number.key, number.least, number.most);
  preset.hours = numbers_of<double>(table, "hours", {0, 1e9});
}

constexpr CatalogTable kDesignTables[] = {
    {"architecture_bands.csv", read_architecture_bands},
    {"architecture_claims.csv", read_rows<read_architecture_claim, &Catalog::architecture_claims>},
    {"study_bands.csv", read_rows<read_study_band, &Catalog::study_bands>},
    {"software_products.csv", read_rows<read_software_product, &Catalog::software_products>},
    {"operating_figures.csv", read_rows<read_operating_figure, &Catalog::operating_figures>},
    {"traffic_presets.csv", read_rows<read_traffic_preset, &Catalog::traffic_presets>},
    {"mig_profiles.csv", read_rows<read_mig_profile, &Catalog::mig_profiles>},
    {"ggml_types.csv", read_ggml_types},
};

}  // namespace

std::span<const CatalogTable> design_tables() { return kDesignTables; }

}  // namespace podwright
