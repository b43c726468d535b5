#include "measure/import_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/append.h"
#include "base/csv_write.h"
#include "base/lower_case.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "measure/foreign_parts.h"

namespace podwright {
namespace {

using Row = std::map<std::string, std::string, std::less<>>;

/// Columns in the order of the table, under the names that people use.
constexpr std::string_view kColumns[] = {"id",
                                         "source",
                                         "model",
                                         "gpu",
                                         "num_gpus",
                                         "tp",
                                         "pp",
                                         "ep",
                                         "attention_dp",
                                         "engine",
                                         "engine_version",
                                         "framework",
                                         "precision",
                                         "kv_precision",
                                         "serving_mode",
                                         "load_kind",
                                         "concurrency",
                                         "request_rate",
                                         "requests",
                                         "input_len",
                                         "output_len",
                                         "max_batched_tokens",
                                         "max_sequences",
                                         "memory_fraction",
                                         "ttft_ms",
                                         "tpot_ms",
                                         "output_tokens_per_s",
                                         "total_tokens_per_s",
                                         "output_tokens_per_s_per_gpu",
                                         "requests_per_s",
                                         "seq_len",
                                         "global_batch",
                                         "micro_batch",
                                         "method",
                                         "adapter",
                                         "rank",
                                         "step_time_s",
                                         "mem_fraction",
                                         "max_model_len",
                                         "block_size",
                                         "max_num_batched_tokens",
                                         "kv_tokens",
                                         "kv_blocks",
                                         "kv_cache_gib_per_gpu",
                                         "weights_gib_per_gpu",
                                         "cuda_graph_gib",
                                         "max_concurrency",
                                         "set_aside",
                                         "notes"};

enum class RowKind { serving, training, memory };
/// Every row needs them.
constexpr std::string_view kServingNeeds[] = {"model", "gpu", "input_len", "output_len"};
constexpr std::string_view kTrainingNeeds[] = {"model", "gpu", "num_gpus", "seq_len", "global_batch"};
constexpr std::string_view kMemoryNeeds[] = {"model", "gpu", "framework", "mem_fraction", "max_model_len"};

/// A column that rows can be compared without, and what is assumed then.
struct AssumedColumn {
  std::string_view column;
  std::string_view or_else;  ///< another column that says it
  std::string_view assumed;
};
constexpr AssumedColumn kAssumed[] = {{"num_gpus", "tp", "one GPU"},
                                      {"engine", "framework", "vllm"},
                                      {"engine_version", "", "the newest"},
                                      {"precision", "", "as the model's name says, else 16 bit"}};

std::span<const std::string_view> needs_of(RowKind kind) {
  if (kind == RowKind::training) return kTrainingNeeds;
  if (kind == RowKind::memory) return kMemoryNeeds;
  return kServingNeeds;
}

/// One line, and nothing that a spreadsheet takes for a formula.
std::string row_text(std::string_view text) {
  std::string line;
  for (const char c : trimmed(text)) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7F ? ' ' : c;
  }
  line = beginning_of(trimmed(line), 200);
  if (!line.empty() && std::string_view("=+-@").find(line.front()) != std::string_view::npos && !number_of_text(line))
    line.insert(line.begin(), '\'');
  return line;
}

void set(Row& row, std::string_view column, const std::string& text) {
  if (std::string plain = row_text(text); !plain.empty()) row[std::string(column)] = std::move(plain);
}
void set(Row& row, std::string_view column, const std::optional<double>& value, double scale = 1) {
  if (value) row[std::string(column)] = shortest_number(rounded_for_display(*value * scale, 9));
}

/// "run/bench.jsonl 2": the file without its folder, and which run of it.
std::string row_id(const std::string& file, std::size_t run, std::size_t runs) {
  const std::string name = file.substr(file.find_last_of("/\\") + 1);
  return name + (runs > 1 ? " " + std::to_string(run + 1) : "");
}

Row serving_row(const ServingMeasurement& m) {
  Row row;
  set(row, "source", m.tool);
  set(row, "model", m.model);
  set(row, "gpu", m.gpu);
  set(row, "num_gpus", m.gpus);
  set(row, "tp", m.tensor);
  set(row, "pp", m.pipeline);
  set(row, "ep", m.expert);
  set(row, "attention_dp", m.attention_data);
  set(row, "engine", m.engine);
  set(row, "engine_version", m.engine_version);
  set(row, "precision", m.precision);
  set(row, "kv_precision", m.kv_precision);
  set(row, "concurrency", m.concurrency);
  set(row, "request_rate", m.request_rate_per_s);
  set(row, "requests", m.requests ? std::optional<double>(std::floor(*m.requests)) : std::nullopt);
  set(row, "input_len", m.input_tokens);
  set(row, "output_len", m.output_tokens);
  set(row, "ttft_ms", m.ttft_s, 1e3);
  set(row, "tpot_ms", m.tpot_s, 1e3);
  set(row, "output_tokens_per_s", m.output_tokens_per_s);
  set(row, "total_tokens_per_s", m.total_tokens_per_s);
  set(row, "output_tokens_per_s_per_gpu", m.output_tokens_per_s_per_gpu);
  set(row, "requests_per_s", m.requests_per_s);
  if (m.as_fast_as_it_can) set(row, "load_kind", std::string("offline"));
  if (m.disaggregated) set(row, "serving_mode", std::string("disaggregated"));
  // A run whose steps the program does not model is named and not compared.
  if (m.note.rfind("Speculative", 0) == 0)
    set(row, "set_aside", m.note);
  else
    set(row, "notes", m.note);
  return row;
}

Row training_row(const TrainingMeasurement& m) {
  Row row;
  set(row, "source", m.tool);
  set(row, "model", m.model);
  set(row, "seq_len", m.sequence_tokens);
  set(row, "global_batch", m.global_batch);
  set(row, "step_time_s", m.step_time_s);
  set(row, "adapter", m.adapter);
  if (!m.adapter.empty()) set(row, "method", std::string("lora"));
  set(row, "rank", m.adapter_rank);
  set(row, "notes", m.note);
  return row;
}

/// What a log says of the memory of its engine.
Row memory_row(const EngineFacts& facts) {
  Row row;
  set(row, "source", std::string("start-up log"));
  set(row, "framework", facts.engine + (facts.version.empty() ? "" : " " + facts.version));
  set(row, "kv_precision", facts.kv_precision);
  set(row, "mem_fraction", facts.memory_fraction);
  set(row, "max_model_len", facts.max_model_tokens);
  set(row, "tp", facts.tensor);
  set(row, "pp", facts.pipeline);
  set(row, "block_size", facts.block_tokens);
  set(row, "max_num_batched_tokens", facts.max_batched_tokens);
  set(row, "kv_tokens", facts.kv_cache_tokens);
  set(row, "kv_blocks", facts.kv_blocks);
  set(row, "kv_cache_gib_per_gpu", facts.kv_cache_gib);
  set(row, "weights_gib_per_gpu", facts.weights_gib);
  set(row, "cuda_graph_gib", facts.cuda_graphs_gib);
  set(row, "max_concurrency", facts.full_sequences);
  return row;
}

/// What a log says of the engine that a benchmark measured.
std::vector<RowCell> cells_of(const EngineFacts& facts) {
  Row row;
  set(row, "engine", facts.engine);
  set(row, "engine_version", facts.version);
  set(row, "kv_precision", facts.kv_precision);
  set(row, "tp", facts.tensor);
  set(row, "pp", facts.pipeline);
  set(row, "attention_dp", facts.attention_data);
  set(row, "max_batched_tokens", facts.max_batched_tokens);
  set(row, "max_sequences", facts.max_sequences);
  set(row, "memory_fraction", facts.memory_fraction);
  std::vector<RowCell> cells;
  for (const auto& [column, text] : row) cells.push_back({column, text, true});
  return cells;
}

/// Columns that a request and rows of every kind of run have.
bool is_of_any_run(std::string_view column) {
  constexpr std::string_view kOfAny[] = {"model", "gpu", "num_gpus", "tp", "pp", "ep", "kv_precision"};
  return std::find(std::begin(kOfAny), std::end(kOfAny), column) != std::end(kOfAny);
}

bool same_cell(std::string_view one, std::string_view two) {
  const auto a = number_of_text(one), b = number_of_text(two);
  return a && b ? *a == *b : lower_case(std::string(one)) == lower_case(std::string(two));
}

/// Of a file whose name says nothing there is no id.
std::string name_of(const Row& row) {
  const auto id = row.find("id");
  return id == row.end() ? "a file without a name" : id->second;
}

class RowMaker {
 public:
  RowMaker(const ImportedFiles& imported, std::span<const RowCell> cells) : imported_(imported) {
    for (const RowCell& cell : cells) cells_.push_back(cell);
  }

  Result<ImportedRows> make() {
    for (const ImportedFile& file : imported_.files) collect(file);
    if (serving_ && training_)
      return failure({"conflict", "", "Runs of serving and of training are rows of different tables.",
                      "Import the files of each by themselves."});
    if (rows_.empty() && imported_.engine && imported_.engine->kv_cache_tokens) {
      kind_ = RowKind::memory;
      rows_.push_back(memory_row(*imported_.engine));
      set(rows_.back(), "id", std::string("start-up log"));
    } else if (imported_.engine) {
      // The engine knows itself better than the request of its deployment.
      std::vector<RowCell> ordered;
      for (const bool of_request : {false, true}) {
        for (const RowCell& cell : cells_)
          if (cell.of_request == of_request) ordered.push_back(cell);
        if (!of_request) append(ordered, cells_of(*imported_.engine));
      }
      cells_ = std::move(ordered);
    }
    if (rows_.empty())
      return failure({"missing", "", "No file has runs of which rows can be made.",
                      "Give results of a load generator, an MLPerf result, or the start-up log of an engine."});
    for (Row& row : rows_) fill(row);
    find_gaps();
    if (!errors_.empty()) return failure(std::move(errors_));
    if (kind_ == RowKind::serving) note_assumed();
    return written();
  }

 private:
  void collect(const ImportedFile& file) {
    for (std::size_t i = 0; i < file.serving.size(); ++i) {
      rows_.push_back(serving_row(file.serving[i]));
      set(rows_.back(), "id", row_id(file.name, i, file.serving.size()));
      serving_ = true;
    }
    if (file.training) {
      rows_.push_back(training_row(*file.training));
      set(rows_.back(), "id", row_id(file.name, 0, 1));
      training_ = true;
      kind_ = RowKind::training;
    }
    if (file.of_machine())
      made_.notes.push_back(file.name + " is of a machine and has no run: import it without --rows.");
  }

  void fill(Row& row) {
    for (const RowCell& cell : cells_) {
      const std::string text = row_text(cell.text);
      if (text.empty() || (cell.of_request && kind_ != RowKind::serving && !is_of_any_run(cell.column))) continue;
      std::string& kept = row[cell.column];
      // A person knows model and GPU by the catalog's names; everything else a file knows better.
      if (kept.empty() || cell.column == "gpu" || cell.column == "model") {
        if (kept.empty() || !cell.of_request) kept = text;
        continue;
      }
      if (!cell.of_request && !same_cell(kept, text))
        add_error("conflict", cell.column,
                  "A file says " + cell.column + " " + kept + ", the command says " + text + ".",
                  "Leave the column out where the files have it.");
    }
  }

  void add_error(std::string code, const std::string& column, std::string message, std::string hint) {
    const std::string path = "/" + column;
    if (std::none_of(errors_.begin(), errors_.end(), [&](const Error& one) { return one.path == path; }))
      errors_.push_back({std::move(code), path, std::move(message), std::move(hint)});
  }

  void find_gaps() {
    for (const std::string_view column : needs_of(kind_))
      for (const Row& row : rows_) {
        const auto found = row.find(column);
        if (found != row.end() && !found->second.empty()) continue;
        const std::string name(column);
        add_error("missing", name, "No file says " + name + " of the run \"" + name_of(row) + "\".",
                  name == "gpu" ? std::string("Add --gpu ID, or --column gpu=ID.")
                                : "Add --column " + name + "=..., or --request with the deployment.");
      }
  }

  /// What `backtest` will assume of the runs, as nothing says it.
  void note_assumed() {
    std::map<std::string, std::vector<std::string>> runs;  // of each set of columns
    for (const Row& row : rows_) {
      std::vector<std::string> assumed;
      for (const AssumedColumn& one : kAssumed) {
        const auto is_told = [&](std::string_view column) {
          const auto cell = row.find(column);
          return cell != row.end() && !cell->second.empty();
        };
        if (!is_told(one.column) && (one.or_else.empty() || !is_told(one.or_else)))
          assumed.push_back(std::string(one.column) + " (" + std::string(one.assumed) + ")");
      }
      if (!assumed.empty()) runs[podwright::joined(assumed)].push_back(name_of(row));
    }
    constexpr std::size_t kNamed = 4;
    for (const auto& [columns, ids] : runs)
      made_.notes.push_back("Nothing says of " + first_of(ids, kNamed) + ", and backtest assumes: " + columns +
                            ". --column NAME=VALUE says it.");
  }

  ImportedRows written() {
    std::vector<std::string> columns;
    for (const std::string_view column : kColumns)
      if (std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.count(column) > 0; }))
        columns.emplace_back(column);
    for (const RowCell& cell : cells_)
      if (std::find(columns.begin(), columns.end(), cell.column) == columns.end() && !cell.of_request)
        columns.push_back(cell.column);
    made_.csv = csv_line(columns);
    for (const Row& row : rows_) {
      std::vector<std::string> cells;
      for (const std::string& column : columns) {
        const auto found = row.find(column);
        cells.push_back(found == row.end() ? "" : found->second);
      }
      made_.csv += csv_line(cells);
    }
    made_.rows = rows_.size();
    return std::move(made_);
  }

  const ImportedFiles& imported_;
  std::vector<RowCell> cells_;
  std::vector<Row> rows_;
  RowKind kind_ = RowKind::serving;
  bool serving_ = false, training_ = false;
  ImportedRows made_;
  Errors errors_;
};

}  // namespace

Result<ImportedRows> imported_rows(const ImportedFiles& imported, std::span<const RowCell> cells) {
  return RowMaker(imported, cells).make();
}

}  // namespace podwright
