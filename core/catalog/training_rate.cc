#include "catalog/training_rate.h"

#include "catalog/table_reader.h"

namespace podwright {

void read_training_rates(std::string_view path, std::string_view text, std::vector<TrainingRate>& rates,
                         Errors& errors) {
  TableReader table(
      path, text,
      {"gpu_id", "precision", "rows", "sources", "lowest_tflops", "median_tflops", "best_tflops", "best_run", "source"},
      errors);
  while (table.next()) {
    TrainingRate rate;
    rate.gpu_id = table.needed_text("gpu_id");
    rate.precision = table.needed_text("precision");
    table.head(rate, rate.gpu_id + "/" + rate.precision, rate.gpu_id + " in " + rate.precision);
    rate.rows = table.needed("rows", 1);
    rate.row_sources = table.needed("sources", 1);
    rate.lowest = tflops(table.needed("lowest_tflops"));
    rate.median = tflops(table.needed("median_tflops"));
    rate.best = tflops(table.needed("best_tflops"));
    if (!(rate.lowest <= rate.median && rate.median <= rate.best))
      table.error("out-of-range", "The median is outside its range.", "lowest <= median <= best");
    rate.best_run = table.needed_text("best_run");
    rates.push_back(std::move(rate));
  }
}

const TrainingRate* find_training_rate(const std::vector<TrainingRate>& rates, std::string_view gpu_id,
                                       std::string_view precision) {
  for (const TrainingRate& rate : rates)
    if (rate.gpu_id == gpu_id && rate.precision == precision) return &rate;
  return nullptr;
}

}  // namespace podwright
