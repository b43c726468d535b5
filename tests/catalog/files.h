#pragma once
/// Small made-up catalogs for tests.
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace podwright::test {

inline constexpr std::string_view kSources = R"([
  {"id": "sheet", "title": "A data sheet", "kind": "datasheet"},
  {"id": "list", "title": "A price list", "kind": "list-price"}
])";

inline constexpr std::string_view kGpu = R"({
  "id": "example-gpu", "name": "Example GPU", "memory_gb": 80, "memory_bandwidth_gb_per_s": 3000,
  "peak_dense_tflops": {"bf16": 900, "fp8": 1800},
  "link": {"name": "Link", "gb_per_s_bidirectional": 900, "domain_gpus": 8},
  "sources": {"memory_gb": "sheet", "memory_bandwidth_gb_per_s": "sheet", "peak_dense_tflops": "sheet", "link": "sheet"}
})";

inline Result<Catalog> read(const std::vector<EmbeddedText>& files) { return read_catalog(files); }

inline std::string text_of(const Errors& errors) {
  std::string text;
  for (const Error& error : errors)
    text += error.code + " " + error.path + ": " + error.message + " " + error.hint + "\n";
  return text;
}

}  // namespace podwright::test
