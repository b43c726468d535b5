/// Any texts as files of other programs: each reader takes each or says why not, and so does what joins them. Files
/// stand one after the other, each behind a line "--- NAME" or "--- NAME as WORD", which says what it is read as.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "fuzz/fuzz_checks.h"
#include "measure/engine_facts.h"
#include "measure/import_files.h"
#include "measure/import_foreign.h"
#include "measure/import_rows.h"
#include "measure/megatron_log.h"
#include "measure/profile_file.h"
#include "measure/training_measurement.h"

namespace {

using namespace podwright;

/// Each reader, whatever the text says that it is.
void read_by_all(std::string_view text) {
  const auto told = [](const auto& read) {
    if (!read) fuzz::expect_told(read.error());
  };
  told(import_nvbandwidth(text));
  told(import_nccl_tests(text));
  told(import_nvidia_smi(text));
  told(import_vllm_bench(text));
  told(import_aiperf(text));
  told(import_aiperf_records(text));
  told(import_dcgm_diag(text));
  told(import_guidellm(text));
  told(import_inferencex(text));
  told(import_llm_d_report(text));
  told(import_mlperf_inference(text));
  told(import_mlperf_training(text));
  told(import_megatron_log(text));
  told(import_engine_log(text));
  told(import_engine_metrics(text));
  for (const auto fields :
       {dcgm_diag_fields, guidellm_fields, inferencex_fields, llm_d_report_fields, mlperf_inference_fields,
        mlperf_training_fields, nccl_tests_fields, nvbandwidth_fields, vllm_bench_fields, aiperf_fields})
    (void)fields(text);
  (void)engine_log_fields(text);
  (void)engine_metrics_fields(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<FileText> files;
  for (auto& [name, text] : fuzz::named_parts(fuzz::text_of(data, size))) {
    read_by_all(text);
    const std::size_t as = name.find(" as ");
    const std::string word = as == std::string::npos ? "" : name.substr(as + 4);
    files.push_back({.name = name.substr(0, as), .text = std::move(text), .read_as = word});
  }
  const auto imported = import_files(embedded_catalog_facts(), files, "1.0");
  if (!imported) {
    fuzz::expect_told(imported.error());
    return 0;
  }
  if (imported->profile) PODWRIGHT_ASSERT(read_profile(profile_text(imported->profile->profile)));
  const std::array said{RowCell{"model", "llama-3.1-8b"}, RowCell{"gpu", "h100-sxm5-80gb"}, RowCell{"num_gpus", "8"}};
  const auto rows = imported_rows(*imported, said);
  if (!rows) fuzz::expect_told(rows.error());
  return 0;
}
