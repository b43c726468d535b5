#include "api/answer_schema.h"

#include "api/answer_estimate.h"
#include "api/answer_explain.h"
#include "api/answer_plan.h"
#include "api/answer_rule_of_thumb.h"
#include "api/answer_search.h"
#include "api/answer_serving_search.h"
#include "api/answer_shape.h"
#include "api/architecture_request.h"
#include "api/backtest.h"
#include "api/cost_request.h"
#include "api/exam_request.h"
#include "api/fabric_request.h"
#include "api/host_request.h"
#include "api/mig_request.h"
#include "api/question_request.h"
#include "base/json_write.h"

namespace podwright {
namespace {

/// Of either type of search.
void describe_search_answer(AnswerShape& v) {
  const auto part = v.when(true);
  describe_training_search_answer(v);
  describe_serving_search_answer(v);
}

struct KindShape {
  std::string_view kind;
  void (*describe)(AnswerShape&);
};
constexpr KindShape kShapes[] = {{"architecture", describe_architecture_answer},
                                 {"backtest", describe_backtest_answer},
                                 {"calibrate", describe_calibrate_answer},
                                 {"cost", describe_cost_answer},
                                 {"exam", describe_exam_answer},
                                 {"explain", describe_explain_answer},
                                 {"fabric", describe_fabric_answer},
                                 {"mig", describe_mig_answer},
                                 {"plan", describe_plan_answer},
                                 {"question", describe_question_answer},
                                 {"rule_of_thumb", describe_rule_of_thumb_answer},
                                 {"search", describe_search_answer},
                                 {"serving", describe_serving_answer},
                                 {"training", describe_training_answer},
                                 {"verify", describe_verify_answer}};

}  // namespace

std::string answer_schema(std::string_view kind) {
  for (const KindShape& shape : kShapes) {
    if (shape.kind != kind) continue;
    AnswerShape v;
    shape.describe(v);
    JsonWriter out;
    out.begin_object();
    out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    out.text("title", "Podwright answer: " + std::string(kind));
    out.text("type", "object");
    write_schema_members(out, v.root());
    out.end_object();
    return out.take();
  }
  return "";
}

}  // namespace podwright
