#include "api/write_search.h"

#include "sizing/training_launch.h"

namespace podwright {
namespace {

template <class Values, class Write>
void column(JsonWriter& out, std::string_view name, const Values& values, const Write& write) {
  out.begin_list(name);
  for (const auto& value : values) write(value);
  out.end_list();
}

void write_pareto(JsonWriter& out, const sizing::TrainingPareto& pareto, bool tokens_told) {
  const auto text = [&](const std::string& value) { out.text(value); };
  const auto number = [&](double value) { out.number(value); };
  const auto optional = [&](const std::optional<double>& value) { write_number_or_null(out, value); };
  out.begin_object("pareto");
  column(out, "gpu", pareto.gpu, text);
  column(out, "gpu_count", pareto.gpus, number);
  if (tokens_told) {
    column(out, "run_time_days", pareto.time, [&](Seconds time) { out.number(time / days(1)); });
    column(out, "cost_usd", pareto.cost_usd, optional);
    column(out, "energy_kwh", pareto.energy_kwh, optional);
  } else {
    column(out, "step_time_s", pareto.time, [&](Seconds time) { out.number(rounded_for_display(time / seconds(1))); });
  }
  column(out, "layout", pareto.layout, text);
  out.end_object();
}

}  // namespace

std::map<std::string, std::string> origins_of_found(const std::vector<Assumption>& assumptions, const std::string& list,
                                                    std::size_t count, std::span<const char* const> chosen) {
  std::map<std::string, std::string> origins = sources_of(assumptions);
  const std::map<std::string, std::string> defaults = origins;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string place = list + std::to_string(i);
    for (const auto& [path, source] : defaults) origins.emplace(place + path, source);
    for (const char* const key : chosen) origins.emplace(place + key, "chosen by the search, docs/method/search.md");
  }
  return origins;
}

void write_arguments(JsonWriter& out, const sizing::LaunchArguments& launch) {
  out.begin_object();
  out.text("program", launch.program);
  out.text("form", launch.form);
  write_texts(out, "environment", launch.environment);
  write_texts(out, "arguments", launch.arguments);
  write_texts(out, "cannot", launch.cannot);
  out.end_object();
}

void write_launch(JsonWriter& out, const Model& model, const sizing::TrainingCandidate& best, double node_gpus) {
  out.begin_list("launch");
  write_arguments(out, sizing::torchrun_arguments(best.gpus, node_gpus));
  write_arguments(out, sizing::megatron_arguments(model, *best.gpu, best.run));
  write_arguments(out, sizing::torchtitan_arguments(model, *best.gpu, best.run));
  out.end_list();
}

void write_search_tail(JsonWriter& out, Trace& trace, const sizing::TrainingSearch& search, bool tokens_told) {
  write_pareto(out, search.pareto, tokens_told);
  write_rejected(out, trace, search.rejected);
}

void write_rejected(JsonWriter& out, Trace& trace, const std::vector<sizing::Rejection>& rejected) {
  out.begin_list("rejected");
  for (const sizing::Rejection& rejection : rejected) {
    out.begin_object();
    out.text("code", rejection.reason.code);
    out.quantity_as("count", unit::kNone, trace.method("search.dropped", rejection.count, kRejectedPage));
    out.text("nearest", rejection.layout);
    out.text("message", rejection.reason.message);
    if (rejection.reason.shortfall != 0) {
      out.quantity_as("shortfall", unit::kNone,
                      trace.method("search.shortfall_of_nearest", rejection.reason.shortfall, kRejectedPage));
      out.text("unit", rejection.reason.unit);
    }
    out.end_object();
  }
  out.end_list();
}

}  // namespace podwright
