/// Any bytes as the header of a GGUF or safetensors file: tensors whose bytes add up, or errors with their place.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/answer_model_file.h"
#include "base/json_read.h"
#include "base/result.h"
#include "catalog/gguf_file.h"
#include "catalog/safetensors_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Catalog& catalog = embedded_catalog_facts();
  const auto sound = [](const WeightFile& file) {
    const WeightSummary summary = weight_summary(file.tensors);
    PODWRIGHT_ASSERT(std::isfinite(summary.total.bytes) && summary.total.bytes >= 0);
    PODWRIGHT_ASSERT(file.tensors.empty() || file.data_bytes <= 9007199254740992.0);
  };
  if (const auto file = read_gguf(text, 0, catalog.ggml_types)) sound(*file);
  if (const auto file = read_safetensors(text, 0)) sound(*file);
  const FilePart part{.name = "file", .text = text, .file_bytes = static_cast<double>(size)};
  PODWRIGHT_ASSERT(bytes_needed(catalog, part) == 0);
  const Answer answer = answer_model_files(catalog, {part});
  PODWRIGHT_ASSERT(parse_json(answer.text));
  return 0;
}
