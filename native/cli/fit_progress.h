#pragma once
/// Long fits on a terminal; silent in a pipe.
#include <string>

namespace podwright::cli {

void show_progress(const std::string& left_out);
void end_progress();

}  // namespace podwright::cli
