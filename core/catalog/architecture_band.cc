#include "catalog/architecture_band.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "base/csv_read.h"
#include "base/words.h"
#include "catalog/site_terms.h"

namespace podwright {
namespace {

constexpr std::string_view kBandColumns[] = {"family",        "ownership",      "gpus",          "systems",
                                             "fabric",        "tenancy",        "min_nodes",     "max_nodes",
                                             "architectures", "compute_fabric", "manager_nodes", "max_scalable_units",
                                             "fit",           "kind",           "why",           "source"};

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

/// A whole number of at least `least`; empty cells and anything else give nothing.
std::optional<double> whole_number(const std::string& cell, double least) {
  if (cell.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (*end != '\0' || !(value >= least) || value != std::floor(value)) return std::nullopt;
  return value;
}

const std::string& entry_for(const std::vector<std::string>& entries, std::size_t index) {
  return entries.size() == 1 ? entries.front() : entries[index];
}

}  // namespace

Result<std::vector<ArchitectureBand>> read_architecture_bands(std::string_view path, std::string_view text) {
  const std::string file(path);
  const Result<CsvTable> table = parse_csv(text);
  if (!table) {
    Errors errors = table.error();
    for (Error& error : errors) error.path = file + error.path;
    return failure(std::move(errors));
  }
  Errors errors;
  for (const std::string_view column : kBandColumns)
    if (table->column(column) < 0)
      errors.push_back({"missing", file + ":1", "The table lacks the column \"" + std::string(column) + "\".", ""});
  if (!errors.empty()) return failure(std::move(errors));

  std::vector<ArchitectureBand> bands;
  for (const CsvTable::Row& row : table->rows) {
    const std::string place = file + ":" + std::to_string(row.line);
    const auto wrong = [&](std::string_view column, std::string_view hint) {
      errors.push_back({"out-of-range", place, "The column \"" + std::string(column) + "\" holds no legal value.",
                        std::string(hint)});
    };
    const auto count = [&](std::string_view column, double least) {
      const std::optional<double> value = whole_number(table->cell(row, column), least);
      if (!value && !table->cell(row, column).empty()) wrong(column, "a whole number");
      return value;
    };

    ArchitectureBand band;
    band.origin = "catalog/" + file + "/" + std::to_string(row.line);
    band.source = table->cell(row, "source");
    band.family = table->cell(row, "family");
    band.ownership = list_of(table->cell(row, "ownership"));
    band.fabrics = list_of(table->cell(row, "fabric"));
    band.tenancy = list_of(table->cell(row, "tenancy"));
    for (const std::string& word : band.tenancy)
      if (!of_word<Tenancy>(word, kTenancyWords)) wrong("tenancy", "one-team, several-teams, several-tenants");
    band.compute_fabric = table->cell(row, "compute_fabric");
    band.kind = table->cell(row, "kind");
    band.why = table->cell(row, "why");
    band.max_nodes = count("max_nodes", 1);
    band.max_scalable_units = count("max_scalable_units", 1);
    if (const std::optional<double> nodes = count("min_nodes", 1))
      band.min_nodes = *nodes;
    else
      wrong("min_nodes", "a whole number of at least 1");
    if (const std::optional<double> nodes = count("manager_nodes", 0))
      band.manager_nodes = *nodes;
    else
      wrong("manager_nodes", "a whole number");
    if (band.max_nodes && *band.max_nodes < band.min_nodes) wrong("max_nodes", "not below min_nodes");
    if (const auto fit = of_word<BandFit>(table->cell(row, "fit"), kBandFitWords))
      band.fit = *fit;
    else
      wrong("fit", "published, described, partial, reduced or open");

    const std::vector<std::string> gpus = list_of(table->cell(row, "gpus"));
    const std::vector<std::string> systems = list_of(table->cell(row, "systems"));
    const std::vector<std::string> architectures = list_of(table->cell(row, "architectures"));
    if (gpus.empty()) wrong("gpus", "at least one id");
    const bool parallel = (systems.size() == 1 || systems.size() == gpus.size()) &&
                          (architectures.size() == 1 || architectures.size() == gpus.size());
    if (!parallel) {
      wrong("systems", "systems and architectures: one entry, or one for each GPU");
      continue;
    }
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      band.gpu_id = gpus[i];
      band.system_id = entry_for(systems, i);
      band.architecture_id = entry_for(architectures, i);
      band.id = band.architecture_id + "/" + band.system_id + "/" + band.gpu_id + "/" + table->cell(row, "min_nodes");
      band.name = band.id;
      bands.push_back(band);
    }
  }
  if (!errors.empty()) return failure(std::move(errors));
  return bands;
}

}  // namespace podwright
