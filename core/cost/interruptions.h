#pragma once
/// What failures and taken-back machines cost. docs/method/portfolio.md#interruptions.
#include <string_view>

#include "base/formula.h"
#include "base/trace.h"
#include "cost/rental.h"
#include "reliability/run_goodput.h"

namespace podwright {

/// Share of the time that is lost.
constexpr double lost_of_goodput(double goodput) { return 1.0 - goodput; }
inline constexpr Formula<lost_of_goodput> kLostOfGoodput{
    .id = "cost.lost_of_goodput", .inputs = {"goodput"}, .equation = "1 - goodput", .source = "definition"};

/// Money of a run that buys no progress. `run` is its whole cost.
constexpr Usd cost_of_interruptions(Usd run, double goodput) { return run * (1.0 - goodput); }
inline constexpr Formula<cost_of_interruptions> kCostOfInterruptions{
    .id = "cost.cost_of_interruptions",
    .inputs = {"run", "goodput"},
    .equation = "run * (1 - goodput)",
    .source = "docs/method/portfolio.md#interruptions"};

/// Cost of a run over all its wall time.
constexpr Usd run_cost(Seconds wall_time, UsdPerSecond cluster) { return wall_time * cluster; }
inline constexpr Formula<run_cost> kRunCost{.id = "cost.run_cost",
                                            .inputs = {"wall_time", "cluster"},
                                            .equation = "wall_time * cluster",
                                            .source = "definition"};

/// Spares bought for a fleet.
constexpr Usd cost_of_spares(double spares, Usd price) { return spares * price; }
inline constexpr Formula<cost_of_spares> kCostOfSpares{
    .id = "cost.cost_of_spares", .inputs = {"spares", "price"}, .equation = "spares * price", .source = "definition"};

/// A run on machines that fail or are taken back.
template <class Tracer>
struct InterruptedRun {
  Goodput<Tracer> goodput;
  bool possible = true;  ///< false: it never ends, and nothing below is set
  typename Tracer::template Known<Seconds> wall_time{};
  typename Tracer::template Known<UsdPerSecond>
      effective{};  ///< price of an hour of work instead of an hour of wall time
  typename Tracer::template Known<Usd> cost{};
  typename Tracer::template Known<Usd> lost{};  ///< part of the cost that buys no progress
};

/// `work` is the time without interruptions; `price` is paid for all wall time, for the whole cluster or for one GPU.
template <class Tracer>
InterruptedRun<Tracer> interrupted_run(Tracer& trace, const typename Tracer::template Known<Seconds>& work,
                                       const typename Tracer::template Known<UsdPerSecond>& price,
                                       const Interruptions<Tracer>& interruptions) {
  InterruptedRun<Tracer> run;
  run.goodput = run_goodput(trace, interruptions);
  run.possible = run.goodput.progress;
  if (!run.possible) return run;
  const auto lost = trace.step("cost.lost_share", kLostOfGoodput, run.goodput.share);
  run.wall_time = trace.step("cost.interrupted_time", kInterruptedTime, work, run.goodput.share);
  run.effective = trace.step("cost.effective_price", kEffectiveSpotPrice, price, lost);
  run.cost = trace.step("cost.interrupted_run", kRunCost, run.wall_time, price);
  run.lost = trace.step("cost.lost_to_interruptions", kCostOfInterruptions, run.cost, run.goodput.share);
  return run;
}

}  // namespace podwright
