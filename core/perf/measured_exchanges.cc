#include "perf/measured_exchanges.h"

#include "perf/host_kernels.h"

namespace podwright {

SizeBelow size_below(const std::vector<TransferPoint>& sizes, Bytes message) {
  if (message <= sizes.front().bytes) return {0, 0};
  if (message >= sizes.back().bytes) return {sizes.size() - 1, 1};
  const auto above = std::upper_bound(sizes.begin(), sizes.end(), message,
                                      [](Bytes size, const TransferPoint& point) { return size < point.bytes; });
  const TransferPoint& low = *(above - 1);
  return {static_cast<std::size_t>(above - 1 - sizes.begin()),
          math::log(above->time / low.time) / math::log(above->bytes / low.bytes)};
}

Seconds time_of_message(const std::vector<TransferPoint>& sizes, Bytes message) {
  const SizeBelow below = size_below(sizes, message);
  const TransferPoint& point = sizes[below.index];
  return below.slope == 0 ? point.time : time_between_sizes(message, point.bytes, point.time, below.slope);
}

const CollectiveTimes* measured_times(const Catalog& catalog, std::string_view gpu_id, std::string_view collective,
                                      double ranks) {
  const HostCalibration* host = host_of(catalog, gpu_id);
  if (host == nullptr) return nullptr;
  for (const CollectiveTimes& times : host->collectives)
    if (times.collective == collective && times.ranks == ranks) return &times;
  return nullptr;
}

}  // namespace podwright
