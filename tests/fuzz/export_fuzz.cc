/// Any lines as the names in files that are exported: the files are there and whole, or it is said why not.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "base/json_write.h"
#include "catalog/catalog.h"
#include "export/deployment_files.h"
#include "fuzz/fuzz_checks.h"

namespace {

using namespace podwright;

/// The lines in turn, so that one line names everything.
class Names {
 public:
  explicit Names(std::string_view text) : lines_(fuzz::lines_of(text)) {
    if (lines_.empty()) lines_.emplace_back();
  }
  std::string next() { return lines_[at_++ % lines_.size()]; }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

void expect_whole(const ExportFiles& files) {
  PODWRIGHT_ASSERT(!files.files.empty() || !files.not_written.empty());
  for (const ExportFile& file : files.files)
    PODWRIGHT_ASSERT(!file.name.empty() && !file.text.empty() && file.text.back() == '\n');
}

void export_deployment(Names names, const char* engine) {
  const Catalog& catalog = embedded_catalog_facts();
  Model model = **find_model(catalog, "llama-3.1-70b");
  model.id = names.next();
  model.name = names.next();
  ServingRun run;
  run.engine = engine;
  run.weight_precision = "fp8";
  run.parallelism.tensor = 16;
  run.input_tokens = 2048;
  run.output_tokens = 128;
  const Deployment deployment{.model = model,
                              .gpu = **find_gpu(catalog, "h100-sxm5-80gb"),
                              .run = run,
                              .names = {.model = names.next(),
                                        .draft_model = names.next(),
                                        .image = names.next(),
                                        .name_space = names.next(),
                                        .claim = names.next()}};
  constexpr std::array kAll{DeploymentExport::engine, DeploymentExport::compose, DeploymentExport::kubernetes,
                            DeploymentExport::llm_d, DeploymentExport::dynamo};
  expect_whole(deployment_files(deployment, kAll));
}

/// A request that begins so, with names under these keys of its last member.
std::string asked(std::string_view beginning, const std::vector<std::string_view>& keys, Names& names) {
  std::string out(beginning);
  for (const std::string_view key : keys) {
    JsonWriter name;
    name.begin_object();
    name.text(key, names.next());
    name.end_object();
    const std::string member = name.take();
    out += (out.back() == '{' ? "" : ",") + member.substr(1, member.size() - 2);
  }
  return out + "}}";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  for (const char* engine : {"vllm", "sglang", "tensorrt-llm", "llama.cpp"}) export_deployment(Names(text), engine);
  Names names(text);
  fuzz::expect_answer(answer(
      asked(R"({"kind":"search","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb","gpu_count":8,"sequence_length":4096,)"
            R"("global_batch_size":64,"top":1,"exports":["all"],"deploy":{)",
            {"data", "tokenizer", "megatron_lm", "image", "namespace", "runtime", "partition", "account"}, names)));
  fuzz::expect_answer(answer(asked(
      R"({"kind":"architecture","gpu_count":16,"exports":["topology-svg","elevation-svg","bill-csv","cables-csv",)"
      R"("netbox","graphviz","slurm","containerlab","ansible"],"gpu":{"base":"h100-sxm5-80gb")",
      {"id", "name"}, names)));
  return 0;
}
