#pragma once
/// Which kind each layer of a config.json is: attention, window, experts or mixer.
#include "catalog/huggingface_object.h"

namespace podwright {

/// Reads the layers once sizes, experts and conventions are known, and groups them in the model.
void read_config_layers(ConfigPart& part);

}  // namespace podwright
