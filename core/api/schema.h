#pragma once
/// JSON Schema (2020-12) of requests and answers, and labels of the fields of answers, collected from the tables of
/// fields that read and write them.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_write.h"
#include "catalog/catalog.h"

namespace podwright {

inline constexpr std::string_view kSchemaDialect = "https://json-schema.org/draft/2020-12/schema";

/// Empty for a kind without a request of its own.
std::string request_schema(const Catalog& catalog, std::string_view kind);
/// What is in it after "$schema". The kind must be one.
void write_request_schema(JsonWriter& out, const Catalog& catalog, std::string_view kind);

/// {"kinds": [{"kind", "type", "verb", "example", "help", "takes_calibration"}]}: the table of kinds.
std::string kinds_json();

/// Kinds whose answers have a table.
bool has_answer_schema(std::string_view kind);
std::vector<std::string_view> kinds_with_answer_schema();
/// Empty for a kind whose answers have no table.
std::string answer_schema(std::string_view kind);
/// What is in it after "$schema". The kind must have a table.
void write_answer_schema(JsonWriter& out, std::string_view kind);

/// All kinds of requests and their answers as OpenAPI 3.1: the paths that `podwright serve --api` answers.
std::string openapi_json(const Catalog& catalog);

struct AnswerLabel {
  std::string label;  ///< empty where the words of the key are good enough
  std::string unit;   ///< sign; empty where there is none, or another one in each place
};
/// Of every key of every kind with a table. Bounds and percentiles are labelled as the number that they belong to.
using AnswerLabels = std::map<std::string, AnswerLabel, std::less<>>;
const AnswerLabels& answer_labels();
/// The same as `labels`, with `units`: the sign of each suffix of keys, longer suffixes first.
std::string answer_labels_json();

/// `ttft_s` of `ttft_s_p95`, `cost_usd` of `cost_usd_low`; the key itself where it has no such suffix.
std::string_view without_bound(std::string_view key);

}  // namespace podwright
