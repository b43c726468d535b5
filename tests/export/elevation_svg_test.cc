#include "export/elevation_svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "export/svg_check.h"
#include "export/svg_parts.h"

namespace podwright::elevation_svg_test {
namespace {

using test::h100_racks;
using test::of_class;
using test::sum_of;
using test::SvgElement;

SvgElement drawn(const Elevations& elevations, const ElevationDrawing& options = {}) {
  std::string fault;
  SvgElement root = test::parse_svg(elevation_svg(elevations, options), fault);
  EXPECT_EQ(fault, "");
  EXPECT_EQ(test::label_faults(root), std::vector<std::string>());
  return root;
}

double devices_of(const Elevations& elevations) {
  double devices = 0;
  for (const RackElevation& rack : elevations.racks) devices += static_cast<double>(rack.devices.size());
  return devices;
}

/// Every rack is drawn once or stands for alike ones; every device that is drawn has a tooltip.
void expect_counts(const SvgElement& root, double racks, double devices) {
  double seen = 0;
  for (const SvgElement* rack : of_class(root, "rack")) {
    seen += rack->number("data-racks") * rack->number("data-devices");
    const auto boxes = of_class(*rack, "device");
    EXPECT_EQ(static_cast<double>(boxes.size()), rack->number("data-devices"));
    for (const SvgElement* box : boxes) {
      ASSERT_FALSE(box->children.empty());
      EXPECT_EQ(box->children[0].name, "title");
    }
  }
  EXPECT_EQ(sum_of(of_class(root, "rack"), "data-racks"), racks);
  EXPECT_EQ(seen, devices);
}

TEST(ElevationSvg, HoldsEveryRackAndDevice) {
  for (const double nodes : {1.0, 31.0, 127.0, 2048.0}) {
    const Elevations racks = h100_racks(nodes);
    expect_counts(drawn(racks), static_cast<double>(racks.racks.size()), devices_of(racks));
    if (nodes < 200)
      expect_counts(drawn(racks, {.collapse_alike = false}), static_cast<double>(racks.racks.size()),
                    devices_of(racks));
  }
}

TEST(ElevationSvg, CollapsesNeighboursThatAreAlike) {
  const Elevations racks = h100_racks(127);
  const std::vector<RackRun> runs = rack_runs(racks, {});
  ASSERT_GE(runs.size(), 2u);
  EXPECT_EQ(runs[0].first, 0u);
  EXPECT_EQ(runs[0].last, 30u);
  EXPECT_EQ(runs[1].racks(), 1u);
  EXPECT_EQ(rack_runs(h100_racks(31), {}).size(), h100_racks(31).racks.size());
  EXPECT_EQ(rack_runs(h100_racks(31), {.collapse_alike = true})[0].racks(), 7u);
  const std::vector<std::string> texts = test::texts_of(drawn(racks));
  EXPECT_NE(std::find(texts.begin(), texts.end(), "31 \xC3\x97 r001 to r031"), texts.end());
  EXPECT_NE(std::find(texts.begin(), texts.end(), "to n00121"), texts.end());
}

TEST(ElevationSvg, NamesADeviceAndItsUnits) {
  const SvgElement root = drawn(h100_racks(31));
  const SvgElement* box = of_class(root, "device")[1];
  EXPECT_EQ(box->children[0].text.substr(0, 42), "n00002: U9 to 16, system, dgx-h100, 10.2 k");
  EXPECT_EQ(test::texts_of(*box), (std::vector<std::string>{"n00002", "U9 to 16, 10.2 kW", "dgx-h100"}));
  EXPECT_EQ(box->attribute("data-role"), "system");
}

TEST(ElevationSvg, SaysWhatIsNotKnown) {
  Elevations racks;
  const ElevationLimits limits{.rack_units = 42};
  const auto group = [](const char* label, std::optional<Watts> power, std::optional<double> weight) {
    return DeviceGroup{.kind = {.role = label, .rack_units = 1, .power = power, .weight_kg = weight},
                       .labels = {label}};
  };
  pack_racks(racks, {group("a", kw(1), 10), group("b", std::nullopt, std::nullopt)}, 1, limits, "x");
  pack_racks(racks, {group("c", std::nullopt, std::nullopt)}, 1, limits, "y");
  pack_racks(racks, {}, 1, limits, "z");
  const SvgElement root = drawn(racks);
  EXPECT_EQ(root.children[0].text, "3 racks with 3 devices: at least 1 kW, up to 1 kW a rack");
  const auto texts = [&](std::size_t rack) {
    const std::vector<std::string> all = test::texts_of(*of_class(root, "rack")[rack]);
    return std::vector<std::string>(all.begin() + 1, all.begin() + 3);
  };
  EXPECT_EQ(texts(0), (std::vector<std::string>{"at least 1 kW", "at least 10 kg"}));
  EXPECT_EQ(texts(1), (std::vector<std::string>{"power not known", "weight not known"}));
  EXPECT_EQ(texts(2), (std::vector<std::string>{"empty", "0 of 42 U used"}));
}

TEST(ElevationSvg, ARackThatIsASystemHasItsPower) {
  const Elevations racks = test::racks_of(design_of("gb300-nvl72", "dgx-superpod-gb300"), 64, 8, 160);
  const SvgElement root = drawn(racks);
  expect_counts(root, static_cast<double>(racks.racks.size()), devices_of(racks));
  const std::vector<std::string> texts = test::texts_of(*of_class(root, "rack")[0]);
  EXPECT_EQ(texts[0], "nvl72-00001");
  EXPECT_EQ(texts[1], "142 kW");
  EXPECT_NE(std::find(texts.begin(), texts.end(), "compute-01"), texts.end());
}

TEST(ElevationSvg, DrawsTheRacksThatAreAskedFor) {
  const Elevations racks = h100_racks(127);
  const SvgElement root = drawn(racks, {.collapse_alike = false, .first_rack = 5, .last_rack = 9});
  const auto seen = of_class(root, "rack");
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen[0]->attribute("id"), "rack-r005");
  EXPECT_TRUE(of_class(drawn(racks, {.first_rack = 99}), "rack").empty());
}

TEST(ElevationSvg, PagesHoldEachRackOnce) {
  const Elevations racks = h100_racks(127);
  const ElevationDrawing every{.collapse_alike = false};
  const std::uint32_t pages = elevation_pages(racks, every);
  EXPECT_EQ(pages, 7u);
  std::size_t seen = 0;
  for (std::uint32_t page = 1; page <= pages; ++page) {
    const SvgElement root = drawn(racks, {.collapse_alike = false, .page = page});
    seen += of_class(root, "rack").size();
    EXPECT_EQ(root.number("width"), 1100);
    EXPECT_EQ(root.number("height"), 752);
  }
  EXPECT_EQ(seen, racks.racks.size());
  EXPECT_EQ(drawn(racks, every).number("height"), 752 * 7);
}

TEST(ElevationSvg, NamesWhatFindsNoPlace) {
  Elevations racks = h100_racks(31);
  racks.unplaced = {"n00032", "n00033"};
  EXPECT_NE(drawn(racks).children[1].text.find("2 devices find no place in any rack: n00032 to n00033."),
            std::string::npos);
}

TEST(ElevationSvg, KeepsWildLabelsInTheirBoxes) {
  Elevations racks;
  const std::string wild = "<rack & \"quote\"> \xF0\x9F\x98\x80 of a name that goes on and on \x01\xFF";
  const ElevationLimits limits{.rack_units = 20};
  fill_racks(racks, {.kind = {.item_id = wild, .role = wild, .rack_units = 3}, .labels = {wild, wild + "2"}}, 1, limits,
             wild);
  pack_racks(racks, {{.kind = {.role = "b"}, .labels = {wild + "3"}}}, 1, limits, "x");
  const SvgElement root = drawn(racks);
  EXPECT_EQ(of_class(root, "rack").size(), 3u);
  EXPECT_NE(of_class(root, "device")[0]->children[0].text.find("<rack & \"quote\">"), std::string::npos);
}

TEST(ElevationSvg, IsTheSameEachTime) { EXPECT_EQ(elevation_svg(h100_racks(127)), elevation_svg(h100_racks(127))); }

TEST(ElevationSvg, OfRandomRacks) {
  std::mt19937_64 random(3);
  const auto pick = [&](std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(random() % (high - low + 1));
  };
  for (int round = 0; round < 60; ++round) {
    const ElevationLimits limits{.rack_units = pick(1, 60), .power = kw(pick(5, 50))};
    const auto group = [&](std::uint32_t number) {
      DeviceGroup made{
          .kind = {.item_id = "item", .role = "role-" + std::to_string(number), .rack_units = pick(1, 12)}};
      if (random() % 2 == 0) made.kind.power = kw(pick(1, 12));
      if (random() % 2 == 0) made.kind.weight_kg = pick(1, 120);
      made.labels = test::numbered_labels("d" + std::to_string(number) + "-", pick(0, 40), pick(1, 9));
      return made;
    };
    Elevations racks;
    fill_racks(racks, group(0), pick(1, 5), limits, "r");
    std::vector<DeviceGroup> others;
    for (std::uint32_t i = 1; i <= pick(0, 20); ++i) others.push_back(group(i));
    pack_racks(racks, others, packed_racks(others, limits) + pick(0, 2), limits, "x");
    racks.rack_units = std::max(racks.rack_units, limits.rack_units);
    expect_counts(drawn(racks), static_cast<double>(racks.racks.size()), devices_of(racks));
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace podwright::elevation_svg_test
