/// Any JSON as what plans take from measured hosts: a catalog with its rates, which is written and read again, or
/// errors below its path.
#include <cstddef>
#include <cstdint>

#include "api/host_calibration_text.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "catalog/catalog.h"
#include "fuzz/fuzz_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const Result<JsonNode> node = parse_json(fuzz::text_of(data, size));
  if (!node) return 0;
  const auto made = calibrated_catalog(embedded_catalog_facts(), *node, "/calibration");
  if (!made) {
    fuzz::expect_told(made.error(), "/calibration");
    return 0;
  }
  JsonWriter out;
  out.begin_object();
  write_calibration(out, made->hosts);
  out.end_object();
  const auto again = calibrated_catalog(embedded_catalog_facts(), *parse_json(out.take()), "");
  bool known = true;  // devices of their own are written by what made them
  for (const HostCalibration& host : made->hosts) {
    known = known && find_gpu(embedded_catalog_facts(), host.gpu_id).has_value();
    for (const HostRate& rate : host.rates) PODWRIGHT_ASSERT(!rate_display(rate.operation).unit.empty());
  }
  PODWRIGHT_ASSERT(!known || made->hosts.empty() || (again && again->hosts.size() == made->hosts.size()));
  return 0;
}
