#pragma once
/// An accelerator. Rates are dense; absent means not known.
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "catalog/item.h"
#include "catalog/price.h"

namespace podwright {

struct Gpu : CatalogItem {
  std::string vendor;
  std::string architecture;
  std::string compute_capability;
  std::string form_factor;
  std::string status;
  std::optional<double> year;
  std::optional<double> sm_count;
  std::optional<double> boost_clock_mhz;
  std::map<std::string, FlopsPerSecond>
      peak_dense_flops;  ///< by precision word of the file: fp64, fp64_tensor, fp32, tf32, bf16, fp16,
                         ///< fp16_fp16_accumulate, fp8, int8, fp4, int4
  std::map<std::string, FlopsPerSecond> measured_matmul_flops;  ///< best matrix product measured, by precision
  std::optional<Bytes> memory;                                  ///< as printed, GB
  std::optional<Bytes> memory_driver;                           ///< as the driver reports it, GiB in the file
  std::string memory_type;
  std::optional<BytesPerSecond> memory_bandwidth;
  std::optional<double> l2_mb;
  std::string link_name;
  std::optional<BytesPerSecond> link_bandwidth_one_way;  ///< per GPU, one direction, to the other GPUs of its domain
  std::optional<double> link_domain_gpus;
  std::optional<double> pcie_generation;
  std::optional<Watts> board_power;
  std::optional<Watts> gpu_power;  ///< of the GPU alone, where the board holds a processor too
  std::optional<double> mig_max_instances;
  std::optional<Price> price;  ///< of one board or module
  std::string price_basis;
};

/// Dense rate of products whose operands are stored so (bf16, fp8-block, mxfp8, nvfp4 ...): scales of blocks do not
/// change the rate of their width. Absent where the data sheet names none.
std::optional<FlopsPerSecond> product_peak(const Gpu& gpu, std::string_view dtype);

}  // namespace podwright
