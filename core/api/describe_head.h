#pragma once
/// Fields that requests of several kinds share.
#include <string_view>

#include "api/fields.h"

namespace podwright {

/// `kind` and `schema`, with which every request begins.
void describe_head(FieldVisitor& visitor, std::string_view kind);

/// `explain`, of requests whose whole answer is traced.
void describe_explain(FieldVisitor& visitor, bool& explain);

}  // namespace podwright
