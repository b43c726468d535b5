#pragma once
/// The place where a profile is kept: whole at every moment, also where several programs write it or one is killed.
#include <string>

namespace podwright::probes {

/// Writes the text to a new file beside the place, and moves it there. Each has a name of its own, so that neither a
/// second program nor a link that somebody planted is written to. What is no file, as /dev/null, is written as it is.
/// False where that fails; the place then holds what it held.
bool write_beside(const std::string& path, const std::string& text);

/// Could it be written? Leaves nothing behind.
bool can_write_beside(const std::string& path);

}  // namespace podwright::probes
