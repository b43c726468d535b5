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
  typename Tracer::template Known<double> max_sequences{};       ///< of the whole deployment
  typename Tracer::template Known<double> max_batched_tokens{};  ///< of one engine step
  Bytes kv_element = bytes(2);                                   ///< one key or value element
  double pool_tokens = 0;  ///< that one pool holds whose sequences may be preempted; 0: none are
  double pools = 1;        ///< of the deployment
};

/// One kind of collective of a step: `count` times over `ranks` GPUs.
template <class Tracer>
struct StepCollective {
  /// Experts behind attention data parallelism: group, all of its tokens gathered and reduced; dispatch, tokens sent
  /// to their experts and back.
  enum class Kind { all_reduce, group, dispatch, point_to_point };
  Kind kind = Kind::all_reduce;
  typename Tracer::template Known<double> count{};
  typename Tracer::template Known<double> ranks{};
  typename Tracer::template Known<double> span{};  ///< GPUs among which the ranks stand
  typename Tracer::template Known<double>
      token_share{};  ///< tokens of the step that one rank's message carries, as a share
  typename Tracer::template Known<double> width{};
  typename Tracer::template Known<BytesPerSecond> bandwidth{};
  typename Tracer::template Known<Seconds> start_up{};
};

template <class Tracer>
struct Drafting;

/// Equal products of a step: time of a row where arithmetic binds, of the weights, and of a row's own traffic; and a
/// row's work, the weights, and the row's inputs and outputs, each moved once.
template <class Tracer>
struct StepProducts {
  typename Tracer::template Known<double> count{};
  typename Tracer::template Known<Seconds> row{};
  typename Tracer::template Known<Seconds> stream{};
  typename Tracer::template Known<Seconds> activations{};
  typename Tracer::template Known<Flops> row_work{};
  typename Tracer::template Known<Bytes> weights{};
  typename Tracer::template Known<Bytes> row_traffic{};
};

/// The layers with routed experts, as the fullest GPU sees them.
template <class Tracer>
struct StepExperts {
  typename Tracer::template Known<double> count{};  ///< layers; 0: none
  typename Tracer::template Known<double> experts{};
  typename Tracer::template Known<double> experts_per_token{};
  typename Tracer::template Known<double> ranks{};           ///< expert parallel
  typename Tracer::template Known<double> rows_per_token{};  ///< routed rows
  typename Tracer::template Known<double> padding{};
  typename Tracer::template Known<Seconds> row{};
  typename Tracer::template Known<Seconds> stream{};  ///< of one expert
  typename Tracer::template Known<Seconds> row_extra{};
  typename Tracer::template Known<Seconds> start{};
  typename Tracer::template Known<double> overlap_loss{};
  typename Tracer::template Known<double> routing_spread{};
  typename Tracer::template Known<Flops> row_work{};
  typename Tracer::template Known<Bytes> weights{};  ///< of one expert
  typename Tracer::template Known<Bytes> row_traffic{};
};

/// Costs per GPU, per token or per sequence.
template <class Tracer>
struct EngineCosts {
  template <class T>
  using Known = typename Tracer::template Known<T>;

  std::string gemm_precision;
  std::vector<StepProducts<Tracer>> products;
  Known<double> half_rows{};
  Known<double> overlap_loss{};
  StepExperts<Tracer> experts;
  Known<Flops> head_work_per_row{};
  Known<Bytes> head_bytes{};
  Known<FlopsPerSecond> head_gemm{};
  Known<BytesPerSecond> head_streaming{};
  Known<Seconds> sampling_row{};
  Known<Bytes> kv_read_per_sequence{};    ///< at the rate of keys and values
  Known<Bytes> cache_traffic{};           ///< per sequence: keys and values, and the states of recurrent layers
  Known<Flops> decode_attention_work{};   ///< per sequence
  Known<Flops> prefill_attention_work{};  ///< per prompt
  Known<double> attention_ranks{};        ///< attention data parallel: sequences are spread over them
  Known<FlopsPerSecond> decode_rate{};    ///< arithmetic of decode attention
  Known<FlopsPerSecond> attention{};      ///< of prompts
  Known<BytesPerSecond> kv_reading{};
  Known<Seconds> starts{};     ///< of the kernels of all layers
  Known<Seconds> token_row{};  ///< small kernels of one token
  Known<Seconds> host_step{};
  Known<Seconds> host_sequence{};
  Known<double> bytes_per_hidden_value{};
  std::vector<StepCollective<Tracer>> collectives;
  EngineFigures<Tracer> figures;
  std::shared_ptr<const Drafting<Tracer>> drafting;  ///< null: a step yields one token of each sequence
};

}  // namespace podwright
