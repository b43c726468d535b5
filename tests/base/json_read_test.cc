#include "base/json_read.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace podwright::json_read_test {
namespace {

using namespace std::string_view_literals;

JsonNode parsed(std::string_view text) {
  const Result<JsonNode> node = parse_json(text);
  EXPECT_TRUE(node) << text << ": " << (node ? "" : node.error().front().message);
  return node ? *node : JsonNode{};
}

Error problem(std::string_view text) {
  const Result<JsonNode> node = parse_json(text);
  EXPECT_FALSE(node) << text;
  if (node) return {};
  EXPECT_EQ(node.error().size(), 1u);
  return node.error().front();
}

TEST(ParseJson, KeepsTypesOrderAndText) {
  const JsonNode node = parsed(R"( {"z": [1, -2.5, 1e3], "a": {"t": true, "n": null}, "s": "\u00e9\ud83d\ude00\n"} )");
  ASSERT_TRUE(node.is_object());
  EXPECT_EQ(node.keys, (std::vector<std::string>{"z", "a", "s"}));
  const JsonNode& list = *node.find("z");
  ASSERT_TRUE(list.is_list());
  EXPECT_EQ(list.items[0].number, 1.0);
  EXPECT_TRUE(list.items[0].whole);
  EXPECT_EQ(list.items[1].number, -2.5);
  EXPECT_EQ(list.items[2].number, 1000.0);
  EXPECT_FALSE(list.items[2].whole) << "written with an exponent";
  EXPECT_TRUE(node.find("a")->find("t")->boolean);
  EXPECT_EQ(node.find("a")->find("n")->type, JsonType::null);
  EXPECT_EQ(node.find("s")->text, "\xC3\xA9\xF0\x9F\x98\x80\n");
  EXPECT_EQ(node.find("absent"), nullptr);
  EXPECT_EQ(parsed("7").find("x"), nullptr);
}

TEST(ParseJson, NumbersTheNodesInOrderOfTheText) {
  const JsonNode node = parsed(R"({"a": {"b": 1, "c": [2, 3]}, "d": 4})");
  EXPECT_EQ(node.order, 0);
  EXPECT_EQ(node.last, 6);
  const JsonNode& a = *node.find("a");
  EXPECT_EQ(a.order, 1);
  EXPECT_EQ(a.last, 5);
  EXPECT_EQ(a.find("c")->order, 3);
  EXPECT_EQ(a.find("c")->last, 5);
  EXPECT_EQ(node.find("d")->order, 6);
}

TEST(ParseJson, TellsLineAndColumnOfBrokenText) {
  const struct {
    std::string_view text;
    std::string_view place;
  } cases[] = {
      {"", "is empty"},
      {" \t\r\n", "is empty"},
      {"{\"a\": 1,}", "line 1, column 9"},
      {"{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 5"},
      {"{\"a\": 1} x", "line 1, column 10"},
      {"[1, 2", "line 1, column 5"},
      {"{'a': 1}", "line 1, column 2"},
      {"[01]", "line 1, column 3"},
      {"[NaN]", "line 1, column 2"},
      {"[+1]", "line 1, column 2"},
      {"[1.]", "line 1, column 4"},
      {"// note\n{}", "line 1, column 1"},
      {"\"a\tb\"", "line 1, column 3"},
      {"\"\\x\"", "line 1, column 3"},
      {"\"\\ud800\"", "line 1, column"},
      {"\"\xC3\x28\"", "line 1, column"},
      {"[1]\0[2]"sv, "line 1, column 4"},
      {"\0"sv, "line 1, column 1"},
  };
  for (const auto& [text, place] : cases) {
    const Error error = problem(text);
    EXPECT_EQ(error.code, "not-json") << text;
    EXPECT_EQ(error.path, "") << text;
    EXPECT_NE(error.message.find(place), std::string::npos) << text << ": " << error.message;
    EXPECT_FALSE(error.hint.empty()) << text;
  }
}

TEST(ParseJson, RefusesNumbersOutsideDouble) {
  const Error error = problem("{\"a\":\n 1e400}");
  EXPECT_EQ(error.code, "not-json");
  EXPECT_NE(error.message.find("number is too large at line 2"), std::string::npos) << error.message;
  EXPECT_EQ(parsed("[1e308]").items[0].number, 1e308);
  EXPECT_EQ(parsed("[1e-400]").items[0].number, 0.0);
  EXPECT_EQ(parsed("[18446744073709551615]").items[0].number, 18446744073709551615.0);
  EXPECT_EQ(parsed("[123456789012345678901234567890]").items[0].number, 123456789012345678901234567890.0);
  EXPECT_EQ(parsed("[-9223372036854775808]").items[0].number, -9223372036854775808.0);
}

TEST(ParseJson, RefusesDuplicateKeysByPath) {
  const Error error = problem(R"({"a": [0, {"b/c": 1, "x": {}, "b/c": 2}]})");
  EXPECT_EQ(error.code, "duplicate-key");
  EXPECT_EQ(error.path, "/a/1/b~1c");
  EXPECT_EQ(problem(R"({"":1,"":2})").path, "/");
}

TEST(ParseJson, GoesSixtyFourLevelsDeep) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_json(nested(64)));
  const Error deep = problem(" {\"[{\\\"\": 1, \"b\":\n" + nested(64) + "}");
  EXPECT_EQ(deep.code, "not-json");
  EXPECT_NE(deep.message.find("line 2, column 64"), std::string::npos) << deep.message;
  EXPECT_EQ(problem(nested(100000)).code, "not-json");
}

TEST(PointerStep, EscapesAsJsonPointerSays) {
  EXPECT_EQ(pointer_step("a/b"), "/a~1b");
  EXPECT_EQ(pointer_step("m~n"), "/m~0n");
  EXPECT_EQ(pointer_step(""), "/");
}

TEST(Merged, FollowsTheExamplesOfRfc7396) {
  const struct {
    std::string_view target, patch, result;
  } cases[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
      {R"({"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"})",
       R"({"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]})",
       R"({"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"})"},
  };
  for (const auto& [target, patch, result] : cases)
    EXPECT_EQ(json_text(merged(parsed(target), parsed(patch))), result) << target << " + " << patch;
}

TEST(JsonText, ReadsBackAsTheSameTree) {
  for (const std::string_view text :
       {R"({"a":[1,-2.5,0.1,1e+300,5e-324,null,true,false,"\"\\\u0001é😀"],"b":{},"c":[],"":{"~/":0}})", "null", "\"\"",
        "[]", "3"})
    EXPECT_EQ(json_text(parsed(json_text(parsed(text)))), json_text(parsed(text))) << text;
  EXPECT_EQ(json_text(parsed(" [ 1 , 2.50 , 1e2 ] ")), "[1,2.5,100]");
}

TEST(TypeName, IsWhatPeopleSay) {
  EXPECT_EQ(type_name(JsonType::list), "list");
  EXPECT_EQ(type_name(JsonType::text), "text");
  EXPECT_EQ(type_name(JsonType::boolean), "true or false");
}

/// {"k0": 0, "k1": 1, ...}, open at its end.
std::string wide_object(int keys) {
  std::string text = "{";
  for (int i = 0; i < keys; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
  return text;
}

TEST(ParseJson, WideObjectKnowsItsKeys) {
  for (const int keys : {31, 32, 33, 100'000}) {
    const JsonNode node = parsed(wide_object(keys) + "}");
    EXPECT_EQ(node.keys.size(), static_cast<std::size_t>(keys));
    for (const int again : {0, keys / 2, keys - 1}) {
      const Error error = problem(wide_object(keys) + ",\"k" + std::to_string(again) + "\":0}");
      EXPECT_EQ(error.code, "duplicate-key") << keys;
      EXPECT_EQ(error.path, "/k" + std::to_string(again)) << keys;
    }
  }
}

TEST(ParseJson, RefusesMoreThanItsLimits) {
  const auto zeros = [](int count) {
    std::string text = "[";
    for (int i = 1; i < count; ++i) text += "0,";
    return text + "0]";
  };
  EXPECT_TRUE(parse_json(zeros(JsonLimits::kValues - 1)));  // and the list
  EXPECT_EQ(problem(zeros(JsonLimits::kValues)).code, "too-large");
  const auto key = [](std::size_t bytes) { return "{\"" + std::string(bytes, 'k') + "\":1}"; };
  EXPECT_TRUE(parse_json(key(JsonLimits::kKeyBytes)));
  const Error long_key = problem(key(JsonLimits::kKeyBytes + 1));
  EXPECT_EQ(long_key.code, "too-large");
  EXPECT_NE(long_key.message.find("1025 bytes"), std::string::npos) << long_key.message;
  const std::string text(JsonLimits::kBytes + 1, ' ');
  EXPECT_EQ(problem(text).code, "too-large");
  EXPECT_EQ(problem(std::string_view(text).substr(1)).code, "not-json");
}

TEST(Merged, WidePatchesKeepTheOrder) {
  std::string patch = wide_object(1000);
  for (int i = 0; i < 1000; i += 2) {  // every second is removed
    const std::string pair = "\"k" + std::to_string(i) + "\":" + std::to_string(i);
    patch.replace(patch.find(pair) + pair.find(':') + 1, std::to_string(i).size(), "null");
  }
  const JsonNode result = merged(parsed(wide_object(1000) + "}"), parsed(patch + ",\"new\":1}"));
  ASSERT_EQ(result.keys.size(), 501U);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(result.keys[i], "k" + std::to_string(2 * i + 1));
    EXPECT_EQ(result.items[i].number, static_cast<double>(2 * i + 1));
  }
  EXPECT_EQ(result.keys[500], "new");
}

}  // namespace
}  // namespace podwright::json_read_test
