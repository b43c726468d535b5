#pragma once
/// How large the numbers of files can be. Whatever reads a number that a person or another program wrote takes it
/// through here or through a range of its own, so that what is computed of a few of them stays finite.
#include <cmath>
#include <string>

#include "base/json_read.h"
#include "base/object_reader.h"

namespace podwright {

/// Of a quantity that a file tells, of either sign, where it is not 0: the sizes of 32-bit floating point, in which
/// programs measure.
inline constexpr Range kToldSize{1e-40, 1e40};

/// False for what is larger, smaller or no number at all.
inline bool is_tellable(double x) { return x == 0 || (std::fabs(x) >= kToldSize.min && std::fabs(x) <= kToldSize.max); }

/// "Legal: ..." for messages about a number that is not tellable.
std::string told_sizes_text();

/// Adds an error for each number of a document that is not tellable or outside the range; `path` is that of the
/// document.
void check_told_numbers(const JsonNode& document, const std::string& path, ErrorList& errors, Range range = {});

/// A document of another program: parse_json, and every number tellable.
Result<JsonNode> parse_told(std::string_view text);

}  // namespace podwright
