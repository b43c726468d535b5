#include "api/answer_writer.h"
#include "api/uncertainty_table.h"
#include "api/write_common.h"
#include "api/write_cost.h"

namespace podwright {

void write_uncertainty(JsonWriter& out, Trace& trace, const CostRequest& request, const CostSides& sides) {
  if (!sides.uncertainty) return;
  if (!sides.uncertainty->numbers) {
    write_texts(out, "not_drawn", {sides.uncertainty->problem});
    return;
  }
  const UncertaintyNumbers<Trace>& numbers = *sides.uncertainty->numbers;
  AnswerWriter v(out);
  describe_distribution(v, trace, trace.input("/uncertainty/draws", request.uncertainty.draws), numbers,
                        sides.uncertainty->rented);
  describe_tornado(v, numbers);
  if (sides.uncertainty->rented) describe_flips(v, numbers);
}

}  // namespace podwright
