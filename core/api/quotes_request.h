#pragma once
/// The `quotes` request: a table of offers in, the `quotes` of a plan request out. docs/method/prices.md#quotes.
#include <string>
#include <string_view>

#include "api/fields.h"
#include "api/outcome.h"
#include "base/result.h"

namespace podwright {

struct QuotesRequest {
  std::string csv;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, QuotesRequest& request);

/// Members of a plan request as JSON. Errors are at "/csv", each with its line.
Answer answer_quotes(const Asked& asked, const QuotesRequest& request);

/// A table of offers as JSON. A plan request with them is checked when it is asked.
struct QuoteTable {
  std::string quotes;     ///< the list
  std::string economics;  ///< an object; empty: no row is about it
};

/// The path of an error is ":<line>".
Result<QuoteTable> read_quote_table(std::string_view csv);

}  // namespace podwright
