#pragma once
/// Memory bandwidth of a host, which no norm judges.
#include <string>

#include "measure/profile.h"

namespace podwright {

/// What the processors' largest triad reached, why it has no norm and how to judge it by hand; empty where none was
/// measured on `device`.
std::string host_memory_note(const HardwareProfile& profile, const ProfileDevice& device);

}  // namespace podwright
