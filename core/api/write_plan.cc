#include "api/write_plan.h"

namespace podwright {

void write_rules(JsonWriter& out, const ArchitectureDesign& design) {
  out.begin_list("rules_fired");
  for (const FiredRule& rule : design.rules_fired) {
    out.begin_object();
    out.number("rule", rule.number);
    out.text("text", rule.text);
    out.text("source", rule.source);
    out.end_object();
  }
  out.end_list();
}

}  // namespace podwright
