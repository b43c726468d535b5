/// Any files as a catalog: it is read and can be checked, or each problem names its file. Files stand one after the
/// other, each behind a line "--- PATH".
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/json_read.h"
#include "catalog/catalog.h"
#include "catalog/check.h"
#include "fuzz/fuzz_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const auto parts = fuzz::named_parts(fuzz::text_of(data, size));
  std::vector<EmbeddedText> files;
  for (const auto& [path, text] : parts) files.push_back({path, text});
  const auto read = read_catalog(files);
  if (!read) {
    fuzz::expect_told(read.error());
    return 0;
  }
  const CatalogCheck check = check_catalog(*read, "2026-01-31", 365);
  PODWRIGHT_ASSERT(check.facts >= 0);
  for (const std::string& problem : check.problems) PODWRIGHT_ASSERT(!problem.empty());
  return 0;
}
