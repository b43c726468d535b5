#include "base/trace.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "base/arithmetic.h"
#include "base/json_write.h"

namespace podwright::trace_test {
namespace {

constexpr auto transfer_time(Of<Bytes> auto payload, Of<BytesPerSecond> auto bandwidth) { return payload / bandwidth; }

struct Link {
  std::string origin = "catalog/links/nvlink";
  BytesPerSecond bandwidth = gb_per_s(450);
  std::string source_of(std::string_view field) const { return "datasheet#" + std::string(field); }
};

/// An assembling function as the rooms write them.
template <class Tracer>
typename Tracer::template Known<Seconds> total_time(Tracer& trace, const Link& link, double count) {
  TraceScope scope(trace, "/workloads/0");
  const auto bandwidth = trace.fact(link, "bandwidth_gb_per_s", link.bandwidth);
  std::vector<typename Tracer::template Known<Seconds>> parts;
  for (double i = 1; i <= count; ++i)
    parts.push_back(named("time/part", transfer_time(trace.input("/payload_gb", gb(i)), bandwidth)));
  return trace.sum("time/total", parts);
}

static_assert(std::is_same_v<NoTrace::Known<Bytes>, Bytes>);

TEST(NoTrace, GivesTheSameValuesAsTrace) {
  NoTrace off;
  Trace on;
  for (double count = 0; count < 9; ++count)
    EXPECT_EQ(total_time(off, Link{}, count), total_time(on, Link{}, count).value);
  EXPECT_EQ(value_of(off.constant("bytes_of_bf16", 2.0, "IEEE")), value_of(on.constant("bytes_of_bf16", 2.0, "IEEE")));
  EXPECT_EQ(value_of(off.method("search", gb(1), "docs/method/search.md")),
            value_of(on.method("search", gb(1), "docs/method/search.md")));
}

TEST(Trace, RecordsEquationInputsAndSources) {
  Trace trace(std::map<std::string, std::string>{{"/workloads/0/payload_gb", "the framework's default"}});
  const auto total = total_time(trace, Link{}, 2);
  ASSERT_EQ(trace.nodes().size(), 6u);  // bandwidth, two inputs, two parts, their sum

  const TraceNode& sum = trace.nodes()[static_cast<std::size_t>(total.node)];
  EXPECT_EQ(sum.id, "time/total");
  EXPECT_EQ(sum.equation, "sum(parts)");
  EXPECT_EQ(sum.unit, "s");
  EXPECT_EQ(sum.value, raw(total.value));
  ASSERT_EQ(sum.inputs.size(), 2u);
  EXPECT_EQ(sum.names, (std::vector<std::string>{"parts", "parts"}));

  const TraceNode& part = trace.nodes()[static_cast<std::size_t>(sum.inputs[1])];
  EXPECT_EQ(part.equation, "payload / bandwidth");
  EXPECT_EQ(part.source, "definition");
  EXPECT_EQ(part.names, (std::vector<std::string>{"payload", "bandwidth"}));

  const TraceNode& payload = trace.nodes()[static_cast<std::size_t>(part.inputs[0])];
  EXPECT_EQ(payload.id, "request/workloads/0/payload_gb");
  EXPECT_EQ(payload.source, "the framework's default");
  EXPECT_EQ(payload.unit, "B");
  EXPECT_TRUE(payload.equation.empty());

  const TraceNode& bandwidth = trace.nodes()[static_cast<std::size_t>(part.inputs[1])];
  EXPECT_EQ(bandwidth.id, "catalog/links/nvlink/bandwidth_gb_per_s");
  EXPECT_EQ(bandwidth.source, "datasheet#bandwidth_gb_per_s");
  EXPECT_EQ(bandwidth.unit, "B/s");
}

TEST(Trace, ANumberToldTwiceIsOneNode) {
  Trace trace;
  const auto first = trace.input("/gpu_count", 8.0);
  const auto second = trace.input("/gpu_count", 8.0);
  EXPECT_EQ(first.node, second.node);
  EXPECT_NE(first.node, trace.input("/gpu_count", 16.0).node);
  const auto payload = trace.input("/payload", gb(1));
  const auto bandwidth = trace.constant("link", gb_per_s(50), "definition");
  EXPECT_EQ(named("a", transfer_time(payload, bandwidth)).node, named("a", transfer_time(payload, bandwidth)).node);
  EXPECT_NE(named("a", transfer_time(payload, bandwidth)).node, named("b", transfer_time(payload, bandwidth)).node);
}

TEST(Trace, TheAnswerListsNodesInOneOrderWhateverWasRecordedFirst) {
  const auto answer = [](bool bandwidth_first) {
    Trace trace;
    trace.input("/shown_nowhere", 1.0);
    if (bandwidth_first) trace.constant("link", gb_per_s(50), "definition");
    const auto payload = trace.input("/payload", gb(1));
    const auto time = named("time", transfer_time(payload, trace.constant("link", gb_per_s(50), "definition")));
    JsonWriter out(&trace);
    out.begin_object();
    out.quantity("step", unit::kSeconds, time);
    out.key("trace");
    write_trace(out, trace);
    out.end_object();
    return out.take();
  };
  EXPECT_EQ(answer(false), answer(true));
  EXPECT_NE(answer(true).find(R"("inputs":["n0:request/payload","n1:constant/link"])"), std::string::npos)
      << answer(true);
  EXPECT_EQ(answer(true).find("shown_nowhere"), std::string::npos);
}

TEST(Trace, GivenValuesAreTheRequestsOwn) {
  Trace trace(std::map<std::string, std::string>{{"/other", "default"}});
  EXPECT_EQ(trace.nodes()[static_cast<std::size_t>(trace.input("/gpu_count", 8.0).node)].source, "request");
}

TEST(Trace, ScopesNestAndEnd) {
  Trace trace;
  {
    TraceScope outer(trace, "/workloads/1");
    {
      TraceScope inner(trace, "/load");
      trace.input("/concurrency", 4.0);
    }
    trace.input("/tokens", 1.0);
  }
  trace.input("/seed", 1.0);
  EXPECT_EQ(trace.nodes()[0].id, "request/workloads/1/load/concurrency");
  EXPECT_EQ(trace.nodes()[1].id, "request/workloads/1/tokens");
  EXPECT_EQ(trace.nodes()[2].id, "request/seed");
}

TEST(Trace, AConversionToADisplayUnitIsAStepOfItsOwn) {
  Trace trace;
  JsonWriter out(&trace);
  const auto weights = trace.input("/weights", gib(3));
  const auto time = trace.input("/time", seconds(2));
  out.begin_object();
  out.begin_object("memory_per_gpu");
  out.quantity("weights", unit::kGib, weights);
  out.quantity("weights", unit::kGb, weights);
  out.end_object();
  out.quantity_as("step_s", unit::kSeconds, time);
  out.quantity("again", unit::kSeconds, time);
  out.end_object();
  EXPECT_EQ(out.take(), R"({"memory_per_gpu":{"weights_gib":3,"weights_gb":3.221225472},"step_s":2,"again_s":2})");

  ASSERT_EQ(trace.nodes().size(), 4u);
  EXPECT_TRUE(trace.nodes()[0].at.empty()) << "bytes themselves are not shown";
  EXPECT_EQ(trace.nodes()[1].at, (std::vector<std::string>{"/step_s", "/again_s"}));
  const TraceNode& shown = trace.nodes()[2];
  EXPECT_EQ(shown.at, (std::vector<std::string>{"/memory_per_gpu/weights_gib"}));
  EXPECT_EQ(shown.unit, "GiB");
  EXPECT_EQ(shown.value, 3.0);
  EXPECT_EQ(shown.inputs, (std::vector<NodeId>{weights.node}));
  EXPECT_EQ(shown.equation, "amount / 1073741824");
}

TEST(Trace, IsWrittenAsTheContractsList) {
  Trace trace;
  JsonWriter answer(&trace);
  const auto time = named(
      "time", transfer_time(trace.input("/payload", bytes(6)), trace.constant("rate", BytesPerSecond(3), "a page")));
  answer.begin_object();
  answer.quantity("time", unit::kSeconds, time);
  answer.end_object();
  JsonWriter out;
  write_trace(out, trace);
  const std::string text = out.take();
  // The order of a call's arguments is the compiler's, so only the last node has a known number.
  EXPECT_NE(
      text.find(
          R"({"id":"n2:time","at":["/time_s"],"value":2,"unit":"s","equation":"payload / rate","names":["payload","rate"],"inputs":[)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("value":6,"unit":"B","source":"request"})"), std::string::npos) << text;
}

}  // namespace
}  // namespace podwright::trace_test
