#include "perf/training_step.h"

#include "base/number_text.h"
#include "base/words.h"

namespace podwright {

double adapter_parameters(const Model& model, const LayerStack& stack, double rank) {
  double total = 0;
  for (const LayerKind& kind : stack.kinds)
    for (const LinearWeight& weight : linear_weights(model, kind))
      total += kind.count * weight.copies * rank * (weight.in + weight.out);
  return total;
}

Binding training_binding(double compute, double attention, double recompute, double communication, double bubble,
                         double data, double optimizer, double other, const std::string& gpu_name) {
  const double total = compute + attention + recompute + communication + bubble + data + optimizer + other;
  if (!(total > 0)) return {};
  const auto percent = [&](double part) { return human_number(100 * part / total, 2) + " %"; };
  const double arithmetic = compute + attention + recompute;
  const double lost = std::max({communication, bubble, data, optimizer, other});
  if (arithmetic >= lost) {
    const std::string again =
        recompute > 0 ? ", of which " + percent(recompute) + " is activations computed again" : "";
    return {"compute", arithmetic / total,
            "Arithmetic takes " + percent(arithmetic) + " of the step on " + gpu_name + again +
                ": more GPUs, faster ones or a narrower precision would remove it."};
  }
  if (lost == communication)
    return {"communication", communication / total,
            "Exchanges between tensor, context, expert and pipeline ranks take " + percent(communication) +
                " of the step: smaller groups or faster links would remove it."};
  if (lost == data)
    return {"communication", data / total,
            "The exchange of gradients takes " + percent(data) +
                " of the step: a larger global batch, fewer data-parallel ranks or a faster network would remove it."};
  if (lost == bubble)
    return {"pipeline-bubble", bubble / total,
            "Pipeline stages wait " + percent(bubble) +
                " of the step: more micro-batches, interleaving or fewer stages would remove it."};
  if (lost == other)
    return {"host", other / total,
            "Launches, the host and what is lost to scale take " + percent(other) +
                " of the step: larger micro-batches or fewer, fuller GPUs would remove it."};
  return {"memory-bandwidth", optimizer / total,
          "The optimizer takes " + percent(optimizer) +
              " of the step: sharding its states (zero_stage 1) would remove it."};
}

Infeasible training_shortfall(const Model& model, const TrainingRun& run, const Gpu& gpu, Bytes needed,
                              Bytes capacity) {
  int digits = 1;  // as many as tell the two apart
  const auto gib_text = [&](Bytes amount) { return fixed_number(amount / gib(1), digits) + " GiB"; };
  while (digits < 9 && gib_text(needed) == gib_text(capacity)) ++digits;
  Infeasible reason{
      .code = "does-not-fit",
      .message = "The fullest GPU needs " + gib_text(needed) + ", " + gpu.name + " has " + gib_text(capacity) + ".",
      .shortfall = (needed - capacity).base_units(),
      .unit = "bytes",
      .ways_out = {}};
  const auto offer = [&](TrainingRun changed, std::string patch) {
    if (legal_layout(model, changed)) reason.ways_out.push_back(std::move(patch));
  };
  if (run.activation_recompute != Recompute::full) offer(run, merge_patch("activation_recompute", "full"));
  const bool shards = run.parallelism.data * run.parallelism.context > 1;
  for (int stage = run.parallelism.zero_stage + 1; shards && stage <= 3; ++stage)
    offer(run, merge_patch("parallelism.zero_stage", stage));
  const auto offer_sizes = [&](const TrainingParallelism& p, const std::string& sizes) {
    TrainingRun wider = run;
    wider.parallelism = p;
    offer(wider, "{\"gpu_count\":" + shortest_number(gpus_of(p)) + ",\"parallelism\":{" + sizes + "}}");
  };
  for (TrainingParallelism p = run.parallelism; (p.tensor *= 2) <= gpu.link_domain_gpus.value_or(1);)
    offer_sizes(p, "\"tensor\":" + shortest_number(p.tensor));
  if (run.micro_batch_size > 1) offer(run, merge_patch("micro_batch_size", 1.0));
  if (run.offload == Offload::none) offer(run, merge_patch("offload", "optimizer"));
  // Several changes at once, where one alone may not do: the least activations, with fewer states or more GPUs.
  TrainingRun lean = run;
  lean.activation_recompute = Recompute::full;
  lean.micro_batch_size = 1;
  const std::string least = "\"activation_recompute\":\"full\",\"micro_batch_size\":1";
  const auto offer_method = [&](TrainingMethod method) {
    TrainingRun adapted = lean;
    adapted.method = method;
    const std::string word(word_of(method, kTrainingMethodWords));
    offer(adapted, "{" + least + ",\"method\":\"" + word + "\"}");
  };
  if (run.method == TrainingMethod::full) offer_method(TrainingMethod::lora);
  if (run.method != TrainingMethod::qlora) offer_method(TrainingMethod::qlora);
  constexpr double kMostReplicas = 64;
  for (double more = 2; more <= kMostReplicas; more *= 2) {
    TrainingRun wider = lean;
    wider.parallelism.data *= more;
    wider.parallelism.zero_stage = 3;
    offer(wider, "{" + least + ",\"gpu_count\":" + shortest_number(gpus_of(wider.parallelism)) +
                     ",\"parallelism\":{\"data\":" + shortest_number(wider.parallelism.data) + ",\"zero_stage\":3}}");
  }
  return reason;
}

std::vector<std::string> training_not_modelled(const TrainingRun& run) {
  std::vector<std::string> sentences{
      "Data loading and evaluation; failures and checkpoints count where tokens are given.",
      "Congestion by other jobs, and routing of tokens beyond expert_imbalance."};
  if (run.method != TrainingMethod::full) sentences.push_back("The adapters' own matrix products.");
  return sentences;
}

std::vector<Infeasible> training_time_gaps(const TrainingRun& run) {
  std::vector<Infeasible> gaps;
  if (offloads_activations(run.offload) && run.activation_recompute != Recompute::full)
    gaps.push_back({.code = "not-modelled",
                    .message =
                        "Time of offloaded activations is modelled with full recompute, where only the inputs of "
                        "the layers move.",
                    .shortfall = 0,
                    .unit = "",
                    .ways_out = {merge_patch("activation_recompute", "full"), merge_patch("offload", "none")}});
  return gaps;
}

}  // namespace podwright
