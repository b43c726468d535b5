#include "api/fleet_answer.h"

#include "api/answer_writer.h"
#include "api/host_table.h"
#include "api/outcome.h"
#include "base/words.h"

namespace podwright {
namespace {

void describe_node(AnswerWriter& v, const JudgedNode& node) {
  v.text({"node"}, node.name);
  v.word({"state"}, node.state, kNodeStateWords);
  v.number({"exit_code"}, static_cast<double>(node.exit));
  v.texts({"findings"}, findings_of(node));
  v.list({"slow"}, node.slow, [&](const SlowNode& slow) {
    v.text({"device"}, slow.device);
    v.text({"probe"}, slow.probe);
    v.number({"slower_by"}, slow.slower_by);
    v.text({"limit"}, unless_empty(slow.limit));
  });
  if (!node.read) return;
  const HardwareProfile& profile = node.read->profile;
  v.text({"profile_digest"}, unless_empty(node.read->digest));
  v.text({"started"}, unless_empty(profile.run.started));
  v.flag({"complete"}, profile.run.complete);
  v.group({"verdict_of_all"}, [&] { describe_message(v, node.judgement.summary); });
  v.list({"devices"}, node.judgement.devices);
  v.list({"verdicts"}, node.judgement.verdicts);
  v.texts({"notes"}, node.judgement.notes);
}

}  // namespace

std::string fleet_json(const Catalog& catalog, const FleetJudgement& fleet) {
  const auto describe_fleet = [&](AnswerWriter& v) {
    v.text({"kind"}, "compare");
    v.text({"sentence"}, fleet.summary());
    v.number({"exit_code"}, static_cast<double>(fleet.exit));
    v.flag({"compared"}, fleet.compared);
    v.number({"measured_nodes"}, static_cast<double>(fleet.measured));
    v.number({"missing_nodes"}, static_cast<double>(fleet.count(NodeState::missing)));
    v.list({"nodes"}, fleet.nodes, [&](const JudgedNode& node) { describe_node(v, node); });
    v.list({"mixed_versions"}, fleet.mixed, [&](const MixedVersion& mixed) {
      v.text({"of"}, mixed.of);
      v.list({"uses"}, mixed.uses, [&](const MixedVersion::Use& use) {
        v.text({"version"}, use.version);
        v.texts({"nodes"}, use.nodes);
      });
    });
    v.texts({"notes"}, fleet.notes);
    v.text({"podwright_version"}, version());
    v.text({"catalog_digest"}, catalog_digest(catalog));
  };
  return written_answer(nullptr, fleet.exit == ProbeExit::ok, describe_fleet).text;
}

}  // namespace podwright
