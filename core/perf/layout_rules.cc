#include "perf/layout_rules.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/number_text.h"

namespace podwright {
namespace {

bool divides(double part, double whole) { return part > 0 && std::fmod(whole, part) == 0; }

/// Which values of a size keep its rule.
enum class Legal { divisors, divisors_and_multiples, at_most, multiples };

struct Rule {
  const char* key;
  double value;
  const char* text;  ///< of a sentence: "must divide the attention heads"
  double other;      ///< the size that the rule compares with
  Legal legal = Legal::divisors;
};

/// Collects the rules that do not hold; `visit` is told once for each.
template <class Visit>
void serving_rules(const Model& model, const ServingRun& run, Visit visit) {
  const ServingParallelism& p = run.parallelism;
  visit(divides(p.tensor, model.attention_heads),
        Rule{"parallelism.tensor", p.tensor, "must divide the attention heads", model.attention_heads});
  visit(p.pipeline <= model.layers,
        Rule{"parallelism.pipeline", p.pipeline, "must not exceed the layers", model.layers, Legal::at_most});
  visit(divides(p.expert, p.tensor * p.attention_data),
        Rule{"parallelism.expert", p.expert, "must divide tensor x attention_data", p.tensor * p.attention_data});
  visit(p.expert == 1 || (model.experts > 0 && divides(p.expert, model.experts)),
        Rule{"parallelism.expert", p.expert, "must divide the experts", model.experts});
}

template <class Visit>
void training_rules(const Model& model, const TrainingRun& run, Visit visit) {
  const TrainingParallelism& p = run.parallelism;
  const double replicas = run.micro_batch_size * p.data;
  const double ranks = p.tensor * p.context * p.data;
  visit(divides(p.tensor, model.attention_heads),
        Rule{"parallelism.tensor", p.tensor, "must divide the attention heads", model.attention_heads});
  visit(model.kv_heads <= 0 || divides(p.tensor, model.kv_heads) || divides(model.kv_heads, p.tensor),
        Rule{"parallelism.tensor", p.tensor, "must divide the KV heads, or be a multiple of them (each then copied)",
             model.kv_heads, Legal::divisors_and_multiples});
  visit(model.ffn_hidden_size <= 0 || divides(p.tensor, model.ffn_hidden_size),
        Rule{"parallelism.tensor", p.tensor, "must divide the width of the MLP", model.ffn_hidden_size});
  const double slots = model.layers + (run.embedding_and_loss_as_layers ? 2 : 0);
  visit(p.pipeline * p.virtual_pipeline <= slots,
        Rule{"parallelism.pipeline", p.pipeline * p.virtual_pipeline, "(with its chunks) must not exceed the layers",
             slots, Legal::at_most});
  visit(p.context == 1 || divides(2 * p.context, run.sequence_length),
        Rule{"parallelism.context", p.context,
             "must divide half the sequence length (a rank computes one early and one late part)",
             run.sequence_length / 2});
  visit(!p.sequence_parallel || p.tensor == 1 || divides(p.tensor, run.sequence_length / p.context),
        Rule{"parallelism.tensor", p.tensor, "must divide the tokens of a sequence on one context rank",
             run.sequence_length / p.context});
  visit(divides(replicas, run.global_batch_size),
        Rule{"global_batch_size", run.global_batch_size, "must be a multiple of micro_batch_size x data", replicas,
             Legal::multiples});
  visit(divides(p.expert * p.expert_tensor, ranks),
        Rule{"parallelism.expert", p.expert * p.expert_tensor,
             "(with expert_tensor) must divide tensor x context x data", ranks});
  visit(p.expert == 1 || (model.experts > 0 && divides(p.expert, model.experts)),
        Rule{"parallelism.expert", p.expert, "must divide the experts", model.experts});
  visit(p.expert_tensor == 1 || (model.experts > 0 && divides(p.expert_tensor, model.moe_ffn_hidden_size)),
        Rule{"parallelism.expert_tensor", p.expert_tensor, "must divide the width of an expert",
             model.moe_ffn_hidden_size});
  const double micro_batches = run.global_batch_size / replicas;
  visit(p.virtual_pipeline == 1 || divides(p.pipeline, micro_batches),
        Rule{"parallelism.pipeline", p.pipeline, "must divide the micro-batches when stages are interleaved",
             micro_batches});
}

std::string sentence(const Rule& rule) {
  return std::string(rule.key) + " = " + shortest_number(rule.value) + " " + rule.text + " (" +
         shortest_number(rule.other) + ").";
}

/// "1, 2, 4, 8": at most a dozen, those around the value asked for.
std::string divisors_text(double whole, double wanted) {
  std::vector<double> all;
  for (double part = 1; part * part <= whole; ++part) {
    if (!divides(part, whole)) continue;
    all.push_back(part);
    if (part * part != whole) all.push_back(whole / part);
  }
  std::sort(all.begin(), all.end());
  constexpr std::size_t kMost = 12;
  const auto near = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), wanted) - all.begin());
  std::size_t first = near > kMost / 2 ? near - kMost / 2 : 0;
  const std::size_t last = std::min(all.size(), first + kMost);
  first = last > kMost ? std::min(first, last - kMost) : 0;
  std::string text = first > 0 ? "... " : "";
  for (std::size_t i = first; i < last; ++i) text += (i == first ? "" : ", ") + shortest_number(all[i]);
  return text + (last < all.size() ? " ..." : "");
}

std::string legal_text(const Rule& rule) {
  if (!(rule.other >= 1) || rule.other != std::floor(rule.other)) return "Legal: 1.";
  switch (rule.legal) {
    case Legal::at_most:
      return "Legal: 1 to " + shortest_number(rule.other) + ".";
    case Legal::multiples:
      return "Legal: " + shortest_number(rule.other) + ", " + shortest_number(2 * rule.other) + ", " +
             shortest_number(3 * rule.other) + " ...";
    case Legal::divisors_and_multiples:
      return "Legal: " + divisors_text(rule.other, rule.value) + ", " + shortest_number(2 * rule.other) + ", " +
             shortest_number(3 * rule.other) + " ...";
    case Legal::divisors:
      break;
  }
  return "Legal: " + divisors_text(rule.other, rule.value) + ".";
}

struct Collect {
  std::vector<Infeasible>& problems;
  void operator()(bool holds, const Rule& rule) const {
    if (holds) return;
    const bool batch = rule.legal == Legal::multiples;
    problems.push_back(
        {.code = "layout",
         .message = sentence(rule),
         .shortfall = 0,
         .unit = "",
         .ways_out = {merge_patch(rule.key, batch ? std::ceil(rule.value / rule.other) * rule.other : 1.0)}});
  }
};

struct CollectErrors {
  Errors& errors;
  void operator()(bool holds, const Rule& rule) const {
    if (holds) return;
    std::string path = "/" + std::string(rule.key);
    std::replace(path.begin(), path.end(), '.', '/');
    errors.push_back({"conflict", std::move(path), sentence(rule), legal_text(rule)});
  }
};

struct AllHold {
  bool& all;
  void operator()(bool holds, const Rule&) const { all = all && holds; }
};

}  // namespace

std::vector<Infeasible> serving_layout_problems(const Model& model, const ServingRun& run) {
  std::vector<Infeasible> problems;
  serving_rules(model, run, Collect{problems});
  return problems;
}

std::vector<Infeasible> training_layout_problems(const Model& model, const TrainingRun& run) {
  std::vector<Infeasible> problems;
  training_rules(model, run, Collect{problems});
  return problems;
}

Errors training_layout_errors(const Model& model, const TrainingRun& run) {
  Errors errors;
  training_rules(model, run, CollectErrors{errors});
  return errors;
}

bool legal_layout(const Model& model, const ServingRun& run) {
  bool legal = true;
  serving_rules(model, run, AllHold{legal});
  return legal;
}

bool legal_layout(const Model& model, const TrainingRun& run) {
  bool legal = true;
  training_rules(model, run, AllHold{legal});
  return legal;
}

}  // namespace podwright
