/// What limits a GPU: peaks, bandwidth, the roofline, and the bounds of decoding.
#include <cmath>

#include "base/arithmetic.h"
#include "base/stable_sort.h"
#include "measure/measure_formulas.h"
#include "memory/serving_weights.h"
#include "perf/ideal_replica.h"
#include "perf/roofline.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/templates/names.h"
#include "study/templates/planner_requests.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

constexpr std::string_view kServerGpus[] = {"a100-sxm4-40gb", "a100-sxm4-80gb",  "h100-pcie-80gb", "h100-nvl-94gb",
                                            "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm",       "l40s"};
/// Dense models that one GPU or one server serves.
constexpr std::string_view kServedModels[] = {"llama-3.1-8b",  "qwen2.5-7b",  "qwen2.5-14b",    "qwen2.5-32b",
                                              "llama-3.1-70b", "qwen2.5-72b", "mistral-7b-v0.3"};
constexpr DisplayUnit kTokensPerSecond{"", "tokens/s", 1.0};
constexpr DisplayUnit kFlopsPerByte{"", "FLOP/B", 1.0};

std::string tflops_text(FlopsPerSecond rate) { return in_unit_text(raw(rate) / 1e12, "TFLOP/s"); }

/// The dense rate of a precision, and its leaf.
Traced<FlopsPerSecond> peak_of(Draft& d, const Gpu& gpu, const std::string& precision) {
  const auto found = gpu.peak_dense_flops.find(precision);
  PODWRIGHT_ASSERT(found != gpu.peak_dense_flops.end());
  return d.fact(gpu, "peak_dense_tflops." + precision, found->second);
}
Traced<BytesPerSecond> bandwidth_of(Draft& d, const Gpu& gpu) {
  return d.fact(gpu, "memory_bandwidth_gb_per_s", gpu.memory_bandwidth);
}

std::string upper(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

void dense_or_sparse(Draft& d) {
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "h100-pcie-80gb", "l40s", "b200-sxm"});
  const std::string precision(d.pick({"bf16", "fp16", "tf32"}));
  const double gpus = d.pick({1, 4, 8, 16});
  const auto dense = peak_of(d, gpu, precision);
  const auto sparse = d.given("sparse_peak", 2.0 * dense.value);
  d.prompt({tflops_text(sparse.value), upper(precision), with_article(gpu.name), counted(gpus, "such GPU")});
  const auto one = named("dense_peak", dense_of_sparse(sparse));
  const auto all = named("peak_of_gpus", d.given("gpus", gpus) * one);
  d.ask(unit::kTflops, all);
  open_gpu(d, gpu);
  d.wrong("sparse-for-dense", sparse.value * gpus);
  d.wrong("sparse-for-dense", all.value / 2.0, "This halves twice: sparsity doubles the rate once.");
  d.wrong("sparse-for-dense", all.value * 4.0,
          "This doubles the printed figure; sparsity is in it already, and half of it is dense.");
  if (gpus > 1) d.wrong("one-gpu-only", one.value, "This is the dense peak of one GPU.");
  if (gpus > 1) d.wrong("one-gpu-only", sparse.value, "This is the printed figure: one GPU, with sparsity.");
}

void peak_from_sm(Draft& d) {
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h100-pcie-80gb", "v100-sxm2-32gb", "t4", "l4"});
  const double sms = *gpu.sm_count;
  const double clock = *gpu.boost_clock_mhz * 1e6;
  const double peak = raw(gpu.peak_dense_flops.find("fp16")->second);
  // The data sheet's own peak tells how many multiply-adds an SM makes in a clock: a power of two.
  double per_clock = 1;
  while (2 * sms * clock * per_clock < 0.9 * peak) per_clock *= 2;
  if (std::fabs(2 * sms * clock * per_clock / peak - 1) > 0.01) return d.discard();
  const double highest = std::floor(*gpu.boost_clock_mhz / 10) * 10;
  const double asked_clock = d.whole(highest - 400, highest, 10);
  d.prompt({with_article(gpu.name), count_text(per_clock), count_text(sms), count_text(asked_clock)});
  const auto rate =
      named("peak", tensor_peak(d.fact(gpu, "sm_count", sms), d.given("multiply_adds_per_clock", per_clock),
                                d.given("clock", per_second(asked_clock * 1e6))));
  d.ask(unit::kTflops, rate);
  open_gpu(d, gpu);
  d.wrong("multiply-add-once", rate.value / 2.0);
  d.wrong("sparse-for-dense", rate.value * 2.0);
  d.wrong("other-precision", rate.value * 4.0, "This is the dense rate of a format of a quarter of the width.");
  d.wrong("multiply-add-once", rate.value / 4.0,
          "This halves twice: a multiply-add counts as two FLOP, not as a half.");
}

void ridge(Draft& d) {
  const Gpu& gpu = d.gpu(kServerGpus);
  const std::string precision(d.pick({"bf16", "fp8", "tf32"}));
  if (gpu.peak_dense_flops.count(precision) == 0) return d.discard();
  const auto peak = peak_of(d, gpu, precision);
  d.prompt({upper_article(gpu.name), upper(precision), tflops_text(peak.value),
            quantity_text(raw(*gpu.memory_bandwidth), "B/s")});
  d.ask(kFlopsPerByte, named("ridge_point", ridge_point(peak, bandwidth_of(d, gpu))), 0.02);
  open_gpu(d, gpu);
}

/// A log-log sketch with the kernel's point in words.
std::string roofline_sketch(const std::string& roof, const std::string& slope, const std::string& ridge_text,
                            const std::string& point) {
  return "attainable FLOP/s\n  ^\n  |              ________________  roof: " + roof +
         "\n  |            /:\n  |          /  :\n  |        /    :\n  |      /      :   slope: " + slope +
         "\n  |    /        :\n  +---------------------------------> FLOP per byte\n            ridge: " + ridge_text +
         "\n\nkernel: " + point;
}

void roofline_side(Draft& d) {
  const Gpu& gpu = d.gpu(kServerGpus);
  const double batch = d.pick({1, 4, 16, 64, 256, 1024, 4096});
  const double width = d.pick({4096, 5120, 8192});
  const auto n = d.given("n", width);
  const auto work = named("work", matrix_product_work(d.given("m", batch), n, n));
  const auto entries = d.given("factor_entries", batch * width + width * width);
  const auto two = d.given("bytes_per_entry", 2.0);
  const auto moved =
      named("bytes_moved", matrix_product_bytes(entries, two, d.given("result_entries", batch * width), two));
  const auto intensity = named("intensity", arithmetic_intensity(work, moved));
  const auto peak = peak_of(d, gpu, "bf16");
  const auto edge = named("ridge_point", ridge_point(peak, bandwidth_of(d, gpu)));
  const auto rate = named("attainable", attainable_rate(intensity, bandwidth_of(d, gpu), peak));
  d.show(kFlopsPerByte, edge);
  d.show(unit::kTflops, rate);
  const double ratio = raw(intensity.value) / raw(edge.value);
  if (ratio > 0.7 && ratio < 1.4) return d.discard();
  d.drawing(roofline_sketch(tflops_text(peak.value), quantity_text(raw(*gpu.memory_bandwidth), "B/s"), "?",
                            count_text(batch) + " x " + count_text(width) + " times " + count_text(width) + " x " +
                                count_text(width) + ", BF16"));
  d.prompt({with_article(gpu.name)});
  open_gpu(d, gpu);
  const bool memory = ratio < 1;
  const std::string low = "left of the ridge: memory bandwidth limits it";
  const std::string high = "right of the ridge: the tensor cores limit it";
  const std::string low_wrong = "right of the ridge: memory bandwidth limits it";
  const std::string at = quantity_text(raw(intensity.value), "FLOP/B") + " against a ridge of " +
                         quantity_text(raw(edge.value), "FLOP/B") + ".";
  d.right(memory ? low : high, "Its intensity is " + at);
  d.wrong(memory ? high : low, memory ? "This takes the intensity for larger than the ridge; it is smaller."
                                      : "This takes the intensity for smaller than the ridge; it is larger.");
  d.wrong(low_wrong, "Right of the ridge memory delivers faster than the tensor cores compute; the roof limits there.");
  d.wrong("left of the ridge: the tensor cores limit it",
          "Left of the ridge the slope of the memory lies below the roof of the tensor cores.");
  d.conclude("The product has " + at + " " + (memory ? "It lies on the slope." : "It lies under the roof."));
}

/// Is it possible that one sequence of a model in 16 bits gets so many tokens per second?
void open_stream(Draft& d, const Model& model, const Gpu& gpu, double gpus, double tokens_per_s) {
  d.planner(planner::kClaims, [&](JsonWriter& r) {
    r.begin_object("claim");
    r.text("model", model.id);
    r.text("gpu", gpu.id);
    r.number("gpu_count", gpus);
    r.text("weight_precision", "bf16");
    r.number("static_batch", 1);
    r.number("output_tokens_per_s", tokens_per_s);
    r.end_object();
  });
}

void token_bound(Draft& d) {
  const Model& model = d.model(kServedModels);
  const Gpu& gpu = d.gpu(kServerGpus);
  const double bits = d.pick({16, 8, 4});
  const double gpus = d.pick({1, 2, 4, 8});
  const auto weights = named("weights", stored_bytes(d.fact(model, "total_parameters", model.total_parameters),
                                                     d.given("bits_per_weight", bits)));
  if (raw(weights.value) > 0.9 * gpus * raw(*gpu.memory)) return d.discard();
  d.prompt({with_parameters(model), count_text(bits), count_text(gpus), with_memory(gpu)});
  const auto step = named("step_time", shared_reading_time(weights, d.given("gpus", gpus), bandwidth_of(d, gpu)));
  const auto rate = named("token_rate", steps_per_second(step));
  d.ask(kTokensPerSecond, rate);
  // In fewer bits engines keep the embeddings wider, and the bound is another one.
  if (bits == 16) open_stream(d, model, gpu, gpus, raw(rate.value));
  const auto peak = gpu.peak_dense_flops.find("bf16")->second;
  d.wrong("flops-for-bytes", PerSecond(raw(peak) * gpus / (2.0 * *model.total_parameters)));
  d.wrong("bytes-for-bits", rate.value / 8.0);
  d.wrong("other-width", rate.value * 2.0);
  d.wrong("other-width", rate.value / 2.0);
  if (gpus > 1) d.wrong("one-gpu-only", rate.value / gpus);
  d.wrong("adds-a-fifth", rate.value / 1.2);
}

void token_bound_experts(Draft& d) {
  const Model& model = d.model({"mixtral-8x7b-v0.1", "mixtral-8x22b-v0.1", "qwen3-30b-a3b", "qwen3-235b-a22b", "dbrx"});
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"});
  const double gpus = d.pick({2, 4, 8});
  if (*model.total_parameters * 2 > 0.9 * gpus * raw(*gpu.memory)) return d.discard();
  d.prompt({model.name, large_number(*model.total_parameters), large_number(*model.active_parameters),
            counted(gpus, "GPU"), with_memory(gpu)});
  const auto weights = named("weights_read", stored_bytes(d.fact(model, "active_parameters", model.active_parameters),
                                                          d.given("bits_per_weight", 16.0)));
  const auto step = named("step_time", shared_reading_time(weights, d.given("gpus", gpus), bandwidth_of(d, gpu)));
  const auto rate = named("token_rate", steps_per_second(step));
  d.ask(kTokensPerSecond, rate);
  d.wrong("total-for-active", rate.value * (*model.active_parameters / *model.total_parameters));
  d.wrong("one-gpu-only", rate.value / gpus);
  d.wrong("other-width", rate.value * 2.0);
  d.wrong("bytes-for-bits", rate.value / 8.0);
  d.wrong("other-width", rate.value / 2.0);
}

void batch_where_compute_takes_over(Draft& d) {
  const Gpu& gpu = d.gpu(kServerGpus);
  const auto peak = peak_of(d, gpu, "bf16");
  const double weight = d.pick({2, 1});
  d.prompt({with_article(gpu.name), tflops_text(peak.value), quantity_text(raw(*gpu.memory_bandwidth), "B/s"),
            counted(weight, "byte")});
  const auto batch =
      named("batch", batch_at_ridge(peak, bandwidth_of(d, gpu), d.given("bytes_per_weight", bytes(weight))));
  d.ask(unit::kNone, batch);
  open_gpu(d, gpu);
  d.wrong("multiply-add-once", batch.value * 2);
  d.wrong("sparse-for-dense", batch.value * 2);
  d.wrong("other-width", batch.value * 4);
  d.wrong("other-width", batch.value / 4);
  d.wrong("other-width", batch.value / 2);
}

void prompt_work(Draft& d) {
  const Model& model = d.model(kServedModels);
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "b200-sxm", "l40s"});
  const double tokens = d.pick({1000, 2000, 4000, 8000, 16000});
  const auto peak = peak_of(d, gpu, "bf16");
  d.prompt({with_article(gpu.name), tflops_text(peak.value), count_text(tokens), with_parameters(model)});
  const auto each = named("work_per_token", forward_work(d.fact(model, "total_parameters", model.total_parameters)));
  const auto all = named("work", d.given("tokens", tokens) * each);
  const auto time = named("time", compute_time(all, peak));
  d.ask({"_ms", "ms", 1e-3}, time);
  d.wrong("multiply-add-once", time.value / 2.0);
  d.wrong("recompute-counted", time.value * 4.0,
          "This counts 8 FLOP per parameter and token, as in training that recomputes; a forward pass needs 2.");
  d.wrong("multiply-add-once", time.value * 2.0,
          "This counts 4 FLOP per parameter and token; the factor 2 of a multiply-add goes in once.");
  d.wrong("6nd-for-2nd", time.value * 3.0);
}

void memory_read_time(Draft& d) {
  const Gpu& gpu = d.gpu(kServerGpus);
  const double gigabytes = d.whole(4, 40, 1);
  if (gb(gigabytes) > 0.9 * *gpu.memory) return d.discard();
  d.prompt({with_article(gpu.name), count_text(gigabytes), quantity_text(raw(*gpu.memory_bandwidth), "B/s")});
  d.ask({"_ms", "ms", 1e-3}, named("time", transfer_time(d.given("data", gb(gigabytes)), bandwidth_of(d, gpu))), 0.02);
  open_gpu(d, gpu);
}

void bandwidth_from_clock(Draft& d) {
  const double bits = d.pick({256, 320, 384, 512, 4096, 5120, 6144});
  const double mhz = bits > 1000 ? d.whole(1200, 2600, 25) : d.whole(6000, 14000, 250);
  d.prompt({count_text(bits), count_text(mhz)});
  const auto rate = named("bandwidth", driver_bandwidth(d.given("bus_bits", bits), d.given("memory_clock", mhz * 1e6)));
  d.ask(unit::kGbPerSecond, rate);
  d.wrong("bits-for-bytes", rate.value * 8.0);
  d.wrong("multiply-add-once", rate.value / 2.0, "This takes one transfer per clock; double data rate makes two.");
  d.wrong("multiply-add-once", rate.value * 2.0,
          "This doubles twice: double data rate moves two bits per wire and clock, not four.");
  d.wrong("bytes-for-bits", rate.value / 8.0);
}

void product_work(Draft& d) {
  const double rows = d.pick({128, 512, 1024, 2048, 4096, 8192});
  const double columns = d.pick({1024, 2048, 4096, 8192});
  const double depth = d.pick({1024, 2048, 4096, 8192});
  d.prompt({count_text(rows), count_text(depth), count_text(depth), count_text(columns)});
  const auto work =
      named("work", matrix_product_work(d.given("rows", rows), d.given("columns", columns), d.given("depth", depth)));
  d.ask({"", "GFLOP", 1e9}, work);
  d.wrong("multiply-add-once", work.value / 2.0);
  d.wrong("multiply-add-once", work.value * 2.0, "This counts four FLOP for a multiply-add; it is two.");
  d.wrong("6nd-for-2nd", work.value * 3.0,
          "This is a whole training step of the matrix, forward and backward; one product is asked for.");
  d.wrong("gib-for-gb", work.value / 1.073741824);
  d.wrong("multiply-add-once", work.value / 4.0, "This halves the product of the three sides; it is to be doubled.");
}

void bandwidth_order(Draft& d) {
  std::vector<std::string_view> ids{
      "l4", "l40s", "a100-sxm4-40gb", "a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm",
      "t4", "a30",  "h100-nvl-94gb"};
  d.shuffle(ids);
  std::vector<const Gpu*> gpus;
  for (std::size_t i = 0; i < 4; ++i) gpus.push_back(*find_gpu(d.catalog(), ids[i]));
  sort_stably(gpus, [](const Gpu* a, const Gpu* b) { return *a->memory_bandwidth < *b->memory_bandwidth; });
  for (std::size_t i = 1; i < gpus.size(); ++i)
    if (!apart(raw(*gpus[i - 1]->memory_bandwidth), raw(*gpus[i]->memory_bandwidth))) return d.discard();
  d.prompt({});
  for (const Gpu* gpu : gpus) {
    const auto time =
        named("read_time_of_" + gpu->id, transfer_time(d.given("one_gigabyte", gb(1)), bandwidth_of(d, *gpu)));
    d.show(unit::kSeconds, time);
    d.step(gpu->name,
           "It reads " + quantity_text(raw(*gpu->memory_bandwidth), "B/s") + " from " + gpu->memory_type + ".");
  }
}

/// Growth between generations, of compute and of memory.
void generation_growth(Draft& d) {
  constexpr std::string_view kGenerations[] = {"v100-sxm2-32gb", "a100-sxm4-80gb", "h100-sxm5-80gb", "b200-sxm"};
  const std::size_t from = d.index(3);
  const std::size_t to = from + 1 + d.index(3 - from);
  const Gpu& old = **find_gpu(d.catalog(), kGenerations[from]);
  const Gpu& young = **find_gpu(d.catalog(), kGenerations[to]);
  const double nodes = d.pick({8, 16, 24, 32, 64, 72});
  const auto now = peak_of(d, young, "fp16");
  const auto then = peak_of(d, old, "fp16");
  d.prompt({tflops_text(then.value), old.name, tflops_text(now.value), young.name, counted(nodes, "new one")});
  const auto times = named("times", d.given("new_peaks_in_tflops", nodes * raw(now.value) / 1e12) /
                                        d.given("old_peak_in_tflops", raw(then.value) / 1e12));
  d.ask(unit::kNone, times);
  d.wrong("sparse-for-dense", times.value * 2, "This takes the new peak with sparsity and the old one without.");
  d.wrong("sparse-for-dense", times.value / 2, "This takes the old peak with sparsity and the new one without.");
  d.wrong("one-gpu-only", raw(now.value) / raw(then.value), "This compares one new GPU with one old GPU.");
  d.wrong("other-precision", times.value * 4, "This takes the new peak in a format of a quarter of the width.");
}

/// Three published figures can be true; one beats the memory.
void claim_possible(Draft& d) {
  const Model& model = d.model(kServedModels);
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"});
  const double gpus = d.pick({1, 2, 4, 8});
  const auto weights = named("weights", stored_bytes(d.fact(model, "total_parameters", model.total_parameters),
                                                     d.given("bits_per_weight", 16.0)));
  if (raw(weights.value) > 0.9 * gpus * raw(*gpu.memory)) return d.discard();
  const auto step = named("step_time", shared_reading_time(weights, d.given("gpus", gpus), bandwidth_of(d, gpu)));
  const auto rate = named("token_rate", steps_per_second(step));
  d.show(kTokensPerSecond, rate);
  d.prompt({with_parameters(model), counted(gpus, "GPU"), with_memory(gpu)});
  const double bound = raw(rate.value);
  const double shares[] = {0.35 + 0.01 * d.whole(0, 12), 0.52 + 0.01 * d.whole(0, 10), 0.68 + 0.01 * d.whole(0, 12)};
  for (const double share : shares)
    d.wrong(in_unit_text(bound * share, "tokens/s"),
            "It is " + count_text(std::floor(share * 100 + 0.5)) + " % of what the memory allows and so can be true.");
  const double impossible = bound * (1.25 + 0.05 * d.whole(0, 25));
  open_stream(d, model, gpu, gpus, impossible);
  d.right(in_unit_text(impossible, "tokens/s"),
          "Reading all weights once for each token allows " + in_unit_text(bound, "tokens/s") + " at most.");
  d.conclude("No stream can be faster than " + in_unit_text(bound, "tokens/s") + ".");
}

constexpr Template kRateTemplates[] = {
    {"t.dense-or-sparse", dense_or_sparse},
    {"t.peak-from-sm", peak_from_sm},
    {"t.ridge-point", ridge},
    {"t.roofline-side", roofline_side},
    {"t.token-bound", token_bound},
    {"t.token-bound-experts", token_bound_experts},
    {"t.batch-at-ridge", batch_where_compute_takes_over},
    {"t.prompt-time", prompt_work},
    {"t.memory-read-time", memory_read_time},
    {"t.bandwidth-from-clock", bandwidth_from_clock},
    {"t.product-work", product_work},
    {"t.bandwidth-order", bandwidth_order},
    {"t.generation-growth", generation_growth},
    {"t.claim-possible", claim_possible},
};

}  // namespace

std::span<const Template> rate_templates() { return kRateTemplates; }

}  // namespace podwright
