#include "probes/cluster/rank_work.h"

#include "measure/profile_file.h"
#include "probes/wire.h"

namespace podwright::probes {

std::string RankWork::answer(const Order& order) {
  if (order.act == "probe") return probe();
  if (order.act == "group_open") {
    group_ = std::make_unique<GroupRun>(run_, order.jobs);
    return wire_text(GroupAnswer{.ids = group_->ids()});
  }
  if (order.act == "group_run" && group_ != nullptr) {
    const GroupAnswer answer{.seats = group_->run(order.ids)};
    group_.reset();
    return wire_text(answer);
  }
  return "{}";
}

std::string RankWork::probe() {
  RunOptions local = run_;
  local.output.clear();
  local.may_have_none = true;
  local_ = run_probes(local);
  return local_.profile.devices.empty() ? "{}" : profile_text(local_.profile);
}

}  // namespace podwright::probes
