#include "api/describe_head.h"

namespace podwright {

void describe_head(FieldVisitor& v, std::string_view kind) {
  std::string kind_text(kind);
  v.word({.key = "kind", .help = "What is asked"}, kind_text, {std::string(kind)});
  std::string schema = "podwright/1";
  v.text({.key = "schema", .help = "Version of the messages"}, schema);
}

void describe_explain(FieldVisitor& v, bool& explain) {
  v.flag({.key = "explain", .help = "Adds `trace`: equation, inputs and source of every number"}, explain);
}

}  // namespace podwright
