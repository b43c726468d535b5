#include "api/version.h"

namespace podwright {

std::string_view version() { return PODWRIGHT_VERSION; }

}  // namespace podwright
