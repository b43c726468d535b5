#pragma once
/// Ways out as outsiders need them: JSON merge patches (RFC 7396) that turn the request into another legal request.
#include <optional>
#include <string>

#include "api/field_reader.h"
#include "api/requests.h"
#include "base/json_read.h"

namespace podwright {

/// The request that `patch` makes of `document`; absent where that is no legal request.
template <class Request>
std::optional<Request> read_patched(const Catalog& catalog, const JsonNode& document, const std::string& patch) {
  const auto parsed = parse_json(patch);
  if (!parsed) return std::nullopt;
  const JsonNode changed = merged(document, *parsed);
  ErrorList errors;
  Request request;
  FieldReader reader(changed, catalog, errors);
  describe(reader, catalog, request);
  reader.finish();
  return errors.empty() ? std::optional(std::move(request)) : std::nullopt;
}

/// `patch` of a training or serving request with the `gpu_count` that its `parallelism` then asks for.
std::string with_gpu_count(const JsonNode& document, const std::string& patch);

/// `patch` of one workload as a patch of the plan request. Merge patches replace lists, so it repeats the other
/// workloads.
std::string workload_patch(const JsonNode& document, std::size_t workload, const std::string& patch);

}  // namespace podwright
