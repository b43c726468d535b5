#include "catalog/ggml_type.h"

#include "base/lower_case.h"
#include "catalog/table_reader.h"

namespace podwright {

const GgmlType* find_ggml_type(const std::vector<GgmlType>& types, double number) {
  for (const GgmlType& type : types)
    if (type.number == number) return &type;
  return nullptr;
}

void read_ggml_types(const std::string& path, std::string_view text, std::vector<GgmlType>& types, Errors& errors) {
  TableReader table(path, text, {"number", "name", "block_weights", "block_bytes", "source"}, errors);
  std::vector<GgmlType> read;
  while (table.next()) {
    GgmlType type;
    const std::string name = table.needed_text("name");
    table.head(type, lower_case(name), name);
    type.number = table.needed("number", 0, 1e6);
    type.block_weights = table.needed("block_weights", 1, 65536);
    type.block_bytes = table.needed("block_bytes", 1, 65536);
    if (find_ggml_type(read, type.number) != nullptr)
      table.error("duplicate-key", "The number " + table.text("number") + " occurs twice.", "One row for each type.");
    read.push_back(std::move(type));
  }
  types = std::move(read);
}

}  // namespace podwright
