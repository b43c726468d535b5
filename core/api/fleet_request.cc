#include "api/fleet_request.h"

#include <utility>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/host_table.h"
#include "base/json_read.h"
#include "base/words.h"
#include "measure/node_names.h"

namespace podwright {
namespace {

void describe_node(auto& v, const JudgedNode& node) {
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
  v.fields(node.read, [&](const ReadProfile& read) {
    v.text({"profile_digest"}, unless_empty(read.digest));
    v.text({"started"}, unless_empty(read.profile.run.started));
    v.flag({"complete"}, read.profile.run.complete);
    v.group({"verdict_of_all"}, [&] { describe_message(v, node.judgement.summary); });
    v.list({"devices"}, node.judgement.devices);
    v.list({"verdicts"}, node.judgement.verdicts);
    v.texts({"notes"}, node.judgement.notes);
  });
}

void describe_fleet(auto& v, const Asked& asked, const FleetJudgement& fleet) {
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
  describe_foot(v, asked);
}

Answer written(const Asked& asked, const FleetJudgement& fleet) {
  return written_answer(nullptr, fleet.exit == ProbeExit::ok,
                        [&](AnswerWriter& v) { describe_fleet(v, asked, fleet); });
}

FleetNode node_of(const NodeProfile& given) {
  FleetNode node{.name = given.name, .read = {}, .problem = ""};
  auto read = read_profile(*parse_json(*given.profile), "");
  if (read) {
    node.read = std::move(*read);
    return node;
  }
  const Error& error = read.error().front();
  node.problem = "The file holds no profile: " + (error.path.empty() ? "" : error.path + ": ") + error.message;
  return node;
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, CompareRequest& r) {
  describe_head(v, "compare");
  list_of(v, {"nodes", "The nodes that were measured", kRequired}, r.nodes, [&](NodeProfile& node) {
    v.text({"name", "Name of the node, for the answer", kRequired}, node.name);
    v.object({"profile", "Hardware profile, as `podwright probe -o FILE` writes it", kRequired}, node.profile);
  });
  v.text({"expect", "Names of the nodes that there should be, with ranges as in gpu[01-16]"}, r.expect);
  v.count({"expect_count", "Number of the nodes that there should be", within(1, 1e6)}, r.expect_count);
  v.rule(r.expect.empty() || !r.expect_count, "expect_count", "The nodes are expected by name and by number.",
         "Keep one of the two.");
}

Answer answer_compare(const Asked& asked, const CompareRequest& request) {
  ExpectedNodes expected;
  if (request.expect_count) expected.count = static_cast<std::size_t>(*request.expect_count);
  auto names = node_names(request.expect);
  if (!names) {
    for (Error& error : names.error()) error.path = "/expect";
    return wrong_input(names.error());
  }
  expected.names = std::move(*names);
  std::vector<FleetNode> nodes;
  for (const NodeProfile& node : request.nodes) nodes.push_back(node_of(node));
  return written(asked, judge_fleet(asked.catalog, std::move(nodes), expected));
}

void describe_compare_answer(AnswerShape& v) { describe_fleet(v, nothing_asked(), {}); }

std::string fleet_json(const Catalog& catalog, const FleetJudgement& fleet) {
  const Asked& nothing = nothing_asked();
  return written({catalog, nothing.document, nothing.assumptions}, fleet).text;
}

}  // namespace podwright
