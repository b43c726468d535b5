#pragma once
/// Weight formats, KV precisions, engines and dates as published tables write them.
#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace podwright {

/// Id of the catalog's format: "FP8", "w8a8 fp8", "fp8_block", "int4_wo", "AWQ", "Q4_K_M", "MXFP4", "4.65 bpw" (the
/// nearest average). Empty where the text names none. A bare "fp4" is nvfp4;
/// fp4_format() says when it is not.
std::string written_weight_format(const Catalog& catalog, std::string_view text);

/// The 4-bit floating-point format that "fp4" means for a model and a GPU: mxfp4 where the model is published in it,
/// or where the GPU's maker has no nvfp4.
std::string_view fp4_format(const Model& model, const Gpu& gpu);

/// Whether every matrix of a model published in 8 bit has a scale per 128 x 128 weights.
bool published_in_fp8_blocks(const Model& model);

/// Whether a model's own checkpoint has 4-bit integers in its experts alone.
bool published_with_4_bit_experts(const Model& model);

/// "auto" and texts without a known precision: empty, the engine's default.
std::string written_kv_precision(const Catalog& catalog, std::string_view text);

/// Id of an engine of the catalog: its alias, else a name that the text contains ("Dynamo TRT-LLM 1.2"). Empty where
/// none.
std::string written_engine(const Catalog& catalog, std::string_view text);

/// "0.15.1" of "0.15.1", "0.15/0.16", "v0.15.1-cu130"; empty for names without a number ("nightly-dev").
std::string written_version(std::string_view text);

/// A version by whose conventions an engine worked on a day: those observed first on that day or later. Empty where the
/// text is not a date: the newest.
std::string version_at(const Engine& engine, std::string_view date);

/// 2025.63 of "2025-08-19"; the middle of the month or the year where no more is given. Absent for other texts.
std::optional<double> year_of_date(std::string_view date);

}  // namespace podwright
