#include "api/answer_model_file.h"

#include <algorithm>
#include <cmath>

#include "api/answer_writer.h"
#include "base/append.h"
#include "base/json_read.h"
#include "base/number_text.h"
#include "base/object_reader.h"
#include "catalog/gguf_file.h"
#include "catalog/gguf_model.h"
#include "catalog/inline_item.h"
#include "catalog/model_writer.h"
#include "catalog/safetensors_file.h"
#include "memory/exact_weights.h"
#include "model/parameters.h"

namespace podwright {
namespace {

enum class PartKind { gguf, safetensors, index, config };
constexpr std::array<std::string_view, 4> kFormatWords{"gguf", "safetensors", "safetensors-index", "config"};

struct Contents {
  std::vector<WeightTensor> tensors;
  std::vector<PartKind> kinds;  ///< of the files
  double header_bytes = 0;
  double data_bytes = 0;
  std::optional<double> index_bytes;  ///< total_size of an index
  std::vector<std::string> index_files;
  std::optional<GgufFile> gguf;  ///< the first, with the tensors of all
  std::optional<Model> config;
  Errors errors;
};

Errors named(Errors errors, const std::string& name) {
  for (Error& error : errors) error.path = name + error.path;
  return errors;
}

void read_json_part(const Catalog& catalog, const FilePart& part, Contents& contents) {
  const Result<JsonNode> node = parse_json(part.text);
  if (!node) return append(contents.errors, named(node.error(), part.name));
  if (node->find("weight_map") != nullptr) {
    const Result<SafetensorsIndex> index = read_safetensors_index(*node);
    if (!index) return append(contents.errors, named(index.error(), part.name));
    contents.kinds.push_back(PartKind::index);
    contents.index_bytes = index->total_bytes;
    contents.index_files = index->files;
    return;
  }
  ErrorList errors;
  std::optional<Model> model = read_inline_model(catalog, *node, "", errors);
  if (!model) return append(contents.errors, named(errors.take(), part.name));
  contents.kinds.push_back(PartKind::config);
  contents.config = std::move(model);
}

void read_part(const Catalog& catalog, const FilePart& part, Contents& contents) {
  const auto keep = [&](PartKind kind, const WeightFile& file) {
    contents.kinds.push_back(kind);
    append(contents.tensors, file.tensors);
    contents.header_bytes += file.header_bytes;
    contents.data_bytes += file.data_bytes;
  };
  if (is_gguf(part.text)) {
    Result<GgufFile> file = read_gguf(part.text, part.file_bytes, catalog.ggml_types);
    if (!file) return append(contents.errors, named(file.error(), part.name));
    keep(PartKind::gguf, *file);
    if (!contents.gguf) contents.gguf = std::move(*file);
  } else if (is_safetensors(part.text)) {
    const Result<WeightFile> file = read_safetensors(part.text, part.file_bytes);
    if (!file) return append(contents.errors, named(file.error(), part.name));
    keep(PartKind::safetensors, *file);
  } else if (const std::size_t first = part.text.find_first_not_of(" \t\r\n");
             first != std::string_view::npos && part.text[first] == '{') {
    read_json_part(catalog, part, contents);
  } else {
    contents.errors.push_back({"wrong-type", part.name, "This command cannot read the file.",
                               "A .gguf or .safetensors file, model.safetensors.index.json or config.json."});
  }
}

/// What one pass over all files gives: the shape from the config.json, else from GGUF's metadata.
std::optional<Model> model_of(Contents& contents, const std::string& name) {
  if (contents.config) return contents.config;
  if (!contents.gguf) return {};
  contents.gguf->tensors = contents.tensors;
  Result<Model> model = gguf_model(*contents.gguf);
  if (model) return std::move(*model);
  append(contents.errors, named(model.error(), name + "#"));
  return {};
}

/// The catalog's format that the linear layers come nearest to.
std::string nearest_format(const Catalog& catalog, const WeightSummary& summary, bool gguf) {
  WeightTotal linear;
  for (const TensorClass part :
       {TensorClass::attention, TensorClass::dense_mlp, TensorClass::experts, TensorClass::shared_experts}) {
    const WeightTotal& total = summary.by_class[static_cast<std::size_t>(part)];
    linear.bytes += total.bytes;
    if (linear.weights && total.weights)
      *linear.weights += *total.weights;
    else
      linear.weights.reset();
  }
  const std::optional<double> bits = bits_per_weight(linear);
  if (!bits) return "";
  if (!gguf) {
    const std::size_t most = static_cast<std::size_t>(
        std::max_element(summary.by_type.begin(), summary.by_type.end(),
                         [](const WeightTotal& a, const WeightTotal& b) { return a.bytes < b.bytes; }) -
        summary.by_type.begin());
    const std::string& type = summary.types[most];
    if (type == "BF16") return "bf16";
    if (type == "F16") return "fp16";
    if (type == "F32") return "fp32";
    if (type == "I8") return "int8";
    if (type.substr(0, 2) == "F8") return *bits > 8.0 ? "fp8-block" : "fp8";
    return "";
  }
  const WeightFormat* best = nullptr;
  for (const WeightFormat& format : catalog.weight_formats) {
    // What is both a block type of GGUF and a format of safetensors is told by the types, not by average bits.
    if (!format.in_gguf() || (format.in_safetensors() && format.bits_per_weight < 16)) continue;
    if (best == nullptr || std::fabs(format.bits_per_weight - *bits) < std::fabs(best->bits_per_weight - *bits))
      best = &format;
  }
  return best == nullptr ? "" : best->id;
}

void describe_total(AnswerWriter& v, const WeightTotal& total) {
  v.number({"tensors"}, total.tensors);
  v.number({"bytes"}, total.bytes);
  v.number({"weights"}, total.weights);
  if (const auto bits = bits_per_weight(total)) v.number({"bits_per_weight"}, rounded_for_display(*bits));
}

/// A class or type of tensors that the files have.
struct NamedTotal {
  std::string_view name;
  const WeightTotal* total;
};

void describe_summary(AnswerWriter& v, const WeightSummary& summary) {
  std::vector<NamedTotal> classes;
  std::vector<NamedTotal> types;
  for (std::size_t i = 0; i < kTensorClasses; ++i)
    if (summary.by_class[i].tensors != 0) classes.push_back({kTensorClassWords[i], &summary.by_class[i]});
  for (std::size_t i = 0; i < summary.types.size(); ++i) types.push_back({summary.types[i], &summary.by_type[i]});
  const auto totals = [&](const AnswerField& field, const std::vector<NamedTotal>& all, std::string_view key) {
    v.list(field, all, [&](const NamedTotal& one) {
      v.text({key}, one.name);
      describe_total(v, *one.total);
    });
  };
  totals({"by_class"}, classes, "class");
  totals({"by_type"}, types, "type");
  v.group({"total"}, [&] { describe_total(v, summary.total); });
}

WeightBytes bytes_by_class(const WeightSummary& summary) {
  WeightBytes bytes;
  for (std::size_t i = 0; i < kTensorClasses; ++i)
    if (summary.by_class[i].bytes > 0) bytes[i] = Bytes(summary.by_class[i].bytes);
  return bytes;
}

void describe_parameters(AnswerWriter& v, const Model& model) {
  NoTrace trace;
  const ParameterParts<NoTrace> parts = parameter_parts(trace, model);
  v.group({"parameters"}, [&] {
    v.number({"attention"}, parts.attention);
    v.number({"dense_mlp"}, parts.dense_mlp);
    v.number({"experts"}, parts.experts);
    v.number({"shared_experts"}, parts.shared_experts);
    v.number({"router"}, parts.router);
    v.number({"norms"}, parts.norms + parts.other);
    v.number({"embedding"}, parts.embedding);
    v.number({"output_head"}, parts.output_head);
    v.number({"total"}, parts.total);
    v.number({"active"}, parts.active);
  });
  v.any({"model"}, [&](JsonWriter& out) { out.verbatim(model_json(model)); });
}

/// Of those that the index names.
std::ptrdiff_t files_not_read(const Contents& contents, const std::vector<FilePart>& parts) {
  return std::count_if(contents.index_files.begin(), contents.index_files.end(), [&](const std::string& file) {
    return std::none_of(parts.begin(), parts.end(),
                        [&](const FilePart& part) { return part.name.substr(part.name.rfind('/') + 1) == file; });
  });
}

/// Sentences about what the numbers do not say.
std::vector<std::string> remarks(const Contents& contents, const WeightSummary& summary,
                                 const std::optional<Model>& model) {
  std::vector<std::string> texts;
  if (!summary.total.weights && summary.total.tensors > 0)
    texts.push_back(
        "Some tensors pack several weights into one integer and the header does not say how many: their "
        "bits per weight are left out. The bytes are exact.");
  if (contents.index_bytes && summary.total.tensors > 0 && *contents.index_bytes != summary.total.bytes)
    texts.push_back("The index states " + shortest_number(*contents.index_bytes) + " bytes, the files read hold " +
                    shortest_number(summary.total.bytes) + ".");
  const double other = summary.by_class[static_cast<std::size_t>(TensorClass::other)].bytes;
  if (other > 0) texts.push_back(human_number(other) + " bytes belong to no class of a language model (class other).");
  if (!model || !summary.total.weights) return texts;
  NoTrace trace;
  const double counted = parameter_parts(trace, *model).total;
  const double others = summary.by_class[static_cast<std::size_t>(TensorClass::other)].weights.value_or(0);
  const double held = *summary.total.weights - others;
  if (held > 0 && held != counted)
    texts.push_back("The model as read has " + shortest_number(counted) + " parameters, the files hold " +
                    shortest_number(held) + " weights.");
  return texts;
}

/// `weight_precision` and `weights` as a serving request takes them; what it would refuse is noted.
void describe_weights(AnswerWriter& v, const Catalog& catalog, const Contents& contents, const WeightSummary& summary,
                      const std::optional<Model>& model, std::vector<std::string>& notes) {
  const bool gguf = contents.gguf.has_value();
  const std::string format = nearest_format(catalog, summary, gguf);
  v.text({"weight_precision"}, unless_empty(format));
  if (!format.empty())
    notes.push_back("weight_precision names the kernels that serve the file: of the catalog's formats, the one " +
                    std::string(gguf ? "nearest in bits of the linear layers." : "of the type that most bytes have."));
  const WeightBytes bytes = bytes_by_class(summary);
  v.group({"weights"}, [&] {
    for (std::size_t i = 0; i < kTensorClasses; ++i)
      v.number({std::string(kTensorClassWords[i]) + "_bytes", unit::kBytes}, bytes[i]);
  });
  const WeightFormat* known = find_weight_format(catalog.weight_formats, format.empty() ? "bf16" : format);
  if (!model || known == nullptr) return;
  if (const Result<WeightFormat> exact = exact_weight_format(*known, *model, bytes); !exact)
    for (const Error& error : exact.error())
      notes.push_back("A serving request would refuse these bytes for this model, " + error.path + ": " +
                      error.message);
}

}  // namespace

double bytes_needed(const Catalog& catalog, const FilePart& part) {
  const double given = static_cast<double>(part.text.size());
  if (given >= part.file_bytes) return 0;
  if (is_gguf(part.text)) {
    const Result<GgufFile> file = read_gguf(part.text, part.file_bytes, catalog.ggml_types);
    return !file && file.error().front().code == "truncated" ? std::min(part.file_bytes, 4 * given) : 0;
  }
  if (is_safetensors(part.text)) {
    const double header = safetensors_header_bytes(part.text).value_or(0);
    return header > given ? std::min(part.file_bytes, header) : 0;
  }
  return 0;
}

std::vector<std::string> files_of_index(const FilePart& part) {
  if (is_gguf(part.text) || is_safetensors(part.text)) return {};
  if (part.text.find("\"weight_map\"") == std::string_view::npos) return {};
  const Result<SafetensorsIndex> index = read_safetensors_index(part.text);
  return index ? index->files : std::vector<std::string>{};
}

Answer answer_model_files(const Catalog& catalog, const std::vector<FilePart>& parts) {
  Contents contents;
  for (const FilePart& part : parts) read_part(catalog, part, contents);
  if (contents.errors.empty())
    if (const auto twice = tensor_that_stands_twice(contents.tensors))
      contents.errors.push_back({"conflict", parts.front().name,
                                 "The tensor \"" + *twice + "\" stands in two of the files.",
                                 "Give each file of one model once."});
  if (!contents.errors.empty()) return wrong_input(contents.errors);
  const WeightSummary summary = weight_summary(contents.tensors);
  const std::optional<Model> model = model_of(contents, parts.front().name);
  // What a file does not say leaves out the model; what cannot be is no file to count.
  if (std::any_of(contents.errors.begin(), contents.errors.end(),
                  [](const Error& error) { return error.code != "missing"; }))
    return wrong_input(contents.errors);
  const bool weights = summary.total.tensors > 0;
  std::vector<std::string> notes = remarks(contents, summary, model);
  if (const auto missing = files_not_read(contents, parts); missing > 0)
    notes.push_back("Files that the index names and that are not beside it were not read: " + std::to_string(missing) +
                    " of " + std::to_string(contents.index_files.size()) + ".");
  for (const Error& error : contents.errors) notes.push_back(error.message);

  return written_answer(nullptr, true, [&](AnswerWriter& v) {
    v.text({"kind"}, "model");
    std::size_t next = 0;
    v.list({"files"}, parts, [&](const FilePart& part) {
      v.text({"name"}, part.name);
      v.word({"format"}, contents.kinds[next++], kFormatWords);
      v.number({"file_bytes"}, part.file_bytes);
    });
    v.fields(contents.gguf, [&](const GgufFile& gguf) {
      v.number({"gguf_version"}, gguf.version);
      v.text({"architecture"}, gguf.text("general.architecture"));
    });
    v.number({"index_total_bytes"}, contents.index_bytes);
    if (weights) {
      v.number({"header_bytes"}, contents.header_bytes);
      describe_summary(v, summary);
    }
    if (model) describe_parameters(v, *model);
    if (weights) describe_weights(v, catalog, contents, summary, model, notes);
    if (model)
      for (const std::string& field : model->unread_fields) notes.push_back("Not understood: " + field + ".");
    v.column({"notes"}, notes, [](const std::string& note) { return note; });
    v.text({"podwright_version"}, version());
    v.text({"catalog_digest"}, catalog_digest(catalog));
  });
}

}  // namespace podwright
