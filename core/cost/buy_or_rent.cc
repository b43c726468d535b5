#include "cost/buy_or_rent.h"

namespace podwright {

std::vector<std::string> costs_left_out() {
  return {"owned: network, storage, installation and spares", "owned: support contracts, licences and staff",
          "owned: the building or colocation", "rented: storage, data leaving the cloud and licences",
          "rented: whether the instances share a network fast enough for the work"};
}

}  // namespace podwright
