#pragma once
/// Published logs of serving engines' memory as requests: each row becomes a model, a GPU, a deployment and what the
/// engine told of its memory. docs/method/accuracy.md#how-a-row-is-read.
#include <string>
#include <string_view>

#include "base/result.h"
#include "calibration/measured_table.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"

namespace podwright {

struct MeasuredServingMemoryRow : MeasuredRow {
  bool catalog_engine = true;  ///< false: the engine is not known, and another one's habits are taken
  Gpu reported_gpu;            ///< the catalog's, with the memory that the row says its driver reports
  ServingRun run;
  bool batch_is_given = false;  ///< max_batch is the batch that the run was given, no capacity
  std::string open_settings;    ///< columns left blank that the KV pool depends on: "mem_fraction, gpu_total_gib"
};

using MeasuredServingMemory = MeasuredTable<MeasuredServingMemoryRow>;

const MeasuredColumns& measured_serving_memory_columns();

/// Reads a table; errors as those of checked_table().
Result<MeasuredServingMemory> read_measured_serving_memory(const Catalog& catalog, std::string_view csv,
                                                           std::string_view file);

}  // namespace podwright
