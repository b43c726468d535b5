#pragma once
/// Data that leaves a cloud, as every request asks for it.
#include "api/fields.h"
#include "cost/cloud_data.h"

namespace podwright {

/// `egress_gb_per_month`, `egress_usd_per_gb` and `egress_tiers` of the open object.
void describe_egress(FieldVisitor& visitor, EgressRequest& egress);

}  // namespace podwright
