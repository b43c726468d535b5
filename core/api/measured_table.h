#pragma once
/// What was measured at a deployment next to what is computed of it. docs/method/serving_memory.md#measured.
#include <optional>
#include <string>
#include <vector>

#include "api/common_table.h"
#include "api/estimate_table.h"
#include "perf/measured_figures.h"

namespace podwright {

inline constexpr AnswerField kPlainFigures{"plain", "Without what was measured"};

/// What the same request would be without its measurements: those of its engine, and those of a host.
struct PlainServing {
  ServingEstimate<NoTrace> estimate;
  std::vector<MeasuredFigure> engine;
};

/// Absent where the request has no measurement. An empty request, as tables are asked for their types, has none.
inline std::optional<PlainServing> plain_serving(const Catalog& catalog, const std::optional<Model>& model,
                                                 const std::optional<Gpu>& gpu, const ServingRun& run) {
  if (!model || !gpu || (!run.measured.replaces() && catalog.hosts.empty())) return std::nullopt;
  NoTrace none;
  const ServingRun plain_run = without_measurement(run);
  const Catalog& plain = catalog.uncalibrated == nullptr ? catalog : *catalog.uncalibrated;
  // A device that only the host's profile describes has no figures without it.
  const auto known = find_gpu(plain, gpu->id);
  PlainServing told{estimate_serving(none, plain, *model, known ? **known : *gpu, plain_run), {}};
  told.engine = measured_figures(catalog, *model, *gpu, run, told.estimate);
  return told;
}

template <class Tracer>
void describe_measured_figure(auto& v, Tracer& tracer, const MeasuredFigure& figure) {
  using Number = Known<Tracer, double>;
  const std::string id = "measured." + std::string(figure.figure);
  const Number measured = tracer.input("/measured/" + std::string(figure.figure), figure.measured);
  std::optional<Number> computed;
  std::optional<Bounds<Tracer, double>> interval;
  std::optional<Number> difference;
  if (figure.computed) computed = tracer.method(id + "_computed", *figure.computed, kMeasuredPage);
  if (figure.interval)
    interval = {tracer.method(id + "_low", figure.interval->low, kMeasuredPage),
                tracer.method(id + "_high", figure.interval->high, kMeasuredPage)};
  if (computed && value_of(*computed) > 0) difference = named(id + "_difference", measured / *computed - 1.0);
  v.text({"figure"}, figure.figure);
  v.number({"computed"}, computed, interval);
  v.number({"measured"}, measured);
  v.number({"difference"}, difference);
  describe_message(v, figure.says);
  describe_messages(v, {"check", "What to check"}, figure.check);
}

/// `engine_figures`, of requests that have `measured`.
void describe_engine_figures(auto& v, auto& tracer, const std::vector<MeasuredFigure>& figures) {
  if (const auto part = v.when(!figures.empty()))
    v.list({"engine_figures", "What the engine said of itself"}, figures,
           [&](const MeasuredFigure& figure) { describe_measured_figure(v, tracer, figure); });
}

/// `plain`: the figures that people look at first.
void describe_plain(auto& v, auto& tracer, const std::optional<PlainServing>& plain) {
  const auto told = [&](std::string_view name, auto value) {
    return tracer.method("plain." + std::string(name), value, kMeasuredPage);
  };
  v.object(kPlainFigures, plain, [&](const PlainServing& without) {
    v.flag({"feasible"}, without.estimate.feasible);
    const auto number = [&](const AnswerField& field, const auto& value) {
      using Value = typename Presence<std::remove_cvref_t<decltype(value)>>::Value;
      const Value* found = Presence<std::remove_cvref_t<decltype(value)>>::find(value);
      std::optional<decltype(told(field.key, Value{}))> known;
      if (found != nullptr) known = told(field.key, *found);
      v.number(field, known);
    };
    using Speed = ServingPerformance<NoTrace>;
    std::optional<double> tokens;
    std::optional<double> sequences;
    if (const auto& memory = without.estimate.memory; memory && !memory->infeasible) {
      tokens = memory->capacity_tokens;
      sequences = memory->max_sequences;
    }
    number({"capacity_tokens", "Tokens that fit"}, tokens);
    number({"max_sequences", "Sequences that fit"}, sequences);
    const auto& speed = without.estimate.performance;
    const auto of_speed = [&](auto Speed::*member) {
      using Value = typename Presence<std::remove_cvref_t<decltype(std::declval<Speed>().*member)>>::Value;
      const Value* value = member_of(speed, member);
      return value == nullptr ? std::nullopt : std::optional<Value>(*value);
    };
    number(kTtft, of_speed(&Speed::ttft));
    number(kTpot, of_speed(&Speed::tpot));
    number(kRequest, of_speed(&Speed::request));
    number({"requests_per_s", unit::kPerSecond}, of_speed(&Speed::requests_per_s));
    number({"output_tokens_per_s", unit::kPerSecond}, of_speed(&Speed::output_tokens_per_s));
  });
}

/// `calibrated`: times and rates with the factors of a measured run of this deployment; the estimate's own are next to
/// it.
template <class Tracer>
void describe_calibrated(auto& v, Tracer& tracer, const ServingRun& run, const ServingEstimate<Tracer>& estimate) {
  const EngineMeasurement& m = run.measured;
  const bool any = estimate.performance && (m.ttft_factor || m.tpot_factor || m.rate_factor);
  if (const auto part = v.when(any)) {
    v.group({"calibrated", "With the factors of a measured run"}, [&] {
      const ServingPerformance<Tracer>& speed = or_empty(estimate.performance);
      const auto factor = [&](std::string_view name, const std::optional<double>& value) {
        return tracer.input("/measured/" + std::string(name), value.value_or(1));
      };
      std::optional<Known<Tracer, Seconds>> ttft;
      std::optional<Known<Tracer, Seconds>> tpot;
      std::optional<Known<Tracer, Seconds>> request;
      if (speed.ttft && m.ttft_factor)
        ttft = named("perf.calibrated_ttft", *speed.ttft * factor("ttft_factor", m.ttft_factor));
      if (speed.tpot && m.tpot_factor)
        tpot = named("perf.calibrated_tpot", *speed.tpot * factor("tpot_factor", m.tpot_factor));
      if (ttft && tpot)
        request = named("perf.calibrated_request",
                        *ttft + *tpot * named("perf.decode_steps",
                                              tokens_after_first(tracer.input("/output_tokens", run.output_tokens))));
      v.number(kTtft, ttft);
      v.number(kTpot, tpot);
      v.number(kRequest, request);
      using Rate = Known<Tracer, PerSecond>;
      std::optional<Rate> requests;
      std::optional<Rate> output;
      if (m.rate_factor) {
        requests = named("perf.calibrated_requests_per_s", speed.requests_per_s * factor("rate_factor", m.rate_factor));
        output = named("perf.calibrated_output_tokens_per_s",
                       speed.output_tokens_per_s * factor("rate_factor", m.rate_factor));
      }
      v.number({"requests_per_s", unit::kPerSecond}, requests);
      v.number({"output_tokens_per_s", unit::kPerSecond}, output);
    });
  }
}

}  // namespace podwright
