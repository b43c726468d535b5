#include <algorithm>
#include <iterator>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/architecture_request.h"
#include "api/backtest.h"
#include "api/cost_request.h"
#include "api/explain_request.h"
#include "api/fleet_request.h"
#include "api/host_request.h"
#include "api/mig_request.h"
#include "api/replay_request.h"
#include "api/requests.h"
#include "api/schema.h"
#include "api/search_request.h"
#include "api/study_request.h"
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
                                 {"compare", describe_compare_answer},
                                 {"cost", describe_cost_answer},
                                 {"exam", describe_exam_answer},
                                 {"explain", describe_explain_answer},
                                 {"fabric", describe_fabric_answer},
                                 {"mig", describe_mig_answer},
                                 {"plan", describe_plan_answer},
                                 {"question", describe_question_answer},
                                 {"replay", describe_replay_answer},
                                 {"rule_of_thumb", describe_rule_of_thumb_answer},
                                 {"search", describe_search_answer},
                                 {"serving", describe_serving_answer},
                                 {"training", describe_training_answer},
                                 {"verify", describe_verify_answer}};

/// "Time, low"; empty where the number has no label.
std::string bound_label(const std::string& label, std::string_view key, std::string_view number) {
  return label.empty() ? "" : label + ", " + std::string(key.substr(number.size() + 1));
}

void collect_labels(AnswerLabels& labels, const AnswerNode& object) {
  for (const AnswerNode& field : object.fields) {
    collect_labels(labels, field);
    const std::string_view number = without_bound(field.key);
    const auto of = labels.find(number);
    if (number != field.key && of != labels.end() && field.label == bound_label(of->second.label, field.key, number))
      continue;
    const std::string unit = field.unit == unit::kNone.sign ? "" : field.unit;
    const auto [entry, is_new] = labels.try_emplace(field.key, AnswerLabel{field.label, unit});
    if (!is_new && entry->second.unit != unit) entry->second.unit.clear();
  }
}

}  // namespace

std::string_view without_bound(std::string_view key) {
  for (const std::string_view suffix : kBoundSuffixes)
    if (key.ends_with(suffix)) return key.substr(0, key.size() - suffix.size());
  return key;
}

const AnswerLabels& answer_labels() {
  static const AnswerLabels labels = [] {
    AnswerLabels all;
    for (const KindShape& shape : kShapes) {
      AnswerShape v;
      shape.describe(v);
      collect_labels(all, v.root());
    }
    return all;
  }();
  return labels;
}

std::string answer_labels_json() {
  return written_answer(nullptr, true,
                        [](AnswerWriter& v) {
                          v.group({"units"}, [&] {
                            for (const DisplayUnit& suffixed : unit::kSuffixed)
                              v.text({suffixed.suffix}, suffixed.sign);
                          });
                          v.group({"labels"}, [&] {
                            for (const auto& [key, entry] : answer_labels())
                              v.object({key}, entry, [&](const AnswerLabel& shown) {
                                v.text({"label"}, unless_empty(shown.label));
                                v.text({"unit"}, unless_empty(shown.unit));
                              });
                          });
                        })
      .text;
}

bool has_answer_schema(std::string_view kind) {
  return std::any_of(std::begin(kShapes), std::end(kShapes),
                     [&](const KindShape& shape) { return shape.kind == kind; });
}

std::vector<std::string_view> kinds_with_answer_schema() {
  std::vector<std::string_view> kinds;
  for (const KindShape& shape : kShapes) kinds.push_back(shape.kind);
  return kinds;
}

void write_answer_schema(JsonWriter& out, std::string_view kind) {
  for (const KindShape& shape : kShapes) {
    if (shape.kind != kind) continue;
    AnswerShape v;
    shape.describe(v);
    out.text("title", "Podwright answer: " + std::string(kind));
    out.text("type", "object");
    write_schema_members(out, v.root());
  }
}

std::string answer_schema(std::string_view kind) {
  if (!has_answer_schema(kind)) return "";
  JsonWriter out;
  out.begin_object();
  out.text("$schema", kSchemaDialect);
  write_answer_schema(out, kind);
  out.end_object();
  return out.take();
}

}  // namespace podwright
