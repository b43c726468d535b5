#include "base/equation_text.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/append.h"
#include "base/number_text.h"

namespace podwright {
namespace {

bool is_unit(std::string_view word) {
  static const std::set<std::string_view> kUnits{"gb", "gib", "mib",  "mb",    "tb",  "gbit",  "tflops",
                                                 "s",  "ms",  "hour", "hours", "day", "w",     "days",
                                                 "kw", "mw",  "kwh",  "usd",   "us",  "month", "year"};
  return kUnits.count(word) == 1;
}

/// A number format alone does not say what is of this format.
bool is_format(std::string_view word) {
  static const std::set<std::string_view> kFormats{"fp64", "fp32", "tf32",  "bf16",  "fp16", "fp8",
                                                   "fp4",  "int8", "mxfp8", "nvfp4", "int4"};
  return kFormats.count(word) == 1;
}

/// "bandwidth_gb_per_s" is "bandwidth", "price_usd_per_gpu_hour" is "price_per_gpu", "gpu_hours_per_failure" is
/// "gpu_time_per_failure": what comes from outside is named with the unit that it comes in. Empty where nothing is
/// left.
std::string without_unit(const std::string& name) {
  std::vector<std::string> words{""};
  for (const char c : name)
    if (c == '_')
      words.emplace_back();
    else
      words.back() += c;
  std::string kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool before_per = i + 2 < words.size() && words[i + 1] == "per" && !is_unit(words[i + 2]);
    if (words[i] == "hours" || (before_per && (words[i] == "days" || words[i] == "s"))) words[i] = "time";
    // "per_s" says the kind of quantity after a count and the unit after a unit.
    const bool after_unit = i > 0 && is_unit(words[i - 1]);
    const bool per_unit = words[i] == "per" && after_unit && i + 1 < words.size() && is_unit(words[i + 1]);
    const bool of_a_rate = i > 1 && words[i - 1] == "per" && !is_unit(words[i - 2]);
    if ((!is_unit(words[i]) || of_a_rate) && !per_unit) kept += (kept.empty() ? "" : "_") + words[i];
  }
  return kept;
}

class Equation {
 public:
  Equation(NodeId node, const std::vector<Term>& terms, const std::vector<TraceNode>& nodes)
      : terms_(terms), nodes_(nodes) {
    collect(node, false);
    name_inputs();
    found_.equation = text(node, 0);
    for (const std::string& source : sources_) found_.source += (found_.source.empty() ? "" : "; ") + source;
    if (sources_.empty()) found_.source = "definition";
  }
  TraceNode take() && { return std::move(found_); }

 private:
  const Term& term(NodeId node) const { return terms_[static_cast<std::size_t>(-2 - node)]; }

  /// Inputs and sources in the order of the text.
  void collect(NodeId node, bool is_cited) {
    if (node >= 0) return add_once(found_.inputs, node);
    const Term& part = term(node);
    if (!part.source.empty() && !is_cited) add_once(sources_, part.source);
    if (part.a != -1) collect(part.a, is_cited || !part.source.empty());
    if (part.b != -1) collect(part.b, is_cited || !part.source.empty());
  }

  void name_inputs() {
    const auto name_of = [&](std::size_t i, std::size_t words) {
      return short_name(nodes_[static_cast<std::size_t>(found_.inputs[i])], words);
    };
    for (std::size_t i = 0; i < found_.inputs.size(); ++i) found_.names.push_back(name_of(i, 1));
    const std::vector<std::string> plain = found_.names;
    for (std::size_t i = 0; i < plain.size(); ++i)
      if (std::count(plain.begin(), plain.end(), plain[i]) > 1) found_.names[i] = name_of(i, 2);
    // Numbers of one name that differ in what they stand on.
    std::set<std::string> taken;
    for (std::string& name : found_.names) {
      const std::string base = name;
      for (int again = 2; !taken.insert(name).second; ++again) name = base + '_' + std::to_string(again);
    }
  }

  /// The last `words` words of the id.
  static std::string short_name(const TraceNode& node, std::size_t words) {
    std::size_t begin = node.id.size();
    for (std::size_t i = 0; i < words && begin != 0; ++i) {
      begin = node.id.find_last_of("/.", begin - 1);
      begin = begin == std::string::npos ? 0 : begin;
    }
    std::string name = node.called.empty() ? node.id.substr(begin) : node.called;
    // A name begins with a letter: the place in a list says nothing without the list.
    while (!name.empty() && !is_letter(name.front())) name.erase(0, 1);
    for (char& c : name)
      if (!is_letter(c) && (c < '0' || c > '9')) c = '_';
    if (node.equation.empty() && node.unit != "1") name = without_unit(name);
    if (!name.empty() && !(is_format(name) && begin != 0)) return name;
    return begin == 0 || !node.called.empty() ? "value" : short_name(node, words + 1);
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

  static constexpr int kSum = 1, kProduct = 2, kPower = 3, kAtom = 4;
  /// `outer` is how tightly the surrounding operator binds.
  std::string text(NodeId node, int outer) const {
    if (node >= 0) {
      const auto at = std::find(found_.inputs.begin(), found_.inputs.end(), node) - found_.inputs.begin();
      return found_.names[static_cast<std::size_t>(at)];
    }
    const Term& part = term(node);
    if (part.sign == nullptr) return part.a == -1 ? shortest_number(part.literal) : text(part.a, outer);
    const std::string_view sign = part.sign;
    if (sign.size() > 1) return std::string(sign) + '(' + arguments(part) + ')';
    if (part.b == -1) return outer > 0 ? "(-" + text(part.a, kPower) + ')' : '-' + text(part.a, kPower);
    const int binds = sign == "^" ? kPower : sign == "*" || sign == "/" ? kProduct : kSum;
    // Read from left to right, so that the text gives the same last digit as the code.
    const std::string whole =
        text(part.a, binds == kPower ? kAtom : binds) + ' ' + part.sign + ' ' + text(part.b, binds + 1);
    return binds < outer ? '(' + whole + ')' : whole;
  }
  /// min(min(a, b), c) is min(a, b, c).
  std::string arguments(const Term& call) const {
    const std::string_view sign = call.sign;
    const auto argument = [&](NodeId node) {
      const bool same = node < -1 && term(node).sign != nullptr && term(node).sign == sign;
      return same && (sign == "min" || sign == "max") ? arguments(term(node)) : text(node, 0);
    };
    return argument(call.a) + (call.b == -1 ? "" : ", " + argument(call.b));
  }

  const std::vector<Term>& terms_;
  const std::vector<TraceNode>& nodes_;
  TraceNode found_;
  std::vector<std::string> sources_;
};

}  // namespace

TraceNode equation_of(NodeId node, const std::vector<Term>& terms, const std::vector<TraceNode>& nodes) {
  return Equation(node, terms, nodes).take();
}

}  // namespace podwright
