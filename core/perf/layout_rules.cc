#include "perf/layout_rules.h"

#include <cmath>
#include <string_view>

#include "base/number_text.h"

namespace podwright {
namespace {

bool divides(double part, double whole) { return part > 0 && std::fmod(whole, part) == 0; }

/// Collects the rules that do not hold; `visit` is told once for each.
template <class Visit>
void serving_rules(const Model& model, const ServingRun& run, Visit visit) {
  const ServingParallelism& p = run.parallelism;
  visit(divides(p.tensor, model.attention_heads), "parallelism.tensor", p.tensor, "must divide the attention heads",
        model.attention_heads);
  visit(p.pipeline <= model.layers, "parallelism.pipeline", p.pipeline, "must not exceed the layers", model.layers);
  visit(divides(p.expert, p.tensor * p.attention_data), "parallelism.expert", p.expert,
        "must divide tensor x attention_data", p.tensor * p.attention_data);
  visit(p.expert == 1 || divides(p.expert, model.experts), "parallelism.expert", p.expert, "must divide the experts",
        model.experts);
}

template <class Visit>
void training_rules(const Model& model, const TrainingRun& run, Visit visit) {
  const TrainingParallelism& p = run.parallelism;
  visit(divides(p.tensor, model.attention_heads), "parallelism.tensor", p.tensor, "must divide the attention heads",
        model.attention_heads);
  visit(p.pipeline * p.virtual_pipeline <= model.layers + (run.embedding_and_loss_as_layers ? 2 : 0),
        "parallelism.pipeline", p.pipeline * p.virtual_pipeline, "(with its chunks) must not exceed the layers",
        model.layers);
  visit(divides(p.context, run.sequence_length), "parallelism.context", p.context, "must divide the sequence length",
        run.sequence_length);
  visit(divides(run.micro_batch_size * p.data, run.global_batch_size), "global_batch_size", run.global_batch_size,
        "must be a multiple of micro_batch_size x data", run.micro_batch_size * p.data);
  visit(divides(p.expert * p.expert_tensor, p.tensor * p.context * p.data), "parallelism.expert",
        p.expert * p.expert_tensor, "(with expert_tensor) must divide tensor x context x data",
        p.tensor * p.context * p.data);
  visit(p.expert == 1 || divides(p.expert, model.experts), "parallelism.expert", p.expert, "must divide the experts",
        model.experts);
  visit(p.virtual_pipeline == 1 || divides(p.pipeline, run.global_batch_size / (run.micro_batch_size * p.data)),
        "parallelism.pipeline", p.pipeline, "must divide the micro-batches when stages are interleaved",
        run.global_batch_size / (run.micro_batch_size * p.data));
}

struct Collect {
  std::vector<Infeasible>& problems;
  void operator()(bool holds, const char* key, double value, const char* rule, double other) const {
    if (holds) return;
    const bool batch = std::string_view(key) == "global_batch_size";
    problems.push_back({.code = "layout",
                        .message = std::string(key) + " = " + shortest_number(value) + " " + rule + " (" +
                                   shortest_number(other) + ").",
                        .shortfall = 0,
                        .unit = "",
                        .ways_out = {merge_patch(key, batch ? std::ceil(value / other) * other : 1.0)}});
  }
};

struct AllHold {
  bool& all;
  void operator()(bool holds, const char*, double, const char*, double) const { all = all && holds; }
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
