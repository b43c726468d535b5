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
#include "fuzz/fuzz_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const std::string_view text = fuzz::text_of(data, size);
  const Catalog& catalog = embedded_catalog_facts();
  const auto sound = [](const WeightFile& file) {
    const WeightSummary summary = weight_summary(file.tensors);
    PODWRIGHT_ASSERT(std::isfinite(summary.total.bytes) && summary.total.bytes >= 0);
    PODWRIGHT_ASSERT(file.tensors.empty() || file.data_bytes <= 9007199254740992.0);
  };
  if (const auto file = read_gguf(text, 0, catalog.ggml_types)) sound(*file);
  if (const auto file = read_safetensors(text, 0)) sound(*file);
  FilePart part{.name = "file", .text = text, .file_bytes = static_cast<double>(size)};
  PODWRIGHT_ASSERT(bytes_needed(catalog, part) == 0);
  fuzz::expect_answer(answer_model_files(catalog, {part}).text);
  (void)files_of_index(part);
  // The head of a large file, by itself and beside the model's configuration.
  part.file_bytes = 1e10;
  PODWRIGHT_ASSERT(bytes_needed(catalog, part) >= 0);
  fuzz::expect_answer(answer_model_files(catalog, {part}).text);
  static constexpr std::string_view kConfig =
      R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2,"num_attention_heads":4,)"
      R"("num_key_value_heads":2,"intermediate_size":512,"vocab_size":64,"torch_dtype":"bfloat16"})";
  const FilePart config{.name = "config.json", .text = kConfig, .file_bytes = static_cast<double>(kConfig.size())};
  fuzz::expect_answer(answer_model_files(catalog, {config, part}).text);
  return 0;
}
