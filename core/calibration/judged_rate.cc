#include "calibration/judged_rate.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "measure/measure_formulas.h"

namespace podwright {
namespace {

RateUnit unit_of(const ProbeNorm& norm) {
  if (norm.is_time) return RateUnit::operations_per_s;
  if (norm.denominator == NormDenominator::memory) return RateUnit::bytes;
  return norm.probe.rfind("gemm.", 0) == 0 ? RateUnit::flops_per_s : RateUnit::bytes_per_s;
}

/// What one operation moves, computes or is, in the norm's unit.
double work_of(const ProbeNorm& norm, const ProbeResult& result) {
  switch (unit_of(norm)) {
    case RateUnit::operations_per_s:
      return 1;
    case RateUnit::flops_per_s:
      return result.counted.flops;
    default:
      break;
  }
  // Only all-reduce has norms; the others share its form with another factor.
  if (norm.probe == "coll.allreduce" && result.size.ranks && result.size.bytes)
    return raw(bus_bandwidth(all_reduce_factor(*result.size.ranks), Bytes(*result.size.bytes), Seconds(1)));
  return result.counted.bytes;
}

bool is_shape(const ProbeSize& size, const LargeProduct& shape) {
  return size.m == shape.m && size.n == shape.n && size.k == shape.k;
}

bool fits(const ProbeNorm& norm, const ProbeResult& result) {
  const ProbeSize& size = result.size;
  // Norms are those of one node.
  if (norm.ranks && (size.ranks != norm.ranks || size.nodes.value_or(1) > 1)) return false;
  switch (norm.sizes) {
    case NormSizes::bytes:
      return size.bytes.value_or(0) >= *norm.least_bytes;
    case NormSizes::one_row:
      return size.bytes.value_or(0) >= *norm.least_bytes && size.m == 1.0;
    case NormSizes::large_products:
      return is_large_product(size);
    case NormSizes::nine_products:
      return std::any_of(std::begin(kNineProducts), std::end(kNineProducts),
                         [&](const LargeProduct& shape) { return is_shape(size, shape); });
    default:
      return true;
  }
}

std::string bytes_text(double bytes) {
  return bytes >= raw(gib(1)) ? human_number(bytes / raw(gib(1)), 4) + " GiB"
                              : human_number(bytes / raw(mib(1)), 4) + " MiB";
}

std::string judged_text(const ProbeNorm& norm, const ProbeResult& result) {
  std::string text;
  if (norm.sizes == NormSizes::bytes || norm.sizes == NormSizes::one_row) text = bytes_text(*result.size.bytes);
  if (norm.ranks)
    text +=
        " on " + shortest_number(*norm.ranks) + " devices" + (norm.probe.starts_with("coll.") ? ", bus bandwidth" : "");
  return text;
}

/// The set's median of measured over peak, each end of the intervals by itself.
std::optional<JudgedRate> of_set(const ProbeNorm& norm, const std::vector<const ProbeResult*>& results) {
  JudgedRate judged;
  std::vector<double> low, middle, high;
  for (const ProbeResult* result : results) {
    const auto rate = rate_for(norm, *result);
    if (!rate) continue;
    low.push_back(rate->low);
    middle.push_back(rate->rate);
    high.push_back(rate->high);
    judged.results.push_back(result);
  }
  if (middle.empty()) return std::nullopt;
  // One peak holds for all, so that the median of shares of it is the share of the median rate.
  judged.rate = {*set_ratio(low), *set_ratio(middle), *set_ratio(high)};
  judged.unit = unit_of(norm);
  judged.judged = middle.size() == 1 ? shape_text(judged.results.front()->size)
                                     : "median of " + std::to_string(middle.size()) + " of the nine shapes";
  return judged;
}

/// One shape may be measured as part of the grid and of the set; it counts once.
std::vector<const ProbeResult*> each_shape_once(const std::vector<const ProbeResult*>& results) {
  std::vector<const ProbeResult*> once;
  for (const ProbeResult* result : results)
    if (std::none_of(once.begin(), once.end(), [&](const ProbeResult* other) { return other->size == result->size; }))
      once.push_back(result);
  return once;
}

std::optional<JudgedRate> of_memory(const ProfileDevice& device) {
  if (!device.memory_allocatable_gib) return std::nullopt;
  const double bytes = raw(gib(*device.memory_allocatable_gib));
  return JudgedRate{{bytes, bytes, bytes}, RateUnit::bytes, "", {}};
}

/// Rates of links without results: what nvbandwidth says.
std::optional<JudgedRate> of_links(const HardwareProfile& profile, const ProfileDevice& device, const ProbeNorm& norm) {
  const bool peers = norm.probe == "p2p.matrix";
  std::optional<double> slowest;
  for (const ProfileLink& link : profile.links)
    if (probe_of(link, device.id) == norm.probe)
      slowest = std::min(slowest.value_or(*link.bytes_per_s), *link.bytes_per_s);
  if (!slowest) return std::nullopt;
  return JudgedRate{{*slowest, *slowest, *slowest}, RateUnit::bytes_per_s, peers ? "slowest link" : "", {}};
}

}  // namespace

bool is_large_product(const ProbeSize& size) {
  constexpr double kLeastSide = 2048, kLeastAll = 4096.0 * 4096 * 4096;
  if (!size.m || !size.n || !size.k) return false;
  return std::min({*size.m, *size.n, *size.k}) >= kLeastSide && *size.m * *size.n * *size.k >= kLeastAll;
}

std::string shape_text(const ProbeSize& size) {
  return shortest_number(size.m.value_or(0)) + " x " + shortest_number(size.n.value_or(0)) + " x " +
         shortest_number(size.k.value_or(0));
}

std::optional<MeasuredRate> collective_rate(const ProbeResult& result) {
  if (!result.time_s || !result.size.ranks || !result.size.bytes) return std::nullopt;
  const auto begins = [&](std::string_view part) { return result.probe.substr(0, part.size()) == part; };
  const double ranks = *result.size.ranks;
  double factor = 0;
  if (begins("coll.allreduce"))
    factor = all_reduce_factor(ranks);
  else if (begins("coll.allgather") || begins("coll.reducescatter") || begins("coll.alltoall"))
    factor = gather_factor(ranks);
  else if (begins("coll.sendrecv") || begins("coll.broadcast"))
    factor = 1;
  if (!(factor > 0)) return std::nullopt;
  return rate_of(factor * *result.size.bytes, *result.time_s);
}

std::string probe_of(const ProfileLink& link, std::string_view device) {
  if (!link.bytes_per_s) return "";
  const bool from_host = link.from == "host", into_host = link.to == "host";
  if (from_host) return link.to == device ? "pcie.h2d" : "";
  if (into_host) return link.from == device ? "pcie.d2h" : "";
  return link.from == device && link.type != "network" ? "p2p.matrix" : "";
}

std::optional<MeasuredRate> rate_for(const ProbeNorm& norm, const ProbeResult& result) {
  const double work = work_of(norm, result);
  if (!result.time_s || work <= 0) return std::nullopt;
  return rate_of(work, *result.time_s);
}

std::optional<JudgedRate> judged_rate(const HardwareProfile& profile, const ProfileDevice& device,
                                      const ProbeNorm& norm) {
  if (norm.denominator == NormDenominator::memory) return of_memory(device);
  const ResultQuery query{.probe = norm.probe, .device = device.id, .dtype = norm.dtype, .mode = norm.mode};
  std::vector<const ProbeResult*> fitting;
  for (const ProbeResult* result : usable_results(profile, query))
    if (result->devices.front() == device.id && fits(norm, *result)) fitting.push_back(result);
  if (fitting.empty()) return of_links(profile, device, norm);
  if (norm.sizes == NormSizes::nine_products) return of_set(norm, each_shape_once(fitting));
  // Of one size that was measured several times, or between several pairs, the slowest counts.
  const ProbeResult* largest =
      *std::max_element(fitting.begin(), fitting.end(), [](const ProbeResult* a, const ProbeResult* b) {
        const auto order = [](const ProbeResult& one) {
          return std::pair(one.size.bytes.value_or(0), one.time_s ? one.time_s->median : 0);
        };
        return order(*a) < order(*b);
      });
  const auto rate = rate_for(norm, *largest);
  if (!rate) return std::nullopt;
  return JudgedRate{*rate, unit_of(norm), judged_text(norm, *largest), {largest}};
}

std::optional<GenericFloors> floors_on(const ProbeNorm& norm, const DeviceRoofs& roofs) {
  GenericFloors floors;
  floors.ok = *norm.ok;
  floors.low = *norm.low;
  floors.source = norm.source;
  const auto of = [&](const auto& roof, std::string name) -> std::optional<GenericFloors> {
    if (!roof) return std::nullopt;
    floors.denominator = raw(*roof);
    floors.denominator_name = std::move(name);
    return floors;
  };
  switch (norm.denominator) {
    case NormDenominator::peak:
      return of(roofs.peak(norm.dtype), "datasheet");
    case NormDenominator::memory_bandwidth:
      return of(roofs.memory_bandwidth, roofs.memory_bandwidth_name);
    case NormDenominator::memory:
      return of(roofs.memory, "memory that the driver reports");
    case NormDenominator::link:
      return of(roofs.link, "datasheet's link");
    case NormDenominator::negotiated_link:
      if (!roofs.host_link || roofs.host_link->generation != norm.link_generation) return std::nullopt;
      return of(std::optional(roofs.host_link->bandwidth),
                (roofs.host_link_assumed ? "datasheet's link (" : "negotiated link (") + roofs.host_link->text() + ")");
    default:
      break;
  }
  floors.denominator = 1;
  if (norm.is_time) floors.ok = 1 / floors.ok;
  if (norm.is_time) floors.low = 1 / floors.low;
  return floors;
}

}  // namespace podwright
