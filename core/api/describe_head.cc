#include "api/describe_head.h"

#include "sizing/workload.h"

namespace podwright {

void describe_head(FieldVisitor& v, std::string_view kind) {
  std::string kind_text(kind);
  v.word({.key = "kind", .help = "What is asked"}, kind_text, {std::string(kind)});
  std::string schema = "podwright/1";
  v.text({.key = "schema", .help = "Version of the messages"}, schema);
}

void describe_search_type(FieldVisitor& v, std::string_view form, bool required) {
  std::string type(required ? "" : form);
  std::vector<std::string> types(sizing::kWorkloadTypeWords.begin(), sizing::kWorkloadTypeWords.end());
  if (v.all_variants()) types = {std::string(form)};
  v.word({.key = "type", .help = "Workload", .required = required}, type, types);
}

void describe_explain(FieldVisitor& v, bool& explain) {
  v.flag({.key = "explain", .help = "Adds `trace`: equation, inputs and source of every number"}, explain);
}

void describe_calibration(FieldVisitor& v) {
  std::optional<std::string> calibration;
  v.object(
      {.key = "calibration",
       .help = "Rates measured on a host, as `podwright calibrate PROFILE -o FILE` writes them; the catalog's follow "
               "their ratio to the reference profile of the GPU"},
      calibration);
}

}  // namespace podwright
