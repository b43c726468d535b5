/// Any text as a hardware profile: it is read and written to the same digest, or refused with code and message.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_read.h"
#include "base/result.h"
#include "measure/engine_facts.h"
#include "measure/import_foreign.h"
#include "measure/megatron_log.h"
#include "measure/profile_file.h"
#include "measure/training_measurement.h"

namespace {

void expect_told(const podwright::Errors& errors) {
  PODWRIGHT_ASSERT(!errors.empty());
  for (const podwright::Error& error : errors) PODWRIGHT_ASSERT(!error.code.empty() && !error.message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto read = read_profile(text); !read) expect_told(read.error());
  if (auto document = parse_json(text); document && document->is_object()) {
    // Signed again, so that what lies behind the digest is reached.
    const std::string patch = R"({"integrity":{"alg":"sha256-jcs","digest":")" + profile_digest(*document) + "\"}}";
    const auto read = read_profile(merged(*document, *parse_json(patch)), "");
    if (!read) expect_told(read.error());
    if (read) PODWRIGHT_ASSERT(read_profile(profile_text(read->profile)).has_value());
  }
  if (const auto links = import_nvbandwidth(text); !links) expect_told(links.error());
  if (const auto times = import_nccl_tests(text); !times) expect_told(times.error());
  if (const auto devices = import_nvidia_smi(text); !devices) expect_told(devices.error());
  if (const auto serving = import_vllm_bench(text); !serving) expect_told(serving.error());
  if (const auto serving = import_aiperf(text); !serving) expect_told(serving.error());
  if (const auto serving = import_aiperf_records(text); !serving) expect_told(serving.error());
  if (const auto checks = import_dcgm_diag(text); !checks) expect_told(checks.error());
  if (const auto serving = import_guidellm(text); !serving) expect_told(serving.error());
  if (const auto serving = import_inferencex(text); !serving) expect_told(serving.error());
  if (const auto serving = import_llm_d_report(text); !serving) expect_told(serving.error());
  if (const auto serving = import_mlperf_inference(text); !serving) expect_told(serving.error());
  if (const auto training = import_mlperf_training(text); !training) expect_told(training.error());
  if (const auto memory = import_megatron_log(text); !memory) expect_told(memory.error());
  if (const auto engine = import_engine_log(text); !engine) expect_told(engine.error());
  if (const auto engine = import_engine_metrics(text); !engine) expect_told(engine.error());
  for (const auto fields :
       {dcgm_diag_fields, guidellm_fields, inferencex_fields, llm_d_report_fields, mlperf_inference_fields,
        mlperf_training_fields, nccl_tests_fields, nvbandwidth_fields, vllm_bench_fields, aiperf_fields})
    (void)fields(text);
  (void)engine_log_fields(text);
  (void)engine_metrics_fields(text);
  return 0;
}
