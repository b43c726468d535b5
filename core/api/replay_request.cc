#include "api/replay_request.h"

#include <algorithm>
#include <numeric>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/measured_table.h"
#include "base/number_text.h"
#include "replay/trace_file.h"

namespace podwright {
namespace {

constexpr std::string_view kPage = "docs/method/replay.md";
/// Clients send requests as fast as they are served, some thirty a second.
constexpr double kMostClientSeconds = 1e6;
constexpr double kMostPieces = 1000;

void check_replay(FieldVisitor& v, const ReplayRequest& request) {
  const ServingRun& run = request.serving.run;
  v.rule(!run.disaggregated, "disaggregated", "Pools of their own are not replayed.",
         "Leave disaggregated out, or estimate the deployment.");
  v.rule(run.load.kind != LoadKind::static_batch, "load", "A static batch has no arrivals to replay.",
         "Write {\"request_rate_per_s\": r} or {\"concurrency\": n}.");
  const auto& day = request.replay.day;
  v.rule(
      day || run.load.kind != LoadKind::request_rate ||
          run.load.value * request.replay.duration_s <= replay::kMostRequests,
      "duration_s", "The replay would have more than 2 million requests.",
      "Legal: up to " + human_number(replay::kMostRequests / std::max(1e-9, run.load.value), 3) + " s at this rate.");
  v.rule(!day || day->requests() <= replay::kMostRequests, "whole_day",
         "The replay of a day would have more than 2 million requests.",
         "Leave whole_day out, or replay a lower rate.");
  v.rule(run.load.kind != LoadKind::concurrency || run.load.value * request.replay.duration_s <= kMostClientSeconds,
         "duration_s", "The replay would have more than a million seconds of clients.",
         "Legal: up to " + human_number(kMostClientSeconds / std::max(1.0, run.load.value), 3) +
             " s with so many clients.");
  const double pieces = run.max_batched_tokens ? run.input_tokens / *run.max_batched_tokens : 1;
  v.rule(pieces <= kMostPieces, "max_batched_tokens", "A prompt would take more than 1,000 steps.",
         "Raise max_batched_tokens, or leave it out.");
}

/// A number that is the result of the replay, where an explanation is asked for.
template <class Table, class Tracer, class T>
void describe_result(Table& v, Tracer& tracer, const AnswerField& field, const T& value) {
  v.number(field, [&] { return tracer.method("replay." + std::string(field.key), value, kPage); });
}

void describe_times(auto& v, auto& tracer, const AnswerField& field, const replay::Distribution& times) {
  const std::string id = "replay." + std::string(field.key);
  v.number(field, [&] { return tracer.method(id, Seconds(times.mean), kPage); });
  v.percentiles(field, [&] {
    using Time = decltype(tracer.method(id, Seconds(0), kPage));
    return std::array<Time, 4>{
        tracer.method(id + "_p50", Seconds(times.p50), kPage), tracer.method(id + "_p90", Seconds(times.p90), kPage),
        tracer.method(id + "_p95", Seconds(times.p95), kPage), tracer.method(id + "_p99", Seconds(times.p99), kPage)};
  });
}

/// Requests are those that came in the hour.
void describe_hour(auto& v, auto& tracer, const replay::HourFigures& hour, double gpu_count) {
  v.number({"hour", "Hour of the day"}, static_cast<double>(hour.hour));
  describe_result(v, tracer, {"requests"}, hour.requests);
  describe_result(v, tracer, {"requests_per_s", unit::kPerSecond}, PerSecond(hour.requests_per_s));
  describe_result(v, tracer, {"mean_in_flight", "Requests in flight, mean"}, hour.mean_in_flight);
  describe_result(v, tracer, {"gpus_at_work", "GPUs at work, mean"}, hour.busy_share * gpu_count);
  describe_result(v, tracer, {"prefix_hit_ratio", "Share of prompts found in the cache"}, hour.found_share);
  describe_times(v, tracer, kTtft, hour.ttft);
  describe_times(v, tracer, kTpot, hour.tpot);
  describe_times(v, tracer, kRequest, hour.request);
}

void describe_figures(auto& v, auto& tracer, const replay::ReplayFigures& f) {
  const auto count = [](std::size_t number) { return static_cast<double>(number); };
  describe_result(v, tracer, {"requests"}, count(f.requests));
  describe_result(v, tracer, {"refused", "Longer than the cache"}, count(f.refused));
  describe_result(v, tracer, {"requests_per_s", unit::kPerSecond}, PerSecond(f.requests_per_s));
  describe_result(v, tracer, {"output_tokens_per_s", unit::kPerSecond}, PerSecond(f.output_tokens_per_s));
  describe_result(v, tracer, {"mean_input_tokens", "Prompt, mean"}, f.input_tokens);
  describe_result(v, tracer, {"mean_output_tokens", "Answer, mean"}, f.output_tokens);
  describe_result(v, tracer, {"prefix_hit_ratio", "Share of prompts found in the cache"}, f.found_share);
  describe_result(v, tracer, {"preemptions"}, count(f.preemptions));
  describe_result(v, tracer, {"mean_in_flight", "Requests in flight, mean"}, f.mean_in_flight);
  describe_result(v, tracer, {"busy_share", "Share of the time that engines work"}, f.busy_share);
  v.group({"latency", "Latency, mean over requests"}, [&] {
    describe_times(v, tracer, kTtft, f.ttft);
    describe_times(v, tracer, kTpot, f.tpot);
    describe_times(v, tracer, kRequest, f.request);
  });
}

void describe_answer(auto& v, auto& tracer, const Asked& asked, const ReplayRequest& request,
                     const replay::ReplayAnswer& answer) {
  v.text({"kind"}, "replay");
  v.text({"model"}, [&] { return std::string_view(request.serving.model->id); });
  v.text({"gpu"}, [&] { return std::string_view(request.serving.gpu->id); });
  v.number({"gpu_count", "GPUs"}, [&] { return tracer.input("/gpu_count", request.serving.gpu_count); });
  v.flag({"feasible"}, answer.figures.has_value());
  if (const auto part = v.when(!answer.reasons.empty()))
    describe_reasons(v, answer.reasons, tracer, kPage, "replay.shortfall");
  describe_result(v, tracer, {"warm_up_s", "Warm-up, not counted", unit::kSeconds}, Seconds(answer.warm_up_s));
  describe_result(v, tracer, {"pool_tokens", "Tokens that the caches hold"}, answer.pool_tokens);
  v.fields(request.replay.day, [&](const replay::ReplayDay& day) {
    describe_result(v, tracer, {"hour_s", "Replayed of each hour", unit::kSeconds}, Seconds(day.hour_s));
  });
  v.object({"replay"}, answer.figures, [&](const replay::ReplayFigures& f) { describe_figures(v, tracer, f); });
  v.fields(answer.figures, [&](const replay::ReplayFigures& f) {
    v.list({"hours_of_day", "Hours of the day"}, f.hours,
           [&](const replay::HourFigures& hour) { describe_hour(v, tracer, hour, request.serving.gpu_count); });
  });
  const auto plain = plain_serving(asked.catalog, request.serving.model, request.serving.gpu, request.serving.run);
  describe_engine_figures(v, tracer, plain ? plain->engine : std::vector<MeasuredFigure>{});
  describe_foot(v, asked, answer.estimate.assumptions);
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, ReplayRequest& r) {
  describe_head(v, "replay");
  TrafficDefaults known = describe_deployment(v, catalog, r.serving);
  r.replay.input_lengths = std::move(known.input.distribution);
  r.replay.output_lengths = std::move(known.output.distribution);
  std::string trace;
  v.text({"trace", "Requests one by one, JSON Lines or CSV, in place of those that load and traffic describe"}, trace);
  v.number({"duration_s", "Time in which requests come, s", within(1, 1e7), "an hour"}, r.replay.duration_s);
  v.number({"warm_up_s", "Requests of the first seconds are not counted, s; absent: a tenth, or two sessions",
            within(0, 1e7)},
           r.replay.warm_up_s);
  bool whole_day = false;
  v.flag({"whole_day",
          "Replays the 24 hours of traffic.hours, of which the busiest has the rate of load; each lasts an hour, or as "
          "long as half a million requests in all allow"},
         whole_day);
  v.rule(!whole_day || (trace.empty() && r.serving.run.load.kind == LoadKind::request_rate), "whole_day",
         "A whole day is drawn at a request rate.",
         "Write {\"request_rate_per_s\": r} for the busiest hour, and no trace; or leave whole_day out.");
  if (whole_day) r.replay.day = replay::replay_day(r.serving.run);
  v.count({"seed", "Start of the random numbers", within(0, 1e9), kPlainCase}, r.replay.seed);
  describe_calibration(v);
  describe_explain(v, r.explain);
  check_deployment(v, r.serving);
  check_replay(v, r);
  if (trace.empty()) return;
  auto read = replay::read_trace(trace);
  if (read) {
    r.replay.trace = std::move(*read);
  } else {
    for (Error& error : read.error()) error.path = "/trace" + error.path;
    v.problems(read.error());
  }
}

Answer answer_replay(const Asked& asked, const ReplayRequest& request) {
  const replay::ReplayAnswer answer = replay::replay_run(asked.catalog, *request.serving.model, *request.serving.gpu,
                                                         request.serving.run, request.replay);
  Trace trace(sources_of(asked.assumptions));
  return written_answer(trace, request.explain, answer.figures.has_value(), [&](AnswerWriter& v, auto& tracer) {
    describe_answer(v, tracer, asked, request, answer);
    describe_trace(v, request.explain ? &trace : nullptr);
  });
}

void describe_replay_answer(AnswerShape& v) {
  NoTrace none;
  describe_answer(v, none, nothing_asked(), ReplayRequest{}, replay::ReplayAnswer{});
  describe_trace(v, nullptr);
}

}  // namespace podwright
