/// `podwright import --rows`: what files measured as a table of runs for `backtest --mine`.
#include "cli/import_rows_command.h"

#include <algorithm>
#include <iostream>

#include "base/number_text.h"
#include "cli/common.h"
#include "measure/import_rows.h"

namespace podwright::cli {
namespace {

/// A field of a serving request and the column that says the same of a run.
struct RequestColumn {
  std::string_view pointer;
  std::string_view column;
};
constexpr RequestColumn kRequestColumns[] = {{"/model", "model"},
                                             {"/gpu", "gpu"},
                                             {"/engine", "engine"},
                                             {"/engine_version", "engine_version"},
                                             {"/weight_precision", "precision"},
                                             {"/kv_precision", "kv_precision"},
                                             {"/parallelism/tensor", "tp"},
                                             {"/parallelism/pipeline", "pp"},
                                             {"/parallelism/expert", "ep"},
                                             {"/parallelism/attention_data", "attention_dp"},
                                             {"/input_tokens", "input_len"},
                                             {"/output_tokens", "output_len"},
                                             {"/max_batched_tokens", "max_batched_tokens"},
                                             {"/max_batch_size", "max_sequences"},
                                             {"/memory_fraction", "memory_fraction"}};

const JsonNode* node_at(const JsonNode& document, std::string_view pointer) {
  const JsonNode* node = &document;
  while (!pointer.empty() && node != nullptr) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    node = node->is_object() ? node->find(pointer.substr(0, end)) : nullptr;
    pointer.remove_prefix(end);
  }
  return node;
}

void add_request_cells(const JsonNode& request, std::vector<RowCell>& cells) {
  for (const auto& [pointer, column] : kRequestColumns) {
    const JsonNode* node = node_at(request, pointer);
    if (node == nullptr) continue;
    if (node->is_text()) cells.push_back({std::string(column), node->text, true});
    if (node->is_number()) cells.push_back({std::string(column), shortest_number(node->number), true});
  }
  double gpus = 1;
  for (const char* pointer :
       {"/parallelism/tensor", "/parallelism/pipeline", "/parallelism/attention_data", "/parallelism/data"})
    if (const JsonNode* node = node_at(request, pointer); node != nullptr && node->is_number()) gpus *= node->number;
  if (node_at(request, "/parallelism") != nullptr) cells.push_back({"num_gpus", shortest_number(gpus), true});
}

}  // namespace

int import_rows(const ImportedFiles& imported, const ImportRowsOptions& options) {
  std::vector<RowCell> cells;
  for (const std::string& one : options.columns) {
    const std::size_t sign = one.find('=');
    if (sign == 0 || sign == std::string::npos) {
      std::cerr << "podwright: --column takes NAME=VALUE, as tp=4 or model=llama-3.1-70b.\n";
      return kWrongInput;
    }
    cells.push_back({one.substr(0, sign), one.substr(sign + 1)});
  }
  if (!options.gpus.empty()) cells.push_back({"gpu", options.gpus.front()});
  if (!options.request.empty()) {
    const auto request = read_document(options.request);
    if (!request) return kWrongInput;
    add_request_cells(*request, cells);
  }
  const auto rows = imported_rows(imported, cells);
  if (!rows) {
    print_errors(rows.error(), "no row was written");
    return kWrongInput;
  }
  if (!write_file(options.output, rows->csv)) return kEnvironment;
  for (const std::string& note : rows->notes) std::cout << "note: " << note << "\n";
  std::cout << "wrote " << options.output << ": " << rows->rows << (rows->rows == 1 ? " run" : " runs")
            << "; podwright backtest --mine " << options.output << " compares\n";
  return kAnswer;
}

}  // namespace podwright::cli
