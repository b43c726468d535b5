#pragma once
/// Ways out as outsiders need them: JSON merge patches (RFC 7396) that turn the request into another legal request.
#include <optional>

#include "api/field_reader.h"
#include "api/requests.h"
#include "base/json_read.h"
#include "base/patch.h"

namespace podwright {

/// The request that `patch` makes of `document`; absent where that is no legal request.
template <class Request>
std::optional<Request> read_patched(const Catalog& catalog, const JsonNode& document, const Patch& patch) {
  const JsonNode changed = merged(document, patch.merge_patch(document));
  ErrorList errors;
  Request request;
  FieldReader reader(changed, catalog, errors);
  describe(reader, catalog, request);
  reader.finish();
  return errors.empty() ? std::optional(std::move(request)) : std::nullopt;
}

/// `patch` of a training or serving request with the `gpu_count` that its `parallelism` then asks for.
Patch with_gpu_count(const JsonNode& document, const Patch& patch);

}  // namespace podwright
