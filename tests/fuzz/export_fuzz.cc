/// Any lines as the names in files that are exported: the files are there and whole, or it is said why not.
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "base/characters.h"
#include "base/json_write.h"
#include "calibration/judge_fleet.h"
#include "catalog/catalog.h"
#include "export/deployment_files.h"
#include "export/junit.h"
#include "export/markdown.h"
#include "export/prometheus.h"
#include "fuzz/fuzz_checks.h"
#include "measure/sample_profile.h"

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

/// The catalog with other names of what designs and bills hold, such as its readers let in. The same object at every
/// call.
const Catalog& renamed(Names& names) {
  const auto next = [&] { return "x" + whole_characters(names.next()); };
  static Catalog catalog = embedded_catalog_facts();
  for (System& system : catalog.systems) system.name = next();
  for (Switch& one : catalog.switches) one.name = next();
  for (Gpu& gpu : catalog.gpus) gpu.name = next();
  for (CloudPrice& price : catalog.cloud_prices) price.provider = price.instance = price.region = next();
  return catalog;
}

/// Its exports are there; their number.
std::size_t exported(const Catalog& catalog, std::string_view request) {
  const std::string text = answer_request(catalog, request).text;
  fuzz::expect_answer(text);
  const JsonNode node = *parse_json(text);
  const JsonNode* designs = node.find("designs");
  const JsonNode* exports = (designs == nullptr ? node : designs->items.front()).find("exports");
  PODWRIGHT_ASSERT(exports != nullptr);
  for (const JsonNode& file : exports->items)
    PODWRIGHT_ASSERT(!file.find("name")->text.empty() && !file.find("text")->text.empty());
  return exports->items.size();
}

struct AskedDesign {
  std::string_view gpu;
  int gpus = 0;
};
/// Of one switch, of two levels and of three; with domains of NVLink.
constexpr AskedDesign kDesigns[] = {{"h100-sxm5-80gb", 16},   {"h100-sxm5-80gb", 144},  {"gb300", 144},
                                    {"h100-sxm5-80gb", 1024}, {"h100-sxm5-80gb", 3072}, {"b200-sxm", 32},
                                    {"gb300", 1152}};

void export_designs(Names& names, const AskedDesign& asked) {
  const Catalog& catalog = renamed(names);
  PODWRIGHT_ASSERT(exported(catalog, R"({"kind":"architecture","gpu_count":)" + std::to_string(asked.gpus) +
                                         R"(,"gpu":")" + std::string(asked.gpu) +
                                         R"(","storage":{"dataset_tb":200,"model_parameters":70e9},"exports":[)"
                                         R"("topology-svg","elevation-svg","bill-csv","cables-csv","netbox",)"
                                         R"("graphviz","slurm","containerlab","ansible"]})") > 0);
  for (const std::string_view term : {"on-demand", "reserved-1y"})
    PODWRIGHT_ASSERT(
        exported(catalog,
                 R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"utilization":0.6,)"
                 R"("as_of":"2026-11-21","cloud":{"term":")" +
                     std::string(term) +
                     R"("},"uncertainty":{"draws":100},"export_days":1,"on_premises":{},"exports":["focus"]})") >= 2);
}

void export_verdicts(Names& names) {
  std::vector<FleetNode> nodes;
  for (int i = 0; i < 2; ++i) {
    HardwareProfile profile = sample_profile();
    profile.devices.front().name = names.next();
    profile.limits = {names.next()};
    nodes.push_back({.name = names.next(), .read = read_profile(profile_text(profile)).value(), .problem = ""});
  }
  nodes.push_back({.name = names.next(), .read = {}, .problem = names.next()});
  const Catalog& catalog = embedded_catalog_facts();
  const JudgedNode node = judge_machine(catalog, names.next(), *nodes.front().read);
  const FleetJudgement fleet = judge_fleet(catalog, nodes, {.names = {names.next()}, .count = {}});
  for (const std::string& text : {junit_text(node), junit_text(fleet), markdown_text(node), markdown_text(fleet),
                                  prometheus_text(node, "1.0"), prometheus_text(fleet, "1.0")})
    PODWRIGHT_ASSERT(!text.empty() && text.back() == '\n');
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
  export_designs(names, kDesigns[size % std::size(kDesigns)]);
  export_verdicts(names);
  return 0;
}
