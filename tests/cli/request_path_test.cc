#include "cli/request_path.h"

#include <gtest/gtest.h>

namespace podwright::cli {
namespace {

JsonNode document(std::string_view text) { return *parse_json(text); }

/// The document after `value` was put at the path; the pointer of the place in front.
std::string after(std::string_view text, std::string_view path, std::string_view value) {
  JsonNode changed = document(text);
  const auto place = put(changed, *path_steps(path), document(value));
  return place ? *place + " " + json_text(changed) : "refused " + place.error().front().path;
}

TEST(PathSteps, AreThoseOfBothSpellings) {
  for (const char* path : {"workloads[0].traffic.turns", "workloads.0.traffic.turns", "/workloads/0/traffic/turns"})
    EXPECT_EQ(after("{}", path, "3"), R"(/workloads/0/traffic/turns {"workloads":[{"traffic":{"turns":3}}]})");
  EXPECT_EQ(after("{}", "/a~1b/c~0d", "1"), R"(/a~1b/c~0d {"a/b":{"c~d":1}})");
  EXPECT_EQ(dotted_path("/workloads/0/traffic/turns"), "workloads[0].traffic.turns");
}

TEST(PathSteps, RefuseWhatIsNoPath) {
  for (const char* path : {"", ".", "a.", ".a", "a..b", "[0]", "a[", "a]", "a[x]", "a[-1]", "a[0", "a[0]b",
                           "a[1234567890]", "/a~", "/a~2"})
    EXPECT_FALSE(path_steps(path).has_value()) << path;
}

TEST(Put, ChangesAddsAndTakesAway) {
  EXPECT_EQ(after(R"({"a":1,"b":2})", "a", "3"), R"(/a {"a":3,"b":2})");
  EXPECT_EQ(after(R"({"a":[1,2]})", "/a/-", "3"), R"(/a/2 {"a":[1,2,3]})");
  EXPECT_EQ(after(R"({"a":[1,2]})", "a[2]", "3"), R"(/a/2 {"a":[1,2,3]})");
  for (const char* path : {"/a/0", "a.0"}) EXPECT_EQ(after(R"({"a":{"0":1}})", path, "2"), R"(/a/0 {"a":{"0":2}})");
  EXPECT_EQ(after(R"({"a":[1,2],"b":0})", "a[0]", "null"), R"(/a/0 {"a":[2],"b":0})");
  EXPECT_EQ(after(R"({"a":1,"b":2})", "b", "null"), R"(/b {"a":1})");
  EXPECT_EQ(after(R"({"a":1})", "c.d", "null"), R"(/c {"a":1})");
}

TEST(Put, SaysWhatIsInTheWay) {
  EXPECT_EQ(after(R"({"a":[1]})", "a[2]", "3"), "refused /a");
  EXPECT_EQ(after(R"({"a":[1]})", "a.b", "3"), "refused /a");
  EXPECT_EQ(after(R"({"a":"text"})", "a.b.c", "3"), "refused /a");
  EXPECT_EQ(after(R"({"a":{}})", "a[0]", "3"), "refused /a");
}

TEST(FindAt, FollowsPointers) {
  const JsonNode node = document(R"({"a":[{"b/c":5}]})");
  ASSERT_NE(find_at(node, "/a/0/b~1c"), nullptr);
  EXPECT_EQ(find_at(node, "/a/0/b~1c")->number, 5);
  for (const char* nowhere : {"/a/1", "/a/x", "/b", "/a/0/b~1c/d", "/~"}) EXPECT_EQ(find_at(node, nowhere), nullptr);
}

TEST(PrettyJson, KeepsInOneLineWhatFits) {
  EXPECT_EQ(pretty_json(document(R"({"a":{"b":[1,2.5,"x"],"c":{}},"d":[]})")),
            "{\n  \"a\": { \"b\": [1, 2.5, \"x\"], \"c\": {} },\n  \"d\": []\n}\n");
  EXPECT_EQ(pretty_json(document("{}")), "{}\n");
  const std::string text =
      R"({"list":["0123456789012345678901234567890123456789","0123456789012345678901234567890123456789",)"
      R"("0123456789012345678901234567890123456789"]})";
  const std::string pretty = pretty_json(document(text));
  EXPECT_EQ(json_text(document(pretty)), text);
  EXPECT_NE(pretty.find("[\n    \"0"), std::string::npos) << pretty;
}

}  // namespace
}  // namespace podwright::cli
