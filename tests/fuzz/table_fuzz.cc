/// Any text as a table of measured runs, of quotes or of traffic: it is read, and runs are predicted, or lines are
/// named.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/answer.h"
#include "api/backtest.h"
#include "api/quotes_request.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "catalog/catalog.h"
#include "fuzz/fuzz_checks.h"
#include "replay/trace_file.h"

namespace {

std::string backtest_of(std::string_view csv, bool mine) {
  podwright::JsonWriter out;
  out.begin_object();
  out.text("kind", "backtest");
  out.text("csv", csv);
  out.boolean("mine", mine);
  out.end_object();
  return out.take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto quotes = read_quote_table(text); !quotes)
    fuzz::expect_told(quotes.error(), ":");
  else
    PODWRIGHT_ASSERT(parse_json(quotes->quotes));
  if (const auto requests = replay::read_trace(text); !requests) fuzz::expect_told(requests.error());
  MeasuredTables tables;
  if (const auto read = read_measured(embedded_catalog_facts(), text, "table", tables); !read)
    fuzz::expect_told(read.error(), "table:");
  else
    for (const bool mine : {false, true}) fuzz::expect_answer(answer(backtest_of(text, mine)));
  return 0;
}
