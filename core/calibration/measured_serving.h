#pragma once
/// Published serving runs as requests: each row of a table becomes a model, a GPU, a deployment and the figures that
/// were measured. docs/method/accuracy.md#how-a-row-is-read.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/measured_table.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"

namespace podwright {

inline constexpr std::string_view kPowerMetric = "mean_gpu_power_w";

struct MeasuredServingRow : MeasuredRow {
  std::optional<double> year;               ///< of the date: 2025.63
  std::optional<double> requests;           ///< sent in all
  bool decode_rate = false;                 ///< output tokens per second of decoding alone
  bool other_scheduler = false;             ///< several steps at once, or prompts in one piece
  double first_token_steps = 0;             ///< that settings of the run add until a client sees the first token
  bool catalog_engine = true;               ///< false: the engine is not known, and another one's habits are taken
  bool disaggregated = false;               ///< prompts and answers on GPUs of their own
  bool layout_bent = false;                 ///< the groups of the row are not those that ran, see `assumptions`
  std::vector<std::string> memory_guesses;  ///< columns that decide what fits and that the row does not give
  ServingRun run;
  bool prompt_only = false;  ///< no output: total_tokens_per_s counts input tokens

  /// The estimate is asked for what ran: only such rows are fitted.
  bool as_it_ran() const { return catalog_engine && !disaggregated && !layout_bent && !other_scheduler; }
  /// The power of a GPU was measured; energies follow from it.
  bool tells_energy() const {
    return std::any_of(measured.begin(), measured.end(), [](const Measured& m) { return m.metric == kPowerMetric; });
  }
};

using MeasuredServing = MeasuredTable<MeasuredServingRow>;

const MeasuredColumns& measured_serving_columns();

/// Reads a table. `file` is its name in messages. Errors: those of checked_table().
Result<MeasuredServing> read_measured_serving(const Catalog& catalog, std::string_view csv, std::string_view file);

/// Reads one row that has what all kinds have. The error is why it cannot be expressed.
Result<void> read_serving_row(const Catalog& catalog, const MeasuredCells& cells, MeasuredServingRow& row);

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
                                  std::string_view model_name, std::vector<std::string>& assumptions);

}  // namespace podwright
