#pragma once
/// Reads a request through its table of fields.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "base/json_read.h"
#include "base/patch.h"

namespace podwright {

class FieldReader : public FieldVisitor {
 public:
  /// `request` and `catalog` must outlive the reader.
  FieldReader(const JsonNode& request, const Catalog& catalog, ErrorList& errors);
  ~FieldReader() override;

  void number(const Field& field, double& value) override;
  void number(const Field& field, std::optional<double>& value) override;
  void count(const Field& field, double& value) override;
  void count(const Field& field, std::optional<double>& value) override;
  void counts(const Field& field, std::vector<double>& values) override;
  void numbers(const Field& field, std::vector<double>& values) override;
  void flag(const Field& field, bool& value) override;
  void text(const Field& field, std::string& value) override;
  void word(const Field& field, std::string& value, const std::vector<std::string>& words) override;
  void words(const Field& field, std::vector<std::string>& values, const std::vector<std::string>& words) override;
  void model(const Field& field, std::optional<Model>& value) override;
  void gpu(const Field& field, std::optional<Gpu>& value) override;
  void system(const Field& field, std::optional<System>& value) override;
  void gpus(const Field& field, std::vector<Gpu>& values) override;
  void object(const Field& field, std::optional<std::string>& value) override;
  bool enter(const Field& field) override;
  void leave() override;
  bool has(std::string_view key) const override { return objects_.back()->has(key); }
  std::size_t enter_list(const Field& field) override;
  void enter_item(std::size_t index) override;
  void leave_item() override;
  void leave_list() override;
  void rule(bool holds, std::string_view key, std::string_view message, std::string_view hint) override;
  void problems(const Errors& errors) override;

  /// Unknown keys of the outermost object become errors.
  void finish();
  const std::vector<Assumption>& assumptions() const { return assumptions_; }

 private:
  ObjectReader& here() { return *objects_.back(); }
  /// True when the key is in the text; otherwise reports it missing or its default as an assumption.
  bool given(const Field& field, const std::string& default_json);
  void empty_list(const Field& field, const std::string& hint);
  void assume(const std::string& path, const Field& field, const std::string& default_json);
  void read_number(const Field& field, auto& value);
  void read_count(const Field& field, auto& value);
  /// Of an object or an id; what is wrong with it is noted.
  template <class Item>
  std::optional<Item> known_item(const JsonNode& node, const std::string& path,
                                 Result<const Item*> (*find)(const Catalog&, std::string_view),
                                 std::optional<Item> (*read)(const Catalog&, const JsonNode&, std::string_view,
                                                             ErrorList&));
  template <class Item>
  void item(const Field& field, std::optional<Item>& value,
            Result<const Item*> (*find)(const Catalog&, std::string_view),
            std::optional<Item> (*read)(const Catalog&, const JsonNode&, std::string_view, ErrorList&));
  void say_published(const JsonNode& written, const Field& field, const std::string& id);
  void push(const JsonNode& node, std::string path);
  void pop();

  const Catalog& catalog_;
  ErrorList& errors_;
  std::vector<std::unique_ptr<ObjectReader>> objects_;
  std::vector<std::size_t> errors_before_;  ///< number of errors when each open object was entered
  std::vector<const JsonNode*> lists_;
  std::vector<std::string> list_paths_;
  std::vector<Assumption> assumptions_;
};

template <class Request>
struct ReadRequest {
  Request request;
  std::vector<Assumption> assumptions;
};

/// Reads the request that `show` shows the fields of: its defaults, or every problem with it.
Result<std::vector<Assumption>> read_fields(const Catalog& catalog, const JsonNode& document,
                                            void (*show)(FieldVisitor&, const Catalog&, void* request), void* request);

/// A request through its table, or every problem with it.
template <class Request>
Result<ReadRequest<Request>> read_request(const Catalog& catalog, const JsonNode& document) {
  ReadRequest<Request> read;
  auto assumptions = read_fields(
      catalog, document,
      [](FieldVisitor& v, const Catalog& known, void* request) { describe(v, known, *static_cast<Request*>(request)); },
      &read.request);
  if (!assumptions) return failure(std::move(assumptions.error()));
  read.assumptions = std::move(*assumptions);
  return read;
}

/// The request that `patch` makes of `document`, as ways out are: merge patches (RFC 7396). Absent where that is no
/// legal request.
template <class Request>
std::optional<Request> read_patched(const Catalog& catalog, const JsonNode& document, const Patch& patch) {
  auto read = read_request<Request>(catalog, merged(document, patch.merge_patch(document)));
  return read ? std::optional(std::move(read->request)) : std::nullopt;
}

}  // namespace podwright
