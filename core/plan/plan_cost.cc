#include "plan/plan_cost.h"

namespace podwright {

std::vector<std::string> plan_costs_left_out() {
  return {
      "owned: the networks of storage and management, management servers, spare parts, lines to the outside and taking "
      "the machines down",
      "rented: data leaving the cloud and support, unless they are asked for",
      "rented: whether the instances share a network fast enough for the work"};
}

}  // namespace podwright
