#include "sizing/front_search.h"

#include <algorithm>

#include "base/stable_sort.h"
#include "perf/layout_rules.h"
#include "sizing/gpu_count.h"
#include "sizing/mig_packing.h"
#include "sizing/serving_question.h"

namespace podwright::sizing {

namespace {

/// At least as good in everything; equal points count once.
bool beats(const FrontPoint& a, const FrontPoint& b) {
  return a.tpot <= b.tpot && a.rate >= b.rate && a.price <= b.price;
}

}  // namespace

FrontPoint* ServingFront::offer(const FrontPoint& point) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!beats(points_[i], point)) continue;
    // What beats one point tends to beat the next.
    if (i > 0) std::swap(points_[i], points_[i - 1]);
    return nullptr;
  }
  points_.erase(
      std::remove_if(points_.begin(), points_.end(), [&](const FrontPoint& other) { return beats(point, other); }),
      points_.end());
  points_.push_back(point);
  return &points_.back();
}

std::vector<FrontPoint> ServingFront::take() {
  sort_stably(points_, [](const FrontPoint& a, const FrontPoint& b) {
    if (a.tpot != b.tpot) return a.tpot < b.tpot;
    return a.rate != b.rate ? a.rate > b.rate : a.price < b.price;
  });
  return std::move(points_);
}

namespace {

/// Sequences between two points.
constexpr double kFrontRatio = 2;
constexpr double kCoarseFrontRatio = 4;

double tpot_of(const LaneTimes<NoTrace>& lane, double output_tokens) {
  return (lane.request - lane.first_token).base_units() / (output_tokens - 1);
}

/// GPUs of a replica; of slices their share.
double gpus_of(const FrontLayout& from) {
  return from.slice ? 1 / from.slice->instances : podwright::gpus_of(from.layout);
}

}  // namespace

void FrontSearch::sample(const ServingReplica& replica, FrontLayout layout) {
  const ServingWorkload& workload = question_.workload;
  if (workload.output_tokens <= 1) return;
  const double gpus = gpus_of(layout);
  const auto& price = question_.offers[layout.offer].price_per_gpu;
  const double ratio = question_.coarse() ? kCoarseFrontRatio : kFrontRatio;
  const auto index = static_cast<std::uint32_t>(layouts_.size());
  layouts_.push_back(std::move(layout));
  for (double sequences = 1;; sequences = std::min(sequences * ratio, replica.places())) {
    const bool last = sequences >= replica.places();
    const ServingReplica::Point point = last ? replica.full() : replica.point_with(sequences);
    const double tokens = point.rate * workload.output_tokens / gpus;
    FrontPoint* const kept = front_.offer({.tpot = tpot_of(point.lane, workload.output_tokens),
                                           .ttft = point.lane.first_token.base_units(),
                                           .rate = tokens,
                                           .price = price ? price->base_units() / tokens : kNever,
                                           .in_flight = point.in_flight,
                                           .requests = point.rate,
                                           .layout = index});
    if (kept != nullptr) kept->within_limits = replica.within(point, workload.limits);
    if (last) break;
  }
}

std::vector<ServingPoint> FrontSearch::take() {
  std::vector<ServingPoint> points;
  for (const FrontPoint& point : front_.take()) points.push_back(shown(point));
  return points;
}

ServingPoint FrontSearch::shown(const FrontPoint& point) {
  const FrontLayout& from = layouts_[point.layout];
  const PerSecond peak(question_.workload.peak_requests_per_s);
  const ServingRun run = run_of({.offer = from.offer,
                                 .engine = from.engine,
                                 .precision = from.precision,
                                 .layout = from.layout,
                                 .draft_tokens = from.draft_tokens,
                                 .pools = {}},
                                question_.workload);
  ServingPoint shown;
  shown.offer = from.offer;
  shown.tpot = Seconds(point.tpot);
  shown.ttft = Seconds(point.ttft);
  shown.in_flight = point.in_flight;
  shown.output_tokens_per_s_per_gpu = point.rate;
  if (point.price < kNever) shown.price_of_million_output = Usd(point.price * 1e6);
  shown.gpus = gpus_of(from) * (question_.has_peak() ? replicas(peak, PerSecond(point.requests)) : 1.0);
  shown.widths = widths_of(from, run);
  shown.within_limits = point.within_limits;
  shown.gpu = question_.offers[from.offer].gpu->id;
  if (from.slice) shown.slice = from.slice->name;
  shown.engine = run.engine;
  shown.weight_precision = from.precision;
  shown.parallelism = from.layout;
  shown.layout = layout_text(run);
  return shown;
}

const std::optional<ServingWidths>& FrontSearch::widths_of(const FrontLayout& from, const ServingRun& run) {
  const auto key = std::make_tuple(from.offer, from.engine, from.slice);
  const auto known = widths_.find(key);
  if (known != widths_.end()) return known->second;
  const Gpu& whole = *question_.offers[from.offer].gpu;
  const ServingKnowledge knowledge =
      serving_knowledge(question_.catalog, question_.model, from.slice ? mig_slice(whole, *from.slice) : whole, run);
  return widths_
      .emplace(key, serving_widths(question_.catalog.serving_efficiency, knowledge, question_.model.experts > 0))
      .first->second;
}

}  // namespace podwright::sizing
