#include "api/answer_model_file.h"

#include <algorithm>
#include <cmath>

#include "api/version.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/number_text.h"
#include "base/object_reader.h"
#include "catalog/gguf_file.h"
#include "catalog/gguf_model.h"
#include "catalog/huggingface_config.h"
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
  std::optional<GgufFile> gguf;       ///< the first, with the tensors of all
  std::optional<Model> config;
  Errors errors;
};

Errors named(Errors errors, const std::string& name) {
  for (Error& error : errors) error.path = name + error.path;
  return errors;
}

void add(Errors& to, const Errors& more) { to.insert(to.end(), more.begin(), more.end()); }

void read_json_part(const Catalog& catalog, const FilePart& part, Contents& contents) {
  const Result<JsonNode> node = parse_json(part.text);
  if (!node) return add(contents.errors, named(node.error(), part.name));
  if (node->find("weight_map") != nullptr) {
    const Result<SafetensorsIndex> index = read_safetensors_index(part.text);
    if (!index) return add(contents.errors, named(index.error(), part.name));
    contents.kinds.push_back(PartKind::index);
    contents.index_bytes = index->total_bytes;
    return;
  }
  ErrorList errors;
  std::optional<Model> model = read_inline_model(catalog, *node, "", errors);
  if (!model) return add(contents.errors, named(errors.take(), part.name));
  contents.kinds.push_back(PartKind::config);
  contents.config = std::move(model);
}

void read_part(const Catalog& catalog, const FilePart& part, Contents& contents) {
  const auto keep = [&](PartKind kind, const WeightFile& file) {
    contents.kinds.push_back(kind);
    contents.tensors.insert(contents.tensors.end(), file.tensors.begin(), file.tensors.end());
    contents.header_bytes += file.header_bytes;
    contents.data_bytes += file.data_bytes;
  };
  if (is_gguf(part.text)) {
    Result<GgufFile> file = read_gguf(part.text, part.file_bytes, catalog.ggml_types);
    if (!file) return add(contents.errors, named(file.error(), part.name));
    keep(PartKind::gguf, *file);
    if (!contents.gguf) contents.gguf = std::move(*file);
  } else if (is_safetensors(part.text)) {
    const Result<WeightFile> file = read_safetensors(part.text, part.file_bytes);
    if (!file) return add(contents.errors, named(file.error(), part.name));
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
  add(contents.errors, named(model.error(), name + "#"));
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

void write_total(JsonWriter& out, const WeightTotal& total) {
  out.number("tensors", total.tensors);
  out.number("bytes", total.bytes);
  if (total.weights) out.number("weights", *total.weights);
  if (const auto bits = bits_per_weight(total)) out.number("bits_per_weight", rounded_for_display(*bits));
}

void write_tables(JsonWriter& out, const WeightSummary& summary) {
  out.begin_list("by_class");
  for (std::size_t i = 0; i < kTensorClasses; ++i) {
    if (summary.by_class[i].tensors == 0) continue;
    out.begin_object();
    out.text("class", kTensorClassWords[i]);
    write_total(out, summary.by_class[i]);
    out.end_object();
  }
  out.end_list();
  out.begin_list("by_type");
  for (std::size_t i = 0; i < summary.types.size(); ++i) {
    out.begin_object();
    out.text("type", summary.types[i]);
    write_total(out, summary.by_type[i]);
    out.end_object();
  }
  out.end_list();
  out.begin_object("total");
  write_total(out, summary.total);
  out.end_object();
}

WeightBytes bytes_by_class(const WeightSummary& summary) {
  WeightBytes bytes;
  for (std::size_t i = 0; i < kTensorClasses; ++i)
    if (summary.by_class[i].bytes > 0) bytes[i] = Bytes(summary.by_class[i].bytes);
  return bytes;
}

void write_weights(JsonWriter& out, const WeightBytes& bytes) {
  out.begin_object("weights");
  for (std::size_t i = 0; i < kTensorClasses; ++i)
    if (bytes[i]) out.number(std::string(kTensorClassWords[i]) + "_bytes", bytes[i]->base_units());
  out.end_object();
}

void write_model(JsonWriter& out, const Model& model) {
  NoTrace trace;
  const ParameterParts<NoTrace> parts = parameter_parts(trace, model);
  out.begin_object("parameters");
  out.number("attention", parts.attention);
  out.number("dense_mlp", parts.dense_mlp);
  out.number("experts", parts.experts);
  out.number("shared_experts", parts.shared_experts);
  out.number("router", parts.router);
  out.number("norms", parts.norms + parts.other);
  out.number("embedding", parts.embedding);
  out.number("output_head", parts.output_head);
  out.number("total", parts.total);
  out.number("active", parts.active);
  out.end_object();
  out.key("model");
  out.verbatim(model_json(model));
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
  if (!contents.errors.empty()) return wrong_input(contents.errors);
  const std::string& first = parts.front().name;
  const WeightSummary summary = weight_summary(contents.tensors);
  const std::optional<Model> model = model_of(contents, first);
  const bool gguf = contents.gguf.has_value();

  JsonWriter out;
  out.begin_object();
  out.text("kind", "model");
  out.begin_list("files");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out.begin_object();
    out.text("name", parts[i].name);
    out.text("format", kFormatWords[static_cast<std::size_t>(contents.kinds[i])]);
    out.number("file_bytes", parts[i].file_bytes);
    out.end_object();
  }
  out.end_list();
  if (contents.gguf) {
    out.number("gguf_version", contents.gguf->version);
    if (const auto architecture = contents.gguf->text("general.architecture")) out.text("architecture", *architecture);
  }
  if (contents.index_bytes) out.number("index_total_bytes", *contents.index_bytes);
  if (summary.total.tensors > 0) {
    out.number("header_bytes", contents.header_bytes);
    write_tables(out, summary);
  }
  if (model) write_model(out, *model);
  std::vector<std::string> texts = remarks(contents, summary, model);
  for (const Error& error : contents.errors) texts.push_back(error.message);
  if (summary.total.tensors > 0) {
    const std::string format = nearest_format(catalog, summary, gguf);
    if (!format.empty()) {
      out.text("weight_precision", format);
      texts.push_back(
          "weight_precision names the kernels that serve the file: of the catalog's formats, the one " +
          std::string(gguf ? "nearest in bits of the linear layers." : "of the type that most bytes have."));
    }
    const WeightBytes bytes = bytes_by_class(summary);
    const WeightFormat* known = find_weight_format(catalog.weight_formats, format.empty() ? "bf16" : format);
    Result<WeightFormat> exact =
        model && known != nullptr ? exact_weight_format(*known, *model, bytes) : Result<WeightFormat>(WeightFormat{});
    write_weights(out, bytes);
    if (!exact)
      for (const Error& error : exact.error())
        texts.push_back("A serving request would refuse these bytes for this model, " + error.path + ": " +
                        error.message);
  }
  out.begin_list("notes");
  for (const std::string& text : texts) out.text(text);
  if (model)
    for (const std::string& field : model->unread_fields) out.text("Not understood: " + field + ".");
  out.end_list();
  out.text("podwright_version", version());
  out.text("catalog_digest", catalog.digest);
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
