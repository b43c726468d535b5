#pragma once
/// How the tables of the catalog are read, a file for each topic.
#include <span>
#include <string_view>

#include "catalog/catalog.h"
#include "catalog/table_reader.h"

namespace podwright {

struct CatalogTable {
  std::string_view path;
  void (*read)(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors);
};

std::span<const CatalogTable> price_tables();
std::span<const CatalogTable> rate_tables();
std::span<const CatalogTable> efficiency_tables();
std::span<const CatalogTable> design_tables();

/// Reads the rows of a member of the catalog, each with `read_row`.
template <auto read_row, auto rows>
void read_rows(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  catalog.*rows = rows_of(path, text, errors, read_row);
}
/// The same of a member of a member.
template <auto read_row, auto group, auto rows>
void read_rows(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  (catalog.*group).*rows = rows_of(path, text, errors, read_row);
}

}  // namespace podwright
