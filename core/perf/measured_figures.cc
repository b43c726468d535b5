#include "perf/measured_figures.h"

#include <cmath>

#include "perf/speculative.h"

namespace podwright {
namespace {

/// The worst error of the published rows from which a pool or a largest batch was predicted
/// (docs/method/serving_memory.md#how-far-it-goes), and how far the CUDA graphs of a model are from the mean.
constexpr double kPoolError = 0.036;
constexpr Bytes kGraphSpread = gib(0.81);

/// Half width of the interval of a computed pool, as a share of it.
double half_width_of(const ServingMemory<NoTrace>& memory) {
  const EngineConventions& c = *memory.conventions;
  const bool graphs = c.cuda_graphs && (c.cuda_graphs_in_budget || c.kv_budget != KvBudgetRule::fraction_of_total);
  if (!graphs || !(memory.kv_cache > Bytes(0))) return kPoolError;
  return std::min(1.0, kPoolError + kGraphSpread / memory.kv_cache);
}

Bounds<NoTrace, double> around(double computed, double half_width) {
  return {std::floor(computed * (1 - half_width)), std::ceil(computed * (1 + half_width))};
}

bool below(const MeasuredFigure& figure) { return figure.interval && figure.measured < figure.interval->low; }
bool above(const MeasuredFigure& figure) { return figure.interval && figure.measured > figure.interval->high; }

Message difference(const MessageTemplate& less, const MessageTemplate& more, const MeasuredFigure& figure) {
  const double share = figure.measured / *figure.computed - 1;
  Message says(share < 0 ? less : more);
  says.add("computed", *figure.computed);
  says.add("measured", figure.measured);
  says.add("difference", std::fabs(share));
  return says;
}

void check(MeasuredFigure& figure, const MessageTemplate& less, const MessageTemplate& more) {
  if (!below(figure) && !above(figure)) return;
  Message says(below(figure) ? less : more);
  says.add("low", figure.interval->low);
  says.add("high", figure.interval->high);
  figure.check.push_back(std::move(says));
}

/// The whole pool of one engine, as it prints it: nothing of it is shared. Absent where it cannot be computed.
std::optional<ServingMemory<NoTrace>> whole_pool(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                                 ServingRun run) {
  const Engine* engine = find_engine_conventions(catalog, run.engine);
  const WeightFormat* format = weight_format_of(catalog.weight_formats, run);
  if (engine == nullptr || format == nullptr) return std::nullopt;
  run.traffic.reset();
  run.prefix_hit_ratio = 0;
  NoTrace none;
  auto memory = serving_memory(none, model, gpu, *engine, *format, run);
  if (memory.infeasible || !(memory.kv_tokens > 0)) return std::nullopt;
  return memory;
}

/// Share of the pool that a draft leaves of its tokens.
double beside_draft(const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingRun& run,
                    const ServingMemory<NoTrace>& memory) {
  if (!run.speculative || !(memory.kv_cache > Bytes(0))) return 1;
  const Model draft = run.speculative->draft_model ? *run.speculative->draft_model : draft_head_of(model);
  const DraftMemory needs = draft_memory(draft, gpu, *find_engine_conventions(catalog, run.engine),
                                         *weight_format_of(catalog.weight_formats, run), run);
  const double per_token = memory.bytes_per_token_on_gpu / (memory.bytes_per_token_on_gpu + needs.per_token);
  return std::max(0.0, 1 - needs.weights / memory.kv_cache) * per_token;
}

MeasuredFigure pool_figure(double measured, const ServingMemory<NoTrace>& memory, double left) {
  MeasuredFigure figure{.figure = "kv_cache_tokens", .computed = {}, .interval = {}, .says = {}, .check = {}};
  figure.measured = measured;
  figure.computed = std::floor(memory.kv_tokens * left);
  figure.interval = around(*figure.computed, half_width_of(memory));
  figure.says = difference(message_template("measured-pool/less"), message_template("measured-pool/more"), figure);
  check(figure, message_template("check-pool/less"), message_template("check-pool/more"));
  return figure;
}

MeasuredFigure sequences_figure(double measured, const ServingMemory<NoTrace>& memory, double attention_ranks,
                                double left) {
  MeasuredFigure figure{.figure = "running_sequences", .computed = {}, .interval = {}, .says = {}, .check = {}};
  figure.measured = measured;
  figure.computed = std::max(1.0, std::floor(memory.max_sequences_per_replica / attention_ranks * left));
  figure.interval = around(*figure.computed, half_width_of(memory));
  figure.says =
      difference(message_template("measured-sequences/less"), message_template("measured-sequences/more"), figure);
  check(figure, message_template("check-sequences/less"), message_template("check-sequences/more"));
  return figure;
}

MeasuredFigure hits_figure(double measured, const std::optional<PrefixCacheFigures<NoTrace>>& prefix) {
  MeasuredFigure figure{.figure = "prefix_hit_ratio", .computed = {}, .interval = {}, .says = {}, .check = {}};
  figure.measured = measured;
  if (!prefix) {
    figure.says = say("measured-hits/alone", "measured"_v = measured);
    return figure;
  }
  figure.computed = prefix->hit_ratio;
  // Whatever the cache forgets, it finds no more than one that forgets nothing.
  figure.interval = Bounds<NoTrace, double>{0, prefix->unlimited};
  figure.says = say("measured-hits", "computed"_v = prefix->hit_ratio, "measured"_v = measured);
  if (above(figure)) figure.check.push_back(say("check-hits/more", "high"_v = prefix->unlimited));
  return figure;
}

}  // namespace

ServingRun without_measurement(ServingRun run) {
  // A ratio without traffic stands in the run's own field too.
  if (run.measured.prefix_hit_ratio && !shares_prompts(run)) run.prefix_hit_ratio = 0;
  run.measured = {};
  return run;
}

std::vector<MeasuredFigure> measured_figures(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                             const ServingRun& run, const ServingEstimate<NoTrace>& plain) {
  std::vector<MeasuredFigure> figures;
  const EngineMeasurement& m = run.measured;
  const auto whole = whole_pool(catalog, model, gpu, without_measurement(run));
  const double left = whole ? beside_draft(catalog, model, gpu, run, *whole) : 1;
  if (m.kv_cache_tokens && whole) figures.push_back(pool_figure(*m.kv_cache_tokens, *whole, left));
  if (m.running_sequences && plain.memory && !plain.memory->infeasible && plain.memory->max_sequences_per_replica > 0)
    figures.push_back(sequences_figure(*m.running_sequences, *plain.memory, run.parallelism.attention_data, left));
  if (m.prefix_hit_ratio) figures.push_back(hits_figure(*m.prefix_hit_ratio, plain.prefix));
  return figures;
}

}  // namespace podwright
