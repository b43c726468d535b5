#include "base/whole.h"

namespace podwright {

Whole whole(double count) { return static_cast<Whole>(count); }

}  // namespace podwright
