#include "calibration/measured_serving_memory.h"

#include "base/nearest.h"
#include "calibration/measured_serving.h"
#include "calibration/written_formats.h"
#include "perf/estimate_serving.h"
#include "perf/layout_rules.h"

namespace podwright {
namespace {

class ServingMemoryRowReader {
 public:
  ServingMemoryRowReader(const Catalog& catalog, const MeasuredCells& cells, MeasuredServingMemoryRow& row)
      : catalog_(catalog), cells_(cells), row_(row) {}

  /// The error is why the row cannot be expressed.
  Result<void> read() {
    // A concurrency is counted in sequences of the longest kind: without their length it says nothing.
    if (cells_.text("max_model_len").empty())
      std::erase_if(row_.measured, [](const Measured& value) { return value.metric == "max_concurrency"; });
    row_.reported_gpu = *row_.gpu;
    if (const auto total = cells_.number("gpu_total_gib")) row_.reported_gpu.memory_driver = gib(*total);
    Result<Model> model = serving_model(catalog_, cells_, row_.assumptions);
    if (!model) return failure(model.error());
    row_.model = std::move(*model);
    read_engine();
    const std::string written = cells_.text("weight_precision");
    row_.run.weight_precision =
        serving_weight_format(catalog_, row_.model, *row_.gpu, written, row_.model_name, row_.assumptions);
    if (row_.run.weight_precision.empty())
      return failure({"unknown-id", "", "the weight precision \"" + written.substr(0, 60) + "\" is not known", ""});
    row_.run.kv_precision = written_kv_precision(catalog_, cells_.text("kv_precision"));
    read_layout();
    read_limits();
    find_open_settings();
    const std::vector<Infeasible> problems = serving_layout_problems(row_.model, row_.run);
    if (problems.empty()) return {};
    return failure({problems.front().code, "", problems.front().message.text(), ""});
  }

 private:
  void read_engine() {
    ServingEngine found = serving_engine(catalog_, row_.framework_text, row_.assumptions);
    row_.run.engine = std::move(found.id);
    row_.catalog_engine = found.known;
    row_.run.engine_version = written_version(row_.framework_version);
    const Engine* engine = find_engine_conventions(catalog_, row_.run.engine);
    if (row_.run.engine_version.empty() && engine != nullptr) row_.run.engine_version = version_at(*engine, row_.date);
  }

  void read_layout() {
    ServingParallelism& p = row_.run.parallelism;
    p.tensor = cells_.size("tp").value_or(1);
    p.pipeline = cells_.size("pp").value_or(1);
    p.expert = row_.model.experts > 1 ? cells_.size("ep").value_or(1) : 1;
    row_.gpu_count = p.tensor * p.pipeline;
  }

  void read_limits() {
    ServingRun& run = row_.run;
    run.memory_fraction = cells_.number("mem_fraction");
    run.max_batched_tokens = cells_.size("max_num_batched_tokens");
    run.max_model_tokens = cells_.size("max_model_len");
    if (!run.max_model_tokens) {
      run.max_model_tokens = row_.model.context_tokens;
      row_.assumptions.push_back("the model's context as the longest sequence: not given");
    }
    run.block_tokens = cells_.size("block_size");
    // Tables of capacities come from engines that reserve whole sequences; other logs print the batch that was asked.
    row_.batch_is_given = run.engine != "tensorrt-llm";
    if (row_.batch_is_given) run.load = {LoadKind::static_batch, cells_.size("max_batch").value_or(1)};
  }

  void find_open_settings() {
    std::vector<std::string> columns{"weight_precision", "mem_fraction"};
    if (row_.run.engine == "vllm") columns.insert(columns.end(), {"framework_version", "gpu_total_gib"});
    if (row_.run.engine == "tensorrt-llm") columns.push_back("max_num_batched_tokens");
    if (row_.run.engine == "llama.cpp") columns.clear();
    std::vector<std::string> open;
    for (const std::string& column : columns)
      if (cells_.text(column).empty()) open.push_back(column);
    row_.open_settings = joined(open);
  }

  const Catalog& catalog_;
  const MeasuredCells& cells_;
  MeasuredServingMemoryRow& row_;
};

}  // namespace

const MeasuredColumns& measured_serving_memory_columns() {
  static const MeasuredColumns columns{
      .needed = {"framework", "mem_fraction", "max_model_len"},
      .metrics = {"max_batch", "kv_tokens", "kv_blocks", "weights_gib_per_gpu", "kv_cache_gib_per_gpu",
                  "activation_peak_gib", "non_torch_gib", "cuda_graph_gib", "max_concurrency"},
      .any_metric = false,
      .sizes = {"tp", "pp", "ep", "max_model_len", "max_num_batched_tokens", "block_size"},
      .numbers = {"gpu_total_gib", "mem_fraction"},
      .texts = {"weight_precision", "kv_precision", "fraction_basis", "num_gpus"}};
  return columns;
}

Result<MeasuredServingMemory> read_measured_serving_memory(const Catalog& catalog, std::string_view csv,
                                                           std::string_view file) {
  return read_measured_table<MeasuredServingMemoryRow, ServingMemoryRowReader>(catalog, csv, file,
                                                                               measured_serving_memory_columns());
}

}  // namespace podwright
