#pragma once
/// Traces of requests as JSON Lines or CSV. Only times, lengths and what prompts share are read: names, prompts and
/// whatever else a file holds are never kept. docs/method/replay.md#traces.
#include <string_view>
#include <vector>

#include "base/result.h"
#include "replay/traffic_source.h"

namespace podwright::replay {

/// Requests in order of time, the first at 0. The path of an error is ":<line>".
Result<std::vector<Request>> read_trace(std::string_view text);

}  // namespace podwright::replay
