#pragma once

namespace podwright::probes {

/// False in a program that is linked statically: opening a library there would need the very C library that it was
/// linked with.
bool opens_libraries();

}  // namespace podwright::probes
