#include "base/json_write.h"

#include <gtest/gtest.h>

#include <string>

#include "base/json_read.h"

namespace podwright::json_write_test {
namespace {

using namespace std::string_literals;

TEST(JsonWriter, WritesCompactJson) {
  JsonWriter out;
  out.begin_object();
  out.text("name", "chat");
  out.number("count", 8);
  out.boolean("feasible", true);
  out.key("reason");
  out.null();
  out.begin_list("plans");
  out.number(1);
  out.begin_object();
  out.end_object();
  out.verbatim(R"({"ready":[]})");
  out.text("last");
  out.end_list();
  out.end_object();
  EXPECT_EQ(out.take(),
            R"({"name":"chat","count":8,"feasible":true,"reason":null,"plans":[1,{},{"ready":[]},"last"]})");
}

TEST(JsonWriter, EscapesWhatJsonDemands) {
  JsonWriter out;
  out.begin_list();
  out.text("quote \" backslash \\ line\n tab\t bell\x07 \x7F é 😀");
  out.text("zero\0byte"s);
  out.text("broken \xC3\x28 utf-8 \xFF");
  out.end_list();
  const std::string text = out.take();
  const Result<JsonNode> node = parse_json(text);
  ASSERT_TRUE(node) << text;
  EXPECT_EQ(node->items[0].text, "quote \" backslash \\ line\n tab\t bell\x07 \x7F é 😀");
  EXPECT_EQ(node->items[1].text, "zero\0byte"s);
  EXPECT_EQ(node->items[2].text, "broken \xEF\xBF\xBD( utf-8 \xEF\xBF\xBD");
}

TEST(JsonWriter, NumbersReadBackAsTheSameDouble) {
  for (const double x : {0.0, -0.0, 0.1, 1.0 / 3.0, 1e15, 123456789012345.0, 9007199254740993.0, -2.5e-9,
                         1.7976931348623157e308, 5e-324}) {
    JsonWriter out;
    out.number(x);
    const std::string text = out.take();
    const Result<JsonNode> node = parse_json(text);
    ASSERT_TRUE(node) << text;
    EXPECT_EQ(node->number, x) << text;
  }
}

TEST(JsonWriter, KnowsWhereItStands) {
  JsonWriter out;
  EXPECT_EQ(out.pointer(), "");
  out.begin_object();
  out.begin_list("plans");
  EXPECT_EQ(out.pointer(), "/plans/0");
  out.number(1);
  EXPECT_EQ(out.pointer(), "/plans/1");
  out.begin_object();
  out.key("a/b~c");
  EXPECT_EQ(out.pointer(), "/plans/1/a~1b~0c");
  out.begin_list();
  out.begin_list();
  EXPECT_EQ(out.pointer(), "/plans/1/a~1b~0c/0/0");
  out.end_list();
  EXPECT_EQ(out.pointer(), "/plans/1/a~1b~0c/1");
  out.end_list();
  out.key("next");
  EXPECT_EQ(out.pointer(), "/plans/1/next");
  out.number(2);
  out.end_object();
  EXPECT_EQ(out.pointer(), "/plans/2");
  out.end_list();
  out.end_object();
  EXPECT_EQ(out.take(), R"({"plans":[1,{"a/b~c":[[]],"next":2}]})");
}

TEST(JsonWriter, AppendsTheUnitToTheKeyOfPlainQuantities) {
  JsonWriter out;
  out.begin_object();
  out.quantity("capacity", unit::kGib, gib(80));
  out.quantity("step_time", unit::kSeconds, milliseconds(250));
  out.quantity("rate", unit::kUsdPerHour, usd_per_hour(2));
  out.quantity_as("requests_per_s", unit::kPerSecond, per_second(5));
  out.quantity("mfu", unit::kNone, 0.5);
  out.end_object();
  EXPECT_EQ(out.take(), R"({"capacity_gib":80,"step_time_s":0.25,"rate_usd_per_hour":2,"requests_per_s":5,"mfu":0.5})");
}

}  // namespace
}  // namespace podwright::json_write_test
