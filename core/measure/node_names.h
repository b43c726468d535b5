#pragma once
/// Names of nodes as schedulers write them. docs/operator.md#a-fleet-by-files.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace podwright {

/// Names between commas, spaces or line breaks, each of which may hold ranges as Slurm writes them:
/// "gpu[01-03,7],login" is gpu01, gpu02, gpu03, gpu7 and login. Each name once, in the order given. Errors, path "":
/// out-of-range for a bracket that is not closed or holds no numbers, a range that falls, and more than 65,536 names.
Result<std::vector<std::string>> node_names(std::string_view text);

}  // namespace podwright
