#pragma once
/// One server of eight GPUs that several tests look at: 285,000 for the server, 4,000 per GPU for the network, 100 TB
/// of storage at 250, a fifth of the server left after five years at 8 %; 10.2 kW at 75 % load, PUE 1.3, 0.083 USD/kWh;
/// support of 10 %, a licence of 4,500 per GPU, a tenth of a person at 200,000; used 60 % of the time.
#include "cost/owned_cluster.h"
#include "cost/rates_of_money.h"

namespace podwright {

inline OwnedTerms<NoTrace> one_server() {
  OwnedTerms<NoTrace> inputs;
  inputs.gpu_count = 8;
  inputs.horizon_years = 5;
  inputs.discount_rate = 0.08;
  inputs.utilization = 0.6;
  inputs.servers.amount = usd(285000);
  inputs.network.amount = usd(8 * 4000);
  inputs.storage.amount = usd(100 * 250);
  inputs.residual_fraction.amount = 0.2;
  inputs.it_power.amount = kw(10.2);
  inputs.load.amount = 0.75;
  inputs.pue.amount = 1.3;
  inputs.electricity_price.amount = usd_per_kwh(0.083);
  inputs.support_fraction.amount = 0.1;
  inputs.licence_per_gpu.amount = usd_per_year(4500);
  inputs.staff.amount = 0.1;
  inputs.salary.amount = usd_per_year(200000);
  return inputs;
}

inline OwningCost<NoTrace> owned(const OwnedTerms<NoTrace>& inputs) {
  NoTrace trace;
  return owning_cost(trace, inputs);
}

}  // namespace podwright
