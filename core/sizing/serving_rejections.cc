#include "sizing/serving_rejections.h"

#include "base/words.h"

namespace podwright::sizing {

Infeasible cannot_start(const std::vector<std::string>& obstacles) {
  return {.code = "engine-cannot-start", .message = as_written(obstacles.front())};
}

Infeasible too_many_gpus(double gpus, double most) {
  return {.code = "gpu-limit",
          .message = say("gpu-limit", "gpus"_v = gpus, "most_gpus"_v = most),
          .shortfall = gpus - most,
          .unit = "GPUs",
          .ways_out = {{"/max_gpu_count", gpus}}};
}

Infeasible too_slow(const LatencyLimit& limit, Seconds takes, const Message& whose) {
  const auto [reached, most] = time_texts(takes, limit.most);
  return {
      .code = std::string(word_of(limit.latency, kLatencyWords)),
      .message = say("too-slow", "whose"_v = whose, "limit"_v = text_of(limit), "reached"_v = reached, "most"_v = most),
      .shortfall = (takes - limit.most).base_units(),
      .unit = "s",
      .ways_out = {{"/" + key_of(limit), rounded_up(takes.base_units() * 1.05)}}};
}

Infeasible too_unsure(const LatencyLimit& limit, Seconds takes, Seconds safe, double confidence, const Message& whose) {
  Infeasible reason = too_slow(limit, takes, whose);
  const auto [reached, most] = time_texts(takes, safe);
  reason.message = say("too-unsure", "whose"_v = whose, "limit"_v = text_of(limit), "reached"_v = reached,
                       "most"_v = most, "confidence"_v = confidence);
  reason.shortfall = (takes - safe).base_units();
  reason.ways_out = {{"/" + key_of(limit), rounded_up(limit.most.base_units() * (takes / safe) * 1.05)}};
  return reason;
}

Infeasible too_long(const LatencyLimit& limit, Seconds takes, Seconds safe, double confidence, const Message& whose) {
  return safe < limit.most ? too_unsure(limit, takes, safe, confidence, whose) : too_slow(limit, takes, whose);
}

Message alone_on(double gpus, const std::string& name) {
  return gpus > 1 ? say("alone-on/several", "gpus"_v = gpus, "gpu"_v = name) : say("alone-on/one", "gpu"_v = name);
}

}  // namespace podwright::sizing
