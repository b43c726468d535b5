#include "base/yaml_text.h"

#include <gtest/gtest.h>

#include "base/shell_text.h"

namespace podwright {
namespace {

TEST(YamlText, HoldsAnything) {
  EXPECT_EQ(yaml_text("no"), "\"no\"");
  EXPECT_EQ(yaml_text("a \"b\" \\ c\n"), "\"a \\\"b\\\" \\\\ c\\x0a\"");
  EXPECT_EQ(yaml_text("--- {{x}} ${y}\t\x7f"), "\"--- {{x}} ${y}\\x09\\x7f\"");
  EXPECT_EQ(yaml_text("Zürich 東京 🚀"), "\"Zürich 東京 🚀\"");
}

TEST(YamlText, EscapesWhatReadersTakeForLineBreaks) {
  EXPECT_EQ(yaml_text("a\xc2\x85z"), "\"a\\x85z\"");
  EXPECT_EQ(yaml_text("a\xe2\x80\xa8z"), "\"a\\u2028z\"");
  EXPECT_EQ(yaml_text("\xef\xbb\xbf"), "\"\\ufeff\"");
}

TEST(YamlText, ReplacesWhatIsNotUtf8) {
  for (const char* text : {"\xff", "\xc3", "\xed\xa0\x80", "\xc0\xaf"})
    EXPECT_EQ(yaml_text(text).substr(0, 4), "\"\xef\xbf\xbd") << text;
  EXPECT_EQ(yaml_text("\xc3(\""), "\"\xef\xbf\xbd(\\\"\"");
}

TEST(ShellText, IsOneWord) {
  EXPECT_EQ(shell_text("it's $HOME `x`"), "'it'\\''s $HOME `x`'");
  EXPECT_EQ(shell_text(std::string("a\0b", 3)), "'ab'");
}

}  // namespace
}  // namespace podwright
