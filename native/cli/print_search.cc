#include "cli/print_search.h"

#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/json_at.h"
#include "cli/search_frame.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::string layouts_table(const JsonNode& layouts) {
  std::vector<std::vector<std::string>> rows{{"#", "GPUs", "t", "p", "v", "c", "e", "d", "b", "ZeRO", "recompute",
                                              "step s", "MFU %", "GiB", "days", "cost", "MWh"}};
  for (std::size_t i = 0; i < layouts.items.size(); ++i) {
    const JsonNode& layout = layouts.items[i];
    const auto size = [&](std::string_view key) { return shown(at(layout, {"parallelism", key})); };
    rows.push_back({shortest_number(static_cast<double>(i + 1)),
                    shown(layout.find("gpu_count")) + " x " + word_text(layout.find("gpu")) + " " +
                        word_text(layout.find("precision")),
                    size("tensor"), size("pipeline"), size("virtual_pipeline"), size("context"), size("expert"),
                    size("data"), number_text(layout.find("micro_batch_size")), size("zero_stage"),
                    word_text(layout.find("activation_recompute")), number_text(at(layout, {"step", "time_s"})),
                    number_text(at(layout, {"throughput", "mfu"}), 100),
                    number_text(at(layout, {"memory_per_gpu", "total_gib"})),
                    number_text(at(layout, {"run", "time_days"})), dollars(at(layout, {"run", "cost_usd"})),
                    number_text(at(layout, {"run", "energy_kwh"}), 1e-3)});
  }
  return text_table(rows);
}

}  // namespace

std::string search_text(const JsonNode& answer) {
  return search_frame_text(answer, {.list = "layouts",
                                    .nothing = "No layout is possible.",
                                    .table = layouts_table,
                                    .counted = shown(answer.find("legal_layouts")) + " legal layouts, " +
                                               shown(answer.find("evaluated")) + " evaluated."});
}

}  // namespace podwright::cli
