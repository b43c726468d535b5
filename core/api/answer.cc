#include "api/answer.h"

#include "api/kinds.h"

namespace podwright {

Answer answer_request(const Catalog& catalog, std::string_view request, std::string_view default_kind) {
  return answer_request(request_kinds(), catalog, request, default_kind);
}

std::string answer(std::string_view request) { return answer_request(embedded_catalog_facts(), request).text; }

}  // namespace podwright
