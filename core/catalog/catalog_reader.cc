#include "catalog/catalog.h"

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "base/json_read.h"
#include "base/lower_case.h"
#include "base/nearest.h"
#include "base/object_reader.h"
#include "base/stable_sort.h"
#include "base/told_number.h"
#include "catalog/catalog_table.h"
#include "catalog/embedded_facts.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

constexpr std::string_view kOverrideSource = "override";
const std::vector<std::string> kSourceKinds = {"datasheet", "measured", "list-price", "paper", "estimate", "recalled"};
const std::vector<std::string> kAliasNamespaces = {"gpus", "models", "engines", "frameworks", "precisions", "systems"};

/// A file of one item: "gpus/h100-sxm5-80gb.json" is the item h100-sxm5-80gb of the folder gpus.
struct ItemFile {
  std::string path;
  std::string id;
  std::string_view text;
  JsonNode node;
};

void read_source(ObjectReader& reader, Source& source) {
  keep(source.id, reader.text("id"));
  keep(source.title, reader.text("title"));
  keep(source.publisher, reader.text("publisher"));
  keep(source.url, reader.text("url"));
  keep(source.date, reader.text("date"));
  keep(source.retrieved, reader.text("retrieved"));
  keep(source.kind, reader.word("kind", kSourceKinds));
  keep(source.licence, reader.text("licence"));
  keep(source.confidence, reader.word("confidence", {"primary", "secondary", "mixed", "unsure"}));
  reader.text("method");
  for (const char* key : {"id", "title", "kind"})
    if (!reader.has(key)) reader.missing(key, "every source has one");
}

/// In the place of the one of the same name, else at the end.
template <class T, class Owner, class Name>
void put(std::vector<T>& all, T one, Name Owner::*name) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const T& other) { return other.*name == one.*name; });
  if (same == all.end())
    all.push_back(std::move(one));
  else
    *same = std::move(one);
}

class CatalogReader {
 public:
  explicit CatalogReader(std::span<const EmbeddedText> files) : files_(files) {}

  Result<Catalog> read() {
    read_items("gpus", catalog_.gpus, read_gpu);
    read_items("models", catalog_.models.own(), read_model);
    read_items("systems", catalog_.systems, read_system);
    read_items("switches", catalog_.switches, read_switch);
    read_items("architectures", catalog_.architectures, read_architecture);
    for (const EmbeddedText& file : latest_files()) read_whole_file(file);
    check_redirections();
    add_override_source();
    find_measured_vendors();
    catalog_.files.assign(files_.begin(), files_.end());
    if (!errors_.empty()) return failure(std::move(errors_));
    return std::move(catalog_);
  }

 private:
  std::optional<JsonNode> parse(const EmbeddedText& file) {
    Result<JsonNode> node = parse_told(file.text);
    if (node) return std::move(*node);
    for (Error error : node.error()) {
      error.path = std::string(file.path) + "#" + error.path;
      errors_.push_back(std::move(error));
    }
    return {};
  }

  static bool in_folder(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() + 1 && path.substr(0, folder.size()) == folder && path[folder.size()] == '/';
  }

  /// Whole objects first, the last of a path counting; then those with a base, in their order.
  template <class Item>
  void read_items(std::string_view folder, std::vector<Item>& items,
                  void (*read_item)(const JsonNode&, const ItemPlace&, Item&, ErrorList&)) {
    std::vector<ItemFile> whole;
    std::vector<ItemFile> changes;
    for (const EmbeddedText& file : files_) {
      if (!in_folder(file.path, folder) || !file.path.ends_with(".json")) continue;
      std::optional<JsonNode> node = parse(file);
      if (!node) continue;
      const std::string_view id = file.path.substr(folder.size() + 1, file.path.size() - folder.size() - 1 - 5);
      ItemFile item{std::string(file.path), std::string(id), file.text, std::move(*node)};
      if (item.node.find("base") != nullptr)
        changes.push_back(std::move(item));
      else
        put(whole, std::move(item), &ItemFile::path);
    }
    for (const ItemFile& file : whole) {
      ErrorList errors;
      Item item;
      read_item(file.node, place_of(file, folder), item, errors);
      take(errors);
      items.push_back(std::move(item));
    }
    for (const ItemFile& file : changes) change_item(file, folder, items, read_item);
  }

  template <class Item>
  void change_item(const ItemFile& file, std::string_view folder, std::vector<Item>& items,
                   void (*read_item)(const JsonNode&, const ItemPlace&, Item&, ErrorList&)) {
    const JsonNode& base = *file.node.find("base");
    const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.id == base.text; });
    if (found == items.end()) {
      std::vector<std::string> ids;
      for (const Item& item : items) ids.push_back(item.id);
      errors_.push_back({"unknown-id", file.path + "#/base",
                         "There is no item \"" + base.text.substr(0, 60) + "\" in " + std::string(folder) + ".",
                         did_you_mean(base.text, ids, "Name the id of an item.")});
      return;
    }
    ErrorList errors;
    Item item = *found;
    ItemPlace place = place_of(file, folder);
    place.complete = false;
    place.number_source = kOverrideSource;
    overrides_used_ = true;
    read_item(file.node, place, item, errors);
    take(errors);
    put(items, std::move(item), &CatalogItem::id);
  }

  static ItemPlace place_of(const ItemFile& file, std::string_view folder) {
    return {.path = file.path + "#",
            .origin = "catalog/" + std::string(folder) + "/" + file.id,
            .id = file.id,
            .id_fixed = true,
            .complete = true,
            .text = file.text,
            .number_source = ""};
  }

  /// The last text of each path.
  std::vector<EmbeddedText> latest_files() const {
    std::vector<EmbeddedText> latest;
    for (const EmbeddedText& file : files_) {
      const bool additive = file.path == "sources.json" || file.path == "aliases.json";
      if (additive)
        latest.push_back(file);
      else
        put(latest, file, &EmbeddedText::path);
    }
    return latest;
  }

  void read_whole_file(const EmbeddedText& file) {
    const std::string path(file.path);
    const bool json = path.ends_with(".json");
    if (!json && !path.ends_with(".csv")) return;
    for (const std::string_view folder : {"gpus", "models", "systems", "switches", "architectures"})
      if (in_folder(path, folder) && json) return;
    if (read_table(path, file.text, catalog_, errors_)) return;

    const bool known = path == "sources.json" || path == "aliases.json" || path == "weight_formats.json" ||
                       path == "training_recipes.json" || path == "training_frameworks.json" ||
                       in_folder(path, "engines");
    if (!known || !json) {
      errors_.push_back(
          {"unknown-key", path, "The catalog has no file of this name.",
           "Folders: gpus, models, systems, switches, architectures, engines; tables as in the catalog."});
      return;
    }
    const std::optional<JsonNode> node = parse(file);
    if (!node) return;
    ErrorList errors;
    if (path == "sources.json")
      read_sources(*node, path, errors);
    else if (path == "aliases.json")
      read_aliases(*node, path, errors);
    else if (path == "weight_formats.json")
      read_weight_formats(*node, path, catalog_.weight_formats, errors);
    else if (path == "training_recipes.json")
      read_training_recipes(*node, path, catalog_.training_recipes.own(), errors);
    else if (path == "training_frameworks.json")
      read_training_frameworks(*node, path, catalog_.training_frameworks.own(), errors);
    else
      read_engine(*node, path, catalog_.engines, errors);
    take(errors);
  }

  void read_sources(const JsonNode& node, const std::string& path, ErrorList& errors) {
    if (!node.is_list()) {
      errors.add(node.order, {"wrong-type", path + "#", "Expected a list of sources.", "Write [ ... ]."});
      return;
    }
    if (node.items.empty()) {
      errors.add(node.order, {"missing", path + "#", "The list names no source.",
                              "Write each source with its id, title and kind, or leave the file out."});
      return;
    }
    std::vector<Source> sources;
    read_list(node, path + "#", errors, sources, read_source);
    for (Source& source : sources) put(catalog_.sources, std::move(source), &Source::id);
  }

  void read_aliases(const JsonNode& node, const std::string& path, ErrorList& errors) {
    ObjectReader reader(node, path + "#", errors);
    const bool of_override = std::exchange(aliases_read_, true);
    for (const std::string& name_space : kAliasNamespaces) {
      const JsonNode* spellings = reader.object(name_space);
      if (spellings == nullptr) continue;
      for (std::size_t i = 0; i < spellings->keys.size(); ++i) {
        const JsonNode& id = spellings->items[i];
        if (id.is_text()) {
          catalog_.aliases[name_space][lower_case(spellings->keys[i])] = id.text;
          if (of_override) redirections_.push_back({name_space, spellings->keys[i], id.text});
        } else {
          errors.add(id.order, {"wrong-type", reader.path(name_space) + pointer_step(spellings->keys[i]),
                                "Expected an id.", "Write an id in quotes."});
        }
      }
    }
    reader.finish();
  }

  template <class Items>
  static bool has_id(const Items& items, const std::string& id) {
    return std::any_of(items.begin(), items.end(), [&](const CatalogItem& item) { return item.id == id; });
  }
  bool has_item(std::string_view name_space, const std::string& id) {
    if (name_space == "gpus") return has_id(catalog_.gpus, id);
    if (name_space == "models") return has_id(catalog_.models.get(), id);
    if (name_space == "systems") return has_id(catalog_.systems, id);
    return name_space == "engines" && has_id(catalog_.engines, id);
  }
  /// An override must not make the id of one item mean another.
  void check_redirections() {
    for (const Redirection& one : redirections_)
      if (const std::string id = lower_case(one.spelling); id != one.target && has_item(one.name_space, id))
        errors_.push_back({"conflict", "aliases.json#" + pointer_step(one.name_space) + pointer_step(one.spelling),
                           "\"" + one.spelling.substr(0, 60) + "\" is the id of an item, not another spelling of \"" +
                               one.target.substr(0, 60) + "\".",
                           "Change the item itself with a file of its name, or choose another spelling."});
  }

  void find_measured_vendors() {
    std::vector<std::string>& vendors = catalog_.measured_vendors;
    const auto add = [&](const std::string& gpu_id) {
      for (const Gpu& gpu : catalog_.gpus)
        if (gpu.id == gpu_id && std::find(vendors.begin(), vendors.end(), gpu.vendor) == vendors.end())
          vendors.push_back(gpu.vendor);
    };
    for (const KernelRate& rate : catalog_.kernel_rates) add(rate.gpu_id);
    for (const TrainingSupport& support : catalog_.training_support) add(support.gpu);
  }

  void add_override_source() {
    if (!overrides_used_ || find_source(catalog_, kOverrideSource) != nullptr) return;
    catalog_.sources.push_back({.id = std::string(kOverrideSource),
                                .title = "Given in an override file",
                                .publisher = "",
                                .url = "",
                                .date = "",
                                .retrieved = "",
                                .kind = "estimate",
                                .licence = "",
                                .confidence = ""});
  }

  void take(ErrorList& errors) {
    for (Error& error : errors.take()) errors_.push_back(std::move(error));
  }

  std::span<const EmbeddedText> files_;
  Catalog catalog_;
  Errors errors_;
  bool overrides_used_ = false;
  /// An alias of an override, "spelling": "target".
  struct Redirection {
    std::string name_space;
    std::string spelling;
    std::string target;
  };
  std::vector<Redirection> redirections_;
  bool aliases_read_ = false;
};

template <class Item>
const Item* known_item(const Catalog& catalog, const std::vector<Item>& items, std::string_view name_space,
                       std::string_view id) {
  const std::string known = canonical_id(catalog, name_space, id);
  const std::string lower = lower_case(id);
  for (const std::string_view wanted : {id, std::string_view(known), std::string_view(lower)})
    for (const Item& item : items)
      if (item.id == wanted) return &item;
  return nullptr;
}

/// What of `spellings` begins with this word and a gap: "h100" of "h100-sxm5-80gb" and of "H100 NVL".
std::vector<std::string> beginning_with(const std::string& word, const std::vector<std::string>& spellings) {
  std::vector<std::string> found;
  for (const std::string& spelling : spellings)
    if (!word.empty() && spelling.size() > word.size() && spelling.starts_with(word) &&
        (spelling[word.size()] == '-' || spelling[word.size()] == ' '))
      found.push_back(spelling);
  return found;
}

/// What a word that is neither an id nor an alias may mean.
[[gnu::noinline]] Error unknown_id(const Catalog& catalog, std::vector<std::string> spellings,
                                   std::string_view name_space, std::string_view noun, std::string_view id) {
  constexpr std::size_t kMostMeant = 8;
  const std::string lower = lower_case(id);
  const auto aliases = catalog.aliases.find(std::string(name_space));
  if (aliases != catalog.aliases.end())
    for (const auto& [spelling, target] : aliases->second) spellings.push_back(spelling);
  const auto ids_of = [&](const std::vector<std::string>& found, std::size_t most) {
    std::vector<std::string> ids;
    for (const std::string& spelling : found) {
      const std::string target = canonical_id(catalog, name_space, spelling);
      if (ids.size() < most && std::find(ids.begin(), ids.end(), target) == ids.end()) ids.push_back(target);
    }
    return ids;
  };
  Error error{"unknown-id", "",
              "There is no " + std::string(noun) + " \"" + std::string(id.substr(0, 60)) + "\" in the catalog.",
              "\"podwright catalog list " + std::string(name_space) + "\" lists all."};
  const std::vector<std::string> begun = beginning_with(lower, spellings);
  std::vector<std::string> meant = ids_of(begun, begun.size());
  sort_stably(meant, [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  meant.resize(std::min(meant.size(), kMostMeant));
  const std::vector<std::string> near = ids_of(nearest(lower, spellings, 12), 5);
  if (meant.size() > 1)
    error.hint = "It may mean " + either_of(meant) + ": write one of these ids.";
  else if (!near.empty())
    error.hint = "Did you mean " + either_of(near) + "?";
  return error;
}

template <class Item>
Result<const Item*> find_item(const Catalog& catalog, const std::vector<Item>& items, std::string_view name_space,
                              std::string_view noun, std::string_view id) {
  if (const Item* known = known_item(catalog, items, name_space, id)) return known;
  std::vector<std::string> ids;
  for (const Item& item : items) ids.push_back(item.id);
  return failure(unknown_id(catalog, std::move(ids), name_space, noun, id));
}

}  // namespace

Result<Catalog> read_catalog(std::span<const EmbeddedText> files) { return CatalogReader(files).read(); }

std::string catalog_digest(const Catalog& catalog) {
  if (catalog.files.empty()) return std::string(embedded_digest());
  Sha256 digest;
  for (const EmbeddedText& file : catalog.files) {
    digest.add(file.path);
    digest.add(std::string_view("\0", 1));
    digest.add(std::to_string(file.text.size()));
    digest.add(std::string_view("\0", 1));
    digest.add(file.text);
  }
  return digest.hex();
}

bool read_table(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  for (const auto topic : {price_tables, rate_tables, efficiency_tables, design_tables})
    for (const CatalogTable& table : topic())
      if (table.path == path) return table.read(path, text, catalog, errors), true;
  return false;
}

Result<const Gpu*> find_gpu(const Catalog& catalog, std::string_view id) {
  return find_item(catalog, catalog.gpus, "gpus", "GPU", id);
}
const Model* known_model(const Catalog& catalog, std::string_view id) {
  if (catalog.models.is_read()) return known_item(catalog, catalog.models.get(), "models", id);
  for (const std::string& wanted : {std::string(id), canonical_id(catalog, "models", id), lower_case(id)})
    if (const Model* model = embedded_model(wanted)) return model;
  return nullptr;
}
Result<const Model*> find_model(const Catalog& catalog, std::string_view id) {
  if (const Model* model = known_model(catalog, id)) return model;
  return find_item(catalog, catalog.models.get(), "models", "model", id);
}
Result<const System*> find_system(const Catalog& catalog, std::string_view id) {
  return find_item(catalog, catalog.systems, "systems", "system", id);
}

const Source* find_source(const Catalog& catalog, std::string_view id) {
  for (const Source& source : catalog.sources)
    if (source.id == id) return &source;
  return nullptr;
}

Source whole_source(const Source& source) {
  if (!source.title.empty()) return source;
  static const Catalog sources = [] {
    const std::string text = embedded_sources();
    const EmbeddedText file{"sources.json", text};
    Result<Catalog> read = read_catalog({&file, 1});
    return read ? std::move(*read) : Catalog{};
  }();
  const Source* whole = find_source(sources, source.id);
  return whole == nullptr ? source : *whole;
}

std::string canonical_id(const Catalog& catalog, std::string_view name_space, std::string_view spelling) {
  const auto aliases = catalog.aliases.find(std::string(name_space));
  if (aliases == catalog.aliases.end()) return std::string(spelling);
  const auto id = aliases->second.find(lower_case(spelling));
  return id == aliases->second.end() ? std::string(spelling) : id->second;
}

}  // namespace podwright
