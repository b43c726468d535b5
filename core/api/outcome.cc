#include "api/outcome.h"

#include "base/json_write.h"

namespace podwright {

const Asked& nothing_asked() {
  static const Catalog catalog;
  static const JsonNode document;
  static const std::vector<Assumption> assumptions;
  static const Asked asked{catalog, document, assumptions};
  return asked;
}

std::string_view version() { return PODWRIGHT_VERSION; }

Answer wrong_input(const Errors& errors) {
  const auto write = [](JsonWriter& out, const Error& error) {
    out.begin_object();
    out.text("code", error.code);
    out.text("path", error.path);
    out.text("message", error.message);
    out.text("hint", error.hint);
    out.end_object();
  };
  JsonWriter out;
  out.begin_object();
  out.begin_list("errors");
  for (const Error& error : shortened(errors, errors.size())) write(out, error);
  out.end_list();
  if (!errors.empty()) {
    out.key("error");
    write(out, errors.front());
  }
  out.end_object();
  return {out.take(), Outcome::wrong_input};
}

Errors errors_inside(const JsonNode& answer, const std::string& place) {
  Errors errors;
  if (const JsonNode* list = answer.find("errors"))
    for (const JsonNode& error : list->items)
      errors.push_back({error.find("code")->text, place + error.find("path")->text, error.find("message")->text,
                        error.find("hint")->text});
  return errors;
}

}  // namespace podwright
