#include "api/outcome.h"

#include <algorithm>

#include "base/json_write.h"

namespace podwright {

Answer wrong_input(const Errors& errors) {
  const bool not_built =
      std::all_of(errors.begin(), errors.end(), [](const Error& e) { return e.code == "not-built"; });
  return {errors_json(errors), not_built ? Outcome::not_built : Outcome::wrong_input};
}

std::string errors_json(const Errors& errors) {
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
  for (const Error& error : errors) write(out, error);
  out.end_list();
  if (!errors.empty()) {
    out.key("error");
    write(out, errors.front());
  }
  out.end_object();
  return out.take();
}

}  // namespace podwright
