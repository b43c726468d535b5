#include "calibration/measured_serving.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "calibration/measured_model.h"
#include "calibration/written_formats.h"
#include "catalog/model_named.h"
#include "perf/estimate_serving.h"

namespace podwright {
namespace {

constexpr std::string_view kGenericEngine = "vllm";
/// Others send the first token by itself, whatever their interval.
constexpr std::string_view kSendsInWhole = "tensorrt-llm";
/// Sizes that change how a run is read and that older tables put into their notes, in words.
constexpr const char* kSettings[] = {"attention_dp", "max_batched_tokens", "max_sequences", "requests",
                                     "scheduler_steps"};

/// fp8 of "Llama-3.1-8B-Instruct-FP8"; empty where the name says none.
std::string format_in_name(const Catalog& catalog, std::string_view model_name) {
  const std::size_t dash = model_name.rfind('-');
  return dash == std::string_view::npos ? "" : written_weight_format(catalog, model_name.substr(dash + 1));
}

class ServingRowReader {
 public:
  ServingRowReader(const Catalog& catalog, const MeasuredCells& cells, MeasuredServingRow& row)
      : catalog_(catalog), cells_(cells), row_(row) {}

  /// The error is why the row cannot be expressed.
  Result<void> read() {
    row_.year = year_of_date(row_.date);
    row_.run.tuning = row_.tuning;
    row_.disaggregated = holds(lower_case(cells_.text("serving_mode")), "disagg");
    if (row_.disaggregated) assume("disaggregated: read as one deployment of all its GPUs");
    Result<Model> model = serving_model(catalog_, cells_, row_.assumptions);
    if (!model) return failure(model.error());
    row_.model = std::move(*model);
    read_engine();
    if (Result<void> known = read_precision(); !known) return known;
    if (Result<void> known = read_lengths(); !known) return known;
    read_layout();
    read_load();
    if (!row_.notes.empty() && !std::all_of(std::begin(kSettings), std::end(kSettings),
                                            [&](const char* column) { return cells_.has(column); }))
      assume("settings in notes are not read");
    const std::vector<Infeasible> problems = serving_layout_problems(row_.model, row_.run);
    if (problems.empty()) return {};
    return failure({problems.front().code, "", problems.front().message.text(), ""});
  }

 private:
  void assume(std::string what) { row_.assumptions.push_back(std::move(what)); }

  /// Engine and version. Where no version is given, the date stands for it.
  void read_engine() {
    ServingRun& run = row_.run;
    ServingEngine engine = serving_engine(catalog_, row_.framework_text, row_.assumptions);
    run.engine = std::move(engine.id);
    row_.catalog_engine = engine.known;
    if (!row_.catalog_engine) return;
    for (const std::string& text : {row_.framework_version, row_.framework_text})
      if (run.engine_version.empty()) run.engine_version = written_version(text);
    if (!run.engine_version.empty()) return;
    const EngineSoftware* const period =
        row_.year ? catalog_.serving_efficiency.period_at(run.engine, *row_.year) : nullptr;
    if (period != nullptr)
      run.engine_version = period->period;
    else if (const Engine* conventions = find_engine_conventions(catalog_, run.engine))
      run.engine_version = version_at(*conventions, row_.date);
    assume(row_.date.empty() ? "the newest version of " + run.engine + ": neither version nor date is given"
                             : "the version of " + run.engine + " by its date");
  }

  Result<void> read_precision() {
    ServingRun& run = row_.run;
    const std::string written = cells_.text("precision");
    run.weight_precision =
        serving_weight_format(catalog_, row_.model, *row_.gpu, written, row_.model_name, row_.assumptions);
    if (written.empty() && format_in_name(catalog_, row_.model_name).empty())
      row_.memory_guesses.emplace_back("precision");
    if (run.weight_precision.empty())
      return failure({"unknown-id", "", "the precision \"" + written.substr(0, 60) + "\" is not known", ""});
    run.kv_precision = written_kv_precision(catalog_, cells_.text("kv_precision"));
    const bool scaled = run.weight_precision == "fp8" || run.weight_precision == "nvfp4";
    if (run.kv_precision.empty() && run.engine == "tensorrt-llm" && scaled && row_.model.kv_lora_rank <= 0) {
      run.kv_precision = "fp8";
      assume("keys and values in 8 bit, as NVIDIA's quantised checkpoints set for TensorRT-LLM");
    }
    return {};
  }

  /// Prompt and answer. The error says what is missing.
  Result<void> read_lengths() {
    ServingRun& run = row_.run;
    const auto input = cells_.number("input_len");
    const auto output = cells_.number("output_len");
    if (!output) return failure({"missing", "", "no output length (output_len)", ""});
    if (input.value_or(0) < 0 || *output < 0 || input.value_or(*output) + *output <= 0)
      return failure({"conflict", "", "neither prompt nor answer", ""});
    if (!input) assume("prompts as long as the answers: not given");
    run.input_tokens = input.value_or(*output);
    run.output_tokens = *output;
    row_.prompt_only = *output == 0;
    if (!row_.prompt_only && holds(lower_case(row_.source), "inferencex")) {
      // RANDOM_RANGE_RATIO 0.8 of its client: lengths are drawn evenly between 0.8 and 1 of those stated.
      constexpr double kMeanOfStated = 0.9;
      run.input_tokens *= kMeanOfStated;
      run.output_tokens *= kMeanOfStated;
      assume("InferenceX draws lengths evenly between 0.8 and 1 of those stated");
    }
    if (row_.prompt_only) run.output_tokens = 1;
    if (run.input_tokens == 0) {
      run.input_tokens = 1;
      assume("generation from an empty context starts with one token");
    }
    return {};
  }

  /// Groups and the number of GPUs.
  void read_layout() {
    ServingParallelism& p = row_.run.parallelism;
    const auto tensor = cells_.size("tp");
    p.pipeline = cells_.size("pp").value_or(1);
    p.expert = cells_.size("ep").value_or(1);
    p.attention_data = cells_.size("attention_dp").value_or(1);
    const auto gpus = cells_.size("num_gpus");
    p.tensor = tensor.value_or(std::max(1.0, std::floor(gpus.value_or(1) / (p.pipeline * p.attention_data))));
    if (!tensor && p.tensor > 1) assume("tensor parallel over all GPUs: not given");
    if (!tensor && !gpus) {
      assume("one GPU for each rank: num_gpus is not given");
      row_.memory_guesses.emplace_back("num_gpus");
    }
    row_.gpu_count = gpus.value_or(p.tensor * p.pipeline * p.attention_data);
    place_attention_ranks();
    split_tensor();
    place_replicas();
    fit_experts();
    row_.gpu_count = p.tensor * p.pipeline * p.attention_data * p.data;
    row_.run.max_batched_tokens = cells_.size("max_batched_tokens");
    row_.run.max_batch_size = cells_.size("max_sequences");
    row_.run.memory_fraction = cells_.number("memory_fraction");
    read_first_token_steps();
    row_.other_scheduler =
        cells_.size("scheduler_steps").value_or(1) > 1 || !cells_.flag("chunked_prefill").value_or(true);
    if (row_.other_scheduler) assume("one step at a time and prompts in pieces: the run's scheduler is not modelled");
  }

  /// Steps by which settings delay the first token that a client sees: an engine that looks for requests every n steps
  /// finds them after half as many, one that sends every n tokens has computed n by then.
  void read_first_token_steps() {
    const double received = cells_.size("receive_interval").value_or(0);
    const double sent = row_.run.engine == kSendsInWhole ? cells_.size("stream_interval").value_or(1) : 1.0;
    row_.first_token_steps = received / 2.0 + (sent - 1.0);
  }

  /// Attention data parallel ranks lie inside the tensor group where a table counts them there.
  void place_attention_ranks() {
    ServingParallelism& p = row_.run.parallelism;
    const double stage = row_.gpu_count / p.pipeline;
    if (p.attention_data > 1 && p.tensor * p.attention_data > stage && divides(p.attention_data, p.tensor))
      p.tensor /= p.attention_data;
  }

  /// Heads cannot be cut further than one a rank: what is left of a tensor group are ranks of attention data parallel.
  void split_tensor() {
    ServingParallelism& p = row_.run.parallelism;
    if (divides(p.tensor, row_.model.attention_heads)) return;
    const double tensor = common_divisor(p.tensor, row_.model.attention_heads);
    const double ranks = p.tensor / tensor;
    assume("tensor " + shortest_number(tensor) + " x attention data parallel " + shortest_number(ranks) + ": " +
           shortest_number(p.tensor) + " ranks do not divide the attention heads");
    row_.layout_bent = true;
    p.tensor = tensor;
    p.attention_data *= ranks;
  }

  void place_replicas() {
    ServingParallelism& p = row_.run.parallelism;
    const double replica = p.tensor * p.pipeline * p.attention_data;
    p.data = 1;
    if (row_.gpu_count == replica) return;
    if (row_.gpu_count > replica && divides(replica, row_.gpu_count)) {
      p.data = row_.gpu_count / replica;
      assume("independent replicas on the GPUs beyond one engine");
      return;
    }
    assume(shortest_number(replica) + " GPUs, as the groups say; the row says " + shortest_number(row_.gpu_count));
    row_.layout_bent = true;
  }

  void fit_experts() {
    ServingParallelism& p = row_.run.parallelism;
    const double given = p.expert;
    const double ranks = p.tensor * p.attention_data;
    if (row_.model.experts < 2) {
      p.expert = 1;
      return;
    }
    p.expert = largest_divisor(common_divisor(ranks, row_.model.experts), p.expert);
    if (p.expert != given)
      assume("expert parallel size " + shortest_number(p.expert) + " instead of " + shortest_number(given) +
             ": what the ranks and the experts allow");
  }

  void read_load() {
    ServingRun& run = row_.run;
    const std::string kind = lower_case(cells_.text("load_kind"));
    const auto in_flight = positive_cell("concurrency_or_batch");
    const auto rate = positive_cell("request_rate");
    const bool offline = holds(kind, "offline") || holds(kind, "throughput");
    row_.requests = cells_.size("requests");
    row_.decode_rate = cells_.text("timed") == "decode";
    if (rate && (!in_flight || holds(kind, "rate") || holds(kind, "server"))) {
      run.load = {LoadKind::request_rate, *rate};
    } else if (in_flight) {
      run.load = {holds(kind, "static") ? LoadKind::static_batch : LoadKind::concurrency, *in_flight};
    } else if (holds(kind, "static")) {
      run.load = {LoadKind::static_batch, 1};
      assume("a batch of one: not given");
    } else {
      run.load = {LoadKind::max_throughput, 0};
      if (!offline && !unbounded_load()) assume("as many requests as fit: the load is not given");
    }
    if (run.load.kind == LoadKind::static_batch && requests_sent_at_once()) {
      run.load.kind = LoadKind::concurrency;
      assume("requests sent at once: the engine admits as many as fit");
    }
  }

  std::optional<double> positive_cell(std::string_view column) const {
    const auto value = cells_.rate(column);
    return value && *value > 0 ? value : std::nullopt;
  }

  bool unbounded_load() const {
    return unbounded(cells_.text("request_rate")) || unbounded(cells_.text("concurrency_or_batch"));
  }

  /// As many as the batch holds: a queue that an engine works off, no batch that starts and ends together.
  bool requests_sent_at_once() const { return row_.requests == row_.run.load.value; }

  const Catalog& catalog_;
  const MeasuredCells& cells_;
  MeasuredServingRow& row_;
};

}  // namespace

Result<Model> serving_model(const Catalog& catalog, const MeasuredCells& cells, std::vector<std::string>& assumptions) {
  ModelCells sizes = model_cells(cells);
  std::vector<std::string> spellings{sizes.model_id, cells.text("base_model_id")};
  for (PlainerName& name : plainer_names(sizes.name)) spellings.push_back(std::move(name.text));
  for (const std::string& spelling : spellings) {
    if (spelling.empty() || known_model(catalog, spelling) == nullptr) continue;
    sizes.model_id = spelling;
    break;
  }
  Result<MeasuredModel> model = measured_model(catalog, sizes);
  if (!model) return failure(model.error());
  for (std::string& assumption : model->assumptions) assumptions.push_back(std::move(assumption));
  return std::move(model->model);
}

ServingEngine serving_engine(const Catalog& catalog, std::string_view written, std::vector<std::string>& assumptions) {
  std::string id = written_engine(catalog, written);
  if (!id.empty()) return {.id = std::move(id), .known = true};
  assumptions.push_back((written.empty() ? "the engine is not given"
                                         : "the engine \"" + std::string(written.substr(0, 60)) + "\" is not known") +
                        std::string(": the habits of ").append(kGenericEngine));
  return {.id = std::string(kGenericEngine), .known = false};
}

std::string serving_weight_format(const Catalog& catalog, const Model& model, const Gpu& gpu, std::string_view written,
                                  std::string_view model_name, std::vector<std::string>& assumptions) {
  const auto assume = [&](const std::string& what) { assumptions.push_back(what); };
  std::string format = written_weight_format(catalog, written);
  if (format.empty() && !written.empty()) return "";
  if (format.empty()) {
    format = format_in_name(catalog, model_name);
    if (!format.empty()) assume("weights in " + format + ", as the model's name says");
  }
  if (format.empty()) {
    format = gpu.peak_dense_flops.count("bf16") > 0 ? "bf16" : "fp16";
    assume("weights in " + format + ", the GPU's 16-bit format: not given");
  }
  const std::string lower = lower_case(written);
  const bool names_format = holds(lower, "nvfp4") || holds(lower, "mxfp4");
  if (format == "nvfp4" && !names_format) format = fp4_format(model, gpu);
  if (format == "int4-awq" && published_with_4_bit_experts(model) && !holds(lower, "awq")) format = "int4-experts";
  if (format == "fp8" && published_in_fp8_blocks(model)) format = "fp8-block";
  return format;
}

const MeasuredColumns& measured_serving_columns() {
  static const MeasuredColumns columns = [] {
    MeasuredColumns c{
        .needed = {"input_len", "output_len"},
        .metrics = {"ttft_ms", "tpot_or_itl_ms", "output_tokens_per_s", "total_tokens_per_s",
                    "output_tokens_per_s_per_gpu", "requests_per_s", "mean_gpu_power_w", "energy_j_per_output_token",
                    "energy_j_per_request"},
        .sizes = {"num_gpus", "tp", "pp", "ep", "layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab",
                  "experts", "topk", "mlp_matrices", "receive_interval", "stream_interval"},
        .numbers = {"input_len", "output_len", "memory_fraction"},
        .rates = {"concurrency_or_batch", "request_rate"},
        .flags = {"ffn_is_per_expert", "chunked_prefill"},
        .texts = {"precision", "kv_precision", "load_kind", "serving_mode", "timed", "max_kv_tokens"}};
    c.sizes.insert(c.sizes.end(), std::begin(kSettings), std::end(kSettings));
    return c;
  }();
  return columns;
}

Result<void> read_serving_row(const Catalog& catalog, const MeasuredCells& cells, MeasuredServingRow& row) {
  return ServingRowReader(catalog, cells, row).read();
}

Result<MeasuredServing> read_measured_serving(const Catalog& catalog, std::string_view csv, std::string_view file) {
  return read_measured_table<MeasuredServingRow, ServingRowReader>(catalog, csv, file, measured_serving_columns());
}

}  // namespace podwright
