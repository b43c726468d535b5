#include "export/slurm.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

#include "architecture/counted.h"
#include "base/slug.h"
#include "base/whole.h"

namespace podwright {
namespace {

/// More digits do not fit the numbers used here; such names are written out.
constexpr std::size_t kMostDigits = 9;

/// "n00017" is "n", 5 digits, 17. Digits 0: the name ends with none.
struct NumberedName {
  std::string prefix;
  std::size_t digits = 0;
  std::uint32_t number = 0;
};

NumberedName split(const std::string& name) {
  std::size_t begin = name.size();
  while (begin > 0 && name.size() - begin < kMostDigits && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  NumberedName parts{.prefix = name.substr(0, begin), .digits = name.size() - begin};
  for (std::size_t i = begin; i < name.size(); ++i)
    parts.number = parts.number * 10 + static_cast<std::uint32_t>(name[i] - '0');
  return parts;
}

std::string ranges(std::vector<std::uint32_t> numbers, std::size_t digits) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += numbered_label("", numbers[i], digits);
    if (last > i) text += "-" + numbered_label("", numbers[last], digits);
    i = last + 1;
  }
  return text;
}

}  // namespace

std::string hostlist(const std::vector<std::string>& names) {
  struct Group {
    NumberedName first;
    std::vector<std::uint32_t> numbers;
  };
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::size_t>, std::size_t> known;
  for (const std::string& name : names) {
    const NumberedName parts = split(name);
    const auto [at, added] = known.emplace(std::pair(parts.prefix, parts.digits), groups.size());
    if (added) groups.push_back({parts, {}});
    groups[at->second].numbers.push_back(parts.number);
  }
  std::string text;
  for (const Group& group : groups) {
    if (!text.empty()) text += ',';
    text += group.first.prefix;
    if (group.first.digits == 0) continue;
    if (group.numbers.size() == 1)
      text += numbered_label("", group.numbers.front(), group.first.digits);
    else
      text += "[" + ranges(group.numbers, group.first.digits) + "]";
  }
  return text;
}

namespace {

/// A switch of Slurm's tree: a place, not a device.
struct SlurmSwitch {
  std::string name;                   ///< at most 64 characters
  std::vector<std::string> nodes;     ///< of a leaf
  std::vector<std::string> switches;  ///< of all others
};

/// Nodes that have all their leaf switches in common.
struct NodeSet {
  std::vector<Whole> nodes;
  std::vector<Whole> leaves;
  Whole unit = 0;  ///< 0: of several units or none
};

/// Lowest first; each node is in one leaf. A leaf is the nodes that have all their leaf switches in common ("su001",
/// "su001-l2" where a unit has several, "leaf001" where such nodes are of several units), above it stands what the
/// spines join without cores ("pod001", or "su001" for a whole unit), and on top "core", "spine" or "pair".
class Tree {
 public:
  explicit Tree(const NetworkWiring& wiring) : wiring_(wiring) {
    gather_sets();
    name_sets();
    join_sets();
  }

  std::vector<SlurmSwitch> take() {
    std::vector<SlurmSwitch> switches;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      SlurmSwitch leaf{.name = names_[i], .nodes = {}, .switches = {}};
      for (const Whole node : sets_[i].nodes) leaf.nodes.push_back(plain_name(wiring_.devices[node].label));
      switches.push_back(std::move(leaf));
    }
    if (sets_.size() < 2) return switches;
    SlurmSwitch top{.name = "fabric", .nodes = {}, .switches = {}};
    if (has_role("compute-core"))
      top.name = "core";
    else if (has_role("compute-spine"))
      top.name = "spine";
    else if (has_role("compute-leaf"))
      top.name = "pair";
    const std::vector<std::vector<std::size_t>> groups = groups_of_sets();
    Whole pods = 0;
    for (const std::vector<std::size_t>& group : groups) {
      if (group.size() == 1 || groups.size() == 1) {
        for (const std::size_t set : group) top.switches.push_back(names_[set]);
        continue;
      }
      SlurmSwitch pod{.name = name_of(group, pods), .nodes = {}, .switches = {}};
      for (const std::size_t set : group) pod.switches.push_back(names_[set]);
      top.switches.push_back(pod.name);
      switches.push_back(std::move(pod));
    }
    switches.push_back(std::move(top));
    return switches;
  }

 private:
  bool has_role(const char* role) const {
    return std::any_of(wiring_.devices.begin(), wiring_.devices.end(),
                       [&](const WiredDevice& device) { return device.role == role; });
  }

  void gather_sets() {
    std::vector<std::vector<Whole>> leaves_of(wiring_.devices.size());
    for (const Wire& wire : wiring_.wires)
      if (wiring_.devices[wire.from_device].role == "system") leaves_of[wire.from_device].push_back(wire.to_device);
    std::map<std::vector<Whole>, std::size_t> known;
    for (Whole node = 0; node < wiring_.devices.size(); ++node) {
      const WiredDevice& device = wiring_.devices[node];
      if (device.role != "system") continue;
      std::vector<Whole>& leaves = leaves_of[node];
      std::sort(leaves.begin(), leaves.end());
      leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
      const auto [at, added] = known.emplace(leaves, sets_.size());
      if (added) sets_.push_back({.nodes = {}, .leaves = leaves, .unit = device.unit});
      NodeSet& set = sets_[at->second];
      set.nodes.push_back(node);
      if (set.unit != device.unit) set.unit = 0;
    }
  }

  void name_sets() {
    for (const NodeSet& set : sets_) ++sets_of_unit_[set.unit];
    std::map<Whole, Whole> named;
    for (const NodeSet& set : sets_) {
      const Whole number = ++named[set.unit];
      if (set.unit == 0)
        names_.push_back(numbered_label("leaf", number, 3));
      else
        names_.push_back(numbered_label("su", set.unit, 3) +
                         (sets_of_unit_[set.unit] > 1 ? numbered_label("-l", number, 1) : std::string()));
    }
  }

  /// Joins the sets that spines, or links between leaves, bring together without cores.
  void join_sets() {
    group_.resize(wiring_.devices.size());
    std::iota(group_.begin(), group_.end(), 0U);
    for (const Wire& wire : wiring_.wires)
      if (wiring_.devices[wire.from_device].role == "compute-leaf") join(wire.from_device, wire.to_device);
    for (const NodeSet& set : sets_)
      for (const Whole leaf : set.leaves) join(leaf, set.leaves.front());
  }

  Whole root(Whole device) {
    while (group_[device] != device) device = group_[device] = group_[group_[device]];
    return device;
  }
  void join(Whole a, Whole b) { group_[root(a)] = root(b); }

  std::vector<std::vector<std::size_t>> groups_of_sets() {
    std::vector<std::vector<std::size_t>> groups;
    std::map<Whole, std::size_t> known;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const Whole key = sets_[i].leaves.empty() ? static_cast<Whole>(group_.size()) : root(sets_[i].leaves.front());
      const auto [at, added] = known.emplace(key, groups.size());
      if (added) groups.emplace_back();
      groups[at->second].push_back(i);
    }
    return groups;
  }

  /// A group that is one whole unit has its name, which no set has then; others are numbered.
  std::string name_of(const std::vector<std::size_t>& group, Whole& pods) const {
    const Whole unit = sets_[group.front()].unit;
    const bool one_unit =
        unit != 0 && group.size() == sets_of_unit_.find(unit)->second &&
        std::all_of(group.begin(), group.end(), [&](std::size_t set) { return sets_[set].unit == unit; });
    return one_unit ? numbered_label("su", unit, 3) : numbered_label("pod", ++pods, 3);
  }

  const NetworkWiring& wiring_;
  std::vector<NodeSet> sets_;
  std::map<Whole, Whole> sets_of_unit_;
  std::vector<std::string> names_;
  std::vector<Whole> group_;  ///< of devices: another of the same group, or the device itself
};

/// Nodes of one NVLink domain.
struct SlurmBlock {
  std::string name;
  std::vector<std::string> nodes;
  Whole unit = 0;  ///< 0: of several units or none
};

/// In the order of the wiring, which Slurm keeps when it pairs neighbours.
std::vector<SlurmBlock> blocks_of(const NetworkWiring& wiring, Whole domain_nodes) {
  std::vector<SlurmBlock> blocks;
  for (const WiredDevice& device : wiring.devices) {
    if (device.role != "system") continue;
    if (blocks.empty() || blocks.back().nodes.size() == domain_nodes) {
      const std::size_t rack = device.label.find("-compute-");
      blocks.push_back({.name = rack == std::string::npos
                                    ? numbered_label("nvl", static_cast<Whole>(blocks.size() + 1), 3)
                                    : plain_name(device.label.substr(0, rack)),
                        .nodes = {},
                        .unit = device.unit});
    }
    if (blocks.back().unit != device.unit) blocks.back().unit = 0;
    blocks.back().nodes.push_back(plain_name(device.label));
  }
  return blocks;
}

/// Blocks of each scalable unit where every unit has as many, one behind the other; else 0.
std::size_t blocks_of_a_unit(const std::vector<SlurmBlock>& blocks) {
  std::vector<std::size_t> units;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].unit == 0) return 0;
    if (i == 0 || blocks[i].unit != blocks[i - 1].unit) units.push_back(0);
    ++units.back();
  }
  const bool equal = std::all_of(units.begin(), units.end(), [&](std::size_t n) { return n == units.front(); });
  return equal && units.size() > 1 ? units.front() : 0;
}

/// Sizes that Slurm enforces: a domain (the smallest block, because none may have fewer nodes), and a scalable unit
/// where its domains are a power of two, as the sizes must be.
std::vector<std::size_t> block_sizes(const std::vector<SlurmBlock>& blocks) {
  std::size_t least = blocks.front().nodes.size(), most = least;
  for (const SlurmBlock& block : blocks) {
    least = std::min(least, block.nodes.size());
    most = std::max(most, block.nodes.size());
  }
  std::vector<std::size_t> sizes{least};
  const std::size_t of_unit = least == most ? blocks_of_a_unit(blocks) : 0;
  if (of_unit > 1 && (of_unit & (of_unit - 1)) == 0) sizes.push_back(least * of_unit);
  return sizes;
}

struct BlockTexts {
  std::string conf;
  std::string yaml;
};

BlockTexts block_texts(const std::vector<SlurmBlock>& blocks) {
  std::string sizes;
  for (const std::size_t size : block_sizes(blocks)) sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  BlockTexts texts{
      .conf = "# To be used as topology.conf, with TopologyPlugin=topology/block in slurm.conf\n",
      .yaml = "- topology: nvlink\n  cluster_default: true\n  block:\n    block_sizes: [" + sizes + "]\n    blocks:\n"};
  for (const SlurmBlock& block : blocks) {
    const std::string nodes = hostlist(block.nodes);
    texts.conf += "BlockName=" + block.name + " Nodes=" + nodes + "\n";
    texts.yaml += "      - block: " + block.name + "\n        nodes: " + nodes + "\n";
  }
  texts.conf += "BlockSizes=" + sizes + "\n";
  return texts;
}

}  // namespace

std::vector<ExportFile> slurm_topology(const NetworkWiring& compute, std::uint32_t domain_nodes) {
  const std::vector<SlurmBlock> blocks =
      domain_nodes > 1 ? blocks_of(compute, domain_nodes) : std::vector<SlurmBlock>{};
  std::string conf = "# TopologyPlugin=topology/tree in slurm.conf\n";
  std::string yaml = std::string("- topology: compute\n  cluster_default: ") + (blocks.empty() ? "true" : "false") +
                     "\n  tree:\n    switches:\n";
  for (const SlurmSwitch& place : Tree(compute).take()) {
    const bool leaf = place.switches.empty();
    const std::string children = hostlist(leaf ? place.nodes : place.switches);
    conf += "SwitchName=" + place.name + (leaf ? " Nodes=" : " Switches=") + children + "\n";
    yaml += "      - switch: " + place.name + "\n        " + (leaf ? "nodes: " : "children: ") + children + "\n";
  }
  std::vector<ExportFile> files{{"slurm/topology.conf", "text/plain", std::move(conf)}};
  if (!blocks.empty()) {
    BlockTexts texts = block_texts(blocks);
    files.push_back({"slurm/topology-block.conf", "text/plain", std::move(texts.conf)});
    yaml = texts.yaml + yaml;
  }
  files.push_back({"slurm/topology.yaml", "application/yaml", "---\n" + yaml});
  return files;
}

}  // namespace podwright
