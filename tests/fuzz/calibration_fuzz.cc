/// Any JSON as what plans take from measured hosts: a catalog with its rates, or errors below its path.
#include <cstddef>
#include <cstdint>

#include "api/host_calibration_text.h"
#include "base/json_read.h"
#include "catalog/catalog.h"
#include "fuzz/fuzz_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const Result<JsonNode> node = parse_json(fuzz::text_of(data, size));
  if (!node) return 0;
  const auto made = calibrated_catalog(embedded_catalog_facts(), *node, "/calibration");
  if (!made) fuzz::expect_told(made.error(), "/calibration");
  return 0;
}
