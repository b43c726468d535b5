#pragma once
/// Deployments whose replicas compute prompts and answers: for one GPU type, engine and format the layout of a replica
/// that is best. docs/method/search.md#serving.
#include <vector>

#include "sizing/serving_findings.h"
#include "sizing/serving_question.h"

namespace podwright::sizing {

/// Tries every layout with each limit of the engine's step and each draft, and adds the best. `from` says offer, engine
/// and format; `rates` is asked for the speed of the GPU.
void search_replicas_of(const ServingQuestion& question, const Catalog& rates, const Engine& engine,
                        const WeightFormat& format, const FoundDeployment& from,
                        const std::vector<ServingParallelism>& layouts, ServingFindings& findings);

}  // namespace podwright::sizing
