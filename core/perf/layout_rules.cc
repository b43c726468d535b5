#include "perf/layout_rules.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/number_text.h"
#include "model/layers.h"

namespace podwright {
namespace {

bool divides(double part, double whole) { return part > 0 && std::fmod(whole, part) == 0; }

/// Which values of a size keep its rule.
enum class Legal { listed, at_most, multiples };

struct Rule {
  const char* key;
  double value;
  const char* text;  ///< its sentence among the messages, without "layout-rule/"
  double other;      ///< the size that the rule compares with
  Legal legal = Legal::listed;
};

/// Calls `visit` once for each rule, with whether it holds.
template <class Visit>
void rules_of(const Model& model, const ServingRun& run, Visit visit) {
  const ServingParallelism& p = run.parallelism;
  visit(divides(p.tensor, model.attention_heads),
        Rule{"/parallelism/tensor", p.tensor, "divide-heads", model.attention_heads});
  visit(p.pipeline <= model.layers,
        Rule{"/parallelism/pipeline", p.pipeline, "at-most-layers", model.layers, Legal::at_most});
  visit(divides(p.expert, p.tensor * p.attention_data),
        Rule{"/parallelism/expert", p.expert, "divide-tensor-data", p.tensor * p.attention_data});
  visit(p.expert == 1 || (model.experts > 0 && divides(p.expert, model.experts)),
        Rule{"/parallelism/expert", p.expert, "divide-experts", model.experts});
}

template <class Visit>
void rules_of(const Model& model, const TrainingRun& run, Visit visit) {
  const TrainingParallelism& p = run.parallelism;
  const double replicas = run.micro_batch_size * p.data;
  const double ranks = p.tensor * p.context * p.data;
  visit(divides(p.tensor, model.attention_heads),
        Rule{"/parallelism/tensor", p.tensor, "divide-heads", model.attention_heads});
  visit(model.kv_heads <= 0 || divides(p.tensor, model.kv_heads) || divides(model.kv_heads, p.tensor),
        Rule{"/parallelism/tensor", p.tensor, "divide-kv-heads", model.kv_heads});
  visit(model.ffn_hidden_size <= 0 || divides(p.tensor, model.ffn_hidden_size),
        Rule{"/parallelism/tensor", p.tensor, "divide-mlp", model.ffn_hidden_size});
  const double slots = layer_slots(model.layers, run.embedding_and_loss_as_layers);
  visit(p.pipeline * p.virtual_pipeline <= slots,
        Rule{"/parallelism/pipeline", p.pipeline * p.virtual_pipeline, "at-most-slots", slots, Legal::at_most});
  visit(p.context == 1 || divides(2 * p.context, run.sequence_length),
        Rule{"/parallelism/context", p.context, "divide-half-sequence", run.sequence_length / 2});
  visit(run.context_exchange != ContextExchange::heads || divides(p.tensor * p.context, model.attention_heads),
        Rule{"/parallelism/context", p.context, "divide-rank-heads", model.attention_heads / p.tensor});
  visit(!p.sequence_parallel || p.tensor == 1 || divides(p.tensor, run.sequence_length / p.context),
        Rule{"/parallelism/tensor", p.tensor, "divide-context-tokens", run.sequence_length / p.context});
  visit(divides(replicas, run.global_batch_size),
        Rule{"/global_batch_size", run.global_batch_size, "multiple-of-replicas", replicas, Legal::multiples});
  visit(divides(p.expert * p.expert_tensor, ranks),
        Rule{"/parallelism/expert", p.expert * p.expert_tensor, "divide-ranks", ranks});
  visit(p.expert == 1 || (model.experts > 0 && divides(p.expert, model.experts)),
        Rule{"/parallelism/expert", p.expert, "divide-experts", model.experts});
  visit(p.expert_tensor == 1 || (model.experts > 0 && divides(p.expert_tensor, model.moe_ffn_hidden_size)),
        Rule{"/parallelism/expert_tensor", p.expert_tensor, "divide-expert-width", model.moe_ffn_hidden_size});
  const double micro_batches = run.global_batch_size / replicas;
  visit(p.virtual_pipeline == 1 || divides(p.pipeline, micro_batches),
        Rule{"/parallelism/pipeline", p.pipeline, "divide-micro-batches", micro_batches});
}

Message message_of(const Rule& rule) {
  std::string key = rule.key + 1;
  std::replace(key.begin(), key.end(), '/', '.');
  return say("layout", "key"_v = std::move(key), "value"_v = rule.value, "rule"_v = say_word<"layout-rule">(rule.text),
             "other"_v = rule.other);
}

/// The size that a rule speaks of; null for those that are no parallel size.
double TrainingParallelism::*size_of(const TrainingRun&, std::string_view key) {
  if (key == "/parallelism/tensor") return &TrainingParallelism::tensor;
  if (key == "/parallelism/context") return &TrainingParallelism::context;
  if (key == "/parallelism/expert") return &TrainingParallelism::expert;
  if (key == "/parallelism/expert_tensor") return &TrainingParallelism::expert_tensor;
  return key == "/parallelism/pipeline" ? &TrainingParallelism::pipeline : nullptr;
}
double ServingParallelism::*size_of(const ServingRun&, std::string_view key) {
  return key == "/parallelism/tensor"   ? &ServingParallelism::tensor
         : key == "/parallelism/expert" ? &ServingParallelism::expert
                                        : nullptr;
}

double chunks_of_a_stage(const TrainingRun& run) { return run.parallelism.virtual_pipeline; }
double chunks_of_a_stage(const ServingRun&) { return 1; }

/// "Legal: 1, 2, 4, 8.": values of the rule's size that keep every rule about it, at most a dozen from below.
template <class Run>
std::string legal_text(const Model& model, const Run& run, const Rule& rule) {
  if (rule.legal == Legal::multiples) {
    return "Legal: " + shortest_number(rule.other) + ", " + shortest_number(2 * rule.other) + ", " +
           shortest_number(3 * rule.other) + " ...";
  }
  if (rule.legal == Legal::at_most)
    return "Legal: 1 to " + shortest_number(std::max(1.0, std::floor(rule.other / chunks_of_a_stage(run)))) + ".";
  constexpr int kMost = 12;
  constexpr double kLargest = 65536;  // looked at; beyond it no group is
  const double most = std::min(kLargest, std::max(rule.other, model.attention_heads));
  const auto size = size_of(run, rule.key);
  if (size == nullptr) return "Legal: 1.";
  std::string text;
  int count = 0;
  Run changed = run;
  for (double value = 1; value <= most && count <= kMost; ++value) {
    bool holds = true;
    changed.parallelism.*size = value;
    rules_of(model, changed,
             [&](bool kept, const Rule& other) { holds = holds && (kept || std::string_view(other.key) != rule.key); });
    if (!holds) continue;
    if (++count <= kMost) text += (text.empty() ? "" : ", ") + shortest_number(value);
  }
  if (text.empty()) return "No value of this size goes with the others: change those too.";
  return "Legal: " + text + (count > kMost ? " ..." : ".");
}

template <class Run>
std::vector<Infeasible> problems_of(const Model& model, const Run& run) {
  std::vector<Infeasible> problems;
  rules_of(model, run, [&](bool holds, const Rule& rule) {
    if (holds) return;
    const bool batch = rule.legal == Legal::multiples;
    problems.push_back({.code = "layout",
                        .message = message_of(rule),
                        .ways_out = {{rule.key, batch ? std::ceil(rule.value / rule.other) * rule.other : 1.0}}});
  });
  return problems;
}

/// One error a size: the first rule that it breaks.
template <class Run>
Errors errors_of(const Model& model, const Run& run) {
  Errors errors;
  rules_of(model, run, [&](bool holds, const Rule& rule) {
    const auto known = [&](const Error& error) { return error.path == rule.key; };
    if (!holds && std::none_of(errors.begin(), errors.end(), known))
      errors.push_back({"conflict", rule.key, message_of(rule).text(), legal_text(model, run, rule)});
  });
  return errors;
}

template <class Run>
bool all_hold(const Model& model, const Run& run) {
  bool all = true;
  rules_of(model, run, [&](bool holds, const Rule&) { all = all && holds; });
  return all;
}

}  // namespace

std::vector<Infeasible> serving_layout_problems(const Model& model, const ServingRun& run) {
  return problems_of(model, run);
}
std::vector<Infeasible> training_layout_problems(const Model& model, const TrainingRun& run) {
  return problems_of(model, run);
}
Errors serving_layout_errors(const Model& model, const ServingRun& run) { return errors_of(model, run); }
Errors training_layout_errors(const Model& model, const TrainingRun& run) { return errors_of(model, run); }
bool legal_layout(const Model& model, const ServingRun& run) { return all_hold(model, run); }
bool legal_layout(const Model& model, const TrainingRun& run) { return all_hold(model, run); }

}  // namespace podwright
