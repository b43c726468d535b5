#include <set>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/print_answer.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// Of all tiers; none where the design has no fabric.
std::string switches_text(const JsonNode& design) {
  double switches = 0;
  for (const char* tier : {"leaf", "spine", "core"})
    if (const JsonNode* total = at(design, {"compute_fabric", tier, "total"})) switches += total->number;
  return design.find("compute_fabric") == nullptr ? "-" : human_number(switches, 6);
}

Rows bill_rows(const JsonNode& lines) {
  Rows rows{{"count", "bill of materials", "for", "note"}};
  for (const JsonNode& line : lines.items)
    rows.push_back({shown(line.find("count")), member_text(line, "category") + ": " + member_text(line, "name"),
                    member_text(line, "use"), member_text(line, "note")});
  return rows;
}

/// "38 racks (32 of systems, 4 in each), 108 PDUs, 3 feeds of 32.8 kW a rack, 158 m2".
void site_lines(Page& out, const JsonNode& design) {
  if (const JsonNode* racks = design.find("racks")) {
    std::string text = shown(racks->find("total")) + " racks: " + shown(racks->find("compute")) + " of systems with " +
                       shown(at(*racks, {"nodes_per_rack", "chosen"})) + " in each (" +
                       number_text(racks->find("compute_rack_power_kw")) + " kW), " + shown(racks->find("other")) +
                       " of networks and management";
    if (racks->find("pdus") != nullptr) text += "; " + shown(racks->find("pdus")) + " PDUs";
    if (const JsonNode* feeds = racks->find("feeds"))
      text += "; " + shown(feeds->find("per_rack")) + " feeds of " + number_text(feeds->find("feed_power_kw")) +
              " kW a rack";
    if (racks->find("floor_m2") != nullptr) text += "; " + number_text(racks->find("floor_m2")) + " m2";
    out.paragraph("Racks    " + text + ".");
  }
  if (const JsonNode* power = design.find("power")) {
    const JsonNode* whole = power->find("it_is_whole");
    std::string text = std::string(whole != nullptr && !whole->boolean ? "at least " : "") +
                       number_text(power->find("it_kw")) + " kW of machines, " +
                       number_text(power->find("facility_kw")) + " kW at the meter; " +
                       number_text(at(*power, {"cooling_of_systems", "heat_btu_per_h"})) + " BTU/h from the systems";
    if (const JsonNode* air = at(*power, {"cooling_of_systems", "air_flow_cfm"}))
      text += ", " + number_text(air) + " CFM of air";
    if (const JsonNode* liquid = at(*power, {"cooling_of_systems", "liquid_flow_l_per_min"}))
      text += ", " + number_text(liquid) + " L/min of liquid";
    out.paragraph("Power    " + text + ".");
  }
  if (const JsonNode* storage = design.find("storage")) {
    std::string text = "level " + member_text(*storage, "level") + ": " + number_text(storage->find("read_gb_per_s")) +
                       " GB/s read, " + number_text(storage->find("write_gb_per_s")) + " GB/s write";
    if (const JsonNode* total = at(*storage, {"capacity", "total_tb"})) text += "; " + number_text(total) + " TB";
    if (const JsonNode* write = at(*storage, {"checkpoint", "write_s"}))
      text += "; a checkpoint of " + number_text(at(*storage, {"checkpoint", "size_gb"})) + " GB in " +
              number_text(write) + " s, every " + number_text(at(*storage, {"checkpoint", "interval_s"})) + " s";
    out.paragraph("Storage  " + text + ".");
  }
}

void study_name(Page& out, const JsonNode& answer) {
  const JsonNode* study = answer.find("study_naming");
  if (study == nullptr) return;
  out.title("In study material");
  out.bullet(member_text(*study, "name"));
  out.bullet(member_text(*study, "correction"));
}

}  // namespace

std::vector<RowColumn> design_columns() {
  return {place_column(),
          word_column("design", "title"),
          word_column("size in document", "size_in_document"),
          value_column("systems", "nodes"),
          value_column("GPUs", "gpus"),
          value_column("units", "scalable_units"),
          {.head = "compute switches",
           .text = [](const JsonNode& design, std::size_t) { return switches_text(design); },
           .fields = {at_path("compute_fabric.leaf.total"), at_path("compute_fabric.spine.total"),
                      at_path("compute_fabric.core.total")}},
          value_column("tiers", "compute_fabric.tiers"),
          value_column("racks", "racks.total"),
          number_column("IT kW", at_path("power.it_kw"))};
}

void architecture_text(Page& out, const JsonNode& answer) {
  const JsonNode& designs = *answer.find("designs");
  if (designs.items.empty()) {
    out.line("No design fits.");
    sentences(out, "Why", answer.find("reasons"));
    out.title("Ways out");
    std::set<std::string> told;
    for (const JsonNode& reason : items_of(answer, "reasons"))
      for (const JsonNode& way : items_of(reason, "ways_out"))
        if (const std::string text = json_text(way); told.insert(text).second) out.bullet(text);
    sentences(out, "When nothing fits", answer.find("fallbacks"));
  } else {
    const JsonNode& best = designs.items[0];
    out.paragraph(member_text(best, "summary"));
    out.gap();
    out.table(text_rows(design_columns(), designs.items));
    out.gap();
    site_lines(out, best);
    if (const JsonNode* lines = at(best, {"bill_of_materials", "lines"})) {
      out.gap();
      out.table(bill_rows(*lines));
    }
    sentences(out, "Not in the bill", at(best, {"bill_of_materials", "not_counted"}));
    sentences(out, "Rules", best.find("rules_fired"));
    sentences(out, "Deviations from the document", best.find("deviations"));
    sentences(out, "Notes", best.find("notes"));
    sentences(out, "Not known", best.find("not_known"));
    sentences(out, "Worth a look", answer.find("advice"));
  }
  study_name(out, answer);
  if (!designs.items.empty()) sentences(out, "Rejected", answer.find("rejected"));
}

}  // namespace podwright::cli
