#pragma once
/// The kinds of requests. A kind is one row; api, schema, command line, page and docs read the table.
#include "api/kind.h"

namespace podwright {

/// In the order of the contract.
RequestKinds request_kinds();

}  // namespace podwright
