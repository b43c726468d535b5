#include "catalog/gpu_named.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace podwright::gpu_named_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

std::string id_of(const NamedGpu& found) { return found.gpu == nullptr ? "none" : found.gpu->id; }

/// What a driver prints, and the memory that it reports.
struct DriverName {
  const char* name;
  double memory_gib;
  const char* id;
};

// As `nvidia-smi --query-gpu=name,memory.total` and cudaGetDeviceProperties print them.
const std::vector<DriverName> kDriverNames = {
    {"NVIDIA H100 80GB HBM3", 79.19, "h100-sxm5-80gb"},
    {"NVIDIA H100 PCIe", 79.1, "h100-pcie-80gb"},
    {"NVIDIA H100 NVL", 93.1, "h100-nvl-94gb"},
    {"NVIDIA H200", 139.81, "h200-sxm5-141gb"},
    {"NVIDIA H200 NVL", 139.8, "h200-nvl-141gb"},
    {"NVIDIA H800", 79.1, "h800-sxm5-80gb"},
    {"NVIDIA H20", 95.0, "h20-96gb"},
    {"NVIDIA GH200 480GB", 94.5, "gh200-96gb"},
    {"NVIDIA GH200 120GB", 94.5, "gh200-96gb"},
    {"NVIDIA GH200 144G HBM3e", 139.8, "gh200-144gb"},
    {"NVIDIA B200", 178.3, "b200-sxm"},
    {"NVIDIA B300 SXM6 AC", 268.59, "b300-sxm"},
    {"NVIDIA GB200", 184.0, "gb200"},
    {"NVIDIA GB300", 277.55, "gb300"},
    {"NVIDIA GB10", 119.7, "gb10-dgx-spark"},
    {"NVIDIA A100-SXM4-40GB", 39.5, "a100-sxm4-40gb"},
    {"A100-SXM4-40GB", 39.5, "a100-sxm4-40gb"},
    {"NVIDIA A100-SXM4-80GB", 79.25, "a100-sxm4-80gb"},
    {"NVIDIA A100-PCIE-40GB", 39.4, "a100-pcie-40gb"},
    {"NVIDIA A100 80GB PCIe", 79.1, "a100-pcie-80gb"},
    {"NVIDIA A10", 22.49, "a10"},
    {"NVIDIA A10G", 22.3, "a10g"},
    {"NVIDIA A30", 23.53, "a30"},
    {"NVIDIA A40", 44.4, "a40"},
    {"NVIDIA L4", 22.0, "l4"},
    {"NVIDIA L40", 44.4, "l40"},
    {"NVIDIA L40S", 44.42, "l40s"},
    {"Tesla T4", 14.75, "t4"},
    {"Tesla P40", 22.38, "tesla-p40"},
    {"Tesla V100-SXM2-16GB", 15.78, "v100-sxm2-16gb"},
    {"Tesla V100-SXM2-32GB", 31.75, "v100-sxm2-32gb"},
    {"Tesla V100-PCIE-16GB", 15.78, "v100-pcie-16gb"},
    {"Tesla V100-PCIE-32GB", 31.75, "v100-pcie-32gb"},
    {"Tesla P100-SXM2-16GB", 15.9, "p100-sxm2-16gb"},
    {"Tesla P100-PCIE-16GB", 15.9, "p100-pcie-16gb"},
    {"NVIDIA RTX A6000", 47.5, "rtx-a6000"},
    {"NVIDIA RTX 6000 Ada Generation", 47.5, "rtx-6000-ada"},
    {"NVIDIA RTX 5000 Ada Generation", 31.5, "rtx-5000-ada"},
    {"NVIDIA RTX 4000 Ada Generation", 19.6, "rtx-4000-ada"},
    {"NVIDIA RTX PRO 6000 Blackwell Server Edition", 95.59, "rtx-pro-6000-blackwell-server"},
    {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 94.97, "rtx-pro-6000-blackwell-workstation"},
    {"NVIDIA GeForce RTX 5090", 31.37, "rtx-5090"},
    {"NVIDIA GeForce RTX 4090", 23.64, "rtx-4090"},
    {"NVIDIA GeForce RTX 4080", 15.7, "rtx-4080"},
    {"NVIDIA GeForce RTX 4070 Ti", 11.7, "rtx-4070-ti"},
    {"NVIDIA GeForce RTX 4060", 7.6, "rtx-4060"},
    {"NVIDIA GeForce RTX 3090", 23.58, "rtx-3090"},
    {"NVIDIA GeForce RTX 3090 Ti", 23.6, "rtx-3090-ti"},
    {"NVIDIA GeForce RTX 3080", 9.6, "rtx-3080"},
    {"NVIDIA GeForce RTX 3080 Ti", 11.7, "rtx-3080-ti"},
    {"NVIDIA GeForce RTX 3070", 7.7, "rtx-3070"},
    {"NVIDIA GeForce RTX 2080 Ti", 10.6, "rtx-2080-ti"},
    {"GeForce GTX 1080", 7.9, "gtx-1080"},
};

// Products that the catalog does not hold and that share a number with one that it does.
const std::vector<DriverName> kOtherProducts = {
    {"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", 95.0, "none"},
    {"NVIDIA GeForce RTX 4090 Laptop GPU", 15.7, "none"},
    {"NVIDIA GeForce RTX 4080 Laptop GPU", 11.7, "none"},
    {"NVIDIA GeForce RTX 4090 D", 23.6, "none"},
    {"NVIDIA GeForce RTX 4080 SUPER", 15.7, "none"},
    {"NVIDIA GeForce RTX 4070 Ti SUPER", 15.7, "none"},
    {"NVIDIA GeForce RTX 3070 Ti", 7.7, "none"},
    {"NVIDIA GeForce RTX 3080", 11.7, "none"},  // of 12 GB
    {"NVIDIA GeForce GTX 1080 Ti", 10.9, "none"},
    {"NVIDIA RTX 4000 SFF Ada Generation", 19.6, "none"},
    {"NVIDIA RTX 5000 Ada Generation Laptop GPU", 15.7, "none"},
    {"Quadro RTX 6000", 23.6, "none"},
    {"NVIDIA A100-SXM-64GB", 63.4, "none"},
    {"NVIDIA H20-3e", 139.8, "none"},
    {"NVIDIA H800 PCIe", 79.1, "none"},
    {"NVIDIA A800-SXM4-80GB", 79.2, "none"},
    {"Tesla P100-PCIE-12GB", 11.9, "none"},
    {"GRID A100-40C", 40.0, "none"},
    {"NVIDIA L20", 44.5, "none"},
    {"", 79.2, "none"},
};

NamedGpu named(const DriverName& one) {
  return gpu_named(catalog(), {.name = one.name, .memory = gib(one.memory_gib)});
}

TEST(GpuNamed, DriverNamesAreTheirProducts) {
  for (const DriverName& one : kDriverNames) {
    EXPECT_EQ(id_of(named(one)), one.id) << one.name;
    EXPECT_TRUE(named(one).certain) << one.name;
  }
}

TEST(GpuNamed, EveryNvidiaGpuThatDriversNameIsTested) {
  // Not named as the catalog does: names of no product, or of a module that nobody has printed yet.
  const std::vector<std::string> unseen = {"b100", "rubin", "jetson-agx-thor", "h100-96gb-hbm2e-500w"};
  for (const Gpu& gpu : catalog().gpus) {
    const auto is_it = [&](const DriverName& one) { return gpu.id == one.id; };
    const bool tested = std::any_of(kDriverNames.begin(), kDriverNames.end(), is_it) ||
                        std::find(unseen.begin(), unseen.end(), gpu.id) != unseen.end();
    EXPECT_TRUE(gpu.vendor != "NVIDIA" || tested) << gpu.id;
  }
}

TEST(GpuNamed, OtherProductsAreNone) {
  for (const DriverName& one : kOtherProducts) EXPECT_EQ(id_of(named(one)), one.id) << one.name;
}

TEST(GpuNamed, FiguresDecideBetweenEditions) {
  // As a table or a virtual machine may print it: both have 80 GB, the parts differ.
  const NamedGpu module = gpu_named(catalog(), {.name = "NVIDIA RTX PRO 6000 Blackwell",
                                                .memory = gib(95.2),
                                                .bandwidth = BytesPerSecond(1597e9),
                                                .power_limit = Watts(600)});
  EXPECT_EQ(id_of(module), "rtx-pro-6000-blackwell-server");
  EXPECT_TRUE(module.certain);
  EXPECT_FALSE(gpu_named(catalog(), {.name = "NVIDIA RTX PRO 6000 Blackwell", .memory = gib(95.2)}).certain);
}

TEST(GpuNamed, FiguresOfAnotherProductSpeakAgainstTheName) {
  const DeviceLook full{.name = "NVIDIA H100 80GB HBM3",
                        .memory = gib(79.19),
                        .sm_count = 132,
                        .bandwidth = BytesPerSecond(3352e9),
                        .power_limit = Watts(700)};
  EXPECT_TRUE(gpu_named(catalog(), full).certain);
  DeviceLook fewer = full;
  fewer.sm_count = 114;
  EXPECT_EQ(id_of(gpu_named(catalog(), fewer)), "h100-sxm5-80gb");
  EXPECT_FALSE(gpu_named(catalog(), fewer).certain);
  DeviceLook capped = full;
  capped.power_limit = Watts(350);
  EXPECT_FALSE(gpu_named(catalog(), capped).certain);
}

TEST(GpuNamed, OfASliceTheNameTells) {
  const DeviceLook slice{.name = "NVIDIA A100-SXM4-40GB MIG 3g.20gb", .memory = gib(19.6), .sm_count = 42};
  EXPECT_EQ(id_of(gpu_named(catalog(), slice)), "a100-sxm4-40gb");
  EXPECT_EQ(id_of(gpu_named(catalog(), {.name = "NVIDIA H100 80GB HBM3 MIG 1g.10gb", .memory = gib(9.8)})),
            "h100-sxm5-80gb");
}

TEST(GpuNamed, TablesNameLess) {
  const auto in_table = [](std::string_view text) { return gpu_named(catalog(), {.name = text}); };
  EXPECT_EQ(id_of(in_table("H100")), "h100-sxm5-80gb");
  EXPECT_EQ(id_of(in_table("8x H100 SXM 80G")), "h100-sxm5-80gb");
  EXPECT_EQ(id_of(in_table("H100 PCIe")), "h100-pcie-80gb");
  EXPECT_EQ(id_of(in_table("A100 40GB")), "a100-sxm4-40gb");
  EXPECT_EQ(id_of(in_table("GB200 NVL72")), "gb200");
  EXPECT_EQ(id_of(in_table("TPU v6e")), "tpu-v6e-trillium");
  EXPECT_EQ(id_of(in_table("Gaudi 3")), "gaudi-3");
  EXPECT_FALSE(in_table("A100").certain);
}

}  // namespace
}  // namespace podwright::gpu_named_test
