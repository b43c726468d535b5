#pragma once
/// Fields of deployments that several requests have, and what they must keep beyond the ranges of the fields.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "api/traffic_fields.h"
#include "catalog/model.h"
#include "memory/serving_run.h"

namespace podwright {

/// Spread of lengths, drafts, pools of their own for prompts and answers: after the layout, the lengths and the load of
/// the run are known.
void describe_serving_options(FieldVisitor& visitor, const Catalog& catalog, const std::optional<Model>& model,
                              const TrafficDefaults& known, ServingRun& run);

/// Sizes of the groups of one replica.
void describe_replica(FieldVisitor& visitor, std::string_view key, std::string_view help,
                      std::string_view default_source, ServingParallelism& parallelism);

/// `measured`: what the engine said of itself. A hit ratio of traffic that shares nothing is that of the run too.
void describe_measured(FieldVisitor& visitor, ServingRun& run);

/// Rules between the GPUs of the request and those of its layout or pools; fills in the replicas of the pools.
void check_serving_gpus(FieldVisitor& visitor, double gpu_count, ServingRun& run);

/// Formats of weights and KV cache, the engine and its version, and `weights`, the bytes of a file's tensors, which set
/// ServingRun::exact_weights where the request has them.
void describe_engine(FieldVisitor& visitor, const Catalog& catalog, const std::optional<Model>& model, ServingRun& run);
inline const std::vector<std::string> kKvPrecisions{"fp32", "bf16", "fp16", "fp8", "int8", "nvfp4"};

void describe_memory_fraction(FieldVisitor& visitor, std::optional<double>& fraction);
/// The model that proposes tokens; absent: a part of the served one.
void describe_draft_model(FieldVisitor& visitor, Speculative& speculative);
/// `speculative` of a search. It is tried where its acceptance is told: that depends on the text and is never guessed.
void describe_draft(FieldVisitor& visitor, std::optional<Speculative>& draft, std::vector<double>& draft_tokens);

/// Error "conflict" at the size that breaks a rule; the hint lists legal values. Layouts of pools are checked alike.
void check_serving_layout(FieldVisitor& v, const std::optional<Model>& model, const ServingRun& run);

/// Error "conflict" at "input_tokens" where prompt and answer together exceed the model's context, and at
/// "max_model_tokens" where that length does; the hint says how many are legal.
void check_context(FieldVisitor& v, const std::optional<Model>& model, double input_tokens, double output_tokens,
                   const std::optional<double>& max_model_tokens);

}  // namespace podwright
