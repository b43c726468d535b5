#pragma once
/// What failures and taken-back machines cost. docs/method/portfolio.md#interruptions.
#include <string_view>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/rental.h"
#include "reliability/run_goodput.h"

namespace podwright {

/// Share of the time that is lost.
constexpr auto lost_of_goodput(Of<double> auto goodput) { return 1.0 - goodput; }

/// Money of a run that buys no progress. `run` is its whole cost.
constexpr auto cost_of_interruptions(Of<Usd> auto run, Of<double> auto goodput) {
  return cited("docs/method/portfolio.md#interruptions", run * (1.0 - goodput));
}

/// Spares bought for a fleet.
constexpr auto cost_of_spares(Of<double> auto spares, Of<Usd> auto price) { return spares * price; }

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
  const auto lost = named("cost.lost_share", lost_of_goodput(run.goodput.share));
  run.wall_time = named("cost.interrupted_time", work / run.goodput.share);
  run.effective = named("cost.effective_price", effective_spot_price(price, lost));
  run.cost = named("cost.interrupted_run", run.wall_time * price);
  run.lost = named("cost.lost_to_interruptions", cost_of_interruptions(run.cost, run.goodput.share));
  return run;
}

}  // namespace podwright
