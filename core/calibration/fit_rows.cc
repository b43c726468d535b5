#include "calibration/fit_rows.h"

#include <cmath>
#include <cstdlib>

#include "base/math.h"
#include "base/stable_sort.h"
#include "calibration/host_rates.h"
#include "calibration/machine_formulas.h"

namespace podwright {
namespace {

double microseconds(Seconds time) { return raw(time) * 1e6; }
double gigabytes(BytesPerSecond rate) { return raw(rate) / 1e9; }

void set_errors(FitRow& row, const FitQuality& fit) {
  row.left_out_median = fit.leave_one_out_median;
  row.left_out_90 = fit.leave_one_out_90;
  row.half_width = fit.leave_one_out_90;
}

/// Of each point, by its size: `size_of` tells it, `predict` the time by the fit.
template <class Points, class SizeOf, class Predict>
void set_residuals(FitRow& row, std::string_view size, const Points& points, const SizeOf& size_of,
                   const Predict& predict) {
  row.residuals = FitCurve{size, "residual", {}};
  for (const auto& point : points)
    row.residuals->points.emplace_back(size_of(point), fit_residual(point.time, predict(point)));
  sort_stably(row.residuals->points);
}

template <class Fit>
void set_residuals_by_bytes(FitRow& row, const Fit& fit) {
  set_residuals(
      row, "bytes", fit.points, [](const TransferPoint& point) { return raw(point.bytes); },
      [&](const TransferPoint& point) { return fit.predict(point.bytes); });
}

FitRow product_row(const MachineCalibration& calibration, const std::string& dtype, const ProductFit& fit) {
  FitRow row;
  row.parameter = "gemm." + dtype;
  row.numbers = {{"start_us", microseconds(fit.start)},
                 {"compute_efficiency", fit.compute_efficiency},
                 {"bandwidth_efficiency", fit.bandwidth_efficiency},
                 {"points", static_cast<double>(fit.points.size())}};
  if (const auto found = calibration.sustained.find(dtype); found != calibration.sustained.end()) {
    row.numbers.push_back({"sustained_factor", found->second.factor});
    row.sustained_is_measured = found->second.measured;
  }
  set_errors(row, fit);
  set_residuals(
      row, "flop", fit.points,
      [](const ProductPoint& point) { return 2.0 * point.shape.m * point.shape.n * point.shape.k; },
      [&](const ProductPoint& point) { return fit.time(point.shape); });
  row.follows = {"gemm", product_precision(dtype)};
  row.left_out =
      "Engines' constants hold the start of a product and what small ones lose, fitted together with one rate of large "
      "ones.";
  return row;
}

FitRow transfer_row(const std::string& parameter, const TransferFit& fit) {
  FitRow row;
  row.parameter = parameter;
  row.numbers = {{"start_us", microseconds(fit.start)},
                 {"bandwidth_gb_per_s", gigabytes(fit.bandwidth)},
                 {"bandwidth_efficiency", fit.efficiency}};
  set_errors(row, fit);
  set_residuals_by_bytes(row, fit);
  return row;
}

constexpr const char* kStartsOfTransfers = "Start-up times of transfers are constants of engines.";

/// Rates of reading weights and of the host link are plans' own; other streams are kernels that no equation knows.
FitRow memory_row(const std::string& probe, const TransferFit& fit, bool chain_measured) {
  FitRow row = transfer_row(probe, fit);
  row.left_out = kStartsOfTransfers;
  if (probe == "pcie.h2d" || probe == "pcie.d2h")
    row.follows = {"host-link", "any"};
  else if (probe == "decode.weights" || (!chain_measured && (probe == "hbm.read" || probe == "cpu.stream.triad")))
    row.follows = {"weight-streaming", "bf16"};
  else
    row.why_not = "Plans are based on reads of weights and of keys and values.";
  return row;
}

FitRow kv_row(const std::string& page, const TransferFit& fit) {
  FitRow row = transfer_row("decode.attn " + page, fit);
  row.follows = {"kv-reading", page.substr(0, page.find('/'))};
  row.left_out = kStartsOfTransfers;
  return row;
}

FitRow cache_row(const CacheFit& fit) {
  FitRow row;
  row.parameter = "l2.read";
  row.numbers = {{"start_us", microseconds(fit.start)},
                 {"effective_mib", raw(fit.effective) / raw(mib(1))},
                 {"cache_gb_per_s", gigabytes(fit.bandwidth)},
                 {"memory_gb_per_s", gigabytes(fit.memory)}};
  set_errors(row, fit);
  set_residuals_by_bytes(row, fit);
  row.why_not =
      "Engines' constants were fitted with every weight and every key read from memory; what caches spare is in them.";
  return row;
}

FitRow attention_row(const std::string& dtype, const AttentionFit& fit) {
  FitRow row;
  row.parameter = "prefill.attn." + dtype;
  row.numbers = {{"start_us", microseconds(fit.start)},
                 {"longest_efficiency", fit.knots.back().efficiency},
                 {"points", static_cast<double>(fit.knots.size())}};
  FitCurve curve{"tokens", "efficiency", {}};
  for (const AttentionFit::Knot& knot : fit.knots) curve.points.emplace_back(knot.tokens, knot.efficiency);
  row.curve = std::move(curve);
  set_errors(row, fit);
  set_residuals(
      row, "tokens", fit.points, [](const AttentionPoint& point) { return point.tokens; },
      [&](const AttentionPoint& point) { return fit.predict(point.tokens, point.work); });
  row.follows = {"context-attention", dtype};
  row.left_out =
      "Constants of engines and of training were fitted with one rate for every length, and hold what short prompts "
      "lose: a rate by length would count that twice.";
  return row;
}

/// Ranks and nodes of "coll.allreduce/16/2".
std::pair<double, double> ranks_and_nodes(const std::string& key) {
  const std::size_t first = key.find('/');
  const std::size_t second = key.find('/', first + 1);
  const double ranks = std::atoi(key.c_str() + first + 1);
  return {ranks, second == std::string::npos ? 1 : std::atoi(key.c_str() + second + 1)};
}

void set_rate_of_collective(FitRow& row, double ranks, double nodes) {
  const std::string probe = row.parameter.substr(0, row.parameter.find('/'));
  if (nodes > 1)
    row.why_not =
        "Constants of exchanges between nodes were fitted on the line rate of network cards, not on measured times.";
  else if (probe == "coll.allreduce")
    row.follows = {"all-reduce-bus-bandwidth", "any", ranks};
  else if (probe == "coll.allgather")
    row.follows = {"all-gather-bus-bandwidth", "any", ranks};
  else if (probe == "coll.alltoall")
    row.follows = {"all-to-all-bus-bandwidth", "any", ranks};
  else
    row.why_not = "No equation of a plan takes this exchange by times of its own.";
  row.left_out = "The catalog knows one start-up time and one bus bandwidth: times between them have nothing to scale.";
}

FitRow collective_row(const std::string& key, const CollectiveTable& table) {
  FitRow row;
  row.parameter = key;
  const auto [ranks, nodes] = ranks_and_nodes(key);
  const TransferPoint& largest = table.knots.back();
  row.numbers = {
      {"ranks", ranks},
      {"nodes", nodes},
      {"start_us", microseconds(table.knots.front().time)},
      {"bus_gb_per_s", gigabytes(bus_factor(key.substr(0, key.find('/')), ranks) * largest.bytes / largest.time)},
      {"points", static_cast<double>(table.knots.size())}};
  FitCurve curve{"message_bytes", "time_us", {}};
  for (const TransferPoint& knot : table.knots) curve.points.emplace_back(raw(knot.bytes), microseconds(knot.time));
  row.curve = std::move(curve);
  if (const std::vector<double> errors = leave_one_out_errors(table); !errors.empty()) {
    row.left_out_median = error_at(errors, 0.5);
    row.left_out_90 = error_at(errors, 0.9);
  }
  row.half_width = table.half_width();
  set_rate_of_collective(row, ranks, nodes);
  return row;
}

/// Whether plans take the rate that a fit belongs to is decided once, for the machine's calibration.
void set_use(FitRow& row, const HostCalibration* host) {
  if (row.follows.operation.empty()) return;
  row.why_not = "Plans take no such rate of this device.";
  for (const HostRate& rate : host == nullptr ? std::vector<HostRate>{} : host->rates) {
    const bool same = rate.operation == row.follows.operation && rate.precision == row.follows.precision &&
                      rate.ranks == row.follows.ranks;
    if (!same) continue;
    const bool other_direction = rate.operation == "host-link" && rate.probe != row.parameter;
    row.why_not = other_direction ? "The slower direction counts." : rate.why;
    if (rate.use != RateUse::none && !other_direction) row.use = FitUse::rate;
  }
}

FitRow launch_row(const std::string& probe, const MeasuredTime& time) {
  FitRow row;
  row.parameter = probe;
  row.numbers = {{"time_us", microseconds(time.median)}};
  if (raw(time.low) > 0) row.half_width = math::log(time.high / time.low) / 2;
  row.why_not =
      "Starts of kernels and the work of the host are constants of each engine, fitted on whole runs; they hold far "
      "more than empty launches.";
  return row;
}

}  // namespace

std::vector<FitRow> fit_rows(const MachineCalibration& calibration, const HostCalibration* host) {
  std::vector<FitRow> rows;
  for (const auto& [dtype, fit] : calibration.products) rows.push_back(product_row(calibration, dtype, fit));
  const bool chain = calibration.memory.count("decode.weights") > 0;
  for (const auto& [probe, fit] : calibration.memory) rows.push_back(memory_row(probe, fit, chain));
  for (const auto& [page, fit] : calibration.reads.kv) rows.push_back(kv_row(page, fit));
  if (calibration.reads.cache) rows.push_back(cache_row(*calibration.reads.cache));
  for (const auto& [dtype, fit] : calibration.attention) rows.push_back(attention_row(dtype, fit));
  for (const auto& [key, table] : calibration.collectives) rows.push_back(collective_row(key, table));
  for (FitRow& row : staged_rows(calibration.collectives)) rows.push_back(std::move(row));
  for (const auto& [probe, time] : calibration.launches) rows.push_back(launch_row(probe, time));
  for (FitRow& row : rows) set_use(row, host);
  return rows;
}

std::vector<FitRow> staged_rows(const CollectiveTables& tables) {
  std::vector<FitRow> rows;
  for (const auto& [key, whole] : tables) {
    const auto [ranks, nodes] = ranks_and_nodes(key);
    if (nodes < 2 || ranks <= nodes || key.compare(0, 15, "coll.allreduce/") != 0) continue;
    const auto stages = hierarchical_all_reduce(tables, static_cast<int>(ranks / nodes), static_cast<int>(nodes));
    if (!stages) continue;
    FitRow row;
    row.parameter = key + " in stages";
    // The share that pipelining hides comes from these sizes themselves: their errors are not those of unseen points.
    std::vector<double> errors;
    for (const TransferPoint& knot : whole.knots)
      errors.push_back(std::fabs(log_error(stages->predict(knot.bytes), knot.time)));
    row.numbers = {{"ranks", ranks},
                   {"nodes", nodes},
                   {"hidden_share", stages->hidden},
                   {"seen_median_error", error_at(errors, 0.5)}};
    row.half_width = stages->half_width(whole.knots.back().bytes);
    set_rate_of_collective(row, ranks, nodes);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace podwright
