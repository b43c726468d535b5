#pragma once
/// Equations of one engine step: arithmetic, weight traffic and messages of a number of tokens, per GPU.
#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Work of a group of GPUs that share it evenly.
constexpr Flops work_per_gpu(Flops work, double gpus) { return work / gpus; }
inline constexpr Formula<work_per_gpu> kWorkPerGpu{
    .id = "perf.work_per_gpu", .inputs = {"work", "gpus"}, .equation = "work / gpus", .source = "definition"};

constexpr Flops work_of_tokens(Flops per_token, double tokens) { return per_token * tokens; }
inline constexpr Formula<work_of_tokens> kWorkOfTokens{.id = "perf.work_of_tokens",
                                                       .inputs = {"per_token", "tokens"},
                                                       .equation = "per_token * tokens",
                                                       .source = "definition"};

constexpr Bytes read_of_sequences(Bytes per_sequence, double sequences) { return per_sequence * sequences; }
inline constexpr Formula<read_of_sequences> kReadOfSequences{.id = "perf.read_of_sequences",
                                                             .inputs = {"per_sequence", "sequences"},
                                                             .equation = "per_sequence * sequences",
                                                             .source = "definition"};

/// Useful work of `count` equal products: no rows that only fill a tile.
constexpr Flops products_work(double count, double rows, Flops row_work) { return count * rows * row_work; }
inline constexpr Formula<products_work> kProductsWork{.id = "perf.products_work",
                                                      .inputs = {"count", "rows", "row_work"},
                                                      .equation = "count * rows * row_work",
                                                      .source = "definition"};

/// Memory traffic of `count` equal products: weights, of which `reads` are read by each, and the rows' own.
constexpr Bytes products_traffic(double count, double reads, Bytes weights, double rows, Bytes row_traffic) {
  return count * (reads * weights + rows * row_traffic);
}
inline constexpr Formula<products_traffic> kProductsTraffic{
    .id = "perf.products_traffic",
    .inputs = {"count", "reads", "weights", "rows", "row_traffic"},
    .equation = "count * (reads * weights + rows * row_traffic)",
    .source = "docs/method/serving_time.md#roofline"};

/// Weights that one GPU holds and reads.
constexpr Bytes weight_bytes(double parameters, double bits_per_weight, double gpus) {
  return Bytes(parameters * bits_per_weight / 8.0 / gpus);
}
inline constexpr Formula<weight_bytes> kStreamedWeightBytes{.id = "perf.weight_bytes",
                                                            .inputs = {"parameters", "bits_per_weight", "gpus"},
                                                            .equation = "parameters * bits_per_weight / 8 / gpus",
                                                            .source = "definition of the format"};

/// Experts that a step does not touch, as a share: every token chooses evenly and independently.
double untouched_expert_share(double experts, double experts_per_token, double tokens);
inline constexpr Formula<untouched_expert_share> kUntouchedExpertShare{
    .id = "perf.untouched_expert_share",
    .inputs = {"experts", "experts_per_token", "tokens"},
    .equation = "max(0, 1 - experts_per_token / experts) ^ tokens",
    .source = "docs/method/serving_time.md#experts"};

/// Experts whose weights a step reads.
constexpr double experts_touched(double experts, double untouched_share) { return experts * (1.0 - untouched_share); }
inline constexpr Formula<experts_touched> kExpertsTouched{.id = "perf.experts_touched",
                                                          .inputs = {"experts", "untouched_share"},
                                                          .equation = "experts * (1 - untouched_share)",
                                                          .source = "docs/method/serving_time.md#experts"};

constexpr Bytes bytes_of_experts(Bytes all_experts, double touched, double experts) {
  return all_experts * touched / experts;
}
inline constexpr Formula<bytes_of_experts> kBytesOfExperts{.id = "perf.bytes_of_experts",
                                                           .inputs = {"all_experts", "touched", "experts"},
                                                           .equation = "all_experts * touched / experts",
                                                           .source = "definition"};

/// Hidden states of a step, 16 bit.
constexpr Bytes message_bytes(double tokens, double width, double bytes_per_value) {
  return Bytes(tokens * width * bytes_per_value);
}
inline constexpr Formula<message_bytes> kMessageBytes{.id = "perf.message_bytes",
                                                      .inputs = {"tokens", "width", "bytes_per_value"},
                                                      .equation = "tokens * width * bytes_per_value",
                                                      .source = "definition"};

/// Copies of a token that go to other places, when its experts lie evenly and independently over all of them: a place
/// with several of its experts gets one.
double copies_sent(double places, double experts_per_token);
inline constexpr Formula<copies_sent> kCopiesSent{
    .id = "perf.copies_sent",
    .inputs = {"places", "experts_per_token"},
    .equation = "(places - 1) * (1 - max(0, 1 - 1 / places) ^ experts_per_token)",
    .source = "docs/method/serving_time.md#exchanges"};

/// Share of a step's tokens in one GPU's message of both ways, counted in values that come back: a value goes out with
/// `value_out` bytes and comes back with `value_back`.
constexpr double dispatched_share(double copies, double value_out, double value_back, double gpus) {
  return copies * (1.0 + value_out / value_back) / gpus;
}
inline constexpr Formula<dispatched_share> kDispatchedShare{.id = "perf.dispatched_share",
                                                            .inputs = {"copies", "value_out", "value_back", "gpus"},
                                                            .equation = "copies * (1 + value_out / value_back) / gpus",
                                                            .source = "docs/method/serving_time.md#exchanges"};

/// Tokens to their experts and back; `payload` is what one GPU sends both ways.
constexpr Seconds dispatch_and_combine_time(Bytes payload, BytesPerSecond bandwidth, Seconds start_up) {
  return 2.0 * start_up + payload / bandwidth;
}
inline constexpr Formula<dispatch_and_combine_time> kDispatchAndCombineTime{
    .id = "perf.dispatch_and_combine_time",
    .inputs = {"payload", "bandwidth", "start_up"},
    .equation = "2 * start_up + payload / bandwidth",
    .source = "docs/method/serving_time.md#exchanges"};

/// Reads (or reads and writes) of one sequence over all layers of a kind.
constexpr Bytes bytes_in_layers(double layers, double count, Bytes each) { return layers * count * each; }
inline constexpr Formula<bytes_in_layers> kBytesInLayers{.id = "perf.bytes_in_layers",
                                                         .inputs = {"layers", "count", "each"},
                                                         .equation = "layers * count * each",
                                                         .source = "definition"};

/// Width of the stored key of latent attention, which queries are brought to.
constexpr double latent_width(double kv_lora_rank, double qk_rope_dim) { return kv_lora_rank + qk_rope_dim; }
inline constexpr Formula<latent_width> kLatentWidth{.id = "perf.latent_width",
                                                    .inputs = {"kv_lora_rank", "qk_rope_dim"},
                                                    .equation = "kv_lora_rank + qk_rope_dim",
                                                    .source = "arXiv 2405.04434 section 2.1.2 (absorbed projections)"};

/// What kernels reach of a memory or of arithmetic whose data sheet says `peak`: fitted factors cannot pass it.
constexpr BytesPerSecond bandwidth_within_peak(BytesPerSecond fitted, BytesPerSecond peak) {
  return fitted < peak ? fitted : peak;
}
inline constexpr Formula<bandwidth_within_peak> kBandwidthWithinPeak{.id = "perf.bandwidth_within_peak",
                                                                     .inputs = {"fitted", "peak"},
                                                                     .equation = "min(fitted, peak)",
                                                                     .source = "definition"};
constexpr FlopsPerSecond rate_within_peak(FlopsPerSecond fitted, FlopsPerSecond peak) {
  return fitted < peak ? fitted : peak;
}
inline constexpr Formula<rate_within_peak> kRateWithinPeak{.id = "perf.rate_within_peak",
                                                           .inputs = {"fitted", "peak"},
                                                           .equation = "min(fitted, peak)",
                                                           .source = "definition"};

/// One direction of a GPU's 16 lanes.
inline BytesPerSecond pcie_bandwidth(double generation) {
  return BytesPerSecond(16 * 1e9 * math::pow(2, generation - 3) * 128 / 130);
}
inline constexpr Formula<pcie_bandwidth> kPcieBandwidth{
    .id = "perf.pcie_bandwidth",
    .inputs = {"generation"},
    .equation = "16 * 1e9 * 2 ^ (generation - 3) * 128 / 130",
    .source = "PCI Express base specification: 8 GT/s a lane in generation 3, doubled by each, 128b/130b"};

constexpr Seconds repeated_time(double count, Seconds each) { return count * each; }
inline constexpr Formula<repeated_time> kRepeatedTime{
    .id = "perf.repeated_time", .inputs = {"count", "each"}, .equation = "count * each", .source = "definition"};

constexpr double evenly_shared(double part, double ranks) { return part / ranks; }
inline constexpr Formula<evenly_shared> kEvenlyShared{
    .id = "perf.evenly_shared", .inputs = {"part", "ranks"}, .equation = "part / ranks", .source = "definition"};

constexpr double count_product(double first, double second) { return first * second; }
inline constexpr Formula<count_product> kCountProduct{
    .id = "perf.count_product", .inputs = {"first", "second"}, .equation = "first * second", .source = "definition"};

constexpr double count_difference(double first, double second) { return first - second; }
inline constexpr Formula<count_difference> kCountDifference{
    .id = "perf.count_difference", .inputs = {"first", "second"}, .equation = "first - second", .source = "definition"};

}  // namespace podwright
