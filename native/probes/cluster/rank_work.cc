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
  return "{}";
}

std::string RankWork::probe() {
  RunOptions local = run_;
  local.output.clear();
  local_ = run_probes(local);
  return local_.profile.devices.empty() ? "{}" : profile_text(local_.profile);
}

Connection RankWork::reach(const JsonNode& node) const {
  const JsonNode* addresses = node.find("addresses");
  if (addresses == nullptr) return Connection();
  for (const JsonNode& address : addresses->items) {
    Connection connection = connect_to(address.text, static_cast<int>(number_at(node, "port")), 3);
    if (connection.open() && connection.send_text(std::to_string(rank_), 5)) return connection;
  }
  return Connection();
}

/// The connection of the rank that was announced; another caller is turned away.
Connection RankWork::expect(int rank) {
  for (int tries = 0; tries < 8; ++tries) {
    Connection connection = listener_.accept(kExchangePatience);
    if (!connection.open()) return connection;
    if (connection.receive_text(5) == std::to_string(rank)) return connection;
  }
  return Connection();
}

std::string RankWork::call(const JsonNode& node) {
  Connection other = reach(node);
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
  Connection other = expect(static_cast<int>(number_at(node, "rank")));
  const bool done = other.open() && answer_pair(other, kPairBytes, kExchangePatience);
  return done ? "{\"ok\": true}" : "{\"ok\": false}";
}

std::string RankWork::ring(const JsonNode& node) {
  const int place = static_cast<int>(number_at(node, "place"));
  const int ranks = static_cast<int>(number_at(node, "ranks"));
  // Connecting needs no waiting for the other side: it sits in the listener's queue.
  Connection next = reach(node);
  Connection previous = expect(static_cast<int>(number_at(node, "previous")));
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

}  // namespace podwright::probes
