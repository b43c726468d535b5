#pragma once
/// JSON Schema (2020-12) of requests and answers, and labels of the fields of answers, collected from the tables of
/// fields that read and write them.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace podwright {

/// Empty for a kind without a request of its own.
std::string request_schema(const Catalog& catalog, std::string_view kind);

/// {"kinds": [{"kind", "type", "verb", "example", "help", "takes_calibration"}]}: the table of kinds.
std::string kinds_json();

/// Kinds whose answers have a table.
std::vector<std::string_view> kinds_with_answer_schema();
/// Empty for a kind whose answers have no table.
std::string answer_schema(std::string_view kind);

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
