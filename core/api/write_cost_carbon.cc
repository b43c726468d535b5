#include "api/answer_writer.h"
#include "api/carbon_table.h"
#include "api/write_common.h"
#include "api/write_cost.h"

namespace podwright {

void write_carbon(JsonWriter& out, const CostSides& sides) {
  if (!sides.carbon) return;
  out.begin_object("carbon");
  write_fields(out, sides.carbon->year);
  write_texts(out, "missing", sides.carbon->terms.missing);
  write_texts(out, "cautions", sides.carbon->terms.cautions);
  out.end_object();
}

}  // namespace podwright
