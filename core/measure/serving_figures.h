#pragma once
/// Reading figures of load generators by a table: where each is in the JSON file and what it becomes.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "measure/import_foreign.h"

namespace podwright {

struct ServingFigure {
  std::string_view object;  ///< names of objects, with dots between them; empty: the document
  std::string_view key;
  double scale;
  std::optional<double> ServingMeasurement::*value;
  std::string_view needed = "";  ///< what is missing without it; empty: it need not be there
  std::string_view unit = "";    ///< that the object must tell, where it tells one
};

/// The node at names with dots between them; null where there is none.
const JsonNode* node_in(const JsonNode& document, std::string_view names);
/// A text or a number as text; empty where there is none.
std::string word_in(const JsonNode& document, std::string_view names);
/// A number above 0; absent where there is none.
std::optional<double> number_in(const JsonNode& document, std::string_view names);

/// A figure that is there already stays. Null, and words such as "inf" where no figure is needed, are not given.
void read_figures(const JsonNode& document, const std::string& path, std::span<const ServingFigure> figures,
                  std::string_view program, ServingMeasurement& measured, ErrorList& errors);

/// Adds a name once; of hundreds the first are kept.
void add_field(const std::string& name, std::vector<std::string>& list);

/// Which of them a file has: "object.key".
void add_figure_fields(const JsonNode& document, std::span<const ServingFigure> figures, FileFields& fields);
/// Keys of an object that neither a figure of it nor one of `others` names are ignored.
void add_ignored_keys(const JsonNode& object, std::string_view prefix, std::span<const ServingFigure> figures,
                      std::span<const std::string_view> others, FileFields& fields);

/// Python writes numbers that are not finite as words, which JSON does not have: null in their place.
std::string without_infinities(std::string_view text);

/// A line of a text with its path ":<line>".
struct LogLine {
  std::string_view text;
  std::string path;
};
/// Lines that are not empty.
std::vector<LogLine> lines_of(std::string_view text);

/// A measurement without a rate or a time is none.
bool has_figures(const ServingMeasurement& measured);

}  // namespace podwright
