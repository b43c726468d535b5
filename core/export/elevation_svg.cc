#include "export/elevation_svg.h"

#include <algorithm>
#include <cmath>

#include "architecture/counted.h"
#include "base/number_text.h"
#include "base/whole.h"
#include "export/svg.h"

namespace podwright {
namespace {

// A page fills the width of A4 and of Letter across with margins of a centimetre, and is no higher than either.
constexpr double kWidth = 1100;
constexpr double kPageHeight = 752;
constexpr double kMargin = 12;
constexpr double kUnit = 12;     ///< height of a rack unit
constexpr double kNumbers = 20;  ///< width of the unit numbers
constexpr double kRack = 149;
constexpr double kStrip = 10;  ///< of the role's pattern
constexpr double kEndStrip = 6;
constexpr Whole kRacksInLine = 6;
constexpr double kSlot = (kWidth - 2 * kMargin) / kRacksInLine;

constexpr double kHeadWidth = kSlot - 6;

constexpr SvgFont kHeading{.size = 16, .bold = true};
constexpr SvgFont kStrong{.size = 12, .bold = true};
constexpr SvgFont kPlain{.size = 10};
constexpr double kSmall = 8.5;  ///< size of text in a line as high as a rack unit
constexpr SvgFont kUnitNumber{.size = kSmall, .mono = true};

constexpr double kHeadingLine = svg_line_pitch(kHeading);
constexpr double kNameLine = svg_line_pitch(kStrong);
constexpr double kLine = svg_line_pitch(kPlain);
static_assert(svg_line_pitch(kUnitNumber) <= kUnit);

/// What tells roles apart without colour: the shapes of a tile of 6 by 6.
constexpr std::string_view kPatterns[] = {"<rect width=\"6\" height=\"6\"/>",
                                          "<path d=\"M-1 7L7 -1\" stroke=\"#1a1a1a\" stroke-width=\"1.6\"/>",
                                          "",
                                          "<path d=\"M0 3L6 3\" stroke=\"#1a1a1a\" stroke-width=\"2\"/>",
                                          "<circle cx=\"3\" cy=\"3\" r=\"1.5\"/>",
                                          "<path d=\"M0 3L6 3M3 0L3 6\" stroke=\"#1a1a1a\" stroke-width=\"1.2\"/>",
                                          "<path d=\"M3 0L3 6\" stroke=\"#1a1a1a\" stroke-width=\"2\"/>",
                                          "<path d=\"M-1 -1L7 7\" stroke=\"#1a1a1a\" stroke-width=\"1.6\"/>"};
constexpr std::string_view kFills[] = {"#ffffff", "#e3eefa", "#fdeed3", "#e2f3ec",
                                       "#f9e6f0", "#fff9d6", "#e6e6e6", "#fbe3d6"};
constexpr std::size_t kLooks = 8;

std::string power_text(Watts power) { return human_number(power / kw(1), 4) + " kW"; }

bool alike(const DeviceKind& a, const DeviceKind& b) {
  return a.item_id == b.item_id && a.role == b.role && a.rack_units == b.rack_units && a.power == b.power &&
         a.weight_kg == b.weight_kg;
}

bool alike(const Elevations& elevations, const RackElevation& a, const RackElevation& b) {
  if (a.devices.size() != b.devices.size() || !(a.power == b.power) || a.weight_kg != b.weight_kg) return false;
  for (std::size_t i = 0; i < a.devices.size(); ++i)
    if (a.devices[i].bottom_unit != b.devices[i].bottom_unit ||
        !alike(elevations.kinds[a.devices[i].kind], elevations.kinds[b.devices[i].kind]))
      return false;
  return true;
}

/// How much of what a rack holds is known of one figure.
enum class Knowledge { none, part, whole };

class Painter {
 public:
  Painter(const Elevations& elevations, const ElevationDrawing& options)
      : all_(elevations), options_(options), runs_(rack_runs(elevations, options)) {
    for (const DeviceKind& kind : elevations.kinds)
      if (std::find(roles_.begin(), roles_.end(), kind.role) == roles_.end()) roles_.push_back(kind.role);
    title_ = conclusion();
    head_lines_ = svg_wrapped(title_, kWidth - 2 * kMargin, kHeading);
    for (const std::string& note : notes())
      for (std::string& line : svg_wrapped(note, kWidth - 2 * kMargin - 90, kPlain))
        note_lines_.push_back(std::move(line));
    for (const RackRun& run : runs_)
      name_lines_ = std::max(name_lines_, static_cast<double>(svg_wrapped(name_of(run), kHeadWidth, kStrong).size()));
    lines_of_page_ = std::max(1.0, std::floor((kPageHeight - head_height() - legend_height()) / line_height()));
  }

  Whole pages() const { return static_cast<Whole>(std::max(1.0, std::ceil(lines() / lines_of_page_))); }

  std::string paint() {
    patterns();
    const Whole first = options_.page ? std::clamp(*options_.page, 1U, pages()) : 1;
    const Whole last = options_.page ? first : pages();
    for (Whole page = first; page <= last; ++page) draw_page(page, (page - first) * page_height());
    return svg_.document(
        kWidth, (last - first + 1) * page_height(), "elevation", title_, description(),
        svg_attribute("data-racks", static_cast<double>(all_.racks.size())) + svg_attribute("data-pages", pages()));
  }

 private:
  // ---- heights

  /// Of racks.
  double lines() const { return std::ceil(static_cast<double>(runs_.size()) / kRacksInLine); }
  double head_height() const {
    return kMargin + static_cast<double>(head_lines_.size()) * kHeadingLine +
           static_cast<double>(note_lines_.size()) * kLine + 11;
  }
  /// Above a rack: its name and three figures.
  double rack_head() const { return kNameLine * name_lines_ + 3 * kLine + 6; }
  double line_height() const { return rack_head() + all_.rack_units * kUnit + 11; }
  double legend_height() const {
    return kLine * (1 + place_legend([](double, double, std::size_t) {})) + 10;
  }
  double page_height() const {
    const double content = head_height() + lines_of_page_ * line_height() + legend_height();
    if (pages() > 1) return std::max(kPageHeight, content);
    return head_height() + lines() * line_height() + legend_height();
  }

  // ---- words

  template <class Known>
  Knowledge knowledge(const RackElevation& rack, Known known) const {
    std::size_t count = 0;
    for (const RackedDevice& device : rack.devices)
      if (known(all_.kinds[device.kind])) ++count;
    return count == rack.devices.size() ? Knowledge::whole : count > 0 ? Knowledge::part : Knowledge::none;
  }
  /// The parts of a system that is a rack have no figures of their own; the rack has.
  Knowledge power_knowledge(const RackElevation& rack) const {
    const Knowledge parts = knowledge(rack, [](const DeviceKind& kind) { return kind.power.has_value(); });
    return parts == Knowledge::none && rack.power > Watts() ? Knowledge::whole : parts;
  }
  Knowledge weight_knowledge(const RackElevation& rack) const {
    const Knowledge parts = knowledge(rack, [](const DeviceKind& kind) { return kind.weight_kg.has_value(); });
    return parts == Knowledge::none && rack.weight_kg > 0 ? Knowledge::whole : parts;
  }
  static std::string known_text(Knowledge known, const std::string& figure, std::string_view name) {
    if (known == Knowledge::none) return std::string(name) + " not known";
    return (known == Knowledge::part ? "at least " : "") + figure;
  }
  /// "31 x r001 to r031", "r032".
  std::string name_of(const RackRun& run) const {
    const std::string& first = all_.racks[run.first].label;
    if (run.racks() == 1) return first;
    return grouped(run.racks()) + " \xC3\x97 " + first + " to " + all_.racks[run.last].label;
  }
  std::string rack_power(const RackElevation& rack) const {
    if (rack.devices.empty() && !(rack.power > Watts())) return "empty";
    return known_text(power_knowledge(rack), power_text(rack.power), "power");
  }
  std::string rack_weight(const RackElevation& rack) const {
    if (rack.devices.empty() && rack.weight_kg == 0) return {};
    return known_text(weight_knowledge(rack), human_number(rack.weight_kg, 4) + " kg", "weight");
  }

  std::string conclusion() const {
    double systems = 0;
    double devices = 0;
    Watts total;
    Watts fullest;
    bool complete = true;
    for (const RackElevation& rack : all_.racks) {
      devices += static_cast<double>(rack.devices.size());
      for (const RackedDevice& device : rack.devices) systems += all_.kinds[device.kind].role == "system" ? 1 : 0;
      total += rack.power;
      if (rack.power > fullest) fullest = rack.power;
      complete = complete && (rack.devices.empty() || power_knowledge(rack) == Knowledge::whole);
    }
    std::string text = counted(static_cast<double>(all_.racks.size()), "rack", "racks") + " with ";
    if (systems > 0) text += counted(systems, "system", "systems");
    if (systems > 0 && devices > systems) text += " and " + counted(devices - systems, "other device", "other devices");
    if (systems == 0) text += counted(devices, "device", "devices");
    if (!(total > Watts())) return text;
    return text + ": " + (complete ? "" : "at least ") + power_text(total) + ", up to " + power_text(fullest) +
           " a rack";
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    std::string facts = "Racks of " + grouped(all_.rack_units) +
                        " units (U), counted from the floor. Weights are those of the devices, without the rack.";
    std::size_t shown = 0;
    for (const RackRun& run : runs_) shown += run.racks();
    if (shown < all_.racks.size())
      facts += " " + grouped(static_cast<double>(shown)) + " of " +
               counted(static_cast<double>(all_.racks.size()), "rack is", "racks are") + " drawn here.";
    if (runs_.size() < shown) facts += " Racks next to each other that are alike are drawn once.";
    notes.push_back(std::move(facts));
    if (!all_.unplaced.empty()) {
      std::string lost = counted(static_cast<double>(all_.unplaced.size()), "device finds", "devices find") +
                         " no place in any rack: " + all_.unplaced.front();
      if (all_.unplaced.size() > 1) lost += " to " + all_.unplaced.back();
      notes.push_back(lost + ".");
    }
    return notes;
  }

  std::string description() const {
    std::string text;
    for (const std::string& note : notes()) text += (text.empty() ? "" : " ") + note;
    return text;
  }

  // ---- roles

  std::size_t role_of(const DeviceKind& kind) const {
    return static_cast<std::size_t>(std::find(roles_.begin(), roles_.end(), kind.role) - roles_.begin());
  }
  static std::string pattern_of(std::size_t role) {
    return svg_attribute("fill", "url(#elevation-role-" + std::to_string(role % kLooks) + ")") +
           " stroke=\"#1a1a1a\" stroke-width=\"0.75\"";
  }
  /// After the first eight roles the patterns return on other fills, and at both ends of the box.
  static std::string box_look(std::size_t role) {
    return svg_attribute("fill", kFills[(role + role / kLooks) % kLooks]) + " stroke=\"#1a1a1a\" stroke-width=\"0.75\"";
  }

  void role_box(const SvgBox& box, std::size_t role) {
    svg_.rect(box, box_look(role));
    svg_.rect({box.x, box.y, kStrip, box.height}, pattern_of(role));
    if (role >= kLooks) svg_.rect({box.right() - kEndStrip, box.y, kEndStrip, box.height}, pattern_of(role));
  }

  void patterns() {
    svg_.open("defs");
    for (std::size_t i = 0; i < std::min(kLooks, roles_.size()); ++i) {
      svg_.open("pattern", svg_attribute("id", "elevation-role-" + std::to_string(i)) +
                               " width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"");
      svg_.element("rect", " width=\"6\" height=\"6\" fill=\"#ffffff\"");
      svg_.raw(kPatterns[i]);
      svg_.close();
    }
    svg_.close();
  }

  /// Calls `place(x, line, role)` for each role, from left to right in as many lines as it takes; gives the last line.
  template <class Place>
  double place_legend(const Place& place) const {
    double x = kMargin;
    double line = 0;
    for (std::size_t role = 0; role < roles_.size(); ++role) {
      const double width = 34 + std::min(svg_text_width(roles_[role], kPlain), kSlot) + 18;
      if (x + width > kWidth - kMargin && x > kMargin) {
        x = kMargin;
        ++line;
      }
      place(x, line, role);
      x += width;
    }
    return line;
  }
  void legend(double top) {
    place_legend([&](double x, double line, std::size_t role) {
      const double y = top + line * kLine;
      role_box({x, y - 5, 28, 10}, role);
      svg_.text(x + 34, y, svg_fitted(roles_[role], kSlot, kPlain), kPlain);
    });
  }

  // ---- pages and racks

  void draw_page(Whole page, double top) {
    svg_.element("view", svg_attribute("id", "elevation-page-" + std::to_string(page)) +
                             svg_attribute("viewBox", "0 " + svg_number(top) + " " + svg_number(kWidth) + " " +
                                                          svg_number(page_height())));
    svg_.open("g", svg_attribute("class", "page") + svg_attribute("data-page", page));
    const double below_heading = svg_.lines(kMargin, top + kMargin + 11, head_lines_, kHeading) - 2;
    svg_.lines(kMargin, below_heading, note_lines_, kPlain, kSvgMuted);
    const auto per_page = static_cast<std::size_t>(lines_of_page_) * kRacksInLine;
    const std::size_t first = (page - 1) * per_page;
    for (std::size_t i = first; i < std::min(first + per_page, runs_.size()); ++i) {
      const auto line = static_cast<double>((i - first) / kRacksInLine);
      draw_rack(runs_[i], kMargin + static_cast<double>(i % kRacksInLine) * kSlot,
                top + head_height() + line * line_height());
    }
    const double end = top + page_height() - legend_height() + 8;
    legend(end);
    if (pages() > 1)
      svg_.text(kWidth - kMargin, below_heading, "page " + grouped(page) + " of " + grouped(pages()), kPlain,
                SvgAnchor::end);
    svg_.close();
  }

  void draw_rack(const RackRun& run, double x, double y) {
    const RackElevation& rack = all_.racks[run.first];
    svg_.open("g", svg_attribute("id", "rack-" + rack.label) + svg_attribute("class", "rack") +
                       svg_attribute("data-racks", run.racks()) +
                       svg_attribute("data-devices", static_cast<double>(rack.devices.size())));
    svg_.title("Rack " + name_of(run));
    svg_.lines(x, y + kNameLine / 2, svg_wrapped(name_of(run), kHeadWidth, kStrong), kStrong);
    double line = y + kNameLine * name_lines_ + kLine / 2;
    for (const std::string& text : {rack_power(rack), rack_weight(rack),
                                    grouped(rack.used_units) + " of " + grouped(all_.rack_units) + " U used"}) {
      if (!text.empty()) svg_.text(x, line, svg_fitted(text, kHeadWidth, kPlain), kPlain);
      line += kLine;
    }
    const SvgBox box{x + kNumbers, y + rack_head(), kRack, all_.rack_units * kUnit};
    units(rack, box);
    for (const RackedDevice& device : rack.devices) draw_device(run, device, box);
    svg_.rect(box, " fill=\"none\" stroke=\"#1a1a1a\" stroke-width=\"2\"");
    svg_.close();
  }

  /// Numbers, lines and what is free.
  void units(const RackElevation& rack, const SvgBox& box) {
    const std::vector<RackUnit> all = unit_by_unit(all_, rack);
    const auto height = [&](std::size_t unit) { return box.bottom() - static_cast<double>(unit) * kUnit; };
    svg_.open("g", svg_font(kUnitNumber) + " text-anchor=\"end\"" + std::string(kSvgMuted));
    for (std::size_t i = 0; i < all.size(); ++i)
      svg_.bare_text(box.x - 4, height(i) - kUnit / 2, std::to_string(all[i].unit), kUnitNumber.size);
    svg_.close();
    std::string grid;
    std::size_t first_free = 0;
    for (std::size_t i = 0; i <= all.size(); ++i) {
      const bool free = i < all.size() && all[i].device == nullptr;
      if (free && i > first_free)
        grid += "M" + svg_number(box.x) + " " + svg_number(height(i)) + "h6M" + svg_number(box.right() - 6) + " " +
                svg_number(height(i)) + "h6";
      if (free) continue;
      if (i > first_free + 1)
        svg_.text(box.x + box.width / 2, (height(first_free) + height(i)) / 2,
                  grouped(static_cast<double>(i - first_free)) + " U free", kPlain, SvgAnchor::middle, kSvgMuted);
      first_free = i + 1;
    }
    if (!grid.empty()) svg_.element("path", svg_attribute("d", grid) + " stroke=\"#999999\"");
  }

  static std::string in_rack(const RackElevation& rack, const std::string& label) {
    const bool own = label.size() > rack.label.size() + 1 && label.compare(0, rack.label.size(), rack.label) == 0 &&
                     label[rack.label.size()] == '-';
    return own ? label.substr(rack.label.size() + 1) : label;
  }

  void draw_device(const RackRun& run, const RackedDevice& device, const SvgBox& rack) {
    const RackElevation& first = all_.racks[run.first];
    const RackElevation& last = all_.racks[run.last];
    const DeviceKind& kind = all_.kinds[device.kind];
    const std::size_t role = role_of(kind);
    const Whole top = device.bottom_unit + kind.rack_units - 1;
    const SvgBox box{rack.x, rack.bottom() - top * kUnit, rack.width, kind.rack_units * kUnit};
    const std::string units =
        kind.rack_units == 1 ? "U" + grouped(top) : "U" + grouped(device.bottom_unit) + " to " + grouped(top);
    const std::size_t place = static_cast<std::size_t>(&device - first.devices.data());
    const std::string end = run.racks() > 1 ? last.devices[place].label : std::string();

    std::string tip = device.label + (end.empty() ? "" : " to " + end + ", one in each rack") + ": " + units + ", " +
                      kind.role + (kind.item_id.empty() ? "" : ", " + kind.item_id);
    if (kind.power) tip += ", " + power_text(*kind.power);
    if (kind.weight_kg) tip += ", " + human_number(*kind.weight_kg, 4) + " kg";

    const std::string name = in_rack(first, device.label);
    std::vector<std::string> lines{name};
    if (kind.rack_units >= 4 && !end.empty() && in_rack(last, end) != name) lines.push_back("to " + in_rack(last, end));
    if (kind.rack_units >= 2) lines.push_back(units + (kind.power ? ", " + power_text(*kind.power) : std::string()));
    if (kind.rack_units >= 3 && !kind.item_id.empty() && lines.size() < kind.rack_units) lines.push_back(kind.item_id);

    svg_.open("g", svg_attribute("class", "device") + svg_attribute("data-role", kind.role));
    svg_.title(tip);
    role_box(box, role);
    const auto count = static_cast<double>(lines.size());
    SvgFont font{.size = count * kLine <= box.height ? kPlain.size : kSmall};
    const double room = box.width - kStrip - 8 - (role >= kLooks ? kEndStrip : 0);
    double y = box.middle() - (count - 1) * svg_line_pitch(font) / 2;
    for (const std::string& line : lines) {
      font.mono = &line == &lines.front() || line.compare(0, 3, "to ") == 0;
      svg_.text(box.x + kStrip + 4, y, svg_fitted(line, room, font), font);
      y += svg_line_pitch(font);
    }
    svg_.close();
  }

  const Elevations& all_;
  const ElevationDrawing& options_;
  std::vector<RackRun> runs_;
  std::vector<std::string> roles_;
  std::string title_;
  std::vector<std::string> head_lines_, note_lines_;
  double name_lines_ = 1;
  double lines_of_page_ = 1;
  SvgWriter svg_;
};

}  // namespace

std::vector<RackRun> rack_runs(const Elevations& elevations, const ElevationDrawing& options) {
  const auto racks = static_cast<Whole>(elevations.racks.size());
  const Whole end = std::min(options.last_rack.value_or(racks), racks);
  const Whole begin = std::max(options.first_rack, 1U) - 1;
  const bool collapse = options.collapse_alike.value_or(end > begin && end - begin > kMostSingleRacks);
  std::vector<RackRun> runs;
  for (Whole rack = begin; rack < end; ++rack) {
    if (collapse && !runs.empty() && alike(elevations, elevations.racks[runs.back().last], elevations.racks[rack]))
      runs.back().last = rack;
    else
      runs.push_back({rack, rack});
  }
  return runs;
}

std::uint32_t elevation_pages(const Elevations& elevations, const ElevationDrawing& options) {
  return Painter(elevations, options).pages();
}

std::string elevation_svg(const Elevations& elevations, const ElevationDrawing& options) {
  return Painter(elevations, options).paint();
}

}  // namespace podwright
