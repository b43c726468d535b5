#pragma once
/// What the tokens and sequences of an engine step cost on one GPU of a layout. Put together by perf/engine_costs.h,
/// then evaluated for any number of them by perf/engine_step.h.
#include <memory>
#include <string>
#include <vector>

#include "base/units.h"
#include "catalog/host_calibration.h"
#include "perf/serving_software.h"

namespace podwright {

/// What the memory side says about a deployment.
template <class Tracer>
struct ServingLimits {
  Known<Tracer, double> max_sequences{};       ///< of the whole deployment
  Known<Tracer, double> max_batched_tokens{};  ///< of one engine step
  Bytes kv_element = bytes(2);                 ///< one key or value element
  double memory_sequences = 0;                 ///< max_sequences as far as memory limits them
  double pool_tokens = 0;                      ///< that one pool holds whose sequences may be preempted; 0: none are
  double pools = 1;                            ///< of the deployment
};

/// One kind of collective of a step: `count` times over `ranks` GPUs.
template <class Tracer>
struct StepCollective {
  /// Experts behind attention data parallelism: group, all of its tokens gathered and reduced; dispatch, tokens sent
  /// to their experts and back.
  enum class Kind { all_reduce, group, dispatch, point_to_point };
  Kind kind = Kind::all_reduce;
  Known<Tracer, double> count{};
  Known<Tracer, double> ranks{};
  Known<Tracer, double> span{};         ///< GPUs among which the ranks stand
  Known<Tracer, double> token_share{};  ///< tokens of the step that one rank's message carries, as a share
  Known<Tracer, double> width{};
  Known<Tracer, BytesPerSecond> bandwidth{};
  Known<Tracer, Seconds> start_up{};
};

template <class Tracer>
struct Drafting;

/// Equal products of a step: time of a row where arithmetic binds, of the weights, and of a row's own traffic; and a
/// row's work, the weights, and the row's inputs and outputs, each moved once.
template <class Tracer>
struct StepProducts {
  Known<Tracer, double> count{};
  Known<Tracer, Seconds> row{};
  Known<Tracer, Seconds> stream{};
  Known<Tracer, Seconds> activations{};
  Known<Tracer, Flops> row_work{};
  Known<Tracer, Bytes> weights{};
  Known<Tracer, Bytes> row_traffic{};
};

/// The layers with routed experts, as the fullest GPU sees them.
template <class Tracer>
struct StepExperts {
  Known<Tracer, double> count{};  ///< layers; 0: none
  Known<Tracer, double> experts{};
  Known<Tracer, double> experts_per_token{};
  Known<Tracer, double> ranks{};           ///< expert parallel
  Known<Tracer, double> rows_per_token{};  ///< routed rows
  Known<Tracer, double> padding{};
  Known<Tracer, Seconds> row{};
  Known<Tracer, Seconds> stream{};  ///< of one expert
  Known<Tracer, Seconds> row_extra{};
  Known<Tracer, Seconds> start{};
  Known<Tracer, double> overlap_loss{};
  Known<Tracer, double> routing_spread{};
  Known<Tracer, Flops> row_work{};
  Known<Tracer, Bytes> weights{};  ///< of one expert
  Known<Tracer, Bytes> row_traffic{};
};

/// Costs per GPU, per token or per sequence.
template <class Tracer>
struct EngineCosts {
  std::string gemm_precision;
  std::vector<StepProducts<Tracer>> products;
  Known<Tracer, double> half_rows{};
  Known<Tracer, double> overlap_loss{};
  StepExperts<Tracer> experts;
  Known<Tracer, Flops> head_work_per_row{};
  Known<Tracer, Bytes> head_bytes{};
  Known<Tracer, FlopsPerSecond> head_gemm{};
  Known<Tracer, BytesPerSecond> head_streaming{};
  Known<Tracer, Seconds> sampling_row{};
  Known<Tracer, Bytes> kv_read_per_sequence{};    ///< at the rate of keys and values
  Known<Tracer, Bytes> cache_traffic{};           ///< per sequence: keys and values, and the states of recurrent layers
  Known<Tracer, Flops> decode_attention_work{};   ///< per sequence
  Known<Tracer, Flops> prefill_attention_work{};  ///< per prompt
  Known<Tracer, double> attention_ranks{};        ///< attention data parallel: sequences are spread over them
  Known<Tracer, FlopsPerSecond> decode_rate{};    ///< arithmetic of decode attention
  Known<Tracer, FlopsPerSecond> attention{};      ///< of prompts
  Known<Tracer, BytesPerSecond> kv_reading{};
  Known<Tracer, Seconds> starts{};     ///< of the kernels of all layers
  Known<Tracer, Seconds> token_row{};  ///< small kernels of one token
  Known<Tracer, Seconds> host_step{};
  Known<Tracer, Seconds> host_sequence{};
  Known<Tracer, double> bytes_per_hidden_value{};
  std::vector<StepCollective<Tracer>> collectives;
  EngineFigures<Tracer> figures;
  std::shared_ptr<const Drafting<Tracer>> drafting;  ///< null: a step yields one token of each sequence
};

}  // namespace podwright
