#pragma once
/// Limits on the latency of requests, each at a percentile.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perf/serving_queue.h"

namespace podwright::sizing {

enum class LatencyKind { ttft, tpot, request };
inline constexpr std::array<std::string_view, 3> kLatencyWords{"ttft", "tpot", "request"};

struct LatencyLimit {
  LatencyKind latency = LatencyKind::ttft;
  Percentile percentile = Percentile::p95;
  Seconds most;
};

/// Of figures of each kind those that a limit speaks of.
template <class Figures>
const auto& figure_of(const Figures& figures, LatencyKind kind) {
  if (kind == LatencyKind::ttft) return figures.ttft;
  return kind == LatencyKind::tpot ? figures.tpot : figures.request;
}

/// Key of a request that states the limit: "ttft_s_max" of the mean, "ttft_s_p95_max".
std::string key_of(const LatencyLimit& limit);
/// For people: "ttft p95", "mean tpot".
std::string text_of(const LatencyLimit& limit);
/// For people: "48.9 ms", "1.7 s".
std::string time_text(Seconds time);
/// Two times side by side, with as many digits as tell them apart where they differ: "2.0004 s", "2 s".
std::pair<std::string, std::string> time_texts(Seconds a, Seconds b);

/// To two digits: what a looser limit is given as. x must be positive.
double rounded_up(double x);
/// The limit `times` as long.
LatencyLimit stretched(const LatencyLimit& limit, double times);

/// What a served latency reaches of the kind that a limit speaks of; 0 where there is none (tpot of one token).
double reached(const ServedLatency& served, const LatencyLimit& limit);
bool within(const ServedLatency& served, const std::vector<LatencyLimit>& limits);
/// The limit with the least room: its index; -1 without limits.
int tightest(const ServedLatency& served, const std::vector<LatencyLimit>& limits);

}  // namespace podwright::sizing
