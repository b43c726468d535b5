#include "sizing/serving_rejections.h"

#include "base/number_text.h"
#include "base/words.h"

namespace podwright::sizing {

Infeasible cannot_start(const std::vector<std::string>& obstacles) {
  return {.code = "engine-cannot-start", .message = obstacles.front(), .shortfall = 0, .unit = "", .ways_out = {}};
}

Infeasible too_many_gpus(double gpus, double most) {
  return {.code = "gpu-limit",
          .message = "The workload takes " + human_number(gpus, 4) + " GPUs, at most " + human_number(most, 4) +
                     " are allowed.",
          .shortfall = gpus - most,
          .unit = "GPUs",
          .ways_out = {merge_patch("max_gpu_count", gpus)}};
}

Infeasible too_slow(const LatencyLimit& limit, Seconds takes, const std::string& whose) {
  const auto [reached, most] = time_texts(takes, limit.most);
  return {.code = std::string(word_of(limit.latency, kLatencyWords)),
          .message = whose + " " + text_of(limit) + " is " + reached + ", the limit is " + most + ".",
          .shortfall = (takes - limit.most).base_units(),
          .unit = "s",
          .ways_out = {merge_patch(key_of(limit), rounded_up(takes.base_units() * 1.05))}};
}

std::string alone_on(double gpus, const std::string& name) {
  return "Alone on " + (gpus > 1 ? shortest_number(gpus) + " x " : "") + name + ":";
}

}  // namespace podwright::sizing
