#include "catalog/efficiency_constant.h"

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "catalog/table_reader.h"

namespace podwright {

void read_efficiency_constants(const std::string& path, std::string_view text, std::string_view model,
                               std::span<const std::string_view> ids, std::span<EfficiencyConstant> constants,
                               Errors& errors) {
  const std::size_t before = errors.size();
  TableReader table(path, text, {"id", "value", "prior", "spread", "source", "note"}, errors);
  std::vector<bool> seen(ids.size());
  while (table.next()) {
    const std::string& id = table.needed_text("id");
    const auto i = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
    if (i == ids.size()) {
      table.error("unknown-key", "The " + std::string(model) + " has no constant \"" + id + "\".",
                  did_you_mean(id, {ids.begin(), ids.end()}, ""));
      continue;
    }
    if (seen[i])
      table.error("duplicate-key", "The constant \"" + id + "\" is in the table twice.", "One row for each constant.");
    seen[i] = true;
    EfficiencyConstant& constant = constants[i];
    table.head(constant, id, id);
    constant.called = id;
    constant.value = table.needed("value", 1e-12);
    constant.prior = table.needed("prior", 1e-12);
    constant.spread = table.needed("spread", 1e-6);
    constant.note = table.text("note");
  }
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!seen[i] && errors.size() == before)
      errors.push_back({"missing", path, "The constant \"" + std::string(ids[i]) + "\" is missing.", ""});
}

}  // namespace podwright
