#include "api/write_common.h"

#include "api/answer_writer.h"
#include "api/common_table.h"

namespace podwright {

void write_foot(JsonWriter& out, const Catalog& catalog, const std::vector<Assumption>& assumptions,
                const std::vector<std::string>& assumed) {
  AnswerWriter v(out);
  describe_foot(v, catalog, assumptions, assumed);
}

void write_number_or_null(JsonWriter& out, const std::optional<double>& value) {
  if (value)
    out.number(*value);
  else
    out.null();
}

std::map<std::string, std::string> sources_of(const std::vector<Assumption>& assumptions) {
  std::map<std::string, std::string> sources;
  for (const Assumption& assumption : assumptions) sources.emplace(assumption.path, "default: " + assumption.source);
  return sources;
}

}  // namespace podwright
