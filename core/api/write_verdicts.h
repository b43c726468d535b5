#pragma once
/// Verdicts on a measured machine, as JSON.
#include "base/json_write.h"
#include "calibration/judge_profile.h"

namespace podwright {

/// `"verdicts": [...]` and `"notes": [...]`.
void write_verdicts(JsonWriter& out, const ProfileJudgement& judgement);

}  // namespace podwright
