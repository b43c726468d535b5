#include "cli/page.h"

#include <gtest/gtest.h>

#include <random>

#include "base/csv_read.h"
#include "cli/answer_rows.h"

namespace podwright::cli::page_test {
namespace {

const std::vector<std::string> kHostile{
    "say \"no\"",  "it's",          "a\nb",        "a\r\nb",    "${HOME}",
    "$x$ and $y$", "`id`",          "{{ value }}", "---",       "\n---\n",
    "- item",      "1. one",        "# title",     "> quote",   "\ttab\t",
    "a|b|c",       "[a](http://b)", "<script>",    "*a* _b_",   "~~a~~",
    "\\",          "\\|",           "&amp;",       "=1+1",      "+1",
    "-1",          "@SUM(A1)",      "```",         "````\n# x", "",
    " ",           "\x1b[31m",      "\x7f",        "模型, é",   std::string(5000, 'x')};

/// 200 texts of signs that formats have meanings for, always the same ones.
std::vector<std::string> drawn() {
  const std::string signs = "|\\`*_[]<>#-+=~$&{}'\",;\n\r\t @.1)a";
  std::mt19937 draw(29);
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (std::size_t length = draw() % 12; length > 0; --length) text += signs[draw() % signs.size()];
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string> all_texts() {
  std::vector<std::string> texts = kHostile;
  for (const std::string& text : drawn()) texts.push_back(text);
  return texts;
}

/// The text that Markdown shows for an escaped one: escapes and entities as their signs.
std::string rendered(std::string_view markdown) {
  std::string text;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown.substr(i).starts_with("&#36;")) {
      text += '$';
      i += 4;
    } else if (markdown[i] == '\\' && i + 1 < markdown.size()) {
      text += markdown[++i];
    } else {
      EXPECT_EQ(std::string_view("`*_[]<>|~&$").find(markdown[i]), std::string_view::npos) << markdown;
      text += markdown[i];
    }
  }
  return text;
}

/// Control characters are spaces there.
std::string without_controls(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) c = ' ';
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

TEST(MarkdownText, ShowsEveryTextAsItIs) {
  for (const std::string& text : all_texts()) EXPECT_EQ(rendered(markdown_text(text)), without_controls(text));
  EXPECT_EQ(markdown_text("$1.32 of $x"), "\\$1.32 of &#36;x");
}

TEST(Page, NoTextLeavesItsCell) {
  for (const std::string& text : all_texts()) {
    Page page(Page::Form::markdown);
    page.table({{"name", "count"}, {text, "1"}});
    const std::vector<std::string> lines = lines_of(page.take());
    ASSERT_EQ(lines.size(), 3u) << text;
    EXPECT_TRUE(lines[1] == "| --- | ---: |" || lines[1] == "| ---: | ---: |") << lines[1];
    EXPECT_EQ(lines[2], "| " + markdown_text(text) + " | 1 |");
  }
}

TEST(Page, NoTextBeginsABlock) {
  for (const std::string& text : all_texts()) {
    Page page(Page::Form::markdown);
    page.paragraph(text);
    page.bullet(text);
    page.below_bullet(text);
    page.title(text, 3);
    const std::vector<std::string> lines = lines_of(page.take());
    ASSERT_EQ(lines.size(), 6u) << text;
    EXPECT_TRUE(lines[1].empty() && lines[4].empty()) << text;
    EXPECT_TRUE(lines[0].empty() || std::string_view("-+=#> ").find(lines[0].front()) == std::string_view::npos)
        << text;
    EXPECT_EQ(lines[2], "- " + lines[0]);
    EXPECT_EQ(lines[3], "  - " + lines[0]);
    EXPECT_EQ(lines[5], "### " + lines[0]);
  }
}

TEST(Page, CodeEndsAtItsOwnFence) {
  for (const std::string& text : all_texts()) {
    Page page(Page::Form::markdown);
    page.code(text + "\n```\n");
    const std::vector<std::string> lines = lines_of(page.take());
    EXPECT_EQ(lines.front(), lines.back());
    EXPECT_EQ(std::count(lines.begin(), lines.end(), lines.front()), 2) << text;
    EXPECT_GE(lines.front().size(), 4u);
  }
}

TEST(Page, ATerminalHasTheSameTextsWithoutEscapes) {
  Page page;
  page.paragraph("a|b");
  page.title("Title");
  page.bullet("*x*");
  page.below_bullet("way out: {}");
  page.table({{"name", "n"}, {"a_b", "1"}});
  EXPECT_EQ(page.take(), "a|b\n\nTitle\n  - *x*\n      way out: {}\n  name   n\n  a_b    1\n");
}

TEST(CsvRows, ReadBackAsTheyWereAndComputeNothing) {
  const std::vector<RowColumn> columns{
      {.head = "Name",
       .text = [](const JsonNode& item, std::size_t) { return item.find("name")->text; },
       .fields = {at_path("name"), at_path("cost.usd")}},
      {.head = "Place",
       .text = [](const JsonNode&, std::size_t i) { return std::to_string(i); },
       .text_name = "place"}};
  std::vector<JsonNode> items;
  for (const std::string& text : all_texts()) {
    JsonNode item = *parse_json(R"({"cost":{"usd":-1.5}})");
    item.keys.emplace_back("name");
    item.items.push_back({.type = JsonType::text, .text = text});
    items.push_back(item);
  }
  const std::string csv = csv_rows(columns, items);
  const auto table = parse_csv(csv);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->columns, (std::vector<std::string>{"name", "cost.usd", "place"}));
  ASSERT_EQ(table->rows.size(), items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string& name = items[i].find("name")->text;
    const bool formula = !name.empty() && std::string_view("=+-@\t\r\n").find(name.front()) != std::string_view::npos;
    EXPECT_EQ(table->rows[i].cells, (std::vector<std::string>{(formula ? "'" : "") + name, "-1.5", std::to_string(i)}));
  }
  EXPECT_EQ(csv.substr(0, csv.find('\n') + 1), "name,cost.usd,place\r\n");
}

TEST(CsvOfValues, IsOneRowOfWhatIsSingle) {
  const JsonNode answer = *parse_json(
      R"({"kind":"serving","latency":{"ttft_s":0.5,"deep":{"x":null}},"list":[1],"feasible":true,"trace":{"a":1},"assumptions":[]})");
  EXPECT_EQ(csv_of_values(answer), "kind,latency.ttft_s,latency.deep.x,feasible\r\nserving,0.5,,true\r\n");
}

TEST(CsvOfAnswers, HasAColumnForWhateverOneOfThemHas) {
  const std::vector<JsonNode> answers{*parse_json(R"({"a":1,"b":2})"), *parse_json(R"({"b":3,"c":{"d":"=x"}})"),
                                      *parse_json(R"({"a":4})")};
  EXPECT_EQ(csv_of_answers(answers), "a,b,c.d\r\n1,2,\r\n,3,'=x\r\n4,,\r\n");
}

}  // namespace
}  // namespace podwright::cli::page_test
