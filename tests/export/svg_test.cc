#include "export/svg.h"

#include <gtest/gtest.h>

#include "export/svg_check.h"

namespace podwright::svg_test {
namespace {

TEST(SvgText, IsEscaped) {
  EXPECT_EQ(svg_escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(svg_escaped("Gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80"), "Gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80");
}

TEST(SvgText, ReplacesWhatXmlDoesNotAllow) {
  const std::string lost = "\xEF\xBF\xBD";
  EXPECT_EQ(svg_escaped(std::string("a\0b\x1F", 4)), "a" + lost + "b" + lost);
  EXPECT_EQ(svg_escaped("\xFF"), lost);
  EXPECT_EQ(svg_escaped("\xC3"), lost);
  EXPECT_EQ(svg_escaped("\xC0\x80"), lost + lost);
  EXPECT_EQ(svg_escaped("\xED\xA0\x80"), lost + lost + lost);
  EXPECT_EQ(svg_escaped("\xEF\xBF\xBF"), lost + lost + lost);
  EXPECT_EQ(svg_escaped("\xF4\x90\x80\x80"), lost + lost + lost + lost);
}

TEST(SvgNumber, HasTwoDecimalsAtMost) {
  EXPECT_EQ(svg_number(0), "0");
  EXPECT_EQ(svg_number(12), "12");
  EXPECT_EQ(svg_number(12.5), "12.5");
  EXPECT_EQ(svg_number(3.46), "3.46");
  EXPECT_EQ(svg_number(1.05), "1.05");
  EXPECT_EQ(svg_number(2.999), "3");
  EXPECT_EQ(svg_number(-0.25), "-0.25");
  EXPECT_EQ(svg_number(-0.001), "0");
}

TEST(SvgTextWidth, GrowsWithTextSizeAndWeight) {
  EXPECT_NEAR(svg_text_width("n00001", {.size = 10, .mono = true}), 36.6, 1e-9);
  EXPECT_LT(svg_text_width("ill", {}), svg_text_width("www", {}));
  EXPECT_LT(svg_text_width("Unit 1", {.size = 10}), svg_text_width("Unit 1", {.size = 11}));
  EXPECT_LT(svg_text_width("Unit 1", {.size = 10}), svg_text_width("Unit 1", {.size = 10, .bold = true}));
}

TEST(SvgFitted, LeavesOutTheMiddle) {
  const SvgFont mono{.size = 10, .mono = true};
  EXPECT_EQ(svg_fitted("p1-u001-r1-l1", 80, mono), "p1-u001-r1-l1");
  EXPECT_EQ(svg_fitted("p1-u001-r1-l1", 60, mono),
            "p1-u\xE2\x80\xA6"
            "1-l1");
  EXPECT_EQ(svg_fitted("p1-u001-r1-l1", 1, mono), "");
  EXPECT_LE(svg_text_width(svg_fitted("\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC", 40, mono), mono), 40);
}

TEST(SvgWrapped, BreaksAtSpaces) {
  const SvgFont mono{.size = 10, .mono = true};
  EXPECT_EQ(svg_wrapped("a bc def", 37, mono), (std::vector<std::string>{"a bc", "def"}));
  EXPECT_TRUE(svg_wrapped("", 37, mono).empty());
}

TEST(SvgWriter, WritesADocument) {
  SvgWriter svg;
  svg.open("g", svg_attribute("class", "a&b"));
  svg.title("one");
  svg.rect({1, 2, 3, 4}, " fill=\"#ffffff\"", 2);
  svg.text(5, 6, "<7>", {.size = 10}, SvgAnchor::end);
  svg.close();
  const std::string text = svg.document(20, 10, "example", "Title", "Description", " data-x=\"1\"");
  std::string fault;
  const test::SvgElement root = test::parse_svg(text, fault);
  ASSERT_EQ(fault, "");
  EXPECT_EQ(root.attribute("viewBox"), "0 0 20 10");
  EXPECT_EQ(root.attribute("data-x"), "1");
  EXPECT_EQ(root.attribute("aria-labelledby"), "example-title");
  ASSERT_EQ(root.children.size(), 3u);
  EXPECT_EQ(root.children[0].text, "Title");
  EXPECT_EQ(root.children[1].text, "Description");
  EXPECT_EQ(root.children[2].attribute("class"), "a&b");
  EXPECT_EQ(test::texts_of(root), (std::vector<std::string>{"<7>"}));
}

TEST(SvgCheck, FindsFaults) {
  for (const char* text : {"<svg>", "<svg></g>", "<svg a=\"1\" a=\"2\"></svg>", "<svg>&</svg>", "<svg>a & b</svg>",
                           "<svg><g id=\"a\"/><g id=\"a\"/></svg>", "<svg></svg>x", "<svg a=\"<\"/>"}) {
    std::string fault;
    test::parse_svg(text, fault);
    EXPECT_NE(fault, "") << text;
  }
}

TEST(SvgCheck, FindsLabelsOverEachOther) {
  SvgWriter svg;
  svg.text(20, 20, "one", {});
  svg.text(30, 24, "two", {});
  svg.text(20, 60, "three", {});
  svg.rect({10, 80, 16, 20}, "");
  svg.text(12, 90, "four", {});
  svg.text(95, 120, "five", {});
  std::string fault;
  const test::SvgElement root = test::parse_svg(svg.document(100, 200, "x", "", "", ""), fault);
  EXPECT_EQ(test::label_faults(root).size(), 3u);
}

}  // namespace
}  // namespace podwright::svg_test
