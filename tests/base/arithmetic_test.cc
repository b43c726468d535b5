#include "base/arithmetic.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "support/equation.h"

namespace podwright::arithmetic_test {
namespace {

constexpr auto bubble_time(Of<double> auto stages, Of<double> auto chunks, Of<Seconds> auto stage_time) {
  return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / chunks * stage_time);
}

// Of plain numbers a formula is a constant expression of plain type.
static_assert(bubble_time(8.0, 2.0, Seconds(0.5)) == Seconds(1.75));
static_assert(std::is_same_v<decltype(named("id", bubble_time(8.0, 2.0, Seconds(0.5)))), Seconds>);

const TraceNode& node_of(const Trace& trace, NodeId node) { return trace.nodes()[static_cast<std::size_t>(node)]; }

TEST(Arithmetic, WritesItsEquationOverTheNamesThatEntered) {
  Trace trace;
  const auto stages = trace.input("/parallelism/pipeline", 8.0);
  const auto chunks = trace.input("/parallelism/virtual_pipeline", 2.0);
  const auto forward = trace.constant("perf.forward", Seconds(0.2), "measured");
  const auto backward = trace.constant("perf.backward", Seconds(0.3), "measured");
  const auto stage = named("perf.stage_time", forward + backward);
  const auto bubble = named("perf.pipeline_bubble", bubble_time(stages, chunks, stage));
  EXPECT_EQ(bubble.value, Seconds(1.75));

  const TraceNode& made = node_of(trace, bubble.node);
  EXPECT_EQ(made.id, "perf.pipeline_bubble");
  EXPECT_EQ(made.equation, "(pipeline - 1) / virtual_pipeline * stage_time");
  EXPECT_EQ(made.names, (std::vector<std::string>{"pipeline", "virtual_pipeline", "stage_time"}));
  EXPECT_EQ(made.source, "arXiv 2104.04473 section 2.2");
  EXPECT_EQ(made.unit, "s");
  EXPECT_EQ(made.inputs, (std::vector<NodeId>{stages.node, chunks.node, stage.node}));
  EXPECT_EQ(node_of(trace, stage.node).equation, "forward + backward");
  EXPECT_EQ(node_of(trace, stage.node).source, "definition");
}

TEST(Arithmetic, TextIsReadInTheOrderOfTheCode) {
  Trace trace;
  const auto a = trace.input("/a", 7.0);
  const auto b = trace.input("/b", 3.0);
  const auto c = trace.input("/c", 0.1);
  const auto text = [&](const Traced<double>& x) { return node_of(trace, named("x", x).node).equation; };
  EXPECT_EQ(text(a - b - c), "a - b - c");
  EXPECT_EQ(text(a - (b - c)), "a - (b - c)");
  EXPECT_EQ(text(a * (b * c)), "a * (b * c)");
  EXPECT_EQ(text(a / (b / c) + 1.0), "a / (b / c) + 1");
  EXPECT_EQ(text((a + b) * c), "(a + b) * c");
  EXPECT_EQ(text(2.5 * a), "2.5 * a");
  EXPECT_EQ(text(-a + b), "(-a) + b");
  EXPECT_EQ(text(math::pow(1.0 + a, b)), "(1 + a) ^ b");
  EXPECT_EQ(text(math::pow(math::pow(a, 2.0), 0.5)), "(a ^ 2) ^ 0.5");
  EXPECT_EQ(text(max(max(a, b), c)), "max(a, b, c)");
  EXPECT_EQ(text(max(a, min(b, c + 1.0))), "max(a, min(b, c + 1))");
  EXPECT_EQ(text(ceil(a / b) + floor(sqrt(b))), "ceil(a / b) + floor(sqrt(b))");
  EXPECT_EQ(text(a * math::exp(-a)), "a * exp(-a)");
  Traced<double> total = a;
  total += b;
  EXPECT_EQ(text(total), "a + b");
}

TEST(Arithmetic, EveryTextRecomputes) {
  Trace trace;
  const auto a = trace.input("/a", 7.3);
  const auto b = trace.input("/b", 3.1);
  const auto c = trace.input("/c", 0.7);
  for (const Traced<double>& x :
       {a - (b - c) - (a - b), a / (b * c) * (a / c), (a + b) * (b + c) - -a, math::pow(a - b, 1.0 + c) * 2.0,
        max(ceil(a * b), floor(a) + sqrt(c)) / (a - min(b, c)), (a - b) * math::exp(-(c * b)), 1.0 / a - 1e-9 * b}) {
    const TraceNode& made = node_of(trace, named("x", x).node);
    const EquationValue again = evaluate(made.equation, {{"a", 7.3}, {"b", 3.1}, {"c", 0.7}});
    EXPECT_EQ(again.error, "") << made.equation;
    EXPECT_NEAR(again.value, x.value, 1e-15 * std::abs(x.value)) << made.equation;
  }
}

TEST(Arithmetic, NumbersFromOutsideAreCalledWithoutTheirUnits) {
  Trace trace;
  const auto bandwidth = trace.constant("bandwidth_gb_per_s", gb_per_s(3350), "datasheet");
  const auto price = trace.constant("price_usd_per_gpu_hour", usd_per_hour(2), "list");
  const auto power = trace.constant("rack_power_kw_max", kw(2), "list");
  const auto share = trace.input("/share_of_gb", 0.5);
  EXPECT_EQ(node_of(trace, named("x", bandwidth * share).node).equation, "bandwidth * share_of_gb");
  EXPECT_EQ(node_of(trace, named("x", price * 2.0).node).equation, "price_per_gpu * 2");
  const auto text = [&](std::string_view id) {
    return node_of(trace, named("x", trace.constant(id, seconds(2), "list") * 2.0).node).equation;
  };
  EXPECT_EQ(text("gpu_hours_per_failure"), "gpu_time_per_failure * 2");
  EXPECT_EQ(text("link.gb_per_s_one_way"), "one_way * 2");
  EXPECT_EQ(text("storage.usd_per_gb_month"), "storage * 2");
  EXPECT_EQ(text("gpu/peak_dense_tflops.fp8"), "peak_dense_fp8 * 2");
  EXPECT_EQ(text("tokens_per_s"), "tokens_per_s * 2");
  EXPECT_EQ(node_of(trace, named("x", power * 2.0).node).equation, "rack_power_max * 2");
}

TEST(Arithmetic, EqualNamesAreToldApart) {
  Trace trace;
  const auto first = trace.input("/prefill/gpus", 2.0);
  const auto second = trace.input("/decode/gpus", 3.0);
  EXPECT_EQ(node_of(trace, named("gpus", first + second).node).equation, "prefill_gpus + decode_gpus");
  const auto one = named("perf.time", first + 1.0);
  const auto two = named("perf.time", second + 1.0);
  EXPECT_EQ(node_of(trace, named("sum", one + two).node).equation, "perf_time + perf_time_2");
  const auto third = trace.input("/mix/0", 2.0);
  EXPECT_EQ(node_of(trace, named("x", third * 2.0).node).equation, "mix_0 * 2");
}

TEST(Arithmetic, OutermostCitationsAreTheSources) {
  Trace trace;
  const auto a = trace.input("/a", 2.0);
  const auto inner = cited("inner", a + 1.0);
  EXPECT_EQ(node_of(trace, named("x", inner * a).node).source, "inner");
  EXPECT_EQ(node_of(trace, named("x", inner / cited("other", a * 2.0)).node).source, "inner; other");
  EXPECT_EQ(node_of(trace, named("x", cited("outer", inner * 2.0)).node).source, "outer");
}

TEST(Arithmetic, TheSameNumberTwiceIsOneNode) {
  Trace trace;
  const auto a = trace.input("/a", 2.0);
  EXPECT_EQ(named("x", a * 2.0).node, named("x", a * 2.0).node);
  EXPECT_NE(named("x", a * 2.0).node, named("y", a * 2.0).node);
  EXPECT_NE(named("x", a * 2.0).node, named("x", a + 2.0).node);
}

TEST(Arithmetic, QuantitiesKeepTheirKind) {
  Trace trace;
  const auto tokens = trace.input("/tokens", 4.0);
  const auto work = named("flops", in<Flops>(6.0 * tokens));
  static_assert(std::is_same_v<decltype(work), const Traced<Flops>>);
  EXPECT_EQ(node_of(trace, work.node).unit, "FLOP");
  EXPECT_EQ(node_of(trace, work.node).equation, "6 * tokens");
  EXPECT_EQ(in<Flops>(6.0), Flops(6.0));
  EXPECT_EQ(node_of(trace, named("x", raw(work) / 2.0).node).unit, "1");
}

}  // namespace
}  // namespace podwright::arithmetic_test
