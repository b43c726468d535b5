#pragma once
/// What the answers of all searches have in common as text: a table of what was found, why the first comes first, how
/// it is started, and what was left out.
#include <functional>
#include <string>
#include <string_view>

#include "base/json_read.h"

namespace podwright::cli {

struct SearchFrame {
  std::string_view list;                              ///< member of the answer: "layouts"
  std::string_view nothing;                           ///< where it is empty
  std::function<std::string(const JsonNode&)> table;  ///< of the list
  std::string beside = {};                            ///< what is between the reasons and the commands
  std::string counted;                                ///< how many were looked at
};

std::string search_frame_text(const JsonNode& answer, const SearchFrame& frame);

/// Programs with their arguments, as lines for a shell or of a file.
std::string launch_text(const JsonNode& launch);

}  // namespace podwright::cli
