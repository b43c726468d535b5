#include "base/object_reader.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace podwright::object_reader_test {
namespace {

/// The problems that reading `text` in the given way finds.
Errors problems(std::string_view text, const std::function<void(ObjectReader&)>& read, std::string path = "") {
  const Result<JsonNode> node = parse_json(text);
  EXPECT_TRUE(node) << text;
  ErrorList errors;
  ObjectReader reader(*node, std::move(path), errors);
  read(reader);
  reader.finish();
  return errors.take();
}

std::string list(const Errors& errors) {
  std::string text;
  for (const Error& error : errors) text += (text.empty() ? "" : ", ") + error.code + " " + error.path;
  return text;
}

TEST(ObjectReader, ReadsEveryType) {
  const Errors errors =
      problems(R"({"n": 1.5, "c": 3e2, "f": false, "t": "x", "w": "b", "o": {}, "l": []})", [](ObjectReader& reader) {
        EXPECT_EQ(reader.number("n"), 1.5);
        EXPECT_EQ(reader.count("c"), 300);
        EXPECT_EQ(reader.flag("f"), false);
        EXPECT_EQ(reader.text("t"), "x");
        EXPECT_EQ(reader.word("w", {"a", "b"}), "b");
        EXPECT_NE(reader.object("o"), nullptr);
        EXPECT_NE(reader.list("l"), nullptr);
        EXPECT_TRUE(reader.has("n"));
        EXPECT_FALSE(reader.has("absent"));
        EXPECT_EQ(reader.number("absent"), std::nullopt);
        EXPECT_EQ(reader.text("absent"), std::nullopt);
        EXPECT_EQ(reader.object("absent"), nullptr);
      });
  EXPECT_EQ(list(errors), "");
}

TEST(ObjectReader, ReadsCountsOneByOne) {
  const Errors errors = problems(R"({"good": [8, 1e2], "bad": [8, 0, 1.5, "x"], "none": 8})", [](ObjectReader& reader) {
    EXPECT_EQ(reader.counts("good", {1, 1e9}), (std::vector<std::int64_t>{8, 100}));
    EXPECT_EQ(reader.counts("bad", {1, 1e9}), (std::vector<std::int64_t>{8}));
    EXPECT_EQ(reader.counts("none"), std::nullopt);
    EXPECT_EQ(reader.counts("absent"), std::nullopt);
  });
  EXPECT_EQ(list(errors), "out-of-range /bad/1, wrong-type /bad/2, wrong-type /bad/3, wrong-type /none");
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_EQ(errors[0].message, "\"bad/1\" is 0, outside the legal range.");
  EXPECT_EQ(errors[0].hint, "Legal: 1 to 1000000000.");
  EXPECT_EQ(errors[1].message, "\"bad/2\" must be a whole number, found 1.5.");
  EXPECT_EQ(errors[2].hint, "Write the number without quotes.");
}

TEST(ObjectReader, NamesWrongTypesWithTheirPath) {
  const Errors errors = problems(R"({"n": "8", "c": 1.5, "f": 1, "t": 2, "w": [], "o": null, "l": {}})",
                                 [](ObjectReader& reader) {
                                   EXPECT_EQ(reader.number("n"), std::nullopt);
                                   EXPECT_EQ(reader.count("c"), std::nullopt);
                                   EXPECT_EQ(reader.flag("f"), std::nullopt);
                                   EXPECT_EQ(reader.text("t"), std::nullopt);
                                   EXPECT_EQ(reader.word("w", {"a"}), std::nullopt);
                                   EXPECT_EQ(reader.object("o"), nullptr);
                                   EXPECT_EQ(reader.list("l"), nullptr);
                                 },
                                 "/workloads/0");
  EXPECT_EQ(
      list(errors),
      "wrong-type /workloads/0/n, wrong-type /workloads/0/c, wrong-type /workloads/0/f, wrong-type /workloads/0/t, "
      "wrong-type /workloads/0/w, wrong-type /workloads/0/o, wrong-type /workloads/0/l");
  EXPECT_EQ(errors[0].hint, "Write the number without quotes.");
  EXPECT_NE(errors[1].message.find("1.5"), std::string::npos);
  EXPECT_NE(errors[5].message.find("null"), std::string::npos);
}

TEST(ObjectReader, KeepsRangesWithBothEnds) {
  const auto read = [](ObjectReader& reader) {
    reader.number("share", {.min = 0, .max = 1});
    reader.count("count", {.min = 1});
    reader.number("cold", {.max = 0});
  };
  EXPECT_EQ(list(problems(R"({"share": 0, "count": 1, "cold": 0})", read)), "");
  EXPECT_EQ(list(problems(R"({"share": 1})", read)), "");
  const Errors errors = problems(R"({"share": 1.01, "count": 0, "cold": 1e-9})", read);
  EXPECT_EQ(list(errors), "out-of-range /share, out-of-range /count, out-of-range /cold");
  EXPECT_EQ(errors[0].hint, "Legal: 0 to 1.");
  EXPECT_EQ(errors[1].hint, "Legal: at least 1.");
  EXPECT_EQ(errors[2].hint, "Legal: at most 0.");
  EXPECT_EQ(range_text({}), "any number");
}

TEST(ObjectReader, CountsStayWhereDoublesAreExact) {
  const auto read = [](ObjectReader& reader) { reader.count("n"); };
  EXPECT_EQ(list(problems(R"({"n": 9e15})", read)), "");
  EXPECT_EQ(list(problems(R"({"n": 1e300})", read)), "out-of-range /n");
  EXPECT_EQ(list(problems(R"({"n": -1e19})", read)), "out-of-range /n");
  EXPECT_EQ(list(problems(R"({"n": 0.5})", read)), "wrong-type /n");
}

TEST(ObjectReader, ListsTheWordsThatAreLegal) {
  const Errors errors = problems(R"({"fabric": "ib"})", [](ObjectReader& reader) {
    reader.word("fabric", {"any", "infiniband", "roce"});
  });
  EXPECT_EQ(list(errors), "out-of-range /fabric");
  EXPECT_NE(errors[0].hint.find("any, infiniband, roce"), std::string::npos);
}

TEST(ObjectReader, HintsAtTheNearestKey) {
  const Errors errors = problems(R"({"modle": 1, "gpu": 2, "zzz": 3, "a/b": 4})", [](ObjectReader& reader) {
    reader.find("model");
    reader.find("gpu");
  });
  EXPECT_EQ(list(errors), "unknown-key /modle, unknown-key /zzz, unknown-key /a~1b");
  EXPECT_EQ(errors[0].hint, "Did you mean \"model\"?");
  EXPECT_EQ(errors[1].hint, "Known keys: model, gpu.");
}

TEST(ObjectReader, ReportsInTheOrderOfTheTextWhateverTheOrderOfReading) {
  const Errors errors = problems(R"({"b": "x", "typo": 1, "a": "y"})", [](ObjectReader& reader) {
    reader.missing("c", "the count", "");
    reader.number("a");
    reader.number("b");
  });
  EXPECT_EQ(list(errors), "wrong-type /b, unknown-key /typo, wrong-type /a, missing /c");
  EXPECT_EQ(errors[3].hint, "Add \"c\".");
  EXPECT_NE(errors[3].message.find("the count"), std::string::npos);
}

TEST(ObjectReader, OfObjectsThatEndTogetherTheInnerOneEndsFirst) {
  const Result<JsonNode> node = parse_json(R"({"a": {"b": {"x": "y"}}})");
  ErrorList errors;
  ObjectReader outer(*node, "", errors);
  outer.missing("model", "which model");
  ObjectReader middle(*outer.object("a"), "/a", errors);
  middle.missing("m", "a number");
  ObjectReader inner(*middle.object("b"), "/a/b", errors);
  inner.missing("n", "a number");
  inner.error("o", "conflict", "o is against p", "drop one");
  inner.number("x");
  EXPECT_EQ(list(errors.take()), "wrong-type /a/b/x, missing /a/b/n, conflict /a/b/o, missing /a/m, missing /model");
}

TEST(ObjectReader, AMissingKeyStandsAtTheEndOfItsOwnObject) {
  const Result<JsonNode> node = parse_json(R"({"load": {"x": 1}, "late": "y"})");
  ErrorList errors;
  ObjectReader outer(*node, "", errors);
  outer.number("late");
  ObjectReader inner(*outer.object("load"), outer.path("load"), errors);
  inner.missing("concurrency", "how many sequences");
  inner.find("x");
  inner.error("x", "conflict", "x is against y", "drop one");
  inner.finish();
  outer.finish();
  EXPECT_EQ(list(errors.take()), "conflict /load/x, missing /load/concurrency, wrong-type /late");
  EXPECT_TRUE(errors.empty());
}

TEST(ObjectReader, WhatIsNoObjectIsOneErrorOnly) {
  const Errors errors = problems(
      "[1]",
      [](ObjectReader& reader) {
        EXPECT_EQ(reader.number("a"), std::nullopt);
        EXPECT_FALSE(reader.has("a"));
        reader.missing("b", "needed");
      },
      "/gpu");
  EXPECT_EQ(list(errors), "wrong-type /gpu");
  EXPECT_NE(errors[0].message.find("list"), std::string::npos);
}

TEST(ObjectReader, BehindTwoHundredProblemsTheRestIsCounted) {
  std::string text = "{";
  for (int i = 0; i < 5000; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
  const Errors errors = problems(text + "}", [](ObjectReader& reader) { reader.text("k0"); });
  ASSERT_EQ(errors.size(), kMostErrors + 1);
  EXPECT_EQ(errors[0].code, "wrong-type");
  EXPECT_EQ(errors[1].path, "/k1");
  EXPECT_EQ(errors.back().code, "more-errors");
  EXPECT_NE(errors.back().message.find("5000 problems"), std::string::npos) << errors.back().message;
}

}  // namespace
}  // namespace podwright::object_reader_test
