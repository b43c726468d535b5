#pragma once
/// Equations of the roofs over a published serving speed. All of them take the GPUs of a replica as one: their memories
/// stream side by side, their arithmetic adds up. No split of the work is faster. docs/method/serving_claims.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Stored weights of experts that no token of the step chose.
constexpr auto unread_experts(Of<Bytes> auto all_experts, Of<double> auto touched, Of<double> auto experts) {
  return cited("definition of routed experts", all_experts - touched / experts * all_experts);
}

/// What is left to read when part need not be.
constexpr auto bytes_still_read(Of<Bytes> auto all, Of<Bytes> auto spared) { return max(Bytes(0), all - spared); }

/// Keys and values that a step reads for all sequences of a replica.
constexpr auto kv_of_step(Of<double> auto sequences, Of<Bytes> auto per_sequence) {
  return cited("arXiv 2211.05102 section 2.1", sequences * per_sequence);
}

/// Bytes that every GPU of a replica reads its even share of.
constexpr auto shared_reading_time(Of<Bytes> auto read, Of<double> auto gpus, Of<BytesPerSecond> auto bandwidth) {
  return cited("arXiv 2211.05102 section 2.1", read / (gpus * bandwidth));
}

/// Work that every GPU of a replica does its even share of.
constexpr auto shared_work_time(Of<Flops> auto work, Of<double> auto gpus, Of<FlopsPerSecond> auto rate) {
  return cited("Williams et al. 2009, Roofline", work / (gpus * rate));
}

/// Forward pass of one token through a given number of weights.
constexpr auto forward_work(Of<double> auto parameters) {
  return cited("arXiv 2001.08361 section 2.1", in<Flops>(2.0 * parameters));
}

/// Linear layers and output head of one request: the prompt, then a pass for each token after the first. The head works
/// for generated tokens alone.
constexpr auto request_work(Of<double> auto prompt, Of<double> auto after_first, Of<Flops> auto linear,
                            Of<Flops> auto head) {
  return cited("definition: the prompt yields the first token",
               (prompt + after_first) * linear + (after_first + 1.0) * head);
}

/// Values that tokens leave behind in the exchanges of a step, on one GPU and in one direction.
constexpr auto exchanged_bytes(Of<double> auto tokens, Of<double> auto exchanges, Of<double> auto width,
                               Of<Bytes> auto value) {
  return cited("arXiv 1909.08053 section 3", tokens * exchanges * width * value);
}

/// Memory, arithmetic and links work at the same time at best.
constexpr auto slowest_part(Of<Seconds> auto reading, Of<Seconds> auto arithmetic, Of<Seconds> auto links) {
  return cited("Williams et al. 2009, Roofline", max(reading, max(arithmetic, links)));
}

/// Tokens per second of one user: one token a step.
constexpr auto steps_per_second(Of<Seconds> auto step) { return 1.0 / step; }

/// Tokens per second of all replicas, each of which ends a request every `each`.
constexpr auto rate_of_replicas(Of<double> auto replicas, Of<double> auto tokens, Of<Seconds> auto each) {
  return replicas * tokens / each;
}

/// Memory chips hold powers of two, so a printed gigabyte is 2^30 bytes at most.
constexpr auto memory_of_chips(Of<Bytes> auto printed) {
  return cited("docs/method/serving_claims.md#memory", 1.073741824 * printed);
}

/// Whole sequences that fit with the weights of a replica.
auto sequences_beside(Of<double> auto gpus, Of<Bytes> auto memory, Of<Bytes> auto weights,
                      Of<Bytes> auto per_sequence) {
  return cited("arXiv 2309.06180", floor(max(0.0, (gpus * memory - weights) / per_sequence)));
}

}  // namespace podwright
