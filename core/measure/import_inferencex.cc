/// Records of InferenceX, formerly InferenceMAX: https://github.com/SemiAnalysisAI/InferenceX, utils/process_result.py.
/// A record is of one run; its times are seconds, its rates are of a GPU. Lengths are those stated, of which the client
/// draws shorter ones.
#include "base/lower_case.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/serving_figures.h"

namespace podwright {
namespace {

using X = ServingMeasurement;

constexpr ServingFigure kRecordFigures[] = {
    {"", "conc", 1, &X::concurrency, "how many requests are in flight"},
    {"", "isl", 1, &X::input_tokens, "the prompt's tokens"},
    {"", "osl", 1, &X::output_tokens, "the answer's tokens"},
    {"", "output_tput_per_gpu", 1, &X::output_tokens_per_s_per_gpu},
    {"", "mean_ttft", 1, &X::ttft_s},
    {"", "median_ttft", 1, &X::ttft_s_p50},
    {"", "p99_ttft", 1, &X::ttft_s_p99},
    {"", "mean_tpot", 1, &X::tpot_s},
    {"", "median_tpot", 1, &X::tpot_s_p50},
    {"", "p99_tpot", 1, &X::tpot_s_p99},
    {"", "tp", 1, &X::tensor},
    {"", "pp", 1, &X::pipeline},
    {"", "ep", 1, &X::expert},
};
constexpr std::string_view kRecordWords[] = {
    "hw",           "model",           "framework",      "precision", "disagg",       "is_multinode",
    "dp_attention", "num_prefill_gpu", "num_decode_gpu", "image",     "spec_decoding"};
constexpr std::string_view kRecordProgram = "InferenceX (agg_*.json)";

bool is_true(const JsonNode& record, std::string_view key) {
  const JsonNode* node = record.find(key);
  return node != nullptr && (node->boolean || lower_case(node->text) == "true");
}

/// "vllm/vllm-openai:v0.11.0" as "0.11.0"; empty where the tag is no version.
std::string version_of_image(const std::string& image) {
  const std::size_t colon = image.rfind(':');
  if (colon == std::string::npos) return "";
  std::string_view tag = std::string_view(image).substr(colon + 1);
  if (!tag.empty() && tag.front() == 'v') tag.remove_prefix(1);
  std::size_t end = 0;
  while (end < tag.size() &&
         (is_digit(tag[end]) || (tag[end] == '.' && end + 1 < tag.size() && is_digit(tag[end + 1]))))
    ++end;
  const std::string_view version = tag.substr(0, end);
  return version.find('.') == std::string_view::npos ? "" : std::string(version);
}

/// "b200-nvd-slurm", "h100_cw": the GPU is the first word.
std::string gpu_of_runner(std::string hardware) { return hardware.substr(0, hardware.find_first_of("-_ ")); }

Result<X> record_run(const JsonNode& record, const std::string& path) {
  if (!record.is_object()) return failure(foreign_error("wrong-type", path, "A record is an object.", kRecordProgram));
  ErrorList errors;
  X measured;
  measured.tool = "inferencex";
  if (word_in(record, "scenario_type") == "agentic-coding")
    return failure(foreign_error("not-modelled", path + "/scenario_type",
                                 "The record is of agents, whose requests have no one length.", kRecordProgram));
  read_figures(record, path, kRecordFigures, kRecordProgram, measured, errors);
  if (errors.empty() && !has_figures(measured))
    errors.add_at_end(record,
                      foreign_error("missing", path, "The record has neither a time nor a rate.", kRecordProgram));
  if (!errors.empty()) return failure(errors.take());
  measured.model = word_in(record, "model");
  measured.gpu = gpu_of_runner(word_in(record, "hw"));
  measured.engine = word_in(record, "framework");
  measured.engine_version = version_of_image(word_in(record, "image"));
  measured.precision = word_in(record, "precision");
  measured.disaggregated = is_true(record, "disagg");
  if (measured.disaggregated || is_true(record, "is_multinode")) {
    const auto prefill = number_in(record, "num_prefill_gpu"), decode = number_in(record, "num_decode_gpu");
    if (prefill || decode) measured.gpus = prefill.value_or(0) + decode.value_or(0);
    // Of two pools a size of a group says nothing of the deployment, nor does a rate of the GPUs of one.
    measured.output_tokens_per_s_per_gpu.reset();
    if (!measured.tensor) measured.tensor = number_in(record, "decode_tp");
  } else {
    if (measured.tensor) measured.gpus = *measured.tensor * measured.pipeline.value_or(1);
    if (is_true(record, "dp_attention")) measured.attention_data = measured.tensor;
  }
  const std::string draft = lower_case(word_in(record, "spec_decoding"));
  if (!draft.empty() && draft != "none" && draft != "false") measured.note = "Speculative decoding: " + draft + ".";
  return measured;
}

std::vector<const JsonNode*> records_in(const JsonNode& document) {
  std::vector<const JsonNode*> records;
  if (document.is_list())
    for (const JsonNode& one : document.items) records.push_back(&one);
  else
    records.push_back(&document);
  return records;
}

}  // namespace

Result<ServingMeasurements> import_inferencex(std::string_view text) {
  const auto document = parse_told(without_infinities(text));
  if (!document) return failure(document.error());
  const std::vector<const JsonNode*> records = records_in(*document);
  if (records.empty()) return failure(foreign_error("missing", "", "The list has no record.", kRecordProgram));
  ServingMeasurements runs;
  Errors errors;
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto run = record_run(*records[i], document->is_list() ? "/" + std::to_string(i) : "");
    if (run)
      runs.push_back(std::move(*run));
    else
      for (const Error& error : run.error()) errors.push_back(error);
  }
  if (!errors.empty()) return failure(std::move(errors));
  return runs;
}

FileFields inferencex_fields(std::string_view text) {
  FileFields fields;
  const auto document = parse_told(without_infinities(text));
  if (!document) return fields;
  for (const JsonNode* record : records_in(*document)) {
    add_figure_fields(*record, kRecordFigures, fields);
    add_ignored_keys(*record, "", kRecordFigures, kRecordWords, fields);
  }
  return fields;
}

}  // namespace podwright
