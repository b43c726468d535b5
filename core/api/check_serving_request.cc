#include "api/check_serving_request.h"

#include <string>
#include <string_view>

#include "base/number_text.h"
#include "perf/layout_rules.h"

namespace podwright {
namespace {

/// Errors of one layout; `at` is its pointer in the request.
void add_layout_errors(const Model& model, ServingRun run, const ServingParallelism& layout, const std::string& at,
                       Errors& errors) {
  constexpr std::string_view kOwnPath = "/parallelism";
  run.parallelism = layout;
  for (Error& error : serving_layout_errors(model, run)) {
    error.path = at + error.path.substr(kOwnPath.size());
    errors.push_back(std::move(error));
  }
}

}  // namespace

void check_serving_layout(FieldVisitor& v, const std::optional<Model>& model, const ServingRun& run) {
  if (!model) return;
  Errors errors;
  if (run.disaggregated) {
    add_layout_errors(*model, run, run.disaggregated->prefill, "/disaggregated/prefill_parallelism", errors);
    add_layout_errors(*model, run, run.disaggregated->decode, "/disaggregated/decode_parallelism", errors);
  } else {
    add_layout_errors(*model, run, run.parallelism, "/parallelism", errors);
  }
  v.problems(errors);
}

void check_context(FieldVisitor& v, const std::optional<Model>& model, double input_tokens, double output_tokens,
                   const std::optional<double>& max_model_tokens) {
  if (!model || model->context_tokens <= 0) return;
  const double context = model->context_tokens;
  const std::string limit = shortest_number(context);
  const std::string room =
      output_tokens < context
          ? "input_tokens from 1 to " + shortest_number(context - output_tokens) + ", or fewer output_tokens"
          : "input_tokens and output_tokens of " + limit + " together";
  v.rule(input_tokens + output_tokens <= context, "input_tokens",
         "input_tokens + output_tokens is " + shortest_number(input_tokens + output_tokens) +
             ", longer than the model's context of " + limit + " tokens.",
         "Legal: " + room + ".");
  v.rule(!max_model_tokens || *max_model_tokens <= context, "max_model_tokens",
         "max_model_tokens is longer than the model's context of " + limit + " tokens.", "Legal: 1 to " + limit + ".");
}

}  // namespace podwright
