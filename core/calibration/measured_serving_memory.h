#pragma once
/// Published logs of serving engines' memory as requests: each row becomes a model, a GPU, a deployment and what the
/// engine told of its memory. docs/method/accuracy.md#how-a-row-is-read.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/measured_row.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"

namespace podwright {

struct MeasuredServingMemoryRow {
  std::string id;
  int line = 0;  ///< in the table, from 1
  std::string source;
  std::string framework_version;  ///< as the source writes it
  std::string model_name;
  std::string notes;
  bool catalog_engine = true;  ///< false: the engine is not known, and another one's habits are taken
  Model model;
  Gpu gpu;  ///< the catalog's, with the memory that the row says its driver reports
  ServingRun run;
  bool batch_is_given = false;  ///< max_batch is the batch that the run was given, no capacity
  std::string open_settings;    ///< columns left blank that the KV pool depends on: "mem_fraction, gpu_total_gib"
  std::vector<Measured> measured;
  std::vector<std::string> assumptions;
};

using MeasuredServingMemory = MeasuredTable<MeasuredServingMemoryRow>;

const std::vector<std::string>& measured_serving_memory_columns();
/// Columns that hold measured figures.
const std::vector<std::string>& measured_serving_memory_metrics();

/// Reads a table; errors as those of read_measured_serving().
Result<MeasuredServingMemory> read_measured_serving_memory(const Catalog& catalog, std::string_view csv,
                                                           std::string_view file);

}  // namespace podwright
