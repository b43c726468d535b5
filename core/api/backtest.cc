#include "api/backtest.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "api/describe_head.h"
#include "api/write_common.h"
#include "base/csv_read.h"
#include "base/json_write.h"
#include "base/nearest.h"
#include "calibration/backtest.h"
#include "calibration/backtest_serving.h"
#include "calibration/backtest_training.h"

namespace podwright {
namespace {

/// Where the text of a table stands in the request.
std::string path_of(const BacktestRequest& request, std::size_t file) {
  return request.csv.empty() ? "/files/" + std::to_string(file) + "/csv" : "/csv";
}

enum class TableKind { training, serving, serving_memory };

/// Training rows have sequences, logs of a serving engine's memory a limit on the model length or what the weights
/// take, serving runs lengths of prompt and answer.
TableKind kind_of(std::string_view csv) {
  const Result<CsvTable> table = parse_csv(csv.substr(0, csv.find('\n')));
  if (!table || table->column("seq_len") >= 0) return TableKind::training;
  const auto has_any = [&](std::initializer_list<const char*> columns) {
    return std::any_of(columns.begin(), columns.end(), [&](const char* name) { return table->column(name) >= 0; });
  };
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

void write_cell(JsonWriter& out, const BacktestCell& cell) {
  out.begin_object();
  out.text("id", cell.id);
  out.text("metric", cell.metric);
  out.number("measured", cell.measured);
  out.number("predicted", cell.predicted);
  out.key("predicted_low");
  write_number_or_null(out, cell.predicted_low);
  out.key("predicted_high");
  write_number_or_null(out, cell.predicted_high);
  out.end_object();
}

void write_group(JsonWriter& out, const BacktestGroup& group) {
  out.begin_object();
  out.begin_object("by");
  for (std::size_t i = 0; i < group.keys.size(); ++i) out.text(group.keys[i], group.values[i]);
  out.end_object();
  out.text("metric", group.metric);
  out.number("rows", group.errors.rows);
  out.number("median_ape", group.errors.median_ape);
  out.number("mean_ape", group.errors.mean_ape);
  out.number("bias", group.errors.bias);
  out.number("p90_ape", group.errors.p90_ape);
  out.key("coverage_90");
  write_number_or_null(out, group.coverage_90);
  if (group.median_log_error) out.number("median_log_error", *group.median_log_error);
  out.end_object();
}

void write_groups(JsonWriter& out, const Backtest& backtest, const std::vector<std::string>& by, bool serving) {
  out.begin_list("groups");
  std::vector<std::vector<std::string>> groupings{{}};
  if (!by.empty())
    groupings.push_back(by);
  else if (serving)
    groupings.insert(groupings.end(), {{"architecture"}, {"framework"}, {"load_kind"}, {"source"}, {"gpu_id"}});
  else
    groupings.insert(groupings.end(), {{"architecture"}, {"nodes"}, {"source"}, {"gpu_id"}});
  for (const std::vector<std::string>& keys : groupings)
    for (const BacktestGroup& group : backtest_groups(backtest.cells, keys)) write_group(out, group);
  out.end_list();
}

void write_load(JsonWriter& out, const Load& load) {
  out.begin_object("load");
  if (load.kind == LoadKind::max_throughput) out.boolean("max_throughput", true);
  if (load.kind == LoadKind::concurrency) out.number("concurrency", load.value);
  if (load.kind == LoadKind::request_rate) out.number("request_rate_per_s", load.value);
  if (load.kind == LoadKind::static_batch) out.number("static_batch", load.value);
  out.end_object();
}

/// A row as it was read: the fields of a serving request, and what the table tells beside them.
void write_configuration(JsonWriter& out, const MeasuredServingRow& row) {
  const ServingRun& run = row.run;
  out.begin_object();
  out.text("id", row.id);
  out.text("source", row.source);
  out.text("framework_version", row.framework_version);
  out.key("year");
  write_number_or_null(out, row.year);
  out.text("model", row.model.id);
  out.text("gpu", row.gpu_id);
  out.text("engine", run.engine);
  out.text("engine_version", run.engine_version);
  out.text("weight_precision", run.weight_precision);
  out.text("kv_precision", run.kv_precision);
  out.begin_object("parallelism");
  out.number("tensor", run.parallelism.tensor);
  out.number("pipeline", run.parallelism.pipeline);
  out.number("expert", run.parallelism.expert);
  out.number("attention_data", run.parallelism.attention_data);
  out.number("data", run.parallelism.data);
  out.end_object();
  out.number("input_tokens", run.input_tokens);
  out.number("output_tokens", run.output_tokens);
  write_load(out, run.load);
  out.key("max_batched_tokens");
  write_number_or_null(out, run.max_batched_tokens);
  out.key("max_batch_size");
  write_number_or_null(out, run.max_batch_size);
  out.key("requests");
  write_number_or_null(out, row.told.requests);
  out.boolean("catalog_engine", row.catalog_engine);
  out.boolean("layout_bent", row.layout_bent);
  out.boolean("prompt_only", row.prompt_only);
  out.boolean("disaggregated", row.disaggregated);
  out.begin_list("assumptions");
  for (const std::string& assumption : row.assumptions) out.text(assumption);
  out.end_list();
  out.end_object();
}

}  // namespace

Result<void> read_measured(const Catalog& catalog, std::string_view csv, std::string_view file,
                           MeasuredTables& tables) {
  switch (kind_of(csv)) {
    case TableKind::serving:
      return keep(read_measured_serving(catalog, csv, file), tables.serving);
    case TableKind::serving_memory:
      return keep(read_measured_serving_memory(catalog, csv, file), tables.serving_memory);
    case TableKind::training:
      break;
  }
  return keep(read_measured_training(catalog, csv, file), tables.training);
}

void describe(FieldVisitor& v, const Catalog&, BacktestRequest& r) {
  describe_head(v, "backtest");
  v.text({.key = "csv",
          .help = "A table of measured runs (training, serving, or memory of serving engines), comma-separated with a "
                  "header line"},
         r.csv);
  const std::size_t files = v.enter_list({.key = "files", .help = "Several tables"});
  r.files.resize(files);
  for (std::size_t i = 0; i < files; ++i) {
    v.enter_item(i);
    v.text({.key = "name", .help = "Name in messages"}, r.files[i].name);
    v.text({.key = "csv", .help = "The table's text", .required = true}, r.files[i].csv);
    v.leave_item();
  }
  v.leave_list();
  v.words(
      {.key = "by",
       .help = "Groups agree in all of these; absent: by architecture, by nodes (serving: by framework and load_kind), "
               "by source, and by GPU"},
      r.by, backtest_keys());
  v.flag({.key = "configurations", .help = "Also every row of serving tables as it was read"}, r.configurations);
  v.rule(r.csv.empty() != r.files.empty(), "csv", "Exactly one of \"csv\" and \"files\" must be given.",
         "Write {\"csv\": \"id,gpu_id,...\"} or {\"files\": [{\"name\": ..., \"csv\": ...}]}.");
}

Answer answer_backtest(const Catalog& catalog, const BacktestRequest& request,
                       const std::vector<Assumption>& assumptions) {
  return answer_backtest_with(catalog, request, assumptions, "those of the catalog", [&](const MeasuredTables& tables) {
    Backtest backtest;
    for (const auto& table : tables.training) backtest_training(catalog, table, backtest);
    for (const auto& table : tables.serving) backtest_serving(catalog, table, backtest);
    for (const auto& table : tables.serving_memory) backtest_serving_memory(catalog, table, backtest);
    return backtest;
  });
}

Answer answer_backtest_with(const Catalog& catalog, const BacktestRequest& request,
                            const std::vector<Assumption>& assumptions, const std::string& constants,
                            const std::function<Result<Backtest>(const MeasuredTables&)>& predict) {
  std::vector<MeasuredFile> files = request.files;
  if (!request.csv.empty()) files = {{.name = "csv", .csv = request.csv}};
  Errors errors;
  MeasuredTables tables;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const MeasuredFile& file = files[i];
    const std::string name = file.name.empty() ? "file " + std::to_string(i + 1) : file.name;
    if (const Result<void> read = read_measured(catalog, file.csv, name, tables); !read)
      add_problems(read.error(), path_of(request, i), errors);
  }
  if (!errors.empty()) return wrong_input(errors);

  const Result<Backtest> predicted = predict(tables);
  if (!predicted) return wrong_input(predicted.error());
  const Backtest& backtest = *predicted;
  JsonWriter out;
  out.begin_object();
  out.text("kind", "backtest");
  out.text("constants", constants);
  out.begin_list("rows");
  for (const BacktestCell& cell : backtest.cells) write_cell(out, cell);
  out.end_list();
  out.begin_list("skipped");
  for (const SkippedRow& skipped : backtest.skipped) {
    out.begin_object();
    out.text("id", skipped.id);
    out.text("reason", skipped.reason);
    out.end_object();
  }
  out.end_list();
  out.number("table_rows", backtest.rows);
  write_groups(out, backtest, request.by, tables.training.empty());
  out.begin_list("row_assumptions");
  for (const AssumedOften& assumed : backtest.assumed) {
    out.begin_object();
    out.text("assumption", assumed.assumption);
    out.number("rows", assumed.rows);
    out.end_object();
  }
  out.end_list();
  if (request.configurations) {
    out.begin_list("configurations");
    for (const MeasuredServing& table : tables.serving)
      for (const MeasuredServingRow& row : table.rows) write_configuration(out, row);
    out.end_list();
  }
  write_foot(out, catalog, assumptions, {});
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
