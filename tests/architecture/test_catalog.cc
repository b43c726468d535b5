#include "architecture/test_catalog.h"

#include <gtest/gtest.h>

#include "catalog/embedded.h"

namespace podwright {
namespace {

System system_of(std::string id, std::string name, std::vector<std::string> gpus, double gpu_count,
                 std::optional<double> power_kw, std::string cooling) {
  System system;
  system.id = std::move(id);
  system.name = std::move(name);
  system.origin = "catalog/systems/" + system.id;
  system.source = "written-here";
  system.gpus = std::move(gpus);
  system.gpu_count = gpu_count;
  if (power_kw) system.power_max = kw(*power_kw);
  system.cooling = std::move(cooling);
  return system;
}

ReferenceArchitecture architecture_of(std::string id, std::string name, std::optional<double> gpus_per_unit,
                                      std::string confidence = "primary") {
  ReferenceArchitecture architecture;
  architecture.id = std::move(id);
  architecture.name = std::move(name);
  architecture.origin = "catalog/architectures/" + architecture.id;
  architecture.gpus_per_scalable_unit = gpus_per_unit;
  architecture.confidence = std::move(confidence);
  return architecture;
}

Catalog make_catalog() {
  Catalog catalog;
  for (const EmbeddedText& file : embedded_catalog()) {
    if (file.path != "architecture_bands.csv") continue;
    Errors errors;
    read_table(file.path, file.text, catalog, errors);
    EXPECT_TRUE(errors.empty());
  }
  catalog.systems = {
      system_of("dgx-h100", "DGX H100", {"h100-sxm5-80gb"}, 8, 10.2, "air"),
      system_of("dgx-h200", "DGX H200", {"h200-sxm5-141gb"}, 8, 10.2, "air"),
      system_of("dgx-b200", "DGX B200", {"b200-sxm"}, 8, 14.3, "air"),
      system_of("dgx-b300", "DGX B300", {"b300-sxm"}, 8, std::nullopt, "air (liquid and busbar variants)"),
      system_of("dgx-a100", "DGX A100", {"a100-sxm4-40gb", "a100-sxm4-80gb"}, 8, 6.5, "air"),
      system_of("oem-hgx-8-gpu", "HGX 8-GPU OEM server", {"h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"}, 8,
                std::nullopt, ""),
      system_of("oem-hgx-b300", "HGX B300 OEM server", {"b300-sxm"}, 8, std::nullopt, ""),
      system_of("oem-pcie-8-gpu", "2 CPU, 8 GPU PCIe server", {"l40s"}, 8, std::nullopt, ""),
      system_of("oem-pcie-4-gpu", "2 CPU, 4 GPU PCIe server", {}, 4, std::nullopt, ""),
      system_of("gb200-nvl72", "GB200 NVL72", {"gb200"}, 72, 150, "liquid plus air"),
      system_of("gb300-nvl72", "GB300 NVL72", {"gb300"}, 72, 142, "liquid plus air"),
  };
  catalog.systems[3].power_typical = kw(14.5);
  catalog.architectures = {
      architecture_of("dgx-basepod-ndr400", "DGX BasePOD, current edition", std::nullopt),
      architecture_of("dgx-basepod-ndr200", "DGX BasePOD, earlier edition", std::nullopt),
      architecture_of("dgx-superpod-h100", "DGX SuperPOD, DGX H100", 256),
      architecture_of("dgx-superpod-h200", "DGX SuperPOD, DGX H200", 256, "unsure"),
      architecture_of("dgx-superpod-b200", "DGX SuperPOD, DGX B200", 256),
      architecture_of("dgx-superpod-b300-xdr", "DGX SuperPOD, DGX B300, XDR", 576),
      architecture_of("dgx-superpod-b300-spectrum", "DGX SuperPOD, DGX B300, Spectrum-X", 512),
      architecture_of("dgx-superpod-a100", "DGX SuperPOD, DGX A100", 160, "unsure"),
      architecture_of("dgx-superpod-gb200", "DGX SuperPOD, DGX GB200 NVL72", 576),
      architecture_of("dgx-superpod-gb300", "DGX SuperPOD, DGX GB300 NVL72", 576),
      architecture_of("era-2-8-9-400", "Enterprise RA 2-8-9-400", 32),
      architecture_of("era-2-8-9-800", "Enterprise RA 2-8-9-800", 32),
      architecture_of("era-2-8-5-200", "Enterprise RA 2-8-5-200", 32),
      architecture_of("era-2-4-3-200", "Enterprise RA 2-4-3-200", 16),
      architecture_of("era-2-4-5-800-nvl72", "Enterprise RA GB300 NVL72", 72),
      architecture_of("ncp-dsx", "NVIDIA Cloud Partner / DSX", std::nullopt),
  };
  return catalog;
}

}  // namespace

const Catalog& selection_catalog() {
  static const Catalog catalog = make_catalog();
  return catalog;
}

Gpu gpu_named(std::string id, std::string form_factor) {
  Gpu gpu;
  gpu.id = std::move(id);
  gpu.name = gpu.id;
  gpu.vendor = "NVIDIA";
  gpu.form_factor = std::move(form_factor);
  return gpu;
}

}  // namespace podwright
