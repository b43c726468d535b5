/// Result files of MLPerf training: https://github.com/mlcommons/logging, mllog/constants.py and
/// compliance_checker/training_5.1.0. The step is the time between evaluations over the samples between them.
#include <algorithm>

#include "base/json_read.h"
#include "base/number_text.h"
#include "measure/foreign_parts.h"
#include "measure/serving_figures.h"
#include "measure/training_measurement.h"

namespace podwright {
namespace {

constexpr ForeignProgram kMlperfTraining{"an MLPerf training run (result_0.txt)"};
constexpr std::string_view kLogMark = ":::MLLOG";

/// A benchmark of a language model; `rank`: of its adapters, as the rules of the benchmark set it.
struct MlperfBenchmark {
  std::string_view name;
  std::string_view model;
  double rank;
  double sequence_tokens;  ///< where the log does not say them
};
constexpr MlperfBenchmark kBenchmarks[] = {{"llama2_70b_lora", "llama-2-70b", 16, 8192},
                                           {"llama31_405b", "llama-3.1-405b", 0, 8192},
                                           {"llama31_8b", "llama-3.1-8b", 0, 8192},
                                           {"gpt3", "gpt-3-175b", 0, 2048},
                                           {"deepseekv3_671b", "deepseek-v3", 0, 0}};

/// Keys of which something is taken.
constexpr std::string_view kTakenKeys[] = {
    "submission_benchmark", "global_batch_size", "max_sequence_length", "run_start",  "run_stop",
    "eval_start",           "eval_stop",         "block_start",         "block_stop", "train_samples",
    "trained_samples",      "eval_accuracy"};

struct LogEntry {
  std::string key;
  JsonNode node;
  std::string path;
};

Result<std::vector<LogEntry>> log_entries(std::string_view text) {
  std::vector<LogEntry> entries;
  for (const LogLine& line : lines_of(text)) {
    // Launchers put the rank in front of the line.
    const std::size_t mark = line.text.find(kLogMark);
    if (mark == std::string_view::npos) continue;
    auto entry = parse_told(trimmed(line.text.substr(mark + kLogMark.size())));
    if (!entry || !entry->is_object())
      return failure(kMlperfTraining.error("not-json", line.path, "The entry of the log is cut off or damaged."));
    std::string key = word_in(*entry, "key");
    entries.push_back({std::move(key), std::move(*entry), line.path});
  }
  return entries;
}

class MlperfReader {
 public:
  explicit MlperfReader(const std::vector<LogEntry>& entries) : entries_(entries) {}

  Result<TrainingMeasurement> read() {
    TrainingMeasurement measured;
    measured.tool = "mlperf-training";
    const LogEntry* benchmark = first("submission_benchmark");
    if (benchmark == nullptr) return missing("submission_benchmark", "which benchmark it is");
    const std::string name = word_in(benchmark->node, "value");
    const auto* known = std::find_if(std::begin(kBenchmarks), std::end(kBenchmarks),
                                     [&](const MlperfBenchmark& one) { return one.name == name; });
    if (known == std::end(kBenchmarks))
      return failure(kMlperfTraining.error("not-modelled", benchmark->path,
                                           "\"" + beginning_of(name, 40) +
                                               "\" is not a language model of which "
                                               "rows can be made."));
    measured.model = known->model;
    if (known->rank > 0) {
      measured.adapter = "lora";
      measured.adapter_rank = known->rank;
    }
    for (const auto& [key, value, meaning] :
         {Sought{"global_batch_size", &measured.global_batch, "the sequences of a step"},
          Sought{"max_sequence_length", &measured.sequence_tokens, "the tokens of a sequence"}}) {
      const LogEntry* entry = first(key);
      if (entry == nullptr && value == &measured.sequence_tokens && known->sequence_tokens > 0) {
        *value = known->sequence_tokens;
        continue;
      }
      if (entry == nullptr) return missing(key, meaning);
      const auto number = number_in(entry->node, "value");
      if (!number) return wrong(*entry, "A number above 0 is expected.");
      *value = *number;
    }
    if (auto timed = read_times(measured); !timed) return failure(timed.error());
    measured.step_time_s = measured.train_s / (measured.samples / measured.global_batch);
    return measured;
  }

 private:
  struct Sought {
    std::string_view key;
    double* value;
    std::string_view meaning;
  };

  const LogEntry* first(std::string_view key) const {
    for (const LogEntry& entry : entries_)
      if (entry.key == key) return &entry;
    return nullptr;
  }

  Error missing_error(std::string_view key, std::string_view meaning) const {
    return kMlperfTraining.error("missing", "", "No entry \"" + std::string(key) + "\": " + std::string(meaning) + ".");
  }
  Result<TrainingMeasurement> missing(std::string_view key, std::string_view meaning) const {
    return failure(missing_error(key, meaning));
  }
  Result<TrainingMeasurement> wrong(const LogEntry& entry, std::string message) const {
    return failure(kMlperfTraining.error("wrong-type", entry.path, std::move(message)));
  }

  /// The samples that an entry counts from the start.
  static std::optional<double> samples_of(const LogEntry& entry) {
    if (entry.key == "trained_samples") return number_in(entry.node, "value");
    return number_in(entry.node, "metadata.samples_count");
  }

  /// Time from run_start to run_stop without the evaluations, and the samples of it.
  Result<void> read_times(TrainingMeasurement& measured) const {
    const LogEntry* start = first("run_start");
    const LogEntry* stop = first("run_stop");
    if (start == nullptr) return failure(missing_error("run_start", "when the run began"));
    if (stop == nullptr) return failure(missing_error("run_stop", "the run did not reach its end"));
    const auto began = number_in(start->node, "time_ms"), ended = number_in(stop->node, "time_ms");
    if (!began || !ended || *ended <= *began)
      return failure(kMlperfTraining.error("out-of-range", stop->path, "The run ends before it starts."));
    double evaluated = 0;
    double eval_began = 0;  // 0: none is under way
    for (const LogEntry& entry : entries_) {
      const auto time = number_in(entry.node, "time_ms");
      if (!time || *time < *began || *time > *ended) continue;
      if (entry.key == "eval_start") eval_began = *time;
      if (entry.key == "eval_stop" && eval_began > 0) {
        evaluated += *time - eval_began;
        eval_began = 0;
      }
      if (const auto samples = samples_of(entry)) measured.samples = std::max(measured.samples, *samples);
    }
    if (measured.samples <= 0)
      return failure(kMlperfTraining.error(
          "missing", stop->path, "No entry counts the samples of the run (\"samples_count\", \"trained_samples\")."));
    measured.train_s = (*ended - *began - evaluated) * kMs;
    if (measured.train_s <= 0)
      return failure(kMlperfTraining.error("out-of-range", stop->path, "The evaluations take longer than the run."));
    if (word_in(stop->node, "metadata.status") == "aborted")
      measured.note = "The run was aborted: it did not reach the accuracy, its speed counts all the same.";
    return {};
  }

  const std::vector<LogEntry>& entries_;
};

}  // namespace

Result<TrainingMeasurement> import_mlperf_training(std::string_view text) {
  const auto entries = log_entries(text);
  if (!entries) return failure(entries.error());
  return MlperfReader(*entries).read();
}

FileFields mlperf_training_fields(std::string_view text) {
  FileFields fields;
  const auto entries = log_entries(text);
  if (!entries) return fields;
  for (const LogEntry& entry : *entries) {
    const bool taken = std::find(std::begin(kTakenKeys), std::end(kTakenKeys), entry.key) != std::end(kTakenKeys);
    std::vector<std::string>& list = taken ? fields.used : fields.ignored;
    if (std::find(list.begin(), list.end(), entry.key) == list.end()) list.push_back(entry.key);
  }
  for (const char* name : {"GPU", "number of GPUs"}) fields.missing.emplace_back(name);
  return fields;
}

}  // namespace podwright
