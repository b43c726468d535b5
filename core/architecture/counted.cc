#include "architecture/counted.h"

namespace podwright {

std::string kilowatts_text(Watts power) { return grouped(rounded_for_display(power / kw(1))) + " kW"; }

}  // namespace podwright
