#include "probes/cluster/rank_work.h"

#include "base/json_write.h"
#include "measure/profile_file.h"
#include "probes/probe_case.h"

namespace podwright::probes {

std::string RankWork::answer(const std::string& command) {
  const auto node = parse_json(command);
  if (!node) return "{}";
  const std::string what = text_at(*node, "do");
  if (what == "probe") return probe();
  if (what == "group_open") return open_group(*node);
  if (what == "group_run") return run_group(*node);
  return "{}";
}

std::string RankWork::probe() {
  RunOptions local = run_;
  local.output.clear();
  local.may_have_none = true;
  local_ = run_probes(local);
  return local_.profile.devices.empty() ? "{}" : profile_text(local_.profile);
}

std::string RankWork::open_group(const JsonNode& node) {
  group_ = std::make_unique<GroupRun>(run_, local_.profile.run.backend, node);
  JsonWriter json;
  json.begin_object();
  json.text("ids", group_->ids());
  json.end_object();
  return json.take();
}

std::string RankWork::run_group(const JsonNode& node) {
  if (group_ == nullptr) return "{}";
  const std::string answer = group_->run(text_at(node, "ids"));
  group_.reset();
  return answer;
}

}  // namespace podwright::probes
