#include "api/backtest.h"

#include <algorithm>
#include <initializer_list>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/backtest_traffic.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "base/append.h"
#include "base/csv_read.h"
#include "base/json_write.h"
#include "calibration/backtest.h"
#include "calibration/backtest_serving.h"

namespace podwright {
namespace {

constexpr std::ptrdiff_t kMostMeasuredLines = 10'000;

/// Where the text of a table stands in the request.
std::string path_of(const BacktestRequest& request, std::size_t file) {
  return request.csv.empty() ? "/files/" + std::to_string(file) + "/csv" : "/csv";
}

/// Traffic has stages or what prompts share. Training rows have sequences, logs of a serving engine's memory a limit on
/// the model length or what the weights take, serving runs lengths of prompt and answer.
enum class TableKind { training, serving, serving_memory, traffic };

TableKind kind_of(std::string_view csv) {
  Result<CsvTable> table = parse_csv(csv.substr(0, csv.find('\n')));
  if (table) use_own_names(*table);
  if (!table || table->column("seq_len") >= 0) return TableKind::training;
  const auto has_any = [&](std::initializer_list<const char*> columns) {
    return std::any_of(columns.begin(), columns.end(), [&](const char* name) { return table->column(name) >= 0; });
  };
  if (has_any({"stages", "system_prompt_tokens"})) return TableKind::traffic;
  if (has_any({"input_len", "output_len", "ttft_ms", "tpot_or_itl_ms"})) return TableKind::serving;
  if (has_any({"max_model_len", "mem_fraction", "weights_gib_per_gpu", "kv_cache_gib_per_gpu", "kv_tokens"}))
    return TableKind::serving_memory;
  return has_any({"output_tokens_per_s"}) ? TableKind::serving : TableKind::training;
}

template <class Table>
Result<void> keep(Result<Table> read, std::vector<Table>& tables) {
  if (!read) return failure(read.error());
  tables.push_back(std::move(*read));
  return {};
}

/// The problems of a table as problems of the request: the path is the table's, file and line stand in the message.
void add_problems(const Errors& problems, const std::string& path, Errors& errors) {
  for (const Error& problem : problems)
    errors.push_back(
        {problem.code, path, problem.path + ": " + problem.message,
         problem.hint.empty() ? "A table has a header line, and as many cells in every line." : problem.hint});
}

void describe_cell(auto& v, const BacktestCell& cell) {
  v.text({"id"}, cell.id);
  v.text({"metric"}, cell.metric);
  v.number({"measured"}, cell.measured);
  v.number({"predicted"}, cell.predicted);
  v.nullable({"predicted_low", "Predicted, low"}, cell.predicted_low);
  v.nullable({"predicted_high", "Predicted, high"}, cell.predicted_high);
}

void describe_group(auto& v, const BacktestGroup& group) {
  v.any({"by", "Rows that agree in"}, [&](JsonWriter& out) {
    out.begin_object();
    for (std::size_t i = 0; i < group.keys.size(); ++i) out.text(group.keys[i], group.values[i]);
    out.end_object();
  });
  v.text({"metric"}, group.metric);
  v.number({"rows"}, static_cast<double>(group.errors.rows));
  v.number({"median_ape", "Median error, absolute"}, group.errors.median_ape);
  v.number({"mean_ape", "Mean error, absolute"}, group.errors.mean_ape);
  v.number({"bias", "Mean error, signed"}, group.errors.bias);
  v.number({"p90_ape", "90 % of the errors are below"}, group.errors.p90_ape);
  v.nullable({"coverage_90", "Share of rows inside their 90 % interval"}, group.coverage_90);
  v.number({"median_log_error", "Median logarithmic error"}, group.median_log_error);
}

std::vector<BacktestGroup> groups_of(const Backtest& backtest, const std::vector<std::string>& by, bool serving) {
  std::vector<std::vector<std::string>> groupings{{}};
  if (!by.empty())
    groupings.push_back(by);
  else if (serving)
    groupings.insert(groupings.end(),
                     {{"architecture"}, {"framework"}, {"load_kind"}, {"tuning"}, {"source"}, {"gpu_id"}});
  else
    groupings.insert(groupings.end(), {{"architecture"}, {"nodes"}, {"tuning"}, {"source"}, {"gpu_id"}});
  std::vector<BacktestGroup> groups;
  for (const std::vector<std::string>& keys : groupings)
    for (BacktestGroup& group : backtest_groups(backtest.cells, keys)) groups.push_back(std::move(group));
  return groups;
}

void describe_load(auto& v, const Load& load) {
  if (const auto part = v.when(load.kind == LoadKind::max_throughput))
    v.flag({"max_throughput", "As much as it can"}, true);
  if (const auto part = v.when(load.kind == LoadKind::concurrency))
    v.number({"concurrency", "Requests in flight"}, load.value);
  if (const auto part = v.when(load.kind == LoadKind::request_rate)) v.number({"request_rate_per_s"}, load.value);
  if (const auto part = v.when(load.kind == LoadKind::static_batch))
    v.number({"static_batch", "Sequences in every step"}, load.value);
}

/// A row as it was read: the fields of a serving request, and what the table tells beside them.
void describe_configuration(auto& v, const MeasuredServingRow& row) {
  const ServingRun& run = row.run;
  v.text({"id"}, row.id);
  v.text({"source"}, row.source);
  v.text({"framework_version"}, row.framework_version);
  v.nullable({"year"}, row.year);
  v.text({"model"}, row.model.id);
  v.text({"gpu"}, row.gpu_id);
  v.text({"engine"}, run.engine);
  v.text({"engine_version", "Version of the engine"}, run.engine_version);
  v.text({"weight_precision"}, run.weight_precision);
  v.text({"kv_precision", "KV cache precision"}, run.kv_precision);
  v.group({"parallelism"}, [&] {
    v.number({"tensor", "Tensor parallel"}, run.parallelism.tensor);
    v.number({"pipeline", "Pipeline parallel"}, run.parallelism.pipeline);
    v.number({"expert", "Expert parallel"}, run.parallelism.expert);
    v.number({"attention_data", "Attention data parallel"}, run.parallelism.attention_data);
    v.number({"data", "Replicas"}, run.parallelism.data);
  });
  v.number({"input_tokens", "Prompt tokens"}, run.input_tokens);
  v.number({"output_tokens"}, run.output_tokens);
  v.group({"load", "Mean load of the servers"}, [&] { describe_load(v, run.load); });
  v.nullable({"max_batched_tokens", "Maximum tokens of a step"}, run.max_batched_tokens);
  v.nullable({"max_batch_size", "Sequences of a step at most"}, run.max_batch_size);
  v.nullable({"requests"}, row.requests);
  v.flag({"catalog_engine", "The catalog has the engine"}, row.catalog_engine);
  v.flag({"layout_bent", "Layout adapted"}, row.layout_bent);
  v.flag({"prompt_only", "Prompts alone"}, row.prompt_only);
  v.flag({"disaggregated", "Pools"}, row.disaggregated);
  v.column({"assumptions"}, row.assumptions, [](const std::string& text) { return text; });
}

void describe_setting(auto& v, const auto& patch_text) {
  v.any({"set", "Merge patch of the request"}, [&](JsonWriter& out) { out.verbatim(patch_text()); });
}

void describe_own_runs(auto& v, const OwnRuns& own) {
  v.text({"figures"}, own.figures);
  describe_message(v, own.says);
  v.number({"rows"}, static_cast<double>(own.rows));
  v.number({"cells", "Measured figures"}, static_cast<double>(own.cells));
  v.number({"intervals", "Figures whose prediction has an interval"}, static_cast<double>(own.intervals));
  v.number({"inside", "Inside the interval"}, static_cast<double>(own.inside));
  v.number({"median_error", "Median factor between predicted and measured, less 1"}, own.median_error);
  v.number({"median_ratio", "Measured over predicted time or memory, median"}, own.median_ratio);
  v.group({"advice"}, [&] {
    describe_message(v, own.advice);
    if (const auto part = v.when(!own.set.empty())) describe_setting(v, [&] { return own.set.front().text(); });
  });
  v.list({"factors", "Plain factors"}, own.factors, [&](const PlainFactor& one) {
    v.text({"metric"}, one.metric);
    v.number({"factor", "Measured over predicted, median"}, one.factor);
    v.number({"factor_p10"}, one.low);
    v.number({"factor_p90"}, one.high);
    v.number({"rows"}, static_cast<double>(one.rows));
  });
  v.list({"tried", "Settings that were tried"}, own.tried, [&](const TriedSetting& tried) {
    describe_setting(v, [&] { return tried.set.text(); });
    v.number({"median_error", "Median factor between predicted and measured, less 1"}, tried.median_error);
  });
}

/// Rows of which the same was assumed, in the order of the tables.
struct AlikeRows {
  std::vector<std::string> ids;
  std::vector<std::string> assumptions;
};

std::vector<AlikeRows> alike_rows(const std::vector<RowAssumptions>& of_rows) {
  std::vector<AlikeRows> alike;
  for (const RowAssumptions& row : of_rows) {
    const auto same = std::find_if(alike.begin(), alike.end(),
                                   [&](const AlikeRows& one) { return one.assumptions == row.assumptions; });
    if (same == alike.end())
      alike.push_back({{row.id}, row.assumptions});
    else
      same->ids.push_back(row.id);
  }
  return alike;
}

void describe_backtest(auto& v, const Asked& asked, const BacktestRequest& request, const MeasuredTables& tables,
                       const Backtest& backtest, const std::string& constants) {
  v.text({"kind"}, "backtest");
  v.text({"constants"}, constants);
  v.list({"rows"}, backtest.cells, [&](const BacktestCell& cell) { describe_cell(v, cell); });
  v.list({"skipped", "Rows that were skipped"}, backtest.skipped, [&](const SkippedRow& skipped) {
    v.text({"id"}, skipped.id);
    v.number({"line", "Line of the table"}, static_cast<double>(skipped.line));
    v.text({"code", "Reason"}, skipped.code);
    v.text({"reason"}, skipped.reason);
  });
  if (const auto part = v.when(!backtest.unknown_columns.empty()))
    v.list({"unknown_columns", "Columns that are not known and not read"}, backtest.unknown_columns,
           [&](const UnknownColumn& unknown) {
             v.text({"file"}, unknown.file);
             v.text({"column"}, unknown.column);
             if (const auto near = v.when(!unknown.nearest.empty())) v.text({"nearest_column"}, unknown.nearest);
           });
  v.number({"table_rows", "Rows of the tables"}, static_cast<double>(backtest.rows));
  v.list({"groups", "Errors by group"}, groups_of(backtest, request.by, tables.training.empty()),
         [&](const BacktestGroup& group) { describe_group(v, group); });
  v.list({"row_assumptions", "Assumptions about rows"}, backtest.assumed, [&](const AssumedOften& assumed) {
    v.text({"assumption"}, assumed.assumption);
    v.number({"rows"}, static_cast<double>(assumed.rows));
  });
  if (const auto part = v.when(request.mine))
    v.list({"read_as", "What was assumed of which rows"}, alike_rows(backtest.of_rows), [&](const AlikeRows& one) {
      v.texts({"ids"}, one.ids);
      v.texts({"assumptions"}, one.assumptions);
    });
  if (const auto part = v.when(request.mine))
    v.list({"mine"}, v.real() ? own_runs(asked.catalog, tables, backtest) : std::vector<OwnRuns>{},
           [&](const OwnRuns& own) { describe_own_runs(v, own); });
  if (const auto part = v.when(request.configurations)) {
    std::vector<MeasuredServingRow> rows;
    for (const MeasuredServing& table : tables.serving) append(rows, table.rows);
    v.list({"configurations", "Rows as they were read"}, rows,
           [&](const MeasuredServingRow& row) { describe_configuration(v, row); });
  }
  describe_foot(v, asked);
}

}  // namespace

Result<void> read_measured(const Catalog& catalog, std::string_view csv, std::string_view file,
                           MeasuredTables& tables) {
  const TableKind kind = kind_of(csv);
  if (kind == TableKind::serving) return keep(read_measured_serving(catalog, csv, file), tables.serving);
  if (kind == TableKind::traffic) return keep(read_measured_traffic(catalog, csv, file), tables.traffic);
  if (kind == TableKind::serving_memory)
    return keep(read_measured_serving_memory(catalog, csv, file), tables.serving_memory);
  return keep(read_measured_training(catalog, csv, file), tables.training);
}

void describe(FieldVisitor& v, const Catalog&, BacktestRequest& r) {
  describe_head(v, "backtest");
  v.text({"csv",
          "A table of measured runs (training, serving, traffic, or memory of serving engines), comma-separated with a "
          "header line"},
         r.csv);
  list_of(v, {"files", "Several tables"}, r.files, [&](MeasuredFile& file) {
    v.text({"name", "Name in messages"}, file.name);
    v.text({"csv", "The table's text", kRequired}, file.csv);
  });
  v.words({"by",
           "Groups agree in all of these; absent: by architecture, by nodes (serving: by framework and load_kind), "
           "by source, and by GPU"},
          r.by, backtest_keys());
  v.flag({"configurations", "Also every row of serving tables as it was read"}, r.configurations);
  v.flag({"mine", "Also how far off predictions of these runs are, in one sentence, and what to set so that they fit"},
         r.mine);
  v.rule(r.csv.empty() != r.files.empty(), "csv", "Exactly one of \"csv\" and \"files\" must be given.",
         "Write {\"csv\": \"id,gpu_id,...\"} or {\"files\": [{\"name\": ..., \"csv\": ...}]}.");
}

Answer answer_backtest(const Asked& asked, const BacktestRequest& request) {
  return answer_backtest_with(asked, request, "those of the catalog", [&](const MeasuredTables& tables) {
    Backtest backtest = backtest_all(asked.catalog, tables);
    backtest_traffic(asked.catalog, tables.traffic, backtest);
    return backtest;
  });
}

Answer answer_backtest_with(const Asked& asked, const BacktestRequest& request, const std::string& constants,
                            const std::function<Result<Backtest>(const MeasuredTables&)>& predict) {
  std::vector<MeasuredFile> files = request.files;
  if (!request.csv.empty()) files = {{.name = "csv", .csv = request.csv}};
  Errors errors;
  MeasuredTables tables;
  std::ptrdiff_t lines = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const MeasuredFile& file = files[i];
    lines += std::count(file.csv.begin(), file.csv.end(), '\n');
    if (lines > kMostMeasuredLines) {
      errors.push_back({"too-large", path_of(request, i), "The tables have more than 10,000 lines.",
                        "Ask about some of the rows at a time."});
      break;
    }
    const std::string name = file.name.empty() ? "file " + std::to_string(i + 1) : file.name;
    if (const Result<void> read = read_measured(asked.catalog, file.csv, name, tables); !read)
      add_problems(read.error(), path_of(request, i), errors);
  }
  if (!errors.empty()) return wrong_input(errors);

  const Result<Backtest> predicted = predict(tables);
  if (!predicted) return wrong_input(predicted.error());
  return written_answer(nullptr, true,
                        [&](AnswerWriter& v) { describe_backtest(v, asked, request, tables, *predicted, constants); });
}

void describe_backtest_answer(AnswerShape& v) {
  describe_backtest(v, nothing_asked(), BacktestRequest{}, MeasuredTables{}, Backtest{}, "");
}

}  // namespace podwright
