#include "perf/training_step.h"

#include "base/number_text.h"
#include "base/words.h"

namespace podwright {

double adapter_parameters(const Model& model, const LayerStack& stack, const TrainingRun& run) {
  double total = 0;
  for (const LayerKind& kind : stack.kinds)
    for (const LinearWeight& weight : adapted_weights(model, kind, run.lora_targets))
      total += kind.count * weight.copies * run.lora_rank * (weight.in + weight.out);
  return total;
}

Binding training_binding(double compute, double attention, double recompute, double communication, double bubble,
                         double data, double optimizer, double other, const std::string& gpu_name) {
  const double total = compute + attention + recompute + communication + bubble + data + optimizer + other;
  if (!(total > 0)) return {};
  const double arithmetic = compute + attention + recompute;
  const double lost = std::max({communication, bubble, data, optimizer, other});
  if (arithmetic >= lost) {
    const auto share = "compute"_v = arithmetic / total;
    const auto gpu = "gpu"_v = gpu_name;
    return {"compute", arithmetic / total,
            recompute > 0 ? say("compute/recompute", share, gpu, "recompute"_v = recompute / total)
                          : say("compute/training", share, gpu)};
  }
  if (lost == communication)
    return {"communication", communication / total,
            say("communication/ranks", "communication"_v = communication / total)};
  if (lost == data)
    return {"communication", data / total, say("communication/gradients", "gradients"_v = data / total)};
  if (lost == bubble) return {"pipeline-bubble", bubble / total, say("pipeline-bubble", "bubble"_v = bubble / total)};
  if (lost == other) return {"host", other / total, say("host", "host"_v = other / total)};
  return {"memory-bandwidth", optimizer / total, say("memory-bandwidth/optimizer", "optimizer"_v = optimizer / total)};
}

Infeasible training_shortfall(const Model& model, const TrainingRun& run, const Gpu& gpu, Bytes needed,
                              Bytes capacity) {
  int digits = 1;  // as many as tell the two apart
  const auto gib_text = [&](Bytes amount) { return fixed_number(amount / gib(1), digits) + " GiB"; };
  while (digits < 9 && gib_text(needed) == gib_text(capacity)) ++digits;
  Infeasible reason{.code = "does-not-fit",
                    .message = say("does-not-fit", "needed"_v = gib_text(needed), "gpu"_v = gpu.name,
                                   "capacity"_v = gib_text(capacity)),
                    .shortfall = (needed - capacity).base_units(),
                    .unit = "bytes"};
  const auto offer = [&](const TrainingRun& changed, Patch patch) {
    if (legal_layout(model, changed)) reason.ways_out.push_back(std::move(patch));
  };
  if (run.activation_recompute != Recompute::full) offer(run, {"/activation_recompute", "full"});
  const bool shards = run.parallelism.data * run.parallelism.context > 1;
  for (int stage = run.parallelism.zero_stage + 1; shards && stage <= 3; ++stage)
    offer(run, {"/parallelism/zero_stage", stage});
  TrainingRun wide = run;
  while ((wide.parallelism.tensor *= 2) <= gpu.link_domain_gpus.value_or(1))
    offer(wide, Patch("/gpu_count", gpus_of(wide.parallelism)).set("/parallelism/tensor", wide.parallelism.tensor));
  if (run.micro_batch_size > 1) offer(run, {"/micro_batch_size", 1});
  if (run.offload == Offload::none) offer(run, {"/offload", "optimizer"});
  // Several changes at once, where one alone may not do: the least activations, with fewer states or more GPUs.
  TrainingRun lean = run;
  lean.activation_recompute = Recompute::full;
  lean.micro_batch_size = 1;
  const Patch least = Patch("/activation_recompute", "full").set("/micro_batch_size", 1);
  const auto offer_method = [&](TrainingMethod method) {
    TrainingRun adapted = lean;
    adapted.method = method;
    offer(adapted, Patch(least).set("/method", word_of(method, kTrainingMethodWords)));
  };
  if (run.method == TrainingMethod::full) offer_method(TrainingMethod::lora);
  if (run.method != TrainingMethod::qlora) offer_method(TrainingMethod::qlora);
  constexpr double kMostReplicas = 64;
  for (double more = 2; more <= kMostReplicas; more *= 2) {
    TrainingRun wider = lean;
    wider.parallelism.data *= more;
    wider.parallelism.zero_stage = 3;
    offer(wider, Patch(least)
                     .set("/gpu_count", gpus_of(wider.parallelism))
                     .set("/parallelism/data", wider.parallelism.data)
                     .set("/parallelism/zero_stage", 3));
  }
  return reason;
}

std::vector<std::string> training_not_modelled(const Catalog& catalog, const TrainingRun& run) {
  std::vector<std::string> sentences{
      "Data loading and evaluation; failures and checkpoints count where tokens are given.",
      "Congestion by other jobs, and routing of tokens beyond expert_imbalance."};
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
  const bool known = recipe && recipe.bytes().adapter > Bytes(0);
  if (run.method != TrainingMethod::full && !known) sentences.push_back("The adapters' own matrix products.");
  return sentences;
}

std::vector<Infeasible> training_time_gaps(const TrainingRun& run) {
  std::vector<Infeasible> gaps;
  if (offloads_activations(run.offload) && run.activation_recompute != Recompute::full)
    gaps.push_back({.code = "not-modelled",
                    .message = say("not-modelled/offloaded-activations"),
                    .ways_out = {{"/activation_recompute", "full"}, {"/offload", "none"}}});
  return gaps;
}

}  // namespace podwright
