#include "api/kinds.h"

#include <array>

#include "api/answer_catalog.h"
#include "api/answer_estimate.h"
#include "api/answer_explain.h"
#include "api/answer_plan.h"
#include "api/answer_rule_of_thumb.h"
#include "api/answer_search.h"
#include "api/answer_serving_search.h"
#include "api/architecture_request.h"
#include "api/backtest.h"
#include "api/cost_request.h"
#include "api/exam_request.h"
#include "api/fabric_request.h"
#include "api/host_request.h"
#include "api/import_request.h"
#include "api/mig_request.h"
#include "api/question_request.h"

namespace podwright {
namespace {

template <class Request, auto answer>
constexpr RequestKind request_kind(RequestKind row) {
  row.describe = describe_fields<Request>;
  row.answer = read_and_answer<Request, answer>;
  if (row.verb.empty()) row.verb = row.word;
  return row;
}

constexpr std::array kKinds{
    request_kind<TrainingRequest, answer_training>(
        {.word = "training",
         .verb = "estimate",
         .example = "podwright estimate examples/training_405b.json",
         .help = "Memory, time and throughput of training or serving requests",
         .takes_calibration = true,
         .traced = true}),
    request_kind<ServingRequest, answer_serving>({.word = "serving",
                                                  .verb = "estimate",
                                                  .example = "podwright estimate examples/serving_70b.json",
                                                  .help = "Memory, latency and throughput of a deployment",
                                                  .takes_calibration = true,
                                                  .traced = true}),
    request_kind<PlanRequest, answer_plan>({.word = "plan",
                                            .example = "podwright plan examples/chat_70b.json",
                                            .help = "From a need to a decision: layout, nodes, architecture, price",
                                            .takes_calibration = true,
                                            .traced = true}),
    request_kind<SearchRequest, answer_search>(
        {.word = "search",
         .type = "training",
         .example = "podwright search examples/search_405b.json",
         .help = "Layouts of a training run or a deployment: the best, why, and how to start it",
         .takes_calibration = true,
         .traced = true}),
    request_kind<ServingSearchRequest, answer_serving_search>(
        {.word = "search",
         .type = "serving",
         .example = "podwright search examples/search_serving_70b.json",
         .help = "Deployments of a model: the best, why, and how to start it",
         .takes_calibration = true,
         .traced = true}),
    request_kind<CatalogRequest, answer_catalog>(
        {.word = "catalog",
         .example = "podwright catalog show gpu h100-sxm5-80gb",
         .help = "The facts: a table, or one item with the source of every number"}),
    request_kind<RuleOfThumbRequest, answer_rule_of_thumb>(
        {.word = "rule_of_thumb",
         .example = "echo '{\"parameters\": 70e9}' | podwright rule_of_thumb -",
         .help = "Quick formulas of study material, each with where it fails",
         .traced = true}),
    request_kind<ExplainRequest, answer_explain>(
        {.word = "explain",
         .example = "podwright explain examples/claim_8b.json",
         .help = "Is a published speed possible; what leads to one number; what documents say to statements"}),
    request_kind<BacktestRequest, answer_backtest>(
        {.word = "backtest",
         .example = "podwright backtest tests/measured/data/training.csv --by source",
         .help = "Predictions compared with published measured runs, with their errors"}),
    request_kind<MigRequest, answer_mig>(
        {.word = "mig",
         .example = "podwright mig examples/mig_small_models.json",
         .help = "Which slices of a GPU hold which models, and the fewest GPUs that hold them all",
         .traced = true}),
    request_kind<FabricRequest, answer_fabric>({.word = "fabric",
                                                .verb = "architecture",
                                                .example = "podwright architecture examples/fabric_h100_127.json",
                                                .help = "Switches and cables that connect a number of nodes",
                                                .traced = true}),
    request_kind<ArchitectureRequest, answer_architecture>(
        {.word = "architecture",
         .example = "podwright architecture examples/architecture_h100.json",
         .help = "From a number of GPUs to networks, racks, power, storage and a bill",
         .traced = true}),
    request_kind<CostRequest, answer_cost>({.word = "cost",
                                            .example = "podwright cost examples/cost_h100.json",
                                            .help = "What owning, renting and a hosted API cost for the same GPUs",
                                            .traced = true}),
    request_kind<CalibrateRequest, answer_calibrate>({.word = "calibrate",
                                                      .example = "podwright calibrate profile.json",
                                                      .help = "What plans take from the profile of a host"}),
    request_kind<VerifyRequest, answer_verify>(
        {.word = "verify",
         .example = "podwright verify examples/serving_70b.json profile.json",
         .help = "Is a machine as it should be, and does it meet what a plan assumes"}),
    request_kind<ImportRequest, answer_import>(
        {.word = "import",
         .example = "podwright import nvidia-smi.xml nvbandwidth.json all_reduce.txt -o profile.json",
         .help = "Files of nvbandwidth, nccl-tests and nvidia-smi as one profile",
         .traced = true}),
    request_kind<QuestionRequest, answer_question>(
        {.word = "question",
         .verb = "study question",
         .example = "podwright study question --objective 2.7 --seed 7",
         .help = "One question with fresh numbers, its answer and worked solution",
         .traced = true}),
    request_kind<ExamRequest, answer_exam>({.word = "exam",
                                            .verb = "study exam",
                                            .example = "podwright study exam --seed 7",
                                            .help = "Fifty questions by the weights of the exam, then their answers",
                                            .traced = true})};

}  // namespace

RequestKinds request_kinds() { return kKinds; }

}  // namespace podwright
