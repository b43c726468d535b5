#include <algorithm>
#include <array>

#include "base/json_read.h"
#include "measure/foreign_parts.h"
#include "measure/import_files.h"

namespace podwright {
namespace {

struct Mark {
  std::string_view mark;
  std::string_view what;
};

/// Marks of texts that programs print next to their files.
constexpr std::array<Mark, 8> kTextMarks{{
    {"Serving Benchmark Result", "the printed report of vllm bench serve; --save-result writes the file"},
    {"NVIDIA-SMI ", "the printed table of nvidia-smi; -q -x writes the file"},
    {"==============NVSMI LOG", "the text log of nvidia-smi -q; -q -x writes the file"},
    {"memcpy CE CPU(row) -> GPU(column)", "the printed tables of nvbandwidth; --json writes the file"},
    {"nvbandwidth Version", "the printed tables of nvbandwidth; --json writes the file"},
    {"Traceback (most recent call last)", "an error message of Python"},
    {"<html", "a web page"},
    {"<!DOCTYPE html", "a web page"},
}};

/// Marks of other JSON files.
constexpr std::array<Mark, 7> kJsonMarks{{
    {"\"podwright-calibration/", "a calibration, which plans take as it is"},
    {"\"catalog_digest\"", "an answer of this program"},
    {"\"workloads\"", "a request of this program"},
    {"\"num_hidden_layers\"", "the config.json of a model"},
    {"\"cells\"", "a notebook"},
    {"\"traceEvents\"", "a trace of a profiler"},
    {"\"benchmarks\"", "a result of Google Benchmark"},
}};

std::string marked(std::string_view text, const Mark* marks, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (text.find(marks[i].mark) != std::string_view::npos) return std::string(marks[i].what);
  return "";
}

bool is_binary(std::string_view text) {
  return std::any_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(text.size(), 512)),
                     [](char c) { return c >= 0 && c < 0x20 && c != '\n' && c != '\r' && c != '\t'; });
}

/// Lines that are an object each.
bool is_json_lines(std::string_view body) {
  const std::size_t end = body.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view next = trimmed(body.substr(end));
  return !next.empty() && next.front() == '{' && parse_json(body.substr(0, end)).has_value();
}

}  // namespace

std::string looks_like(std::string_view text) {
  const std::string_view body = trimmed(text);
  if (body.empty()) return "an empty file";
  if (body.substr(0, 2) == "PK") return "a zip archive";
  if (body.substr(0, 4) == "GGUF") return "a GGUF weight file";
  if (is_binary(body)) return "a binary file";
  if (std::string known = marked(body, kTextMarks.data(), kTextMarks.size()); !known.empty()) return known;
  if (body.front() == '{') {
    if (is_json_lines(body)) return "records of another program, one a line";
    if (std::string known = marked(body, kJsonMarks.data(), kJsonMarks.size()); !known.empty()) return known;
    return parse_json(body) ? "JSON of another program" : "JSON that is cut off or damaged";
  }
  if (body.front() == '[') return "a JSON list";
  if (body.front() == '<') return "XML of another program";
  const std::string_view line = body.substr(0, body.find('\n'));
  if (line.find(',') != std::string_view::npos) return "a comma-separated table";
  return "plain text";
}

std::string_view called(FileFormat format) {
  constexpr std::array<std::string_view, 7> kCalled = {"a profile of podwright probe",
                                                       "nvbandwidth --json",
                                                       "an nccl-tests program",
                                                       "nvidia-smi -q -x",
                                                       "vllm bench serve --save-result",
                                                       "AIPerf (profile_export_aiperf.json)",
                                                       "AIPerf's records of single requests (profile_export.jsonl)"};
  return kCalled[static_cast<std::size_t>(format)];
}

}  // namespace podwright
