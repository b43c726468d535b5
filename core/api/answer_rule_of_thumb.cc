#include "api/answer_rule_of_thumb.h"

#include "api/write_common.h"
#include "base/arithmetic.h"
#include "memory/rule_of_thumb.h"
#include "memory/rule_of_thumb_serving.h"
#include "model/parameters.h"

namespace podwright {
namespace {

void write_rule(JsonWriter& out, std::string_view formula, std::string_view says, std::string_view fails,
                const Traced<Bytes>& result) {
  out.begin_object();
  out.text("formula", formula);
  out.text("says", says);
  out.quantity("memory", unit::kGb, result);
  out.text("fails", fails);
  out.end_object();
}

}  // namespace

Answer answer_rule_of_thumb(const Catalog& catalog, const RuleOfThumbRequest& request,
                            const std::vector<Assumption>& assumptions) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  const auto parameters =
      request.model ? parameter_parts(trace, *request.model).total : trace.input("/parameters", request.parameters);
  const auto bits = trace.input("/bits_per_weight", request.bits_per_weight);
  const auto overhead = trace.input("/overhead", request.overhead);
  out.begin_object();
  out.text("kind", "rule_of_thumb");
  out.quantity_as("parameters", unit::kNone, parameters);
  out.begin_list("rules");
  const RuleOfThumb& weights = kQuickServingMemory;
  write_rule(out, weights.formula, weights.says, weights.fails,
             named("quick_serving_memory", quick_serving_memory(parameters, bits, overhead)));
  if (request.model && request.tokens) {
    const RuleOfThumb& cache = kQuickKvCache;
    const auto element = trace.constant("sixteen_bit_element_bytes", 2.0, "keys and values of 16 bit");
    write_rule(
        out, cache.formula, cache.says, cache.fails,
        named("quick_kv_cache", quick_kv_cache(trace.fact(*request.model, "layers", request.model->layers),
                                               trace.fact(*request.model, "hidden_size", request.model->hidden_size),
                                               trace.input("/tokens", *request.tokens), element)));
  }
  write_rule(out, "rule.sixteen_bytes", "Training: 16 bytes for each parameter.", kRuleSixteenBytesFails,
             named("sixteen_bytes", rule_sixteen_bytes(parameters)));
  const auto multiple = [&](std::string_view name, double times) {
    return named(name, rule_weight_multiple(parameters, trace.constant(name, times, kRuleWeightMultipleSource)));
  };
  write_rule(out, "rule.weight_multiple", "Training: 4 times the 16-bit weights, the lower figure.",
             kRuleWeightMultipleFails, multiple("weight_multiple_low", kRuleWeightMultipleLow));
  write_rule(out, "rule.weight_multiple", "Training: 6 times the 16-bit weights, the upper figure.",
             kRuleWeightMultipleFails, multiple("weight_multiple_high", kRuleWeightMultipleHigh));
  out.end_list();
  write_foot(out, catalog, assumptions, {});
  if (request.explain) {
    out.key("trace");
    write_trace(out, trace);
  }
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
