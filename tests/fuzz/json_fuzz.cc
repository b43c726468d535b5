/// Any text: parse_json must refuse it or give a tree that survives writing and reading again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/csv_read.h"
#include "base/json_read.h"
#include "base/result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const podwright::Result<podwright::JsonNode> node = podwright::parse_json(text);
  if (node) {
    const std::string written = podwright::json_text(*node);
    const podwright::Result<podwright::JsonNode> again = podwright::parse_json(written);
    PODWRIGHT_ASSERT(again && podwright::json_text(*again) == written);
    // A patch that is the target changes nothing but the nulls, which it removes.
    const podwright::JsonNode patched = podwright::merged(*node, *node);
    PODWRIGHT_ASSERT(podwright::json_text(podwright::merged(patched, *node)) == podwright::json_text(patched));
  } else {
    PODWRIGHT_ASSERT(node.error().size() == 1 && !node.error().front().message.empty());
  }
  const podwright::Result<podwright::CsvTable> table = podwright::parse_csv(text);
  if (table) {
    for (const podwright::CsvTable::Row& row : table->rows) PODWRIGHT_ASSERT(row.cells.size() == table->columns.size());
  }
  return 0;
}
