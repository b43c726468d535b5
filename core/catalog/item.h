#pragma once
/// What every item of the catalog has: an id, a name, and for each of its numbers the source that says so.
#include <map>
#include <string>
#include <string_view>

namespace podwright {

struct CatalogItem {
  std::string id;      ///< kebab-case
  std::string name;    ///< as people write it
  std::string called;  ///< what equations call its one number; empty where the number's key says it
  /// Where it stands: "catalog/gpus/h100-sxm5-80gb", "catalog/prices_cloud.csv/12", or "request/gpu" for an inline
  /// object.
  std::string origin;
  std::map<std::string, std::string> sources;  ///< field (dotted when nested) -> ids of sources, separated by "; "
  std::string json;    ///< the item's object as read, overrides merged; empty for rows of tables
  std::string source;  ///< of fields without an entry of their own (rows of tables, inline objects)

  /// Source ids of a field; the entry of an enclosing field serves its parts.
  std::string source_of(std::string_view field) const;
};

}  // namespace podwright
