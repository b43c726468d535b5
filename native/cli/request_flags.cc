#include "cli/request_flags.h"

#include <algorithm>
#include <filesystem>

#include "api/schema.h"
#include "base/csv_read.h"
#include "base/json_write.h"
#include "base/nearest.h"
#include "base/units.h"
#include "catalog/model_named.h"
#include "cli/carried_files.h"
#include "cli/command.h"
#include "cli/model_files.h"
#include "cli/request_path.h"

namespace podwright::cli {
namespace {

constexpr std::string_view kTypeFlag = "--type";
/// Words that fit into a line of help; more are for completions alone.
constexpr std::size_t kShownWords = 60;

std::vector<std::string> pointers(const std::string& cell) {
  return cell.empty() ? std::vector<std::string>{} : CLI::detail::split(cell, ' ');
}

bool is_list(FieldValue value) {
  return value == FieldValue::numbers || value == FieldValue::words || value == FieldValue::items;
}

JsonNode text_node(const std::string& text) { return {.type = JsonType::text, .text = text}; }

/// JSON where it is of this type, else the text, which the request's own reader refuses.
JsonNode json_or_text(const std::string& text, JsonType type) {
  auto read = parse_json(text);
  return read && read->type == type ? std::move(*read) : text_node(text);
}

/// UTF-8: the writer of JSON replaces whatever is not.
bool is_writable(const std::string& text) {
  JsonWriter out;
  out.text(text);
  const auto written = parse_json(out.take());
  return written && written->text == text;
}

JsonNode scalar(FieldValue value, const std::string& text) {
  switch (value) {
    case FieldValue::number:
    case FieldValue::count:
    case FieldValue::numbers:
      return json_or_text(text, JsonType::number);
    case FieldValue::flag:
      return json_or_text(text, JsonType::boolean);
    case FieldValue::object:
      return json_or_text(text, JsonType::object);
    default:
      return text_node(text);
  }
}

/// Is it a file or a folder, or called like a file of a model? "organisation/name" alone is not.
bool is_file(const std::string& word) {
  std::error_code failed;
  const std::filesystem::path path(word);
  const bool named = std::string_view("./").find(word.empty() ? ' ' : word.front()) != std::string_view::npos ||
                     path.extension() == ".json" || path.extension() == ".gguf" || path.extension() == ".safetensors";
  return word == "-" || named || std::filesystem::exists(path, failed);
}

/// What stands for the value in help: its unit, its words, or what it is.
std::string value_name(const RequestField& field) {
  const std::string words = joined(field.words, ",");
  // "ttft_s" of "ttft_s_p95_max".
  std::string_view key = field.key;
  for (const std::string_view limit : {"_max", "_min"})
    if (key.ends_with(limit)) key.remove_suffix(limit.size());
  const DisplayUnit* unit = unit::of_key(without_bound(key));
  switch (field.value) {
    case FieldValue::number:
    case FieldValue::numbers:
      return unit == nullptr || *unit->sign == '\0' || std::string_view(unit->sign) == "1" ? "NUMBER" : unit->sign;
    case FieldValue::count:
      return "COUNT";
    case FieldValue::model:
      return "ID|FILE";
    case FieldValue::item:
    case FieldValue::items:
      return "ID";
    case FieldValue::words:
    case FieldValue::word:
      return words.size() <= kShownWords ? "WORD:{" + words + "}" : "WORD";
    default:
      return "TEXT";
  }
}

std::string help_of(const RequestField& field, const std::string& start) {
  constexpr double kNoLimit = 1e9;
  const bool number = field.value == FieldValue::number || field.value == FieldValue::count;
  std::string more;
  if (number && field.range.max < kNoLimit)
    more = range_text(field.range);
  else if (number && field.range.min > 1 / kNoLimit)
    more = range_text({.min = field.range.min});
  if (!start.empty()) more += (more.empty() ? "" : "; ") + ("otherwise " + start);
  return field.help + (more.empty() ? "" : " (" + more + ")");
}

std::vector<std::string> ids_of(const auto& items) {
  std::vector<std::string> ids;
  for (const auto& item : items) ids.push_back(item.id);
  return ids;
}

bool is_prefix(std::string_view pointer, std::string_view of) {
  return of.starts_with(pointer) && (of.size() == pointer.size() || of[pointer.size()] == '/');
}

}  // namespace

RequestFlags::RequestFlags(std::string verb) : verb_(std::move(verb)) {}

void RequestFlags::declare(CLI::App& command) {
  if (declared_) return;
  declared_ = true;
  fields_ = fields_of_command(embedded_catalog_facts(), verb_);
  std::string_view text;
  for (const EmbeddedText& file : data_files())
    if (file.path == "flags.csv") text = file.text;
  const auto table = parse_csv(text);
  PODWRIGHT_ASSERT(table.has_value());
  for (const CsvTable::Row& row : table->rows) {
    const auto cell = [&](std::string_view name) { return table->cell(row, name); };
    if (cell("command") != verb_) continue;
    rows_.push_back({.type = cell("type"),
                     .flag = cell("flag"),
                     .field = cell("field"),
                     .instead_of = pointers(cell("instead_of")),
                     .start = cell("start"),
                     .unless = pointers(cell("unless"))});
    add_option(command, rows_.back());
  }
  set_ = command.add_option("--set", CLI::callback_t{},
                            "Any other field, as workloads[0].traffic.turns=3 or /workloads/0/traffic/turns=3; the "
                            "value is JSON, or else a text; null leaves the field out");
  set_->type_name("PATH=VALUE")->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  set_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->group("Fields of the request");
}

void RequestFlags::add_option(CLI::App& command, Row& row) {
  const RequestField* field = find_field(fields_, row.type, row.field);
  PODWRIGHT_ASSERT(field != nullptr);
  row.shape = *field;
  const std::string help = help_of(row.shape, row.start);
  if (row.shape.value == FieldValue::flag) {
    row.option = command.add_flag(row.flag, row.given, help);
  } else {
    row.option = command.add_option(row.flag, CLI::callback_t{}, help);
    row.option->type_name(value_name(row.shape));
    if (is_list(row.shape.value))
      row.option->expected(1, CLI::detail::expected_max_vector_size)
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  row.option->group("Fields of the request");
}

bool RequestFlags::any() const {
  return (set_ != nullptr && set_->count() > 0) ||
         std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.option->count() > 0; });
}

Choices RequestFlags::choices(const Catalog& catalog) const {
  Choices choices;
  for (const Row& row : rows_) {
    if (row.shape.value == FieldValue::model)
      choices[row.option] = ids_of(catalog.models);
    else if (row.shape.key == "gpu" || row.shape.key == "gpus")
      choices[row.option] = ids_of(catalog.gpus);
    else if (row.shape.key == "system")
      choices[row.option] = ids_of(catalog.systems);
    else if (!row.shape.words.empty())
      choices[row.option] = row.shape.words;
  }
  if (set_ == nullptr) return choices;
  for (const RequestField& field : fields_) {
    const std::string path = dotted_path(field.pointer) + "=";
    std::vector<std::string>& paths = choices[set_];
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  return choices;
}

const RequestFlags::Row* RequestFlags::type_row() const {
  for (const Row& row : rows_)
    if (row.flag == kTypeFlag) return &row;
  return nullptr;
}

std::string RequestFlags::form_of(const JsonNode& request) const {
  const Row* type = type_row();
  if (type == nullptr) return "";
  if (const JsonNode* said = find_at(request, type->field)) return said->text;
  for (const Row& row : rows_)
    if (!row.type.empty() && row.option->count() > 0) return row.type;
  for (const Row& row : rows_)
    if (!row.type.empty()) return row.type;
  return "";
}

void RequestFlags::put_at(JsonNode& request, const std::string& pointer, JsonNode value, const std::string& flag) {
  const auto steps = path_steps(pointer);
  if (const auto placed = put(request, *steps, std::move(value)); placed && !flag.empty())
    origins_.emplace_back(*placed, flag);
}

void RequestFlags::put_type(JsonNode& request, bool of_file) {
  const Row* type = type_row();
  const bool typed = std::any_of(rows_.begin(), rows_.end(),
                                 [](const Row& row) { return !row.type.empty() && row.option->count() > 0; });
  if (type != nullptr && find_at(request, type->field) == nullptr && (typed || !of_file))
    put_at(request, type->field, text_node(form_of(request)), "");
  if (request.find("kind") != nullptr || (type != nullptr && type->field == "/kind")) return;
  request.keys.insert(request.keys.begin(), "kind");
  request.items.insert(request.items.begin(), text_node(std::string(kind_of_command(verb_).word)));
}

/// An id, an alias, files, or a published name; what is none of them stays for the request's own reader to refuse.
Result<JsonNode> RequestFlags::model_of(const Catalog& catalog, const Row& row, const std::string& word) {
  if (known_model(catalog, word) != nullptr) return text_node(word);
  if (!is_file(word)) {
    const auto named = find_named_model(catalog, word);
    if (!named) return text_node(word);
    taken_.push_back(row.flag + " " + word + " is read as " + (*named)->id +
                     ", the model of the catalog with its shape.");
    return text_node((*named)->id);
  }
  const std::optional<Answer> read = read_model_files(catalog, {word});
  if (!read) return failure(Error{"not-read", row.flag, "The files of a model cannot be read.", ""});
  auto answer = parse_json(read->text);
  if (read->outcome == Outcome::answer && answer->find("model") != nullptr) return std::move(*answer);
  Errors errors = errors_inside(*answer, row.flag + " ");
  if (errors.empty())
    errors.push_back({"missing", row.flag, "The files hold weights, but not the shape of the model.",
                      "Put its config.json into the same folder."});
  return failure(std::move(errors));
}

Result<JsonNode> RequestFlags::value_of(const Catalog& catalog, const Row& row, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (!is_writable(word)) return failure(Error{"not-json", row.flag, "The text is not UTF-8.", ""});
  if (row.shape.value == FieldValue::model) return model_of(catalog, row, words.back());
  if (!is_list(row.shape.value)) return scalar(row.shape.value, words.back());
  JsonNode list{.type = JsonType::list};
  for (const std::string& word : words)
    for (const std::string& item : CLI::detail::split(word, ',')) list.items.push_back(scalar(row.shape.value, item));
  return list;
}

void RequestFlags::put_model_files(const Row& row, const JsonNode& read, JsonNode& request) {
  const std::string holder = row.field.substr(0, row.field.rfind('/'));
  put_at(request, row.field, *read.find("model"), row.flag);
  const auto takes = [&](const std::string& pointer) {
    return std::any_of(fields_.begin(), fields_.end(),
                       [&](const RequestField& field) { return is_prefix(pointer, field.pointer); });
  };
  // Exact bytes, and the kernels that read them, where the request has a place for both.
  const JsonNode* weights = read.find("weights");
  const std::string place = holder + "/weights";
  if (weights == nullptr || !takes(place) || form_of(request) == "training") return;
  put_at(request, place, *weights, row.flag);
  const JsonNode* precision = read.find("weight_precision");
  const std::string named = holder + "/weight_precision";
  if (precision != nullptr && find_at(request, named) == nullptr) put_at(request, named, *precision, row.flag);
}

Result<std::string> RequestFlags::put_path(JsonNode& request, const std::string& word) {
  const std::string flag = "--set " + word.substr(0, word.find('='));
  if (!is_writable(word)) return failure(Error{"not-json", "--set", "The text is not UTF-8.", ""});
  const std::size_t sign = word.find('=');
  if (sign == std::string::npos)
    return failure(Error{"missing", flag, "There is no \"=\" before a value.", "Write --set PATH=VALUE."});
  const auto steps = path_steps(std::string_view(word).substr(0, sign));
  if (!steps)
    return failure(Error{"wrong-type", flag, "This is not the path of a field.",
                         "Write it as workloads[0].traffic.turns or /workloads/0/traffic/turns."});
  const std::string text = word.substr(sign + 1);
  auto value = parse_json(text);
  auto placed = put(request, *steps, value ? std::move(*value) : text_node(text));
  if (placed) {
    origins_.emplace_back(*placed, flag);
    return *placed;
  }
  for (Error& error : placed.error()) error.path = flag + (error.path.empty() ? "" : ", at " + error.path);
  return placed;
}

void RequestFlags::start_fields(JsonNode& request) {
  for (const Row& row : rows_) {
    const bool said = std::any_of(row.unless.begin(), row.unless.end(),
                                  [&](const std::string& pointer) { return find_at(request, pointer) != nullptr; });
    if (row.start.empty() || said || (!row.type.empty() && row.type != form_)) continue;
    put_at(request, row.field, text_node(row.start), row.flag);
    started_.push_back(row.flag + " " + row.start);
  }
}

Result<JsonNode> RequestFlags::request(const Catalog& catalog, const JsonNode* file) {
  JsonNode request = file == nullptr ? JsonNode{.type = JsonType::object} : *file;
  if (!request.is_object()) return request;
  Errors errors;
  for (const Row& row : rows_)
    for (const std::string& pointer : row.option->count() > 0 ? row.instead_of : std::vector<std::string>{})
      put_at(request, pointer, JsonNode{}, "");
  if (const Row* type = type_row(); type != nullptr && type->option->count() > 0)
    put_at(request, type->field, text_node(type->option->results().back()), type->flag);
  put_type(request, file != nullptr);
  for (const Row& row : rows_) {
    if (row.option->count() == 0 || row.flag == kTypeFlag) continue;
    auto value = value_of(catalog, row, row.option->results());
    if (!value)
      errors.insert(errors.end(), value.error().begin(), value.error().end());
    else if (row.shape.value == FieldValue::model && value->is_object())
      put_model_files(row, *value, request);
    else
      put_at(request, row.field, std::move(*value), row.flag);
  }
  if (set_->count() > 0)
    for (const std::string& word : set_->results())
      if (auto placed = put_path(request, word); !placed)
        errors.insert(errors.end(), placed.error().begin(), placed.error().end());
  if (!errors.empty()) return failure(std::move(errors));
  form_ = form_of(request);
  if (file == nullptr) start_fields(request);
  return request;
}

std::string RequestFlags::given_by(std::string_view pointer) const {
  std::string flag;
  std::size_t longest = 0;
  for (const auto& [place, given] : origins_) {
    const bool around = is_prefix(place, pointer);
    if (!around && !is_prefix(pointer, place)) continue;
    if (flag.empty() || (around && place.size() >= longest)) flag = given;
    if (around) longest = place.size();
  }
  return pointer.empty() || flag.empty() ? "" : " (" + flag + ")";
}

std::string RequestFlags::flags_of(std::string_view pointer) const {
  std::vector<std::string> flags;
  for (const Row& row : rows_)
    if (is_prefix(pointer, row.field) && (row.type.empty() || row.type == form_)) flags.push_back(row.flag);
  return joined(flags);
}

}  // namespace podwright::cli
