#pragma once
/// The fingerprint of the study tool's questions: natively and in the browser the same seed gives the same bytes.
#include <string>

namespace golden {

/// One line for each template: its id, a comma, and the SHA-256 of its questions of the seeds 0 to 999 as JSON, each
/// followed by a line feed.
std::string question_digests();

}  // namespace golden
