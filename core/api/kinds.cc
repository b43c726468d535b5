#include "api/kinds.h"

#include <array>

#include "api/architecture_request.h"
#include "api/backtest.h"
#include "api/cost_request.h"
#include "api/explain_request.h"
#include "api/field_reader.h"
#include "api/fleet_request.h"
#include "api/host_request.h"
#include "api/mig_request.h"
#include "api/quotes_request.h"
#include "api/replay_request.h"
#include "api/requests.h"
#include "api/search_request.h"
#include "api/study_request.h"

namespace podwright {
namespace {

/// Shows a visitor the table of fields of a request that says nothing.
template <class Request>
void describe_fields(FieldVisitor& visitor, const Catalog& catalog) {
  Request request;
  describe(visitor, catalog, request);
}

/// Reads the request through its table and hands it on when it has no problem.
template <class Request, auto answer>
Answer read_and_answer(const Catalog& catalog, const JsonNode& document) {
  const auto read = read_request<Request>(catalog, document);
  static const RequestKinds kinds = request_kinds();
  return read ? answer({catalog, document, read->assumptions, &kinds}, read->request) : wrong_input(read.error());
}

/// Numbers of an answer: not traced, traced where the request asks for it, or traced and made of rates that a host may
/// have measured.
enum Numbers { kPlain, kTraced, kMeasured };

/// `verb` is the command that asks it.
template <class Request, auto answer>
constexpr RequestKind request_kind(std::string_view word, std::string_view verb, std::string_view example,
                                   std::string_view help, Numbers numbers) {
  return {.word = word,
          .verb = verb,
          .example = example,
          .help = help,
          .takes_calibration = numbers == kMeasured,
          .traced = numbers != kPlain,
          .describe = describe_fields<Request>,
          .answer = read_and_answer<Request, answer>};
}

constexpr RequestKind of_type(std::string_view type, RequestKind kind) {
  kind.type = type;
  return kind;
}

constexpr std::array kKinds{
    request_kind<TrainingRequest, answer_training>("training", "estimate",
                                                   "podwright estimate examples/training_405b.json",
                                                   "Memory, time and throughput of a training run", kMeasured),
    request_kind<ServingRequest, answer_serving>("serving", "estimate", "podwright estimate examples/serving_70b.json",
                                                 "Memory, latency and throughput of a deployment", kMeasured),
    request_kind<PlanRequest, answer_plan>("plan", "plan", "podwright plan examples/chat_70b.json",
                                           "From a need to a decision: layout, nodes, architecture, price", kMeasured),
    of_type("training", request_kind<SearchRequest, answer_search>(
                            "search", "search", "podwright search examples/search_405b.json",
                            "Layouts of a training run: the best, why, and how to start it", kMeasured)),
    of_type("serving", request_kind<ServingSearchRequest, answer_serving_search>(
                           "search", "search", "podwright search examples/search_serving_70b.json",
                           "Deployments of a model: the best, why, and how to start it", kMeasured)),
    request_kind<ReplayRequest, answer_replay>("replay", "replay", "podwright replay examples/replay_chat_70b.json",
                                               "Requests through a deployment one by one: latencies, what the prefix "
                                               "cache finds",
                                               kMeasured),
    request_kind<CatalogRequest, answer_catalog>("catalog", "catalog", "podwright catalog show gpu h100-sxm5-80gb",
                                                 "The facts: a table, or one item with the source of every number",
                                                 kPlain),
    request_kind<RuleOfThumbRequest, answer_rule_of_thumb>(
        "rule_of_thumb", "rule-of-thumb", "podwright rule-of-thumb --parameters 70e9",
        "Quick formulas of study material, each with where it fails", kTraced),
    request_kind<ExplainRequest, answer_explain>(
        "explain", "explain", "podwright explain examples/claim_8b.json",
        "Is a published speed possible; what leads to one number; what documents say to statements", kPlain),
    request_kind<BacktestRequest, answer_backtest>(
        "backtest", "backtest", "podwright backtest tests/measured/data/training.csv --by source",
        "Predictions compared with published measured runs, with their errors", kPlain),
    request_kind<MigRequest, answer_mig>(
        "mig", "mig", "podwright mig examples/mig_small_models.json",
        "Which slices of a GPU hold which models, and the fewest GPUs that hold them all", kTraced),
    request_kind<FabricRequest, answer_fabric>("fabric", "architecture",
                                               "podwright architecture examples/fabric_h100_127.json",
                                               "Switches and cables that connect a number of nodes", kTraced),
    request_kind<ArchitectureRequest, answer_architecture>(
        "architecture", "architecture", "podwright architecture examples/architecture_h100.json",
        "From a number of GPUs to networks, racks, power, storage and a bill", kTraced),
    request_kind<CostRequest, answer_cost>("cost", "cost", "podwright cost examples/cost_h100.json",
                                           "What owning, renting and a hosted API cost for the same GPUs", kTraced),
    request_kind<CalibrateRequest, answer_calibrate>("calibrate", "calibrate", "podwright calibrate profile.json",
                                                     "What plans take from the profile of a host", kPlain),
    request_kind<VerifyRequest, answer_verify>(
        "verify", "verify", "podwright verify examples/serving_70b.json profile.json",
        "Is a machine as it should be, and does it meet what a plan assumes", kPlain),
    request_kind<CompareRequest, answer_compare>(
        "compare", "compare", "podwright compare profiles/ --expect 'gpu[01-16]'",
        "Profiles of many nodes compared: which are slow, faulty or missing", kPlain),
    request_kind<ImportRequest, answer_import>(
        "import", "import", "podwright import nvidia-smi.xml nvbandwidth.json all_reduce.txt -o profile.json",
        "Files of nvbandwidth, nccl-tests, nvidia-smi and dcgmi as one profile; an engine's log, metrics and benchmark "
        "as part of a request; runs as a table",
        kTraced),
    request_kind<QuotesRequest, answer_quotes>(
        "quotes", "quote import",
        "podwright quote import examples/quotes.csv examples/chat_70b.json | podwright plan -",
        "A table of quotes as the `quotes` of a plan request", kPlain),
    request_kind<QuestionRequest, answer_question>(
        "question", "study question", "podwright study question --objective 2.7 --seed 7",
        "One question with fresh numbers, its answer and worked solution", kTraced),
    request_kind<ExamRequest, answer_exam>("exam", "study exam", "podwright study exam --seed 7",
                                           "Fifty questions by the weights of the exam, then their answers", kTraced)};

}  // namespace

RequestKinds request_kinds() { return kKinds; }

}  // namespace podwright
