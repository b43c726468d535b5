#pragma once
/// Equations of the roofs over a published serving speed. All of them take the GPUs of a replica as one: their memories
/// stream side by side, their arithmetic adds up. No split of the work is faster. docs/method/serving_claims.md.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Stored weights of experts that no token of the step chose.
constexpr Bytes unread_experts(Bytes all_experts, double touched, double experts) {
  return all_experts - touched / experts * all_experts;
}
inline constexpr Formula<unread_experts> kUnreadExperts{.id = "perf.unread_experts",
                                                        .inputs = {"all_experts", "touched", "experts"},
                                                        .equation = "all_experts - touched / experts * all_experts",
                                                        .source = "definition of routed experts"};

/// What is left to read when part need not be.
constexpr Bytes bytes_still_read(Bytes all, Bytes spared) { return std::max(Bytes(0), all - spared); }
inline constexpr Formula<bytes_still_read> kBytesStillRead{.id = "perf.bytes_still_read",
                                                           .inputs = {"all", "spared"},
                                                           .equation = "max(0, all - spared)",
                                                           .source = "definition"};

/// Keys and values that a step reads for all sequences of a replica.
constexpr Bytes kv_of_step(double sequences, Bytes per_sequence) { return sequences * per_sequence; }
inline constexpr Formula<kv_of_step> kKvOfStep{.id = "perf.kv_of_step",
                                               .inputs = {"sequences", "per_sequence"},
                                               .equation = "sequences * per_sequence",
                                               .source = "arXiv 2211.05102 section 2.1"};

/// What the caches on the chips of a replica can keep from one step to the next.
constexpr Bytes kept_on_chip(double gpus, Bytes cache) { return gpus * cache; }
inline constexpr Formula<kept_on_chip> kKeptOnChip{
    .id = "perf.kept_on_chip", .inputs = {"gpus", "cache"}, .equation = "gpus * cache", .source = "definition"};

/// Bytes that every GPU of a replica reads its even share of.
constexpr Seconds shared_reading_time(Bytes read, double gpus, BytesPerSecond bandwidth) {
  return read / (gpus * bandwidth);
}
inline constexpr Formula<shared_reading_time> kSharedReadingTime{.id = "perf.shared_reading_time",
                                                                 .inputs = {"read", "gpus", "bandwidth"},
                                                                 .equation = "read / (gpus * bandwidth)",
                                                                 .source = "arXiv 2211.05102 section 2.1"};

/// Work that every GPU of a replica does its even share of.
constexpr Seconds shared_work_time(Flops work, double gpus, FlopsPerSecond rate) { return work / (gpus * rate); }
inline constexpr Formula<shared_work_time> kSharedWorkTime{.id = "perf.shared_work_time",
                                                           .inputs = {"work", "gpus", "rate"},
                                                           .equation = "work / (gpus * rate)",
                                                           .source = "Williams et al. 2009, Roofline"};

/// Forward pass of one token through so many weights.
constexpr Flops forward_work(double parameters) { return Flops(2.0 * parameters); }
inline constexpr Formula<forward_work> kForwardWork{.id = "perf.forward_work",
                                                    .inputs = {"parameters"},
                                                    .equation = "2 * parameters",
                                                    .source = "arXiv 2001.08361 section 2.1"};

constexpr Flops work_of_layers(double layers, Flops each) { return layers * each; }
inline constexpr Formula<work_of_layers> kWorkOfLayers{
    .id = "perf.work_of_layers", .inputs = {"layers", "each"}, .equation = "layers * each", .source = "definition"};

/// Linear layers and output head of one request: the prompt, then a pass for each token after the first. The head works
/// for generated tokens alone.
constexpr Flops request_work(double prompt, double after_first, Flops linear, Flops head) {
  return (prompt + after_first) * linear + (after_first + 1.0) * head;
}
inline constexpr Formula<request_work> kRequestWork{
    .id = "perf.request_work",
    .inputs = {"prompt", "after_first", "linear", "head"},
    .equation = "(prompt + after_first) * linear + (after_first + 1) * head",
    .source = "definition: the prompt yields the first token"};

/// One pass of every sequence of a replica.
constexpr Flops work_of_step(double sequences, Flops linear, Flops head) { return sequences * (linear + head); }
inline constexpr Formula<work_of_step> kStepWork{.id = "perf.step_work",
                                                 .inputs = {"sequences", "linear", "head"},
                                                 .equation = "sequences * (linear + head)",
                                                 .source = "definition"};

/// A request's share of the steps that it decodes in, which it shares with the other sequences of the replica.
constexpr Seconds share_of_steps(double steps, Seconds step, double sequences) { return steps * step / sequences; }
inline constexpr Formula<share_of_steps> kShareOfSteps{.id = "perf.share_of_steps",
                                                       .inputs = {"steps", "step", "sequences"},
                                                       .equation = "steps * step / sequences",
                                                       .source = "definition"};

/// Values that tokens leave behind in the exchanges of a step, on one GPU and in one direction.
constexpr Bytes exchanged_bytes(double tokens, double exchanges, double width, Bytes value) {
  return tokens * exchanges * width * value;
}
inline constexpr Formula<exchanged_bytes> kExchangedBytes{.id = "perf.exchanged_bytes",
                                                          .inputs = {"tokens", "exchanges", "width", "value"},
                                                          .equation = "tokens * exchanges * width * value",
                                                          .source = "arXiv 1909.08053 section 3"};

/// Memory, arithmetic and links work at the same time at best.
constexpr Seconds slowest_part(Seconds reading, Seconds arithmetic, Seconds links) {
  return std::max(reading, std::max(arithmetic, links));
}
inline constexpr Formula<slowest_part> kSlowestPart{.id = "perf.slowest_part",
                                                    .inputs = {"reading", "arithmetic", "links"},
                                                    .equation = "max(reading, max(arithmetic, links))",
                                                    .source = "Williams et al. 2009, Roofline"};

/// Tokens per second of one user: one token a step.
constexpr PerSecond steps_per_second(Seconds step) { return 1.0 / step; }
inline constexpr Formula<steps_per_second> kStepsPerSecond{
    .id = "perf.steps_per_second", .inputs = {"step"}, .equation = "1 / step", .source = "definition"};

/// Tokens per second of all replicas, each of which ends a request every `each`.
constexpr PerSecond rate_of_replicas(double replicas, double tokens, Seconds each) { return replicas * tokens / each; }
inline constexpr Formula<rate_of_replicas> kRateOfReplicas{.id = "perf.rate_of_replicas",
                                                           .inputs = {"replicas", "tokens", "each"},
                                                           .equation = "replicas * tokens / each",
                                                           .source = "definition"};

/// Memory chips hold powers of two, so a printed gigabyte is 2^30 bytes at most.
constexpr Bytes memory_of_chips(Bytes printed) { return 1.073741824 * printed; }
inline constexpr Formula<memory_of_chips> kMemoryOfChips{.id = "perf.memory_of_chips",
                                                         .inputs = {"printed"},
                                                         .equation = "1.073741824 * printed",
                                                         .source = "docs/method/serving_claims.md#memory"};

/// Whole sequences that fit beside the weights of a replica.
inline double sequences_beside(double gpus, Bytes memory, Bytes weights, Bytes per_sequence) {
  return std::floor(std::max(0.0, (gpus * memory - weights) / per_sequence));
}
inline constexpr Formula<sequences_beside> kSequencesBeside{
    .id = "perf.sequences_beside",
    .inputs = {"gpus", "memory", "weights", "per_sequence"},
    .equation = "floor(max(0, (gpus * memory - weights) / per_sequence))",
    .source = "arXiv 2309.06180"};

}  // namespace podwright
