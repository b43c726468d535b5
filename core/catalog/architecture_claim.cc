#include "catalog/architecture_claim.h"

#include "base/words.h"
#include "catalog/table_reader.h"

namespace podwright {

void read_architecture_claims(std::string_view path, std::string_view text, std::vector<ArchitectureClaim>& claims,
                              Errors& errors) {
  TableReader table(path, text,
                    {"number", "document", "claim", "verified", "quantity", "claimed_value", "verified_value", "unit",
                     "verdict", "source"},
                    errors);
  double expected = 1;
  while (table.next()) {
    ArchitectureClaim claim;
    claim.number = table.needed("number", 1);
    if (claim.number != expected) table.error("out-of-range", "The claims are numbered from 1 without gaps.", "");
    expected = claim.number + 1;
    table.head(claim, "architecture-" + table.text("number"), "Claim " + table.text("number"));
    claim.document = table.needed_text("document");
    claim.claim = table.needed_text("claim");
    claim.verified = table.needed_text("verified");
    claim.quantity = table.text("quantity");
    claim.claimed_value = table.number("claimed_value");
    claim.verified_value = table.number("verified_value");
    claim.unit = table.text("unit");
    if (claim.verified_value.has_value() != !claim.quantity.empty() || claim.quantity.empty() != claim.unit.empty())
      table.error("missing", "A verified value needs the quantity and the unit that it is of.", "");
    if (const auto verdict = of_word<StudyVerdict>(table.text("verdict"), kStudyVerdictWords))
      claim.verdict = *verdict;
    else
      table.error("out-of-range", "The verdict \"" + table.text("verdict") + "\" is not known.",
                  "wrong, misleading, incomplete, conditional or unconfirmed");
    claims.push_back(std::move(claim));
  }
}

}  // namespace podwright
