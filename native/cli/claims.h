#pragma once
/// The ledger: claims of study material, each with what the engine or a source says and a verdict.
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_read.h"
#include "base/result.h"

namespace podwright::cli {

/// What is left out is not asked for.
struct ClaimFilter {
  std::string verdict;
  std::string objective;
  std::string words;  ///< all of them must occur in the claim's texts, in any case
};

/// Rows of the ledger that the filter lets through, in its order. Errors name an option whose value the ledger does not
/// have, with those that it has.
Result<std::vector<const CsvTable::Row*>> choose_claims(const CsvTable& ledger, const ClaimFilter& filter);

/// For people: the claim, what study material expects, what holds, and the source.
std::string claims_text(const CsvTable& ledger, const std::vector<const CsvTable::Row*>& claims);
/// For programs: `{"claims": [{"id", "objective", ... "explanation"}], "count", "of"}`, fields as the columns.
std::string claims_json(const CsvTable& ledger, const std::vector<const CsvTable::Row*>& claims);

}  // namespace podwright::cli
