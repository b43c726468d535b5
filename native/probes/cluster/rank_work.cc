#include "probes/cluster/rank_work.h"

#include "measure/profile_file.h"
#include "probes/cluster/exchange.h"
#include "probes/fake/scripted_ring.h"
#include "probes/probe_case.h"

namespace podwright::probes {
namespace {

constexpr int kRingCalls = 24;
constexpr double kExchangePatience = 20;  // seconds for one message of a peer

}  // namespace

void write_numbers(JsonWriter& json, const char* key, const std::vector<double>& values) {
  json.begin_list(key);
  for (const double value : values) json.number(value);
  json.end_list();
}

std::vector<double> numbers_at(const JsonNode& node, const char* key) {
  std::vector<double> values;
  if (const JsonNode* list = node.find(key); list != nullptr)
    for (const JsonNode& value : list->items) values.push_back(value.number);
  return values;
}

std::string RankWork::answer(const std::string& command) {
  const auto node = parse_json(command);
  if (!node) return "{}";
  const std::string what = text_at(*node, "do");
  if (what == "probe") return probe();
  if (what == "call") return call(*node);
  if (what == "answer") return take_call(*node);
  if (what == "ring") return ring(*node);
  if (what == "group_open") return open_group(*node);
  if (what == "group_run") return run_group(*node);
  return "{}";
}

std::string RankWork::probe() {
  RunOptions local = run_;
  local.output.clear();
  local_ = run_probes(local);
  return local_.profile.devices.empty() ? "{}" : profile_text(local_.profile);
}

Connection RankWork::reach_peer(const JsonNode& node) const {
  std::vector<std::string> addresses;
  if (const JsonNode* list = node.find("addresses"); list != nullptr)
    for (const JsonNode& address : list->items) addresses.push_back(address.text);
  return reach(addresses, static_cast<int>(number_at(node, "port")), std::to_string(rank_));
}

/// The connection of the rank that was announced.
Connection RankWork::expect_rank(int rank) { return expect(listener_, std::to_string(rank), kExchangePatience); }

std::string RankWork::call(const JsonNode& node) {
  Connection other = reach_peer(node);
  const auto times = other.open() ? call_pair(other, kPairBytes, kExchangePatience) : std::nullopt;
  JsonWriter json;
  json.begin_object();
  json.boolean("ok", times.has_value());
  if (times) {
    json.boolean("right", times->right);
    write_numbers(json, "round_trip_s", times->round_trip_s);
    write_numbers(json, "there_s", times->there_s);
    write_numbers(json, "back_s", times->back_s);
  }
  json.end_object();
  return json.take();
}

std::string RankWork::take_call(const JsonNode& node) {
  Connection other = expect_rank(static_cast<int>(number_at(node, "rank")));
  const bool done = other.open() && answer_pair(other, kPairBytes, kExchangePatience);
  return done ? "{\"ok\": true}" : "{\"ok\": false}";
}

std::string RankWork::ring(const JsonNode& node) {
  const int place = static_cast<int>(number_at(node, "place"));
  const int ranks = static_cast<int>(number_at(node, "ranks"));
  // Connecting needs no waiting for the other side: it sits in the listener's queue.
  Connection next = reach_peer(node);
  Connection previous = expect_rank(static_cast<int>(number_at(node, "previous")));
  JsonWriter json;
  json.begin_object();
  bool ok = next.open() && previous.open();
  bool right = true;
  json.begin_list("sizes");
  for (const double bytes : numbers_at(node, "bytes")) {
    if (!ok) break;
    auto times = ring_all_reduce(next, previous, place, ranks, bytes, kRingCalls, kExchangePatience);
    ok = times.has_value();
    if (!ok) break;
    right = right && times->right;
    if (run_.backend == "fake")
      times->calls_s = fake::scripted_ring_s({text_at(node, "probe"), rank_, ranks, bytes}, kRingCalls);
    json.begin_object();
    json.number("bytes", bytes);
    write_numbers(json, "calls_s", times->calls_s);
    json.end_object();
  }
  json.end_list();
  json.boolean("ok", ok);
  json.boolean("right", right);
  json.end_object();
  return json.take();
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
