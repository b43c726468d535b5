#include "probes/probe_case.h"

#include "base/number_text.h"

namespace podwright::probes {
namespace {

struct SizeMember {
  const char* word;
  std::optional<double> ProbeSize::*member;
};
constexpr SizeMember kSizes[] = {{"m", &ProbeSize::m},
                                 {"n", &ProbeSize::n},
                                 {"k", &ProbeSize::k},
                                 {"bytes", &ProbeSize::bytes},
                                 {"row_bytes", &ProbeSize::row_bytes},
                                 {"ranks", &ProbeSize::ranks},
                                 {"nodes", &ProbeSize::nodes},
                                 {"batch", &ProbeSize::batch},
                                 {"context_tokens", &ProbeSize::context_tokens},
                                 {"page_tokens", &ProbeSize::page_tokens},
                                 {"experts", &ProbeSize::experts},
                                 {"threads", &ProbeSize::threads}};

std::int64_t whole(const std::optional<double>& value) { return static_cast<std::int64_t>(value.value_or(0)); }

}  // namespace

std::string ProbeCase::title() const {
  std::string text = probe;
  for (const SizeMember& one : kSizes)
    if (const auto& value = size.*one.member; value)
      text += std::string(" ") + one.word + "=" + shortest_number(*value);
  if (!variant.empty()) text += " " + variant;
  if (mode == ProbeMode::sustained) text += " sustained";
  return text;
}

PwCase case_for(const ProbeCase& one, double seed) {
  PwCase to{};
  to.probe = one.probe.c_str();
  to.dtype = one.dtype.c_str();
  to.variant = one.variant.c_str();
  to.bytes = whole(one.size.bytes);
  to.m = whole(one.size.m);
  to.hidden = one.groups ? whole(one.size.n) : 0;
  to.n = one.groups ? whole(one.groups) : whole(one.size.n);
  to.k = whole(one.size.k);
  to.batch = whole(one.size.batch);
  to.context = whole(one.size.context_tokens);
  to.page = whole(one.size.page_tokens);
  to.row_bytes = whole(one.size.row_bytes);
  to.experts = whole(one.size.experts);
  to.peer = one.peer;
  to.ranks = static_cast<std::int32_t>(one.members.size());
  to.members = one.members.data();
  to.threads = static_cast<std::int32_t>(whole(one.size.threads));
  to.seed = static_cast<std::uint64_t>(seed);
  return to;
}

void write_case(JsonWriter& out, const ProbeCase& one) {
  out.begin_object();
  out.text("probe", one.probe);
  out.text("dtype", one.dtype);
  out.text("variant", one.variant);
  out.begin_object("size");
  for (const SizeMember& size : kSizes)
    if (const auto& value = one.size.*size.member; value) out.number(size.word, *value);
  out.end_object();
  if (one.groups) out.number("groups", *one.groups);
  out.boolean("sustained", one.mode == ProbeMode::sustained);
  out.number("counted_bytes", one.counted.bytes);
  out.number("counted_flops", one.counted.flops);
  out.number("peer", one.peer);
  out.begin_list("members");
  for (const std::int32_t member : one.members) out.number(member);
  out.end_list();
  out.number("target", one.target);
  out.boolean("back_to_back", one.back_to_back);
  out.number("sample_s", one.sample_s);
  out.number("warm_up_s", one.warm_up_s);
  out.number("budget_s", one.budget_s);
  out.number("smallest_bytes", one.smallest_bytes);
  out.end_object();
}

ProbeCase read_case(const JsonNode& node) {
  ProbeCase one;
  one.probe = text_at(node, "probe");
  one.dtype = text_at(node, "dtype");
  one.variant = text_at(node, "variant");
  if (const JsonNode* size = node.find("size"); size != nullptr)
    for (const SizeMember& member : kSizes)
      if (const JsonNode* value = size->find(member.word); value != nullptr) one.size.*member.member = value->number;
  if (const JsonNode* groups = node.find("groups"); groups != nullptr) one.groups = groups->number;
  const auto flag = [&](const char* key) {
    const JsonNode* value = node.find(key);
    return value != nullptr && value->boolean;
  };
  one.mode = flag("sustained") ? ProbeMode::sustained : ProbeMode::burst;
  one.counted = {number_at(node, "counted_bytes"), number_at(node, "counted_flops")};
  one.peer = static_cast<int>(number_at(node, "peer", -1));
  if (const JsonNode* members = node.find("members"); members != nullptr)
    for (const JsonNode& member : members->items) one.members.push_back(static_cast<std::int32_t>(member.number));
  one.target = number_at(node, "target", one.target);
  one.back_to_back = flag("back_to_back");
  one.sample_s = number_at(node, "sample_s", one.sample_s);
  one.warm_up_s = number_at(node, "warm_up_s", one.warm_up_s);
  one.budget_s = number_at(node, "budget_s", one.budget_s);
  one.smallest_bytes = number_at(node, "smallest_bytes");
  return one;
}

double number_at(const JsonNode& object, std::string_view key, double otherwise) {
  const JsonNode* value = object.find(key);
  return value != nullptr && value->is_number() ? value->number : otherwise;
}

std::string text_at(const JsonNode& object, std::string_view key) {
  const JsonNode* value = object.find(key);
  return value != nullptr && value->is_text() ? value->text : "";
}

}  // namespace podwright::probes
