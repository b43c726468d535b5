#pragma once
/// The field `written` of the study requests: packs of written questions.
#include <vector>

#include "api/fields.h"
#include "study/written.h"

namespace podwright {

/// Reads the packs into `written`; what is wrong with them is noted with its path.
void describe_written_packs(FieldVisitor& visitor, std::vector<WrittenQuestion>& written);

}  // namespace podwright
