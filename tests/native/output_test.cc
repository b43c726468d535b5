#include "cli/output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <ostream>
#include <string>

#include "base/json_read.h"

namespace podwright::cli {
namespace {

TEST(Visible, PlainTextStaysAsItIs) {
  for (const std::string text : {"", "a table\n\twith 95 %", "模型 é 😀 \u00a0\u202f", "lines\r\nof Windows\r\n"})
    EXPECT_EQ(visible(text, true), text);
}

TEST(Visible, ControlCharactersAreWrittenAsInJson) {
  EXPECT_EQ(visible("\x1b]0;title\x07"), "\\u001b]0;title\\u0007");
  EXPECT_EQ(visible("a\x7f\xc2\x9b"
                    "31m\rb"),
            "a\\u007f\\u009b31m\\u000db");
  EXPECT_EQ(visible(std::string("\0", 1)), "\\u0000");
  EXPECT_EQ(visible("gpu\u202E\u206607", false, true), "gpu\\u202e\\u206607");
  EXPECT_EQ(visible("gpu\u202E07"), "gpu\u202E07") << "a file keeps what a name is";
}

TEST(Visible, BytesThatAreNoUtf8AreNamed) {
  EXPECT_EQ(visible("\xff\xc2"), "\\xff\\xc2");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(Visible, JsonSaysWhatItSaid) {
  const std::string json = "{\"name\":\"a\x7f\xc2\x9bz\"}";
  EXPECT_NE(visible(json), json);
  EXPECT_EQ(parse_json(visible(json))->find("name")->text, parse_json(json)->find("name")->text);
}

/// What arrives at the other end of a pipe.
std::string written_in(const std::string& text, std::size_t piece, bool by_line) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  VisibleOutput output(ends[1], by_line);
  std::ostream stream(&output);
  for (std::size_t from = 0; from < text.size(); from += piece) stream << text.substr(from, piece) << std::flush;
  EXPECT_EQ(output.finish(), 0);
  close(ends[1]);
  char read_back[4096];
  const ssize_t size = read(ends[0], read_back, sizeof read_back);
  close(ends[0]);
  return {read_back, static_cast<std::size_t>(size)};
}

TEST(VisibleOutput, CharactersMayComeInParts) {
  const std::string text = "é模😀\x1b\xc2\x9b\r\n\xf0\x9f end \xff\xe6\xa8";
  for (std::size_t piece = 1; piece <= text.size(); ++piece)
    for (const bool by_line : {false, true})
      EXPECT_EQ(written_in(text, piece, by_line), visible(text, !by_line)) << piece;
}

TEST(VisibleOutput, TellsTheFirstErrorOfWriting) {
  VisibleOutput closed(-1, false);
  std::ostream stream(&closed);
  stream << "lost" << std::flush;
  EXPECT_TRUE(stream.bad());
  EXPECT_EQ(closed.finish(), EBADF);
}

}  // namespace
}  // namespace podwright::cli
