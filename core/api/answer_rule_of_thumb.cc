#include "api/requests.h"

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "base/arithmetic.h"
#include "memory/rule_of_thumb.h"
#include "model/parameters.h"

namespace podwright {
namespace {

struct ShownRule {
  std::string_view formula;
  std::string_view says;
  std::string_view fails;
  Traced<Bytes> memory;
};

void describe_answer(auto& v, const Trace& trace, const Asked& asked, const RuleOfThumbRequest& request,
                     const Traced<double>& parameters, const std::vector<ShownRule>& rules) {
  v.text({"kind"}, "rule_of_thumb");
  v.number({"parameters"}, parameters);
  v.list({"rules"}, rules, [&](const ShownRule& rule) {
    v.text({"formula"}, rule.formula);
    v.text({"says"}, rule.says);
    v.number({"memory_gb", unit::kGb}, rule.memory);
    v.text({"fails", "Where it fails"}, rule.fails);
  });
  describe_foot(v, asked);
  describe_trace(v, request.explain ? &trace : nullptr);
}

std::vector<ShownRule> rules_of(Trace& trace, const RuleOfThumbRequest& request, const Traced<double>& parameters) {
  const auto bits = trace.input("/bits_per_weight", request.bits_per_weight);
  const auto overhead = trace.input("/overhead", request.overhead);
  std::vector<ShownRule> rules;
  const RuleOfThumb& weights = kQuickServingMemory;
  rules.push_back({weights.formula, weights.says, weights.fails,
                   named("quick_serving_memory", quick_serving_memory(parameters, bits, overhead))});
  if (request.model && request.tokens) {
    const Model& model = *request.model;
    const RuleOfThumb& cache = kQuickKvCache;
    const auto element = trace.constant("sixteen_bit_element_bytes", 2.0, "keys and values of 16 bit");
    rules.push_back({cache.formula, cache.says, cache.fails,
                     named("quick_kv_cache", quick_kv_cache(trace.fact(model, "layers", model.layers),
                                                            trace.fact(model, "hidden_size", model.hidden_size),
                                                            trace.input("/tokens", *request.tokens), element))});
  }
  rules.push_back({"rule.sixteen_bytes", "Training: 16 bytes for each parameter.", kRuleSixteenBytesFails,
                   named("sixteen_bytes", rule_sixteen_bytes(parameters))});
  const auto multiple = [&](std::string_view name, double times) {
    return named(name, rule_weight_multiple(parameters, trace.constant(name, times, kRuleWeightMultipleSource)));
  };
  rules.push_back({"rule.weight_multiple", "Training: 4 times the 16-bit weights, the lower figure.",
                   kRuleWeightMultipleFails, multiple("weight_multiple_low", kRuleWeightMultipleLow)});
  rules.push_back({"rule.weight_multiple", "Training: 6 times the 16-bit weights, the upper figure.",
                   kRuleWeightMultipleFails, multiple("weight_multiple_high", kRuleWeightMultipleHigh)});
  return rules;
}

}  // namespace

Answer answer_rule_of_thumb(const Asked& asked, const RuleOfThumbRequest& request) {
  Trace trace(sources_of(asked.assumptions));
  const auto parameters =
      request.model ? parameter_parts(trace, *request.model).total : trace.input("/parameters", request.parameters);
  const std::vector<ShownRule> rules = rules_of(trace, request, parameters);
  return written_answer(&trace, true,
                        [&](AnswerWriter& v) { describe_answer(v, trace, asked, request, parameters, rules); });
}

void describe_rule_of_thumb_answer(AnswerShape& v) {
  describe_answer(v, Trace{}, nothing_asked(), RuleOfThumbRequest{}, {}, {});
}

}  // namespace podwright
