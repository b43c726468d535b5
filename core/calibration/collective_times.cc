#include "calibration/collective_times.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/math.h"
#include "calibration/machine_formulas.h"
#include "measure/measure_formulas.h"

namespace podwright {
namespace {

/// |ln| of how far repeats of one size lie from their median; without repeats the slow twentieth of the samples.
std::vector<double> spreads_of(const std::vector<const ProbeResult*>& results) {
  std::map<double, std::vector<double>> by_size;
  for (const ProbeResult* result : results) by_size[*result->size.bytes].push_back(result->time_s->median);
  std::vector<double> repeats;
  for (const auto& [bytes, times] : by_size) {
    if (times.size() < 2) continue;
    const double median = math::quantile(times, 0.5);
    for (const double time : times) repeats.push_back(std::fabs(math::log(time / median)));
  }
  if (!repeats.empty()) return repeats;
  for (const ProbeResult* result : results)
    repeats.push_back(std::fabs(math::log(result->time_s->p95 / result->time_s->median)));
  return repeats;
}

/// Share of the stages' sum that a measured all-reduce of whole nodes does without, at the median of its sizes.
double hidden_share(const HierarchicalAllReduce& stages, const CollectiveTable& measured) {
  std::vector<double> shares;
  for (const TransferPoint& knot : measured.knots) shares.push_back(1 - knot.time / stages.predict(knot.bytes));
  return std::clamp(math::quantile(std::move(shares), 0.5), 0.0, 0.95);
}

const CollectiveTable* find(const CollectiveTables& tables, const std::string& key) {
  const auto found = tables.find(key);
  return found == tables.end() ? nullptr : &found->second;
}

}  // namespace

Seconds CollectiveTable::predict(Bytes message) const {
  if (message <= knots.front().bytes) return knots.front().time;
  if (message >= knots.back().bytes) return time_between_sizes(message, knots.back().bytes, knots.back().time, 1.0);
  const auto above = std::upper_bound(knots.begin(), knots.end(), message,
                                      [](Bytes size, const TransferPoint& point) { return size < point.bytes; });
  const TransferPoint& below = *(above - 1);
  const double slope = math::log(above->time / below.time) / math::log(above->bytes / below.bytes);
  return time_between_sizes(message, below.bytes, below.time, slope);
}

double CollectiveTable::half_width() const { return std::max(repeat_90, error_at(leave_one_out_errors(*this), 0.9)); }

CollectiveTable collective_table(std::vector<TransferPoint> points) {
  CollectiveTable table;
  table.knots = each_size_once(std::move(points), &TransferPoint::bytes);
  return table;
}

std::vector<double> leave_one_out_errors(const CollectiveTable& table) {
  std::vector<double> errors;
  for (std::size_t i = 1; i + 1 < table.knots.size(); ++i) {
    CollectiveTable others = table;
    others.knots.erase(others.knots.begin() + static_cast<std::ptrdiff_t>(i));
    errors.push_back(std::fabs(log_error(others.predict(table.knots[i].bytes), table.knots[i].time)));
  }
  return errors;
}

std::string collective_key(std::string_view probe, int ranks, int nodes) {
  return std::string(probe) + "/" + std::to_string(ranks) + (nodes > 1 ? "/" + std::to_string(nodes) : "");
}

CollectiveTables collective_tables(const std::vector<const ProbeResult*>& results) {
  std::map<std::string, std::vector<const ProbeResult*>> by_key;
  for (const ProbeResult* result : results) {
    const ProbeSize& size = result->size;
    if (!size.bytes || !size.ranks || !(*size.bytes > 0)) continue;
    by_key[collective_key(result->probe, static_cast<int>(*size.ranks), static_cast<int>(size.nodes.value_or(1)))]
        .push_back(result);
  }
  CollectiveTables tables;
  for (const auto& [key, of_key] : by_key) {
    std::vector<TransferPoint> points;
    for (const ProbeResult* result : of_key)
      points.push_back({Bytes(*result->size.bytes), Seconds(result->time_s->median)});
    CollectiveTable table = collective_table(std::move(points));
    table.repeat_90 = error_at(spreads_of(of_key), kCovered);
    tables.emplace(key, std::move(table));
  }
  return tables;
}

double bus_factor(std::string_view probe, double ranks) {
  const std::string_view operation = probe.substr(probe.rfind('.') + 1);
  if (operation == "allreduce") return all_reduce_factor(ranks);
  constexpr std::array<std::string_view, 3> kGathers = {"allgather", "reducescatter", "alltoall"};
  const bool gathers = std::find(kGathers.begin(), kGathers.end(), operation) != kGathers.end();
  return gathers ? gather_factor(ranks) : 1;
}

Seconds HierarchicalAllReduce::predict(Bytes message) const {
  return hierarchical_time(scatter.predict(message), between.predict(message / gpus_per_node), gather.predict(message),
                           hidden);
}

double HierarchicalAllReduce::half_width(Bytes message) const {
  const Seconds first = scatter.predict(message);
  const Seconds over = between.predict(message / gpus_per_node);
  const Seconds last = gather.predict(message);
  const Seconds all = hierarchical_time(first, over, last, 0.0);
  double half_width = correlated_half_width(0.0, first / all, scatter.half_width());
  half_width = correlated_half_width(half_width, over / all, between.half_width());
  return correlated_half_width(half_width, last / all, gather.half_width());
}

std::optional<HierarchicalAllReduce> hierarchical_all_reduce(const CollectiveTables& tables, int gpus_per_node,
                                                             int nodes) {
  const CollectiveTable* scatter = find(tables, collective_key("coll.reducescatter", gpus_per_node));
  const CollectiveTable* gather = find(tables, collective_key("coll.allgather", gpus_per_node));
  const CollectiveTable* between = find(tables, collective_key("coll.allreduce", nodes, nodes));
  if (scatter == nullptr || gather == nullptr || between == nullptr) return std::nullopt;
  HierarchicalAllReduce stages{gpus_per_node, *scatter, *gather, *between};
  const CollectiveTable* whole = find(tables, collective_key("coll.allreduce", nodes * gpus_per_node, nodes));
  if (whole != nullptr) stages.hidden = hidden_share(stages, *whole);
  return stages;
}

}  // namespace podwright
