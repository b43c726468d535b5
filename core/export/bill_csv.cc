#include "export/bill_csv.h"

#include "base/number_text.h"
#include "export/csv_text.h"

namespace podwright {

std::string bill_csv(const BillOfMaterials<NoTrace>& bill) {
  std::string text;
  add_csv_row(text, {"category", "item_id", "name", "use", "count", "unit", "note"});
  for (const BillLine<NoTrace>& line : bill.lines)
    add_csv_row(text, {inert_cell(line.category), inert_cell(line.item_id), inert_cell(line.name), inert_cell(line.use),
                       shortest_number(line.count), inert_cell(line.unit), inert_cell(line.note)});
  for (const std::string& name : bill.not_counted)
    add_csv_row(text, {"not-counted", "", inert_cell(name), "", "", "", ""});
  return text;
}

}  // namespace podwright
