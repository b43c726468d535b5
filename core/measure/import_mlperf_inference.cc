/// mlperf_log_summary.txt and mlperf_log_detail.txt of MLPerf's load generator:
/// https://github.com/mlcommons/inference, loadgen/results.cc. They name neither model nor hardware nor lengths.
#include <algorithm>
#include <map>

#include "base/json_read.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/serving_figures.h"

namespace podwright {
namespace {

using P = ServingMeasurement;

constexpr ForeignProgram kLoadgen{"MLPerf's load generator (mlperf_log_summary.txt)"};
constexpr double kLoadgenNs = 1e-9;

/// The summary's label without spaces, and the detail's key.
struct LoadgenFigure {
  std::string_view label;
  std::string_view key;
  double scale;
  std::optional<double> P::*value;
};
constexpr LoadgenFigure kLoadgenFigures[] = {
    {"Samplespersecond", "result_samples_per_second", 1, &P::requests_per_s},
    {"Completedsamplespersecond", "result_completed_samples_per_sec", 1, &P::requests_per_s},
    {"Tokenspersecond", "result_tokens_per_second", 1, &P::output_tokens_per_s},
    {"Completedtokenspersecond", "result_completed_tokens_per_second", 1, &P::output_tokens_per_s},
    {"TPSw/oloadgenoverhead", "result_token_throughput", 1, &P::output_tokens_per_s},
    {"Tokenspersecond(inferred)", "result_inferred_tokens_per_second", 1, &P::output_tokens_per_s},
    {"Completedtokenspersecond(inferred)", "result_inferred_completed_tokens_per_second", 1, &P::output_tokens_per_s},
    {"MeanFirstTokenlatency(ns)", "result_first_token_mean_latency_ns", kLoadgenNs, &P::ttft_s},
    {"50.00percentilefirsttokenlatency(ns)", "", kLoadgenNs, &P::ttft_s_p50},
    {"99.00percentilefirsttokenlatency(ns)", "", kLoadgenNs, &P::ttft_s_p99},
    {"MeanTimeperOutputToken(ns)", "result_time_to_output_token_mean", kLoadgenNs, &P::tpot_s},
    {"50.00percentiletimetooutputtoken(ns)", "", kLoadgenNs, &P::tpot_s_p50},
    {"99.00percentiletimetooutputtoken(ns)", "", kLoadgenNs, &P::tpot_s_p99},
    {"target_qps", "effective_target_qps", 1, &P::request_rate_per_s},
};

/// What lines say, under their label without spaces or their key.
struct LoadgenLine {
  std::string name;
  std::string value;
  std::string path;
};

std::string without_spaces(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (c != ' ' && c != '\t') plain += c;
  return plain;
}

constexpr std::string_view kMllog = ":::MLLOG";

Result<std::vector<LoadgenLine>> loadgen_lines(std::string_view text) {
  std::vector<LoadgenLine> found;
  for (const LogLine& line : lines_of(text)) {
    const std::size_t mark = line.text.find(kMllog);
    if (mark != std::string_view::npos) {
      const auto entry = parse_told(trimmed(line.text.substr(mark + kMllog.size())));
      if (!entry || !entry->is_object())
        return failure(kLoadgen.error("not-json", line.path, "The entry of the log is cut off or damaged."));
      found.push_back({word_in(*entry, "key"), word_in(*entry, "value"), line.path});
      continue;
    }
    const std::size_t colon = line.text.rfind(':');
    if (colon == std::string_view::npos) continue;
    found.push_back(
        {without_spaces(line.text.substr(0, colon)), std::string(trimmed(line.text.substr(colon + 1))), line.path});
  }
  return found;
}

const LoadgenLine* line_named(const std::vector<LoadgenLine>& lines, std::string_view name) {
  if (name.empty()) return nullptr;
  for (const LoadgenLine& line : lines)
    if (line.name == name) return &line;
  return nullptr;
}

std::string value_of(const std::vector<LoadgenLine>& lines, std::string_view label, std::string_view key) {
  for (const std::string_view name : {label, key})
    if (const LoadgenLine* line = line_named(lines, name)) return line->value;
  return "";
}

void read_load(const std::vector<LoadgenLine>& lines, P& measured) {
  const std::string scenario = value_of(lines, "Scenario", "effective_scenario");
  measured.as_fast_as_it_can = scenario.find("Offline") != std::string::npos;
  if (scenario.find("Server") == std::string::npos) measured.request_rate_per_s.reset();
  if (scenario.find("Single") != std::string::npos) measured.concurrency = 1;
}

}  // namespace

Result<ServingMeasurements> import_mlperf_inference(std::string_view text) {
  const auto lines = loadgen_lines(text);
  if (!lines) return failure(lines.error());
  P measured;
  measured.tool = "mlperf-inference";
  const std::string mode = value_of(*lines, "Mode", "effective_test_mode");
  if (!mode.empty() && mode.find("Performance") == std::string::npos)
    return failure(kLoadgen.error("not-modelled", "",
                                  "The run is of mode " + beginning_of(mode, 40) + ", which measures no speed."));
  for (const LoadgenFigure& figure : kLoadgenFigures) {
    for (const std::string_view name : {figure.label, figure.key}) {
      const LoadgenLine* line = line_named(*lines, name);
      if (line == nullptr || measured.*figure.value) continue;
      const auto number = number_of_text(line->value);
      if (!number || *number < 0)
        return failure(kLoadgen.error("wrong-type", line->path,
                                      "A number is expected, found \"" + beginning_of(line->value, 40) + "\"."));
      if (*number > 0) measured.*figure.value = *number * figure.scale;
    }
  }
  if (!has_figures(measured))
    return failure(kLoadgen.error("missing", "", "No line gives a rate or a time of tokens."));
  read_load(*lines, measured);
  const std::string valid = value_of(*lines, "Resultis", "result_validity");
  if (valid == "INVALID") measured.note = "MLPerf calls the run invalid: it broke a rule of its scenario.";
  if (measured.output_tokens_per_s && measured.requests_per_s)
    measured.output_tokens = *measured.output_tokens_per_s / *measured.requests_per_s;
  return ServingMeasurements{std::move(measured)};
}

FileFields mlperf_inference_fields(std::string_view text) {
  FileFields fields;
  const auto lines = loadgen_lines(text);
  if (!lines) return fields;
  const auto is_used = [](const std::string& name) {
    return name == "Scenario" || name == "Mode" || name == "Resultis" || name == "effective_scenario" ||
           name == "effective_test_mode" || name == "result_validity" ||
           std::any_of(std::begin(kLoadgenFigures), std::end(kLoadgenFigures), [&](const LoadgenFigure& figure) {
             return name == figure.label || (!figure.key.empty() && name == figure.key);
           });
  };
  for (const LoadgenLine& line : *lines) {
    add_field(beginning_of(line.name, 60), is_used(line.name) ? fields.used : fields.ignored);
  }
  for (const char* name : {"model", "GPU", "prompt tokens"}) fields.missing.emplace_back(name);
  return fields;
}

}  // namespace podwright
