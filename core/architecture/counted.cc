#include "architecture/counted.h"

namespace podwright {

std::string kilowatts_text(Watts power) { return grouped(rounded_for_display(power / kw(1))) + " kW"; }

std::string number_patch(std::string_view key, double value) {
  return "{\"" + std::string(key) + "\":" + shortest_number(value) + "}";
}

}  // namespace podwright
