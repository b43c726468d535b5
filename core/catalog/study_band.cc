#include "catalog/study_band.h"

#include <algorithm>
#include <cstdlib>

#include "catalog/table_reader.h"

namespace podwright {
namespace {

/// "2; 5" -> 2, 5; false where an entry is not a whole number above 0.
bool read_claims(std::string_view cell, std::vector<double>& claims) {
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find("; "), cell.size());
    const std::string entry(cell.substr(0, end));
    if (entry.empty() || entry.find_first_not_of("0123456789") != std::string::npos) return false;
    claims.push_back(std::strtod(entry.c_str(), nullptr));
    if (claims.back() < 1) return false;
    cell.remove_prefix(std::min(end + 2, cell.size()));
  }
  return true;
}

}  // namespace

void read_study_bands(std::string_view path, std::string_view text, std::vector<StudyBand>& bands, Errors& errors) {
  TableReader table(
      path, text, {"name", "min_gpus", "max_gpus", "statement", "correction", "claims", "document", "source"}, errors);
  while (table.next()) {
    StudyBand band;
    band.size_name = table.text("name");
    band.min_gpus = table.needed("min_gpus", 1);
    band.max_gpus = table.number("max_gpus", band.min_gpus);
    band.statement = table.needed_text("statement");
    band.correction = table.needed_text("correction");
    band.document = table.needed_text("document");
    table.needed_text("source");
    if (!read_claims(table.text("claims"), band.claims))
      table.error("wrong-type",
                  "The column \"claims\" needs numbers of claims, found \"" + table.text("claims") + "\".",
                  "Write \"2; 5\".");
    table.head(band, "study-size-" + std::to_string(bands.size() + 1), band.size_name.empty() ? "gap" : band.size_name);
    bands.push_back(std::move(band));
  }
}

}  // namespace podwright
