/// Any text as a request: the answer is JSON, and a refusal says what and where.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/answer.h"
#include "base/json_read.h"
#include "base/result.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const std::string text = answer(std::string_view(reinterpret_cast<const char*>(data), size));
  const Result<JsonNode> node = parse_json(text);
  PODWRIGHT_ASSERT(node && node->is_object());
  const JsonNode* errors = node->find("errors");
  if (errors == nullptr) return 0;
  PODWRIGHT_ASSERT(errors->is_list() && !errors->items.empty());
  for (const JsonNode& error : errors->items) {
    for (const std::string_view key : {"code", "path", "message", "hint"}) {
      const JsonNode* field = error.find(key);
      PODWRIGHT_ASSERT(field != nullptr && field->is_text());
    }
  }
  return 0;
}
