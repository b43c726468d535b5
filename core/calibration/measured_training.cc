#include "calibration/measured_training.h"

#include <algorithm>
#include <cmath>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/measured_model.h"
#include "model/layers.h"
#include "perf/ceilings.h"
#include "perf/layout_rules.h"

namespace podwright {
namespace {

constexpr std::string_view kGenericModelParallel = "megatron-core";
constexpr std::string_view kGenericDataParallel = "pytorch-fsdp";
constexpr double kBitsPerByte = 8;

class TrainingRowReader {
 public:
  TrainingRowReader(const Catalog& catalog, const MeasuredCells& cells, MeasuredTrainingRow& row)
      : catalog_(catalog), cells_(cells), row_(row) {}

  /// The error is why the row cannot be expressed.
  Result<void> read() {
    row_.flops_convention = cells_.text("flops_convention");
    row_.counts_recompute = cells_.text("flops_counted") == "hardware";
    row_.run.tuning = row_.tuning;
    if (cells_.text("timed") == "layers") row_.scope = MeasuredScope::layers;
    if (Result<void> sizes = read_sizes(); !sizes) return sizes;
    read_framework();
    read_precision();
    if (Result<void> model = read_model(); !model) return failure(model.error());
    read_modules();
    read_habits();
    if (Result<void> adapters = read_adapters(); !adapters) return failure(adapters.error());
    read_schedule();
    fit_layout();
    read_system();
    const std::vector<Infeasible> problems = training_layout_problems(row_.model, row_.run);
    if (problems.empty()) return {};
    return failure({problems.front().code, "", problems.front().message.text(), ""});
  }

 private:
  void assume(std::string what) { row_.assumptions.push_back(std::move(what)); }
  TrainingParallelism& parallelism() { return row_.run.parallelism; }

  /// Lengths and group sizes. The error says what is missing.
  Result<void> read_sizes() {
    TrainingRun& run = row_.run;
    TrainingParallelism& p = run.parallelism;
    const auto sequence = cells_.size("seq_len");
    if (!sequence) return failure({"missing", "", "no sequence length (seq_len)", ""});
    run.sequence_length = cells_.size("padded_seq_len").value_or(*sequence);
    row_.counted_tokens = *sequence / run.sequence_length;
    row_.longest_sequence = cells_.size("longest_seq_len");
    p.tensor = cells_.size("tp").value_or(1);
    p.pipeline = cells_.size("pp").value_or(1);
    p.context = cells_.size("cp").value_or(1);
    p.expert = cells_.size("ep").value_or(1);
    p.expert_tensor = cells_.size("etp").value_or(1);
    p.virtual_pipeline = cells_.size("vp").value_or(1);
    const double model_ranks = p.tensor * p.pipeline * p.context;
    const auto given_data = cells_.size("dp");
    const double gpus = cells_.size("num_gpus").value_or(model_ranks * given_data.value_or(1));
    if (!divides(model_ranks, gpus))
      return failure({"conflict", "",
                      shortest_number(gpus) + " GPUs are not a multiple of tensor x pipeline x context (" +
                          shortest_number(model_ranks) + ")",
                      ""});
    p.data = gpus / model_ranks;
    row_.gpu_count = gpus;
    if (given_data && *given_data != p.data)
      assume("data parallel size " + shortest_number(p.data) + " from the number of GPUs; the row says " +
             shortest_number(*given_data));
    run.micro_batch_size = cells_.size("micro_batch").value_or(1);
    if (cells_.text("micro_batch").empty()) assume("micro-batch of one sequence: not given");
    const auto batch = cells_.size("global_batch");
    run.global_batch_size = batch.value_or(run.micro_batch_size * p.data);
    if (!batch) assume("one micro-batch per replica and step: the global batch is not given");
    return {};
  }

  /// Error "not-modelled": why the adapters are not those of low-rank adaptation.
  Result<void> read_adapters() {
    const std::vector<std::string> kind = words_of(lower_case(cells_.text("adapter")));
    if (!kind.empty() && kind.front() != "lora" && kind.front() != "full")
      return failure({"not-modelled", "",
                      "adapters of the kind \"" + cells_.text("adapter").substr(0, 60) + "\" are not modelled", ""});
    TrainingRun& run = row_.run;
    if (run.method == TrainingMethod::full) return {};
    if (const auto rank = cells_.size("rank"))
      run.lora_rank = *rank;
    else
      assume("adapters of rank " + shortest_number(run.lora_rank) + ": not given");
    const std::string targets = cells_.text("target_modules");
    for (std::size_t begin = 0; begin < targets.size();) {
      const std::size_t end = std::min(targets.find(';', begin), targets.size());
      const auto target = of_word<LoraTarget>(std::string_view(targets).substr(begin, end - begin), kLoraTargetWords);
      if (!target)
        return failure({"not-modelled", "", "adapters on \"" + targets.substr(0, 60) + "\" are not modelled", ""});
      run.lora_targets.push_back(*target);
      begin = end + 1;
    }
    return {};
  }

  void read_modules() {
    if (framework_ == nullptr || !framework_->multi_token_prediction || row_.model.multi_token_depths <= 0 ||
        !cells_.flag("multi_token").value_or(true))
      return;
    row_.run.multi_token_depths = row_.model.multi_token_depths;
    assume("the multi-token modules of " + row_.model.name + " are trained along");
  }

  void read_framework() {
    const std::string& text = row_.framework_text;
    const std::vector<TrainingFramework>& frameworks = catalog_.training_frameworks;
    framework_ = find_training_framework(frameworks, canonical_id(catalog_, "frameworks", text));
    if (framework_ == nullptr) framework_ = framework_by_words(frameworks, text);
    if (framework_ == nullptr) {
      const bool model_parallel = parallelism().tensor * parallelism().pipeline > 1;
      framework_ = find_training_framework(frameworks, model_parallel ? kGenericModelParallel : kGenericDataParallel);
      row_.catalog_framework = false;
      if (framework_ != nullptr)
        assume((text.empty() ? "the framework is not given"
                             : "the framework \"" + text.substr(0, 60) + "\" is not known") +
               ": the habits of " + framework_->name);
    }
    if (framework_ != nullptr && !framework_->successor.empty() && !row_.date.empty() &&
        row_.date >= framework_->successor_since) {
      if (const TrainingFramework* successor = find_training_framework(frameworks, framework_->successor)) {
        assume(framework_->name + " in " + row_.date + ": " + successor->name);
        framework_ = successor;
      }
    }
    if (framework_ == nullptr) return;
    row_.run.framework = framework_->id;
    row_.memory_figure = framework_->memory_figure;
    row_.run.framework_version = framework_version(text);
    row_.run.framework_date = row_.date;
    if (const auto figure = of_word<MemoryFigure>(cells_.text("memory_figure"), kMemoryFigureWords))
      row_.memory_figure = *figure;
  }

  /// The version column, else the version that the name or the place in the source carries, where the catalog knows it.
  std::string framework_version(std::string_view framework) const {
    const std::string detail = cells_.text("source_detail");
    const std::size_t container = detail.find("NeMo Container");
    std::string_view before(detail);
    before = before.substr(0, container == std::string::npos ? 0 : container);
    const std::size_t space = before.find_last_not_of(' ') == std::string_view::npos
                                  ? std::string_view::npos
                                  : before.find_last_of(" ,", before.find_last_not_of(' '));
    const std::string_view word = space == std::string_view::npos ? before : before.substr(space + 1);
    for (const std::string& text : {row_.framework_version, version_in(framework), version_in(word)})
      if (const FrameworkVersion* known = text.empty() ? nullptr : find_version(*framework_, text))
        return known->version;
    return "";
  }

  void read_precision() {
    TrainingRun& run = row_.run;
    const std::string text = cells_.text("precision");
    const auto written = written_precision(text);
    const bool has_bf16 = row_.gpu->peak_dense_flops.count("bf16") > 0;
    run.precision = written ? written->precision : (has_bf16 ? Precision::bf16 : Precision::fp16);
    if (!written)
      assume("precision " + std::string(word_of(run.precision, kPrecisionWords)) + ", the GPU's 16-bit format: " +
             (text.empty() ? "not given" : "\"" + text.substr(0, 60) + "\" is not understood"));
    if (run.precision != Precision::fp8) return;
    if (written && written->recipe) {
      run.fp8_recipe = *written->recipe;
    } else if (framework_ != nullptr) {
      run.fp8_recipe = framework_->fp8_recipe;
      assume("fp8 scaling " + std::string(word_of(run.fp8_recipe, kFp8RecipeWords)) + ": the default of " +
             framework_->name);
    }
  }

  Result<void> read_model() {
    ModelCells cells = model_cells(cells_);
    const std::string base = cells_.text("base_model_id");
    if (cells.model_id.empty() || (!base.empty() && !find_model(catalog_, cells.model_id))) cells.model_id = base;
    Result<MeasuredModel> model = measured_model(catalog_, cells);
    if (!model) return failure(model.error());
    row_.model = std::move(model->model);
    if (row_.scope == MeasuredScope::layers) {
      row_.model.vocab_size = 0;
      assume("layers alone, without embedding, loss and optimizer: as the row says");
    }
    for (std::string& assumption : model->assumptions) assume(std::move(assumption));
    return {};
  }

  /// What a framework does unless it is told otherwise.
  void read_habits() {
    TrainingRun& run = row_.run;
    TrainingParallelism& p = run.parallelism;
    const std::string by_default = framework_ == nullptr ? "" : ": the default of " + framework_->name;

    if (const auto recompute = written_recompute(cells_.text("recompute"))) {
      run.activation_recompute = *recompute;
    } else if (framework_ != nullptr) {
      run.activation_recompute = framework_->activation_recompute;
      assume("recompute " + std::string(word_of(run.activation_recompute, kRecomputeWords)) + by_default);
    }

    const std::string framework_text = lower_case(row_.framework_text);
    std::optional<double> stage = cells_.number("zero_stage");
    for (const char digit : {'1', '2', '3'})
      if (!stage &&
          (holds(framework_text, std::string("zero-") + digit) || holds(framework_text, std::string("zero") + digit)))
        stage = digit - '0';
    if (!stage && holds(framework_text, "ddp") && !holds(framework_text, "fsdp")) stage = 0;
    if (!stage && framework_ != nullptr) {
      stage = framework_->zero_stage;
      assume("ZeRO stage " + shortest_number(*stage) + by_default);
    }
    p.zero_stage = static_cast<int>(std::clamp(stage.value_or(1), 0.0, 3.0));
    if (cells_.text("shard") == word_of(Shard::hybrid, kShardWords) || holds(framework_text, "hsdp"))
      p.shard = Shard::hybrid;

    const auto sequence_parallel = cells_.flag("sequence_parallel");
    p.sequence_parallel = sequence_parallel.value_or(framework_ != nullptr && framework_->sequence_parallel);
    if (!sequence_parallel && p.tensor > 1)
      assume(std::string("sequence parallelism ") + (p.sequence_parallel ? "on" : "off") + by_default);

    run.overlap = cells_.text("comm_overlap") != "none";
    row_.overlap_given = !cells_.text("comm_overlap").empty();
    run.method = written_method(cells_.text("method")).value_or(TrainingMethod::full);
    const std::string optimizer = lower_case(cells_.text("optimizer"));
    if (holds(optimizer, "sgd")) run.optimizer = Optimizer::sgd;
  }

  void read_schedule() {
    TrainingRun& run = row_.run;
    TrainingParallelism& p = run.parallelism;
    const auto written = written_schedule(cells_.text("schedule"));
    if (p.pipeline == 1 && p.virtual_pipeline > 1) {
      assume("model chunks without a pipeline: ignored");
      p.virtual_pipeline = 1;
    }
    run.schedule =
        written ? written->schedule : (p.virtual_pipeline > 1 ? Schedule::interleaved : Schedule::one_f_one_b);
    // A pipeline that is not told its micro-batches cuts the batch of a replica into as many as it has stages.
    const double replica = run.global_batch_size / p.data;
    const double pieces = p.pipeline * p.virtual_pipeline;
    const TrainingRecipe recipe = training_recipe(catalog_.training_recipes, run);
    if (cells_.text("micro_batch").empty() && p.pipeline > 1 && recipe && recipe.stack->pipeline_keeps_gathered &&
        divides(pieces, replica)) {
      run.micro_batch_size = replica / pieces;
      assume("micro-batch " + shortest_number(run.micro_batch_size) + ": as many micro-batches as stages");
    }
    if (written && !written->exact)
      assume("schedule " + std::string(word_of(run.schedule, kScheduleWords)) + ": the nearest to \"" +
             cells_.text("schedule").substr(0, 60) + "\"");
    if (p.virtual_pipeline > 1 && run.schedule == Schedule::one_f_one_b) run.schedule = Schedule::interleaved;
    if (p.virtual_pipeline > 1 && run.schedule != Schedule::interleaved) {
      assume("one chunk per stage: only the interleaved schedule takes several");
      p.virtual_pipeline = 1;
    }
    if (p.virtual_pipeline == 1 && run.schedule == Schedule::interleaved && p.pipeline > 1 &&
        cells_.text("vp").empty()) {
      assume("two chunks per stage: the schedule is interleaved, their number is not given");
      p.virtual_pipeline = 2;
    }
    if (p.virtual_pipeline == 1 && run.schedule == Schedule::interleaved) run.schedule = Schedule::one_f_one_b;
    read_stage_split();
  }

  /// Whether embedding and loss take the place of layers when stages are cut: as told, else where only that makes equal
  /// stages.
  void read_stage_split() {
    TrainingRun& run = row_.run;
    const TrainingParallelism& p = run.parallelism;
    if (const auto given = cells_.flag("embedding_and_loss_as_layers")) {
      run.embedding_and_loss_as_layers = *given;
      return;
    }
    const double chunks = p.pipeline * p.virtual_pipeline;
    if (chunks > 1 && !divides(chunks, row_.model.layers) && divides(chunks, layer_slots(row_.model.layers, true))) {
      run.embedding_and_loss_as_layers = true;
      assume("embedding and loss count as a layer each: only so are the stages equal");
    }
  }

  /// Bends what the rules of a layout do not allow as little as possible; each change is an assumption.
  void fit_layout() {
    TrainingRun& run = row_.run;
    TrainingParallelism& p = run.parallelism;
    const double slots = layer_slots(row_.model.layers, run.embedding_and_loss_as_layers);
    if (p.pipeline * p.virtual_pipeline > slots && p.pipeline <= slots) {
      p.virtual_pipeline = std::floor(slots / p.pipeline);
      assume("chunks per stage " + shortest_number(p.virtual_pipeline) + ": there are no more layers");
    }
    if (p.sequence_parallel && !divides(p.tensor, run.sequence_length / p.context)) p.sequence_parallel = false;
    fit_experts();
    fit_batch();
    const double micro_batches = run.global_batch_size / (run.micro_batch_size * p.data);
    if (p.virtual_pipeline > 1 && !divides(p.pipeline, micro_batches)) {
      p.virtual_pipeline = 1;
      run.schedule = Schedule::one_f_one_b;
      assume("no interleaving: " + shortest_number(micro_batches) + " micro-batches are not a multiple of the stages");
    }
    if (p.virtual_pipeline == 1 && run.schedule == Schedule::interleaved) run.schedule = Schedule::one_f_one_b;
  }

  void fit_experts() {
    TrainingParallelism& p = parallelism();
    const double ranks = p.tensor * p.context * p.data;
    const double experts = row_.model.experts;
    const double given = p.expert;
    if (experts < 2)
      p.expert = p.expert_tensor = 1;
    else if (!divides(p.expert, experts) || !divides(p.expert * p.expert_tensor, ranks)) {
      if (!divides(p.expert_tensor, ranks)) p.expert_tensor = 1;
      p.expert = largest_divisor(common_divisor(experts, ranks / p.expert_tensor), p.expert);
    }
    if (p.expert != given)
      assume("expert parallel size " + shortest_number(p.expert) + " instead of " + shortest_number(given) +
             ": what the ranks of a stage and the experts allow");
  }

  void fit_batch() {
    TrainingRun& run = row_.run;
    const double data = run.parallelism.data;
    const double per_replica = std::max(1.0, std::floor(run.global_batch_size / data + 0.5));
    if (per_replica * data != run.global_batch_size) {
      assume("global batch " + shortest_number(per_replica * data) + " instead of " +
             shortest_number(run.global_batch_size) + ": a multiple of the replicas");
      run.global_batch_size = per_replica * data;
    }
    if (divides(run.micro_batch_size, per_replica)) return;
    const double fitting = largest_divisor(per_replica, run.micro_batch_size);
    assume("micro-batch " + shortest_number(fitting) + " instead of " + shortest_number(run.micro_batch_size) +
           ": it divides the replica's batch");
    run.micro_batch_size = fitting;
  }

  /// The servers: those of the catalog with this GPU, changed by what the row tells; where the catalog knows no network
  /// of this GPU, that of its nearest relative.
  void read_system() {
    if (const std::string id = cells_.text("system"); !id.empty())
      if (const auto system = find_system(catalog_, id)) row_.system = **system;
    if (row_.system) return;
    const auto node = cells_.size("gpus_per_node");
    const auto network = cells_.number("node_network_gbps");
    const System* usual = system_with_network(catalog_, *row_.gpu);
    const bool known = usual != nullptr;
    if (known && !node && !network) return;
    const double gpus = node ? *node : node_gpus(catalog_, *row_.gpu, usual);
    if (!known && row_.gpu_count > gpus) {
      usual = related_system();
      if (usual != nullptr && !network) assume("network of " + usual->name + ": none is known with " + row_.gpu->name);
    }
    if (usual == nullptr && !node) return;
    row_.system = usual == nullptr ? System{} : *usual;
    System& system = *row_.system;
    if (system.compute_nic_count && system.gpu_count > 0)
      system.compute_nic_count = *system.compute_nic_count * gpus / system.gpu_count;
    system.gpus = {row_.gpu_id};
    system.gpu_count = gpus;
    if (network && system.compute_nic_count)
      system.compute_nic_bandwidth = gb_per_s(*network / kBitsPerByte / *system.compute_nic_count);
  }

  /// A system whose network is known, with a GPU of the same architecture, else of the nearest year.
  const System* related_system() const {
    const System* nearest = nullptr;
    double distance = 0;
    for (const Gpu& gpu : catalog_.gpus) {
      const System* system = system_with_network(catalog_, gpu);
      if (system == nullptr) continue;
      if (!gpu.architecture.empty() && gpu.architecture == row_.gpu->architecture) return system;
      const double years = std::fabs(gpu.year.value_or(0) - row_.gpu->year.value_or(0));
      if (nearest != nullptr && years >= distance) continue;
      nearest = system;
      distance = years;
    }
    return nearest;
  }

  const Catalog& catalog_;
  const MeasuredCells& cells_;
  const TrainingFramework* framework_ = nullptr;
  MeasuredTrainingRow& row_;
};

}  // namespace

const MeasuredColumns& measured_training_columns() {
  static const MeasuredColumns columns{
      .needed = {"seq_len", "num_gpus", "global_batch"},
      .metrics = {"step_time_s", "tokens_per_s_per_gpu", "memory_gib_per_gpu", "memory_p99_reserved_gib",
                  "memory_allocated_avg_gib", "tflops_per_gpu", "mfu"},
      .sizes = {"seq_len", "num_gpus", "tp",           "pp",           "vp",           "cp",
                "ep",      "etp",      "dp",           "micro_batch",  "global_batch", "layers",
                "hidden",  "heads",    "kv_heads",     "head_dim",     "ffn",          "vocab",
                "experts", "topk",     "mlp_matrices", "gpus_per_node"},
      .numbers = {"zero_stage", "node_network_gbps", "padded_seq_len", "longest_seq_len", "rank"},
      .flags = {"sequence_parallel", "embedding_and_loss_as_layers", "ffn_is_per_expert", "multi_token"},
      .texts = {"precision", "recompute", "schedule", "comm_overlap", "method", "optimizer", "shard", "system",
                "memory_figure", "timed", "flops_convention", "flops_counted", "adapter", "target_modules"}};
  return columns;
}

Result<MeasuredTraining> read_measured_training(const Catalog& catalog, std::string_view csv, std::string_view file) {
  return read_measured_table<MeasuredTrainingRow, TrainingRowReader>(catalog, csv, file, measured_training_columns());
}

}  // namespace podwright
