#pragma once
/// All facts. Read once from the embedded files (and a user's overrides on top), then only looked up.
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/architecture.h"
#include "catalog/architecture_band.h"
#include "catalog/architecture_claim.h"
#include "catalog/embedded.h"
#include "catalog/engine.h"
#include "catalog/ggml_type.h"
#include "catalog/gpu.h"
#include "catalog/host_calibration.h"
#include "catalog/kernel_rate.h"
#include "catalog/later.h"
#include "catalog/mig_profile.h"
#include "catalog/model.h"
#include "catalog/operating_figure.h"
#include "catalog/price_tables.h"
#include "catalog/probe_norm.h"
#include "catalog/reference_rate.h"
#include "catalog/serving_efficiency.h"
#include "catalog/software_product.h"
#include "catalog/system.h"
#include "catalog/traffic_preset.h"
#include "catalog/training_efficiency.h"
#include "catalog/training_framework.h"
#include "catalog/training_rate.h"
#include "catalog/training_recipe.h"
#include "catalog/tuning.h"
#include "catalog/weight_format.h"

namespace podwright {

/// Where facts come from.
struct Source {
  std::string id;
  std::string title;
  std::string publisher;
  std::string url;
  std::string date;       ///< of the content, ISO, possibly shortened to year or month
  std::string retrieved;  ///< ISO date
  std::string kind;       ///< datasheet, measured, list-price, paper, estimate, recalled
  std::string licence;
  std::string confidence;  ///< primary: the document itself was read; secondary: a transcription; mixed; unsure; empty:
                           ///< not given
};

struct Catalog {
  std::vector<Gpu> gpus;
  Later<std::vector<Model>> models;
  std::vector<System> systems;
  std::vector<Switch> switches;
  std::vector<ReferenceArchitecture> architectures;
  std::vector<ArchitectureBand> architecture_bands;
  Later<std::vector<ArchitectureClaim>> architecture_claims;
  Later<std::vector<StudyBand>> study_bands;
  std::vector<SoftwareProduct> software_products;
  std::vector<Engine> engines;
  std::vector<WeightFormat> weight_formats;
  Later<std::vector<GgmlType>> ggml_types;
  Later<std::vector<MigProfile>> mig_profiles;
  std::vector<KernelRate> kernel_rates;
  std::vector<HostCalibration>
      hosts;  ///< machines whose measurements `kernel_rates` follow; none in the built-in catalog
  const Catalog* uncalibrated = nullptr;  ///< without `hosts`, for figures of both; outlives this one
  Later<std::vector<ProbeNorm>> probe_norms;
  std::vector<ReferenceRate> reference_rates;  ///< of GPUs of which a verified profile exists
  std::vector<std::string> measured_vendors;   ///< of GPUs of which kernels or runs are measured; see measured_vendor()
  Later<TrainingRecipes> training_recipes;
  Later<std::vector<TrainingRate>> training_rates;
  Later<std::vector<TrainingFramework>> training_frameworks;
  TrainingEfficiency training_efficiency;
  ServingEfficiency serving_efficiency;
  std::vector<MeasuredSource> measured_sources;
  std::vector<TrainingSupport> training_support;  ///< runs behind the constants of training_efficiency
  std::vector<CloudPrice> cloud_prices;
  std::vector<CloudDataPrice> cloud_data_prices;
  std::vector<PurchasePrice> purchase_prices;
  std::vector<ServerPrice> server_prices;
  Later<std::vector<Currency>> currencies;
  std::vector<EnergyRegion> energy_regions;
  std::vector<FailureRate> failure_rates;
  std::vector<OperatingFigure> operating_figures;
  std::vector<TrafficPreset> traffic_presets;
  std::vector<ResaleValue> resale_values;
  Later<std::vector<GpuHourCost>> gpu_hour_costs;
  std::vector<PricePoint> price_history;
  std::vector<Source> sources;
  /// namespace ("gpus", "models", "engines", "frameworks", "precisions", "systems") -> other spelling in lower case ->
  /// id
  std::map<std::string, std::map<std::string, std::string>> aliases;
  std::vector<EmbeddedText> files;  ///< that it was read from; none: those of embedded_catalog()
};

/// Reads files into a catalog; later files of the same path replace earlier ones (a user's overrides after the embedded
/// ones; an override object with "base" changes only the fields it names). Every problem is listed; `path` is
/// "<file>#<JSON Pointer>" or "<file>:<line>".
Result<Catalog> read_catalog(std::span<const EmbeddedText> files);

/// Reads a table, "prices_cloud.csv" for example, in the place of the one of this name. Columns may have any order;
/// errors have the path "<path>:<line>". False where no table has this name.
bool read_table(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors);

/// The embedded catalog, read at the first call, parts of it at their first use.
const Catalog& embedded_catalog_facts();

/// SHA-256 over the paths and texts of all files, hex. The texts of `catalog.files` must still be there.
std::string catalog_digest(const Catalog& catalog);

/// By id or alias. Error "unknown-id" with path "" and the nearest ids as hint; the caller sets the path.
Result<const Gpu*> find_gpu(const Catalog& catalog, std::string_view id);
Result<const Model*> find_model(const Catalog& catalog, std::string_view id);
/// The same without an error: null where there is none.
const Model* known_model(const Catalog& catalog, std::string_view id);
Result<const System*> find_system(const Catalog& catalog, std::string_view id);
const Source* find_source(const Catalog& catalog, std::string_view id);
/// The source with its title and address, which those of the embedded catalog are read without.
Source whole_source(const Source& source);
/// The id that a spelling of a namespace stands for; the spelling itself where no alias is known.
std::string canonical_id(const Catalog& catalog, std::string_view name_space, std::string_view spelling);

}  // namespace podwright
