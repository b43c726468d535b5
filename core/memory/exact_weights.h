#pragma once
/// Weights of a file in place of a format's nominal bits. docs/method/model_files.md.
#include <array>
#include <optional>

#include "base/result.h"
#include "base/units.h"
#include "catalog/model.h"
#include "catalog/weight_file.h"
#include "catalog/weight_format.h"

namespace podwright {

/// Bytes of each class of tensors; absent: none.
using WeightBytes = std::array<std::optional<Bytes>, kTensorClasses>;

/// `format` with the bits that these bytes are of `model`'s parameters, so that every share of the weights is the
/// file's. Errors, below "/weights": bytes of a class that the model lacks, a class without bytes, or a number of bits
/// that no format has.
Result<WeightFormat> exact_weight_format(const WeightFormat& format, const Model& model, const WeightBytes& bytes);

}  // namespace podwright
