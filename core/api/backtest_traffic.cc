#include "api/backtest_traffic.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/backtest_serving.h"
#include "replay/serve.h"
#include "replay/staged_load.h"

namespace podwright {
namespace {

constexpr double kMillisecondsPerSecond = 1000;
constexpr double kMostTableRequests = 1e6;  ///< of all rows

/// In closed form, where so much of the prompts is found: it tells how close to its limit the run is.
std::optional<ServingPerformance<NoTrace>> expected(const Catalog& catalog, const MeasuredTrafficRow& row,
                                                    double found_share) {
  NoTrace none;
  ServingRun run = row.run;
  run.traffic.reset();
  run.prefix_hit_ratio = found_share;
  return estimate_serving(none, catalog, row.model, *row.gpu, run).performance;
}

replay::ReplayAnswer replayed(const Catalog& catalog, const MeasuredTrafficRow& row) {
  replay::StagedRequests staged = replay::staged_requests(row.load);
  replay::ReplayRun asked;
  asked.trace = std::move(staged.requests);
  asked.trace_clients = row.load.clients;
  asked.warm_up_s = staged.last_stage_at;
  return replay::replay_run(catalog, row.model, *row.gpu, row.run, asked);
}

/// In the unit that the metric's name ends in.
std::optional<double> replayed_figure(const MeasuredTrafficRow& row, const replay::ReplayFigures& figures,
                                      std::string_view metric) {
  if (metric == "ttft_ms") return kMillisecondsPerSecond * figures.ttft.mean;
  if (metric == "ttft_p50_ms") return kMillisecondsPerSecond * figures.ttft.p50;
  if (metric == "ttft_p90_ms") return kMillisecondsPerSecond * figures.ttft.p90;
  if (metric == "ttft_p99_ms") return kMillisecondsPerSecond * figures.ttft.p99;
  if (metric == "tpot_or_itl_ms") return kMillisecondsPerSecond * figures.tpot.mean;
  if (metric == "request_ms") return kMillisecondsPerSecond * figures.request.mean;
  if (metric == "request_p50_ms") return kMillisecondsPerSecond * figures.request.p50;
  if (metric == "request_p99_ms") return kMillisecondsPerSecond * figures.request.p99;
  if (metric == "prefix_hit_ratio") return figures.found_share;
  const double requests_per_s = static_cast<double>(figures.requests) / figures.duration_s;
  if (metric == "requests_per_s") return requests_per_s;
  if (metric == "output_tokens_per_s")
    return requests_per_s * row.counted_output_tokens.value_or(row.run.output_tokens);
  if (metric == "total_tokens_per_s") return requests_per_s * (row.run.input_tokens + row.run.output_tokens);
  return {};
}

void add_row(const Catalog& catalog, const MeasuredTrafficRow& row, Backtest& backtest) {
  const replay::ReplayAnswer answer = replayed(catalog, row);
  if (!answer.figures) {
    const std::vector<Infeasible>& why = answer.reasons;
    backtest.skipped.push_back(why.empty()
                                   ? SkippedRow{row.id, row.line, "not-predicted", "the deployment is not replayed"}
                                   : SkippedRow{row.id, row.line, why.front().code, why.front().message.text()});
    return;
  }
  const std::vector<std::string> labels =
      serving_run_labels(catalog, row, expected(catalog, row, answer.figures->found_share));
  bool any = false;
  for (const Measured& measured : row.measured) {
    std::optional<Predicted> predicted;
    if (const auto value = replayed_figure(row, *answer.figures, measured.metric)) predicted = {.value = *value};
    any = add_cell(row, measured, predicted, labels, backtest) != nullptr || any;
  }
  if (!any)
    backtest.skipped.push_back({row.id, row.line, "not-predicted", "the replay tells none of what was measured"});
}

}  // namespace

void backtest_traffic(const Catalog& catalog, const std::vector<MeasuredTraffic>& tables, Backtest& backtest) {
  double requests = 0;
  for (const MeasuredTraffic& table : tables)
    backtest_table(table, backtest, [&](const MeasuredTrafficRow& row) {
      requests += replay::staged_count(row.load);
      if (requests <= kMostTableRequests)
        add_row(catalog, row, backtest);
      else
        backtest.skipped.push_back(
            {row.id, row.line, "too-large", "with this row the tables have more than a million requests"});
    });
}

}  // namespace podwright
