#include "api/request_explain.h"

#include "api/describe_head.h"
#include "api/describe_serving_claim.h"

namespace podwright {
namespace {

/// A field of training claims that this one has; empty: none.
std::string_view training_field(const TrainingClaim& claim) {
  if (claim.parameters) return "parameters";
  if (claim.tokens) return "tokens";
  if (claim.sequence_length) return "sequence_length";
  if (claim.global_batch_size) return "global_batch_size";
  if (claim.assumed_mfu) return "assumed_mfu";
  if (claim.days) return "days";
  if (claim.tokens_per_s_per_gpu) return "tokens_per_s_per_gpu";
  if (claim.mfu) return "mfu";
  if (claim.tflops_per_gpu) return "tflops_per_gpu";
  return claim.step_time_s ? "step_time_s" : "";
}

void describe_claim(FieldVisitor& v, const Catalog& catalog, bool given, ExplainRequest& r) {
  r.electricity_claim = describe_electricity_claim(v);
  const bool of_speed = given && !r.electricity_claim;
  TrainingClaim claim;
  v.model({.key = "model", .help = "Model that is trained or served: an id of the catalog or an object"}, claim.model);
  v.number({.key = "parameters", .help = "Its parameters instead, a plain count (8e9)", .range = {1, 1e15}},
           claim.parameters);
  v.gpu({.key = "gpu",
         .help = "GPU: an id of the catalog or an object of the same shape",
         .required = of_speed && !v.all_variants()},
        claim.gpu);
  v.count({.key = "gpu_count", .help = "GPUs of the run or deployment", .range = kAtLeastOne}, claim.gpu_count);
  ServingClaimFields serving;
  describe(v, catalog, serving);
  v.number({.key = "tokens", .help = "Tokens of the run", .range = {1, 1e18}}, claim.tokens);
  word(v,
       {.key = "precision",
        .help = "Precision of the matrix products",
        .default_source = of_speed && !serving.given() ? "16-bit training" : "",
        .aliases = "precisions"},
       claim.precision, kPrecisionWords);
  v.count(
      {.key = "sequence_length", .help = "Tokens of a sequence; with a model, attention is counted", .range = {1, 1e8}},
      claim.sequence_length);
  v.count({.key = "global_batch_size", .help = "Sequences per optimizer step", .range = kAtLeastOne},
          claim.global_batch_size);
  v.number({.key = "assumed_mfu",
            .help = "Model FLOPs utilisation of a realistic run; absent: that of a good published one",
            .range = {0.001, 1}},
           claim.assumed_mfu);
  v.number({.key = "days", .help = "Claimed: days of the run", .range = {1e-6, 1e6}}, claim.days);
  v.number({.key = "tokens_per_s_per_gpu", .help = "Claimed: tokens per second of one GPU", .range = kPositive},
           claim.tokens_per_s_per_gpu);
  v.number({.key = "mfu", .help = "Claimed: model FLOPs utilisation, 0.4 is 40 %", .range = {1e-6, 100}}, claim.mfu);
  v.number({.key = "tflops_per_gpu", .help = "Claimed: TFLOP/s of one GPU", .range = kPositive}, claim.tflops_per_gpu);
  v.number({.key = "step_time_s", .help = "Claimed: time of one optimizer step, s", .range = kPositive},
           claim.step_time_s);
  if (!given) return;
  if (r.electricity_claim) {
    const bool speed = serving.given() || claim.model || claim.gpu || claim.gpu_count || !training_field(claim).empty();
    v.rule(!speed, "electricity_over_hardware", "A claim is about a cost or about a speed, not both.",
           "Leave out the fields of the other.");
    return;
  }
  if (serving.given()) {
    const std::string_view other = training_field(claim);
    v.rule(other.empty(), other, "A claim is about training or about serving, not both.",
           "Leave out the fields of the other.");
    serving.claim.model = std::move(claim.model);
    serving.claim.gpu = std::move(claim.gpu);
    complete(v, catalog, claim.gpu_count, serving);
    r.serving_claim = std::move(serving.claim);
    return;
  }
  v.rule(claim.model.has_value() != claim.parameters.has_value(), "parameters",
         "Exactly one of \"model\" and \"parameters\" must be given.", "Write {\"parameters\": 8e9}.");
  const int said_how = (claim.days ? 1 : 0) + (claim.tokens_per_s_per_gpu ? 1 : 0) + (claim.mfu ? 1 : 0) +
                       (claim.tflops_per_gpu ? 1 : 0) + (claim.step_time_s ? 1 : 0);
  v.rule(said_how == 1, "days", "A claim says how fast in exactly one way.",
         "Give one of days, tokens_per_s_per_gpu, mfu, tflops_per_gpu, step_time_s.");
  v.rule(!claim.days || (claim.tokens && claim.gpu_count), "days", "Days need the tokens of the run and its GPUs.",
         "Add \"tokens\" and \"gpu_count\".");
  v.rule(!claim.step_time_s || (claim.sequence_length && claim.global_batch_size && claim.gpu_count), "step_time_s",
         "A step time needs the tokens of a step and the GPUs.",
         "Add \"sequence_length\", \"global_batch_size\" and \"gpu_count\".");
  r.claim = std::move(claim);
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, ExplainRequest& r) {
  describe_head(v, "explain");
  const bool claim = v.enter({.key = "claim", .help = "A published speed or cost: is it possible?"});
  describe_claim(v, catalog, claim, r);
  v.leave();
  v.object({.key = "request", .help = "Another request, one number of whose answer is traced"}, r.request);
  v.text({.key = "at", .help = "JSON Pointer of that number, such as /step/time_s"}, r.at);
  r.topic = describe_topic(v, catalog);
  v.flag({.key = "explain", .help = "Adds `trace` to the answer about a claim"}, r.explain);
  v.rule((claim ? 1 : 0) + (r.request ? 1 : 0) + (r.topic ? 1 : 0) == 1, "claim",
         "Exactly one of \"claim\", \"request\" and \"topic\" must be given.",
         "Write {\"claim\": {...}}, {\"request\": {...}, \"at\": \"/step/time_s\"} or {\"topic\": "
         "\"reference-architectures\"}.");
  v.rule(!(r.topic && r.explain), "explain", "Statements name their sources themselves; nothing is computed.",
         "Leave out \"explain\".");
  v.rule(!r.request || !r.at.empty(), "at", "\"at\" is missing: the number that is asked for.",
         "Write a JSON Pointer of the answer, such as \"/step/time_s\".");
}

}  // namespace podwright
