#pragma once
/// A measured machine compared with its data sheet, for people: docs/method/probes.md#imports.
#include "base/json_write.h"
#include "catalog/catalog.h"
#include "measure/profile_file.h"

namespace podwright {

/// `rates`: what plans take from the profile, each beside the data sheet and what plans take without the profile.
/// `rooflines`: by GPU and precision the roofs of data sheet and machine with their ridge. Members of an open object.
void write_import_rates(JsonWriter& out, const Catalog& catalog, const ReadProfile& read);

}  // namespace podwright
