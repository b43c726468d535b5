/// Work, time and layout of training runs.
#include <cmath>

#include "base/arithmetic.h"
#include "memory/model_states.h"
#include "model/closed_forms.h"
#include "model/flops.h"
#include "perf/step_arithmetic.h"
#include "perf/training_arithmetic.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/templates/names.h"
#include "study/templates/planner_requests.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

constexpr std::string_view kTrainedModels[] = {"llama-3.1-8b", "llama-3.1-70b", "qwen2.5-14b", "qwen2.5-32b",
                                               "yi-34b",       "llama-2-13b",   "llama-2-70b", "falcon-40b"};
constexpr std::string_view kTrainingGpus[] = {"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"};
constexpr DisplayUnit kZettaflop{"", "ZFLOP", 1e21};

Traced<FlopsPerSecond> bf16_peak(Draft& d, const Gpu& gpu) {
  return d.fact(gpu, "peak_dense_tflops.bf16", gpu.peak_dense_flops.find("bf16")->second);
}
std::string with_peak(const Gpu& gpu) {
  return gpu.name + " (" + in_unit_text(raw(gpu.peak_dense_flops.find("bf16")->second) / 1e12, "TFLOP/s") +
         " dense BF16)";
}

/// The published speed of a run as the planner judges it; `fill` says how fast.
template <class Fill>
void open_run(Draft& d, const Model& model, const Gpu& gpu, double gpus, const Fill& fill) {
  d.planner(planner::kClaims, [&](JsonWriter& r) {
    r.begin_object("claim");
    r.text("model", model.id);
    r.text("gpu", gpu.id);
    r.number("gpu_count", gpus);
    fill(r);
    r.end_object();
  });
}

/// A run of so many tokens within some days.
void open_days(Draft& d, const Model& model, const Gpu& gpu, double gpus, double tokens, double mfu, double in_days) {
  open_run(d, model, gpu, gpus, [&](JsonWriter& r) {
    r.number("tokens", tokens);
    r.number("assumed_mfu", mfu);
    r.number("days", in_days);
  });
}

void training_flops(Draft& d) {
  const Model& model = d.model(kTrainedModels);
  const double tokens = d.pick({0.1, 0.2, 0.5, 1, 2, 5, 10, 15}) * 1e12;
  d.prompt({with_parameters(model), large_number(tokens)});
  const auto work = named("work", run_flops(parameters_of(d, model), d.given("tokens", tokens)));
  d.ask(kZettaflop, work);
  d.wrong("2nd-for-6nd", work.value / 3.0);
  d.wrong("backward-as-forward", work.value * (4.0 / 6.0));
  d.wrong("recompute-counted", work.value * (8.0 / 6.0));
  d.wrong("multiply-add-once", work.value / 2.0);
}

void time_to_train(Draft& d) {
  const Model& model = d.model(kTrainedModels);
  const Gpu& gpu = d.gpu(kTrainingGpus);
  const double tokens = d.pick({0.05, 0.1, 0.2, 0.5, 1, 2}) * 1e12;
  const double gpus = d.pick({64, 128, 256, 512, 1024});
  const double mfu = d.whole(30, 50, 5) / 100;
  d.prompt({count_text(gpus), with_peak(gpu), with_parameters(model), large_number(tokens), count_text(mfu * 100)});
  const auto rate = named("achieved_rate", rate_of_utilisation(d.given("mfu", mfu), bf16_peak(d, gpu)));
  const auto time =
      named("time", run_time(parameters_of(d, model), d.given("tokens", tokens), d.given("gpus", gpus), rate));
  if (time.value < days(1)) return d.discard();
  d.ask({"_days", "days", 86400.0}, time);
  open_days(d, model, gpu, gpus, tokens, mfu, time.value / days(1));
  d.wrong("2nd-for-6nd", time.value / 3.0);
  d.wrong("full-utilisation", time.value * mfu);
  d.wrong("sparse-for-dense", time.value / 2.0);
  d.wrong("recompute-counted", time.value * (8.0 / 6.0));
  d.wrong("wrong-time-unit", time.value * 24.0);
  d.wrong("backward-as-forward", time.value * (4.0 / 6.0));
}

void gpus_for_deadline(Draft& d) {
  const Model& model = d.model(kTrainedModels);
  const Gpu& gpu = d.gpu(kTrainingGpus);
  const double tokens = d.pick({0.1, 0.2, 0.5, 1, 2}) * 1e12;
  const double in_days = d.pick({7, 14, 30, 60, 90});
  const double mfu = d.whole(30, 50, 5) / 100;
  d.prompt({with_peak(gpu), with_parameters(model), large_number(tokens), count_text(in_days), count_text(mfu * 100)});
  const auto work = named("work", run_flops(parameters_of(d, model), d.given("tokens", tokens)));
  const auto gpus =
      named("gpus", gpus_for_time(work, d.given("time", days(in_days)), bf16_peak(d, gpu), d.given("mfu", mfu)));
  if (gpus.value < 8) return d.discard();
  d.ask(unit::kNone, gpus, 0.01);
  open_days(d, model, gpu, gpus.value, tokens, mfu, in_days);
}

void mfu_of_run(Draft& d) {
  const Model& model = d.model(kTrainedModels);
  const Gpu& gpu = d.gpu(kTrainingGpus);
  const double gpus = d.pick({8, 16, 32, 64, 128, 256});
  const double reached = d.whole(20, 55) / 100;
  const double peak = raw(gpu.peak_dense_flops.find("bf16")->second);
  const double exact = reached * peak * gpus / (6 * *model.total_parameters);
  const double step = exact > 1e5 ? 1000 : exact > 1e4 ? 100 : 10;
  const double rate = std::floor(exact / step + 0.5) * step;
  if (rate < 100) return d.discard();
  d.prompt({count_text(rate), with_parameters(model), count_text(gpus), with_peak(gpu)});
  const auto each = named("work_per_token", matmul_training_flops(parameters_of(d, model)));
  const auto work = named("work_of_a_second", each * d.given("tokens", rate));
  const auto mfu =
      named("mfu", flops_utilisation(work, d.given("time", seconds(1)), d.given("gpus", gpus), bf16_peak(d, gpu)));
  d.ask(kPercent, mfu);
  open_run(d, model, gpu, gpus, [&](JsonWriter& r) { r.number("tokens_per_s_per_gpu", rate / gpus); });
  d.wrong("2nd-for-6nd", mfu.value / 3);
  d.wrong("recompute-counted", mfu.value * 8 / 6);
  d.wrong("sparse-for-dense", mfu.value / 2);
  d.wrong("backward-as-forward", mfu.value * 4 / 6);
  d.wrong("multiply-add-once", mfu.value / 6, "This counts 1 FLOP per parameter and token; training needs 6.");
}

void pipeline_bubble(Draft& d) {
  const double stages = d.pick({2, 4, 8, 16});
  const double micro_batches = d.pick({4, 8, 16, 32, 64});
  const double chunks = d.pick({1, 1, 2, 4});
  // Interleaved schedules need micro-batches in multiples of the stages.
  if (chunks > 1 && std::fmod(micro_batches, stages) != 0) return d.discard();
  d.prompt({count_text(stages), count_text(micro_batches),
            (chunks > 1 ? ", interleaved with " + count_text(chunks) + " model chunks on each stage" : "")});
  const auto share = named(
      "bubble",
      bubble_over_total(d.given("stages", stages), d.given("micro_batches", micro_batches), d.given("chunks", chunks)));
  d.ask(kPercent, share);
  d.wrong("bubble-over-ideal", bubble_over_ideal(stages, micro_batches, chunks));
  d.wrong("stages-not-less-one", stages / (chunks * micro_batches + stages));
  d.wrong("stages-not-less-one", stages / (chunks * micro_batches));
  if (chunks > 1) d.wrong("chunks-forgotten", bubble_over_total(stages, micro_batches, 1.0));
  d.wrong("ridge-inverted", micro_batches / (chunks * micro_batches + stages - 1),
          "This is a share of useful work, not of waiting.");
  d.wrong("one-pass", share.value / 2, "This counts the wait at one end of the step; stages wait at both.");
}

void micro_batches_for_bubble(Draft& d) {
  const double stages = d.pick({2, 4, 8, 16});
  const double micro_batches = d.whole(4, 64);
  d.prompt({count_text(stages), count_text(micro_batches)});
  d.ask(kPercent,
        named("bubble_over_work", bubble_over_ideal(d.given("stages", stages), d.given("micro_batches", micro_batches),
                                                    d.given("chunks", 1.0))),
        0.02);
}

void tokens_of_step(Draft& d) {
  const double data = d.pick({4, 8, 16, 32, 64, 128});
  const double micro = d.pick({1, 2, 4});
  const double accumulation = d.pick({1, 2, 4, 8, 16});
  const double sequence = d.pick({2048, 4096, 8192});
  const double tensor = d.pick({2, 4, 8});
  d.prompt({count_text(data * tensor), count_text(tensor), counted(micro, "sequence"), count_text(sequence),
            count_text(accumulation)});
  const auto batch = named("micro_batches", d.given("replicas", data) * d.given("accumulated", accumulation));
  const auto sequences = named("global_batch", batch * d.given("micro_batch", micro));
  const auto tokens = named("tokens", sequences * d.given("sequence_length", sequence));
  d.ask(unit::kNone, tokens);
  d.wrong("no-sharding", tokens.value * tensor,
          "This counts every GPU as a replica; the GPUs of a tensor group share one.");
  d.wrong("one-sequence", tokens.value / (micro * accumulation * data));
  d.wrong("one-gpu-only", tokens.value / data, "These are the tokens of one replica.");
  if (accumulation > 1)
    d.wrong("samples-forgotten", tokens.value / accumulation, "This leaves out that micro-batches are accumulated.");
  d.wrong("shards-everything", tokens.value / tensor, "This divides by the tensor parallelism twice.");
  if (micro > 1) d.wrong("samples-forgotten", tokens.value / micro, "This counts one sequence in each micro-batch.");
}

std::string layout_text(double tensor, double pipeline, double data) {
  return "tensor " + count_text(tensor) + ", pipeline " + count_text(pipeline) + ", data " + count_text(data);
}

/// One layout keeps tensor parallelism inside a server, fits, and uses all GPUs.
void parallelism_choice(Draft& d) {
  const Model& model =
      d.model({"llama-3.1-70b", "llama-2-70b", "qwen2.5-72b", "mistral-large-2-123b", "llama-3.1-405b"});
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb"});
  const double nodes = d.pick({16, 32, 64, 128});
  const double pipeline = d.pick({2, 4, 8, 16, 32});
  const double gpus = 8 * nodes;
  const double data = gpus / (8 * pipeline);
  if (data < 2) return d.discard();
  const auto memory = d.fact(gpu, "memory_gb", gpu.memory);
  const auto states_of = [&](std::string_view name, double shards) {
    const auto states = named(name, sharded_bytes(parameters_of(d, model), d.given("bytes_per_parameter", bytes(16)),
                                                  d.given(std::string(name) + "_shards", shards)));
    d.show(unit::kGb, states);
    return raw(states.value) / raw(memory.value);
  };
  if (states_of("states_that_fit", 8 * pipeline) > 0.75 || states_of("states_too_large", 4 * pipeline) < 1.05)
    return d.discard();
  d.prompt({count_text(nodes), gpu.name, in_unit_text(raw(memory.value) / 1e9, "GB"), with_parameters(model)});
  d.right(layout_text(8, pipeline, data),
          "Tensor parallelism stays inside a server, the states fit, and the product is " + count_text(gpus) + ".");
  d.wrong(layout_text(4, pipeline, 2 * data), "The states do not fit: twice as many for each GPU as with tensor 8.");
  d.wrong(layout_text(16, pipeline, data / 2 < 1 ? 1 : data / 2),
          "Tensor parallelism across two servers exchanges every layer's activations over the network.");
  d.wrong(layout_text(8, pipeline, 2 * data),
          "The product is " + count_text(2 * gpus) + ", twice the GPUs that are there.");
  d.wrong(layout_text(8, pipeline / 2, 2 * data),
          "The states do not fit: half as many stages hold twice as much each.");
  d.conclude("With 8 x " + count_text(pipeline) +
             " GPUs for each replica the states fit; with half as many they do not.");
}

constexpr Template kTrainingTemplates[] = {
    {"t.training-flops", training_flops},       {"t.time-to-train", time_to_train},
    {"t.gpus-for-deadline", gpus_for_deadline}, {"t.mfu-of-run", mfu_of_run},
    {"t.pipeline-bubble", pipeline_bubble},     {"t.bubble-over-work", micro_batches_for_bubble},
    {"t.tokens-of-step", tokens_of_step},       {"t.parallelism-choice", parallelism_choice},
};

}  // namespace

std::span<const Template> training_templates() { return kTrainingTemplates; }

}  // namespace podwright
