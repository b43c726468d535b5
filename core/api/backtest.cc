#include "api/backtest.h"

#include <algorithm>
#include <optional>

#include "api/describe_head.h"
#include "api/write_common.h"
#include "base/csv_read.h"
#include "base/json_write.h"
#include "base/nearest.h"
#include "calibration/backtest.h"

namespace podwright {
namespace {

/// Where the text of a table stands in the request.
std::string path_of(const BacktestRequest& request, std::size_t file) {
  return request.csv.empty() ? "/files/" + std::to_string(file) + "/csv" : "/csv";
}

/// Tables of serving runs have lengths of prompt and answer, or what an engine gave to its cache.
bool is_serving_table(std::string_view csv) {
  const Result<CsvTable> table = parse_csv(csv.substr(0, csv.find('\n')));
  if (!table || table->column("seq_len") >= 0) return false;
  for (const char* column : {"input_len", "ttft_ms", "tpot_or_itl_ms", "output_tokens_per_s", "max_model_len"})
    if (table->column(column) >= 0) return true;
  return false;
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
  out.end_object();
}

void write_groups(JsonWriter& out, const Backtest& backtest, const std::vector<std::string>& by) {
  out.begin_list("groups");
  std::vector<std::vector<std::string>> groupings{{}};
  if (by.empty())
    groupings.insert(groupings.end(), {{"architecture"}, {"nodes"}, {"source"}, {"gpu_id"}});
  else
    groupings.push_back(by);
  for (const std::vector<std::string>& keys : groupings)
    for (const BacktestGroup& group : backtest_groups(backtest.cells, keys)) write_group(out, group);
  out.end_list();
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, BacktestRequest& r) {
  describe_head(v, "backtest");
  v.text({.key = "csv", .help = "A table of measured training runs, comma-separated with a header line"}, r.csv);
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
      {.key = "by", .help = "Groups agree in all of these; absent: by architecture, by nodes, by source, and by GPU"},
      r.by, backtest_keys());
  v.rule(r.csv.empty() != r.files.empty(), "csv", "Exactly one of \"csv\" and \"files\" must be given.",
         "Write {\"csv\": \"id,gpu_id,...\"} or {\"files\": [{\"name\": ..., \"csv\": ...}]}.");
}

Answer answer_backtest(const Catalog& catalog, const BacktestRequest& request,
                       const std::vector<Assumption>& assumptions) {
  return answer_backtest(catalog, request, assumptions, "those of the catalog",
                         [&](const std::vector<MeasuredTraining>& tables) {
                           Backtest backtest;
                           for (const MeasuredTraining& table : tables) backtest_training(catalog, table, backtest);
                           return backtest;
                         });
}

Answer answer_backtest(const Catalog& catalog, const BacktestRequest& request,
                       const std::vector<Assumption>& assumptions, const std::string& constants,
                       const std::function<Result<Backtest>(const std::vector<MeasuredTraining>&)>& predict) {
  std::vector<MeasuredFile> files = request.files;
  if (!request.csv.empty()) files = {{.name = "csv", .csv = request.csv}};
  Errors errors;
  std::vector<MeasuredTraining> tables;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const MeasuredFile& file = files[i];
    const std::string name = file.name.empty() ? "file " + std::to_string(i + 1) : file.name;
    if (is_serving_table(file.csv)) {
      errors.push_back(
          {"not-built", path_of(request, i),
           name + ": serving runs are not compared with measurements yet in this version.",
           "Give a table of training runs: it has the columns " + joined(measured_training_columns()) + "."});
      continue;
    }
    Result<MeasuredTraining> measured = read_measured_training(catalog, file.csv, name);
    if (measured)
      tables.push_back(std::move(*measured));
    else
      add_problems(measured.error(), path_of(request, i), errors);
  }
  if (!errors.empty()) {
    const bool not_built =
        std::all_of(errors.begin(), errors.end(), [](const auto& e) { return e.code == "not-built"; });
    return {errors_json(errors), not_built ? Outcome::not_built : Outcome::wrong_input};
  }

  const Result<Backtest> predicted = predict(tables);
  if (!predicted) return {errors_json(predicted.error()), Outcome::wrong_input};
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
  write_groups(out, backtest, request.by);
  out.begin_list("row_assumptions");
  for (const AssumedOften& assumed : backtest.assumed) {
    out.begin_object();
    out.text("assumption", assumed.assumption);
    out.number("rows", assumed.rows);
    out.end_object();
  }
  out.end_list();
  write_foot(out, catalog, assumptions, {});
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
