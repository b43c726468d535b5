#pragma once
/// Published serving runs as requests: each row of a table becomes a model, a GPU, a deployment and the figures that
/// were measured. docs/method/accuracy.md#how-a-row-is-read.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/measured_cells.h"
#include "calibration/measured_row.h"
#include "calibration/serving_notes.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"

namespace podwright {

struct MeasuredServingRow {
  std::string id;
  int line = 0;  ///< in the table, from 1
  std::string source;
  std::string gpu_id;
  std::string framework_text;     ///< as the source writes it
  std::string framework_version;  ///< as the source writes it, or that of its container image; empty: not given
  std::string model_name;         ///< as the source writes it
  std::string date;
  std::optional<double> year;  ///< of the date: 2025.63
  std::string notes;
  ServingNotes told;           ///< what the notes say
  bool catalog_engine = true;  ///< false: the engine is not known, and another one's habits are taken
  bool disaggregated = false;  ///< prompts and answers on GPUs of their own
  bool layout_bent = false;    ///< the groups of the row are not those that ran, see `assumptions`
  Model model;
  const Gpu* gpu = nullptr;
  ServingRun run;
  double gpu_count = 1;             ///< of the deployment
  bool prompt_only = false;         ///< no output: total_tokens_per_s counts input tokens
  std::optional<double> rate_gpus;  ///< GPUs that output and total rates are of; absent: those of the deployment
  std::vector<Measured> measured;
  std::vector<std::string> assumptions;  ///< what blank cells were taken to mean, and what had to be bent

  /// The estimate is asked for what ran: only such rows are fitted.
  bool as_it_ran() const { return catalog_engine && !disaggregated && !layout_bent && !told.other_scheduler; }
};

using MeasuredServing = MeasuredTable<MeasuredServingRow>;

/// Columns whose absence from the header makes a table no table of serving runs.
const std::vector<std::string>& measured_serving_columns();
/// Columns that hold measured figures.
const std::vector<std::string>& measured_serving_metrics();

/// Reads a table. `file` is its name in messages. Errors: "not-csv", "missing" (a column), "wrong-type" (a cell that is
/// no number); the path is "<file>:<line>".
Result<MeasuredServing> read_measured_serving(const Catalog& catalog, std::string_view csv, std::string_view file);

/// The model of a row: `model_id`, else `base_model_id`, else the name, also without its organisation and without what
/// it says of its precision; sizes of the row override the catalog's. Error: why it cannot be known.
Result<Model> serving_model(const Catalog& catalog, const MeasuredCells& cells, std::vector<std::string>& assumptions);

/// The engine of a row; where it is not known, another one with its habits.
struct ServingEngine {
  std::string id;
  bool known = true;
};
ServingEngine serving_engine(const Catalog& catalog, std::string_view written, std::vector<std::string>& assumptions);

/// The weight format of a row. `written`: the cell; blank: what the model's name says, else 16 bit. Empty where the
/// cell is not understood.
std::string serving_weight_format(const Catalog& catalog, const Model& model, const Gpu& gpu, std::string_view written,
                                  std::string_view model_name, const ServingNotes& notes,
                                  std::vector<std::string>& assumptions);

}  // namespace podwright
