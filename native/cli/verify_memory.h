#pragma once
/// A log of Megatron-LM against the estimate of a layout's memory. docs/method/training_memory.md#proof.
#include <string>

#include "cli/common.h"

namespace podwright::cli {

/// Compares the memory that the log `text` of `file` says with what the estimate of the request `plan` has, and prints
/// both. 0: the estimate holds and the layout fits, 1: one of them is not so, 2 after a message.
int verify_memory(const Catalog& catalog, const std::string& plan, const std::string& file, const std::string& text,
                  bool json);

}  // namespace podwright::cli
