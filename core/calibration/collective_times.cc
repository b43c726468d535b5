#include "calibration/collective_times.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/math.h"
#include "calibration/fit_errors.h"
#include "calibration/machine_formulas.h"
#include "calibration/step_half_width.h"
#include "catalog/training_efficiency.h"
#include "measure/measure_formulas.h"
#include "perf/ceilings.h"

namespace podwright {
namespace {

constexpr std::string_view kAllReduce = "coll.allreduce";
constexpr std::string_view kReduceScatter = "coll.reducescatter";
constexpr std::string_view kAllGather = "coll.allgather";

Error missing(const std::string& message) {
  return {"missing", "/results", message, "Measure it, or plan with a number of GPUs that was measured."};
}

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

/// Ranks of one node that were measured, in order.
std::map<int, const CollectiveTable*> within_nodes(const CollectiveTables& tables, std::string_view probe) {
  std::map<int, const CollectiveTable*> measured;
  const std::string start = std::string(probe) + "/";
  for (const auto& [key, table] : tables) {
    if (key.compare(0, start.size(), start) != 0) continue;
    int ranks = 0;
    for (std::size_t i = start.size(); i < key.size(); ++i)
      ranks = key[i] >= '0' && key[i] <= '9' && ranks >= 0 ? ranks * 10 + (key[i] - '0') : -1;
    if (ranks > 0) measured.emplace(ranks, &table);
  }
  return measured;
}

/// Seconds for each byte on the bus beyond the start-up time.
double pace_of(const CollectiveTable& table, double factor, Bytes message) {
  const Seconds beyond = std::max(Seconds(0), table.predict(message) - table.knots.front().time);
  return raw(beyond) / (factor * raw(message));
}

CollectiveTable between_tables(std::string_view probe, int ranks, int below, const CollectiveTable& low, int above,
                               const CollectiveTable& high) {
  const double share = math::log(static_cast<double>(ranks) / below) / math::log(static_cast<double>(above) / below);
  std::vector<TransferPoint> knots = low.knots;
  knots.insert(knots.end(), high.knots.begin(), high.knots.end());
  CollectiveTable table = collective_table(std::move(knots));
  for (TransferPoint& knot : table.knots)
    knot.time = collective_time_between(
        low.knots.front().time, high.knots.front().time, share, bus_factor(probe, ranks), knot.bytes,
        pace_of(low, bus_factor(probe, below), knot.bytes), pace_of(high, bus_factor(probe, above), knot.bytes));
  table.repeat_90 = std::max(low.half_width(), high.half_width());
  return table;
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

/// Of this number of nodes, else of the nearest smaller, else larger one that was measured whole.
std::optional<double> measured_hiding(const CollectiveTables& tables, const HierarchicalAllReduce& stages,
                                      const std::optional<NetworkLine>& network) {
  constexpr int kMostNodes = 64;
  std::vector<int> order;
  for (int nodes = stages.nodes; nodes >= 2; --nodes) order.push_back(nodes);
  for (int nodes = stages.nodes + 1; nodes <= kMostNodes; ++nodes) order.push_back(nodes);
  for (const int nodes : order) {
    const CollectiveTable* whole = find(tables, collective_key(kAllReduce, nodes * stages.gpus_per_node, nodes));
    if (whole == nullptr) continue;
    HierarchicalAllReduce same = stages;
    same.nodes = nodes;
    const CollectiveTable* between = find(tables, collective_key(kAllReduce, nodes, nodes));
    if (between == nullptr && !network) continue;
    same.between = between == nullptr ? std::nullopt : std::optional<CollectiveTable>(*between);
    if (network) same.network = *network;
    return hidden_share(same, *whole);
  }
  return std::nullopt;
}

}  // namespace

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

Result<CollectiveTable> collective_within(const CollectiveTables& tables, std::string_view probe, int ranks) {
  const auto measured = within_nodes(tables, probe);
  if (const auto exact = measured.find(ranks); exact != measured.end()) return *exact->second;
  const auto above = measured.upper_bound(ranks);
  if (above == measured.end() || above == measured.begin())
    return failure(missing("\"" + std::string(probe) + "\" among " + std::to_string(ranks) +
                           " GPUs of a node lies outside the numbers that were measured."));
  const auto below = std::prev(above);
  return between_tables(probe, ranks, below->first, *below->second, above->first, *above->second);
}

std::optional<NetworkLine> network_line(const Catalog& catalog, BytesPerSecond line_rate) {
  const auto share = reached_share_network(catalog);
  if (!share) return std::nullopt;
  return NetworkLine{line_rate * *share, Seconds(catalog.training_efficiency[Efficiency::network_start_s].value)};
}

Seconds HierarchicalAllReduce::predict(Bytes message) const {
  if (nodes < 2) return scatter.predict(message);
  const Bytes each = message / gpus_per_node;
  const Seconds over =
      between ? between->predict(each) : network_all_reduce_time(network.start, nodes, each, network.rate);
  if (gpus_per_node < 2) return hierarchical_time(Seconds(0), over, Seconds(0), hidden);
  return hierarchical_time(scatter.predict(message), over, gather.predict(message), hidden);
}

std::optional<double> HierarchicalAllReduce::half_width(Bytes message) const {
  if (nodes < 2) return scatter.half_width();
  if (!between) return std::nullopt;
  const Seconds over = between->predict(message / gpus_per_node);
  if (gpus_per_node < 2) return between->half_width();
  const Seconds first = scatter.predict(message);
  const Seconds last = gather.predict(message);
  const Seconds all = hierarchical_time(first, over, last, 0);
  constexpr std::string_view kFamily = "collectives";
  const std::array<StepPart, 3> stages = {{{kFamily, first / all, scatter.half_width()},
                                           {kFamily, over / all, between->half_width()},
                                           {kFamily, last / all, gather.half_width()}}};
  return step_half_width(stages);
}

Result<HierarchicalAllReduce> hierarchical_all_reduce(const CollectiveTables& tables, int gpus_per_node, int nodes,
                                                      const std::optional<NetworkLine>& network) {
  HierarchicalAllReduce stages;
  stages.gpus_per_node = gpus_per_node;
  stages.nodes = nodes;
  if (nodes < 2) {
    Result<CollectiveTable> inside = collective_within(tables, kAllReduce, gpus_per_node);
    if (!inside) return failure(inside.error());
    stages.scatter = std::move(*inside);
    return stages;
  }
  if (gpus_per_node > 1) {
    Result<CollectiveTable> scatter = collective_within(tables, kReduceScatter, gpus_per_node);
    if (!scatter) return failure(scatter.error());
    Result<CollectiveTable> gather = collective_within(tables, kAllGather, gpus_per_node);
    if (!gather) return failure(gather.error());
    stages.scatter = std::move(*scatter);
    stages.gather = std::move(*gather);
  }
  if (const CollectiveTable* between = find(tables, collective_key(kAllReduce, nodes, nodes)))
    stages.between = *between;
  if (!stages.between && !network)
    return failure(missing("No all-reduce between " + std::to_string(nodes) +
                           " nodes was measured, and no rate of their network is known."));
  if (network) stages.network = *network;
  stages.hidden = measured_hiding(tables, stages, network).value_or(0);
  return stages;
}

}  // namespace podwright
