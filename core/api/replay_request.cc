#include "api/replay_request.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/estimate_table.h"
#include "api/field_reader.h"
#include "api/measured_table.h"
#include "base/number_text.h"
#include "replay/trace_file.h"

namespace podwright {
namespace {

constexpr std::string_view kPage = "docs/method/replay.md";
/// Clients send requests as fast as they are served, some thirty a second.
constexpr double kMostClientSeconds = 1e6;
constexpr double kMostPieces = 1000;

/// Bounds of what is drawn.
void check_drawn(FieldVisitor& v, const ReplayRequest& request) {
  const ServingRun& run = request.serving.run;
  const double duration_s = request.replay.duration_s;
  const auto& day = request.replay.day;
  v.rule(run.load.kind != LoadKind::static_batch, "load", "A static batch has no arrivals to replay.",
         "Write {\"request_rate_per_s\": r} or {\"concurrency\": n}.");
  v.rule(
      day || run.load.kind != LoadKind::request_rate || run.load.value * duration_s <= replay::kMostRequests,
      "duration_s", "The replay would have more than 2 million requests.",
      "Legal: up to " + human_number(replay::kMostRequests / std::max(1e-9, run.load.value), 3) + " s at this rate.");
  v.rule(
      !day || day->requests() <= replay::kMostRequests, "whole_day",
      "The replay of a day would have more than 2 million requests.",
      "Legal: a load of up to " + human_number(replay::most_requests_of_day(run), 3) + " requests/s, or no whole_day.");
  v.rule(run.load.kind != LoadKind::concurrency || run.load.value * duration_s <= kMostClientSeconds, "duration_s",
         "The replay would have more than a million seconds of clients.",
         "Legal: up to " + human_number(kMostClientSeconds / std::max(1.0, run.load.value), 3) +
             " s with so many clients.");
  v.rule(day || request.replay.warm_up_s.value_or(0) < duration_s, "warm_up_s",
         "The warm-up is as long as the replay, so that nothing is counted.",
         "Legal: below " + shortest_number(duration_s) + " s, the duration_s.");
}

/// What a trace says is not said again, and its last request is counted.
void check_traced(FieldVisitor& v, const ReplayRequest& request, const std::vector<replay::Request>& trace) {
  v.rule(request.serving.run.prefix_hit_ratio == 0, "prefix_hit_ratio",
         "What the cache finds of a trace follows from what its prompts share.", "Leave prefix_hit_ratio out.");
  const double last = trace.empty() ? 0 : trace.back().at;
  v.rule(trace.empty() || request.replay.warm_up_s.value_or(0) <= last, "warm_up_s",
         "The trace ends before the warm-up, so that nothing is counted.",
         "Legal: up to " + shortest_number(last) + " s, when its last request comes.");
}

void check_replay(FieldVisitor& v, const ReplayRequest& request) {
  const ServingRun& run = request.serving.run;
  v.rule(!run.disaggregated, "disaggregated", "Pools of their own are not replayed.",
         "Leave disaggregated out, or estimate the deployment.");
  const double pieces = run.max_batched_tokens ? run.input_tokens / *run.max_batched_tokens : 1;
  v.rule(pieces <= kMostPieces, "max_batched_tokens", "A prompt would take more than 1,000 steps.",
         "Legal: at least " + shortest_number(std::ceil(run.input_tokens / kMostPieces)) + ", or leave it out.");
}

/// Mean and scatter of one length over the requests of a trace.
LengthDefaults lengths_of(const std::vector<replay::Request>& trace, double replay::Request::*tokens) {
  double sum = 0;
  double squares = 0;
  for (const replay::Request& request : trace) {
    sum += request.*tokens;
    squares += request.*tokens * (request.*tokens);
  }
  const double count = static_cast<double>(trace.size());
  const double mean = sum / count;
  const double variance = std::max(0.0, squares / count - mean * mean);
  LengthDefaults lengths;
  lengths.mean = {mean, "mean of the trace"};
  lengths.cv = {std::sqrt(variance) / mean, "scatter of the trace"};
  return lengths;
}

/// Those that a request leaves out. A trace with an error in it is one error, not four.
TraceDefaults defaults_of(const std::vector<replay::Request>& trace) {
  if (trace.empty()) {
    TraceDefaults any;
    any.input.mean = any.output.mean = any.requests_per_s = FieldDefault{1, "the trace"};
    return any;
  }
  // Requests that all come at once have no rate of their own.
  const double seconds = std::max(1.0, trace.back().at);
  return {.input = lengths_of(trace, &replay::Request::input_tokens),
          .output = lengths_of(trace, &replay::Request::output_tokens),
          .requests_per_s = FieldDefault{static_cast<double>(trace.size()) / seconds, "mean rate of the trace"}};
}

/// Whether the request has a trace, which `trace` then holds; what is wrong with it is noted.
bool describe_trace_of_requests(FieldVisitor& v, std::vector<replay::Request>& trace) {
  std::string text;
  v.text({"trace",
          "Requests one by one, JSON Lines or CSV, in place of those that load and traffic describe; it says their "
          "lengths and rate where the request does not"},
         text);
  if (!v.has("trace")) return false;
  auto read = replay::read_trace(text);
  if (read) {
    trace = std::move(*read);
  } else {
    for (Error& error : read.error()) error.path = "/trace" + error.path;
    v.problems(read.error());
  }
  return true;
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

/// Answers of one token have no time per token.
void describe_latencies(auto& v, auto& tracer, const auto& figures) {
  describe_times(v, tracer, kTtft, figures.ttft);
  if (const auto part = v.when(figures.tpot.mean > 0)) describe_times(v, tracer, kTpot, figures.tpot);
  describe_times(v, tracer, kRequest, figures.request);
}

constexpr AnswerField kArrived{"arrived_requests_per_s", "Requests that came", unit::kPerSecond};
constexpr AnswerField kCompleted{"completed_requests_per_s", "Requests completed", unit::kPerSecond};
constexpr AnswerField kInFlight{"mean_in_flight", "Requests in flight, mean"};
constexpr AnswerField kFound{"prefix_hit_ratio", "Share of prompts found in the cache"};

/// Requests are those that came in the hour.
void describe_hour(auto& v, auto& tracer, const replay::HourFigures& hour, double gpu_count) {
  v.number({"hour", "Hour of the day"}, static_cast<double>(hour.hour));
  describe_result(v, tracer, {"requests"}, hour.requests);
  describe_result(v, tracer, kArrived, PerSecond(hour.arrived_requests_per_s));
  describe_result(v, tracer, kCompleted, PerSecond(hour.completed_requests_per_s));
  describe_result(v, tracer, kInFlight, hour.mean_in_flight);
  describe_result(v, tracer, {"gpus_at_work", "GPUs at work, mean"}, hour.busy_share * gpu_count);
  const auto part = v.when(hour.requests > 0);
  if (!part) return;
  describe_result(v, tracer, kFound, hour.found_share);
  describe_latencies(v, tracer, hour);
}

void describe_figures(auto& v, auto& tracer, const replay::ReplayFigures& f,
                      const std::optional<BytesPerSecond>& host_load) {
  const auto count = [](std::size_t number) { return static_cast<double>(number); };
  describe_result(v, tracer, {"requests"}, count(f.requests));
  describe_result(
      v, tracer,
      {"refused_by_length", "Refused as too long", unit::kNone, "Longer than max_model_tokens or the model's context"},
      count(f.refused_by_length));
  describe_result(v, tracer,
                  {"refused_by_cache", "Refused by the cache", unit::kNone, "Longer than an empty pool would hold"},
                  count(f.refused_by_cache));
  describe_result(v, tracer, {"counted_s", "Counted time", unit::kSeconds}, Seconds(f.flow.counted_s));
  if (const auto part = v.when(f.flow.counted_s > 0)) {
    describe_result(v, tracer, kArrived, PerSecond(f.flow.arrived_requests_per_s));
    describe_result(v, tracer, kCompleted, PerSecond(f.flow.completed_requests_per_s));
    describe_result(v, tracer, {"output_tokens_per_s", unit::kPerSecond}, PerSecond(f.flow.output_tokens_per_s));
    describe_result(v, tracer, kInFlight, f.flow.mean_in_flight);
  }
  describe_result(v, tracer,
                  {"drain_s", "Time to drain", unit::kSeconds, "From the end of the counted time to the last answer"},
                  Seconds(f.drain_s));
  describe_result(v, tracer, {"mean_input_tokens", "Prompt, mean"}, f.input_tokens);
  describe_result(v, tracer, {"mean_output_tokens", "Answer, mean"}, f.output_tokens);
  describe_result(v, tracer, kFound, f.found_share);
  v.fields(host_load, [&](const BytesPerSecond& load) {
    describe_result(v, tracer, kHostFound, f.host_share);
    describe_result(v, tracer, kHostLoad, load);
  });
  describe_result(v, tracer, {"preemptions"}, count(f.preemptions));
  describe_result(v, tracer, {"busy_share", "Share of the time that engines work"}, f.busy_share);
  v.group({"latency", "Latency, mean over requests"}, [&] { describe_latencies(v, tracer, f); });
}

/// Figures of a deployment that does not keep up are shown too.
bool feasible(const replay::ReplayAnswer& answer) { return answer.figures && answer.reasons.empty(); }

void describe_answer(auto& v, auto& tracer, const Asked& asked, const ReplayRequest& request,
                     const replay::ReplayAnswer& answer) {
  v.text({"kind"}, "replay");
  v.text({"model"}, [&] { return std::string_view(request.serving.model->id); });
  v.text({"gpu"}, [&] { return std::string_view(request.serving.gpu->id); });
  v.number({"gpu_count", "GPUs"}, [&] { return tracer.input("/gpu_count", request.serving.gpu_count); });
  v.flag({"feasible"}, feasible(answer));
  if (const auto part = v.when(!answer.reasons.empty()))
    describe_reasons(v, answer.reasons, tracer, kPage, "replay.shortfall");
  describe_result(v, tracer, {"warm_up_s", "Warm-up, not counted", unit::kSeconds}, Seconds(answer.warm_up_s));
  if (const auto part = v.when(answer.capacity_tokens > 0))
    describe_result(v, tracer, kCapacityTokens, answer.capacity_tokens);
  v.fields(request.replay.day, [&](const replay::ReplayDay& day) {
    describe_result(v, tracer, {"hour_s", "Replayed of each hour", unit::kSeconds}, Seconds(day.hour_s));
  });
  v.object({"replay"}, answer.figures,
           [&](const replay::ReplayFigures& f) { describe_figures(v, tracer, f, answer.host_load); });
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
  const bool traced = describe_trace_of_requests(v, r.replay.trace);
  // The schema has every field that some request may leave out.
  std::optional<TraceDefaults> of_trace;
  if (traced) of_trace = defaults_of(r.replay.trace);
  if (v.all_variants()) of_trace.emplace();
  TrafficDefaults known = describe_deployment(v, catalog, of_trace, r.serving);
  r.replay.input_lengths = std::move(known.input.distribution);
  r.replay.output_lengths = std::move(known.output.distribution);
  v.number({"duration_s", "Time in which requests come, s", within(1, 1e7), traced ? "" : "an hour"},
           r.replay.duration_s);
  v.number({"warm_up_s", "Requests of the first seconds are not counted, s; absent: a tenth, or two sessions",
            within(0, 1e7)},
           r.replay.warm_up_s);
  bool whole_day = false;
  v.flag({"whole_day",
          "Replays the 24 hours of traffic.hours, of which the busiest has the rate of load; each lasts an hour, or as "
          "long as half a million requests in all allow"},
         whole_day);
  v.rule(!whole_day || (!traced && r.serving.run.load.kind == LoadKind::request_rate), "whole_day",
         "A whole day is drawn at a request rate.",
         "Write {\"request_rate_per_s\": r} for the busiest hour, and no trace; or leave whole_day out.");
  if (whole_day) r.replay.day = replay::replay_day(r.serving.run);
  v.count({"seed", "Start of the random numbers", within(0, 1e9), traced ? "" : kPlainCase}, r.replay.seed);
  describe_calibration(v);
  describe_explain(v, r.explain);
  if (traced) {
    check_traced_deployment(v, r.serving);
    check_traced(v, r, r.replay.trace);
  } else {
    check_deployment(v, r.serving);
    check_drawn(v, r);
  }
  check_replay(v, r);
}

/// What is in the way of the changed request: whether it fits shows without a replay.
std::vector<Infeasible> reasons_after(const Catalog& catalog, const Infeasible& reason, const ReplayRequest& changed) {
  const ServingRequest& serving = changed.serving;
  if (reason.code == replay::kDoesNotKeepUp)
    return replay::replay_run(catalog, *serving.model, *serving.gpu, serving.run, changed.replay).reasons;
  NoTrace none;
  return estimate_serving(none, catalog, *serving.model, *serving.gpu, serving.run).reasons;
}

/// Makes the ways out legal patches of the request and tries them: those after which the reason is gone stay.
void complete_ways_out(const Asked& asked, replay::ReplayAnswer& answer) {
  for (Infeasible& reason : answer.reasons) {
    std::vector<Patch> out;
    for (const Patch& way_out : reason.ways_out) {
      const Patch patch = with_gpu_count(asked.document, way_out);
      const auto changed = read_patched<ReplayRequest>(asked.catalog, asked.document, patch);
      if (!changed) continue;
      const std::vector<Infeasible> after = reasons_after(asked.catalog, reason, *changed);
      if (std::none_of(after.begin(), after.end(), [&](const Infeasible& other) { return other.code == reason.code; }))
        out.push_back(patch);
    }
    reason.ways_out = std::move(out);
  }
}

Answer answer_replay(const Asked& asked, const ReplayRequest& request) {
  replay::ReplayAnswer answer = replay::replay_run(asked.catalog, *request.serving.model, *request.serving.gpu,
                                                   request.serving.run, request.replay);
  complete_ways_out(asked, answer);
  Trace trace(sources_of(asked.assumptions));
  return written_answer(trace, request.explain, feasible(answer), [&](AnswerWriter& v, auto& tracer) {
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
