#include "api/written_packs_request.h"

#include <optional>
#include <string>

namespace podwright {
namespace {

/// The packs of an object, each under a name of its own; what is wrong with them is noted.
std::vector<WrittenQuestion> read_packs(const std::string& text, Errors& errors) {
  std::vector<WrittenQuestion> all;
  const auto packs = parse_json(text);
  if (!packs) return all;
  for (std::size_t i = 0; i < packs->items.size(); ++i) {
    auto pack = read_written_pack(packs->items[i]);
    if (pack) {
      for (WrittenQuestion& one : *pack) all.push_back(std::move(one));
      continue;
    }
    for (Error& error : pack.error()) {
      error.path = "/written" + pointer_step(packs->keys[i]) + error.path;
      errors.push_back(std::move(error));
    }
  }
  return all;
}

}  // namespace

void describe_written_packs(FieldVisitor& v, std::vector<WrittenQuestion>& written) {
  std::optional<std::string> packs;
  v.object(
      {.key = "written", .help = "Packs of written questions, each under its objective; absent: generated ones alone"},
      packs);
  Errors errors;
  if (packs) written = read_packs(*packs, errors);
  v.problems(errors);
}

}  // namespace podwright
