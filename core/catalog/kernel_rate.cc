#include "catalog/kernel_rate.h"

#include "base/number_text.h"

namespace podwright {

std::uint64_t kernel_rate_key(std::string_view gpu_id, std::string_view operation, std::string_view precision) {
  std::uint64_t key = 14695981039346656037U;  // FNV-1a
  for (const std::string_view word : {gpu_id, operation, precision}) {
    for (const char c : word) key = (key ^ static_cast<unsigned char>(c)) * 1099511628211U;
    key = (key ^ 0xffU) * 1099511628211U;
  }
  return key | 1U;
}

std::string quantity_text(const KernelRate& rate) {
  return rate.operation + (rate.precision == "any" ? "" : " " + rate.precision) +
         (rate.ranks > 1 ? ", " + shortest_number(rate.ranks) + " ranks" : "");
}

}  // namespace podwright
