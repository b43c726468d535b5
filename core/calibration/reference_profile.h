#pragma once
/// The profile of a verified machine as the reference of its GPU: its rows of reference_rates.csv, and the row that a
/// result of another machine may be compared with. docs/method/probes.md#reference.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "measure/profile_file.h"
#include "measure/verdict.h"

namespace podwright {

/// The library or kernel that a result was measured with, without version or choice of algorithm: "cublaslt", "nccl",
/// "own-split-kv"; empty where the probe does not tell.
std::string way_of(const ProbeResult& result);

/// True for kernels of this project: what they reach says nothing of a vendor's.
bool is_own_kernel(std::string_view way);

/// What the reference keeps of a result: FLOP/s of products and attention over prompts, B/s of memory and links, the
/// time of collectives. Absent where plans have no use for the probe, or it has no such figure.
std::optional<MeasuredRate> reference_figure(const ProbeResult& result);

/// The row of the same probe, way, dtype, mode, size and version on this GPU; null where the reference has none.
const ReferenceRate* reference_of(const Catalog& catalog, std::string_view gpu_id, const ProbeResult& result);
bool has_reference(const Catalog& catalog, std::string_view gpu_id);

/// The catalog's rows with those of the profile in place of its GPU's; of several devices the middle one counts, result
/// by result; its rows come last, at least one. Errors "conflict" where the profile cannot be a reference: unfinished,
/// quick or imported, not of one GPU of the catalog, or with a verdict that is not in order.
Result<std::vector<ReferenceRate>> with_reference(const Catalog& catalog, const ReadProfile& read);

/// Id of the source that stands for a profile.
std::string profile_source(std::string_view digest);

}  // namespace podwright
