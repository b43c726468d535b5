/// Texts that try to break out of the formats in which verdicts are written; whole fleets are in fleet_files_test.py.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/characters.h"
#include "export/junit.h"
#include "export/markdown.h"
#include "export/prometheus.h"

namespace podwright::verdict_forms_test {
namespace {

TEST(Characters, BrokenOnesAreReplaced) {
  EXPECT_EQ(whole_characters("a\xFF\x01\n\xC3\xA9"), "a\xEF\xBF\xBD\xEF\xBF\xBD\n\xC3\xA9");
  EXPECT_EQ(line_of("a\tb\nc\x7F"), "a b c\xEF\xBF\xBD");
  EXPECT_EQ(line_of("\xC2\x9B"
                    "31m"),
            "\xEF\xBF\xBD"
            "31m")
      << "a terminal would take it for an escape sequence";
  EXPECT_EQ(line_of("\x1B[31m"), "\xEF\xBF\xBD[31m");
}

TEST(Markdown, NoSignActs) {
  EXPECT_EQ(markdown_escaped("gpu-07.rack"), "gpu-07.rack");
  EXPECT_EQ(markdown_escaped("a|b<i>*_`[x](y)"), "a&#124;b&#60;i&#62;&#42;&#95;&#96;&#91;x&#93;&#40;y&#41;");
  EXPECT_EQ(markdown_escaped("- item\n# head"), "&#45; item &#35; head");
  EXPECT_EQ(markdown_escaped("www.example.org @team :tada: d0: slow"),
            "www&#46;example.org &#64;team &#58;tada: d0: slow");
}

FleetJudgement fleet_of(const std::string& name) {
  FleetJudgement fleet;
  fleet.nodes.push_back({.name = name, .state = NodeState::unusable, .problem = "Is " + name + "."});
  fleet.missing_unnamed = 2;
  return fleet;
}

TEST(Prometheus, LabelsAreEscapedAndSeriesStandOnce) {
  FleetJudgement fleet = fleet_of("a\"b\\c\nd");
  fleet.nodes.push_back(fleet.nodes.front());
  const std::string text = prometheus_text(fleet, "1.2.3");
  const std::string series = "podwright_node_state{node=\"a\\\"b\\\\c\\nd\",state=\"unusable\"} 1\n";
  const std::size_t at = text.find(series);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(text.find(series, at + 1), std::string::npos);
  EXPECT_NE(text.find("podwright_fleet_nodes{state=\"missing\"} 2\n"), std::string::npos);
  EXPECT_EQ(text.find("podwright_profile_"), std::string::npos) << "nothing is known of it";
}

TEST(Prometheus, TheNamesOfMetricsAreOfBaseUnits) {
  std::set<std::string_view> names;
  for (const MetricHead& one : kMetrics) {
    EXPECT_TRUE(one.name.starts_with("podwright_"));
    EXPECT_TRUE(one.help.ends_with(".")) << one.name;
    EXPECT_TRUE(names.insert(one.name).second);
    for (const char* unit : {"_ms", "_us", "_gb", "_gib", "_percent", "_total", "_count"})
      EXPECT_FALSE(one.name.ends_with(unit)) << one.name;
  }
}

TEST(Junit, NodesWithoutProfileAreErrors) {
  const std::string text = junit_text(fleet_of("a<b>\"&'\x01"));
  EXPECT_NE(
      text.find("<testsuite name=\"a&lt;b&gt;&quot;&amp;'\xEF\xBF\xBD\" package=\"podwright\" id=\"0\" tests=\"1\" "
                "failures=\"0\" errors=\"1\" skipped=\"0\""),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("<testsuite name=\"missing 2\""), std::string::npos);
  EXPECT_EQ(text.find("timestamp"), std::string::npos);
  EXPECT_NE(junit_text(fleet_of(" \n ")).find("name=\"unnamed\""), std::string::npos);
}

}  // namespace
}  // namespace podwright::verdict_forms_test
