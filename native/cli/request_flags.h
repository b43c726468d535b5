#pragma once
/// A request from words of the command line: flags for common fields and --set for every other.
#include <CLI/CLI.hpp>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_read.h"
#include "catalog/catalog.h"
#include "cli/choices.h"
#include "cli/request_fields.h"

namespace podwright::cli {

/// The rows of native/cli/data/flags.csv of a command, as its options.
class RequestFlags {
 public:
  explicit RequestFlags(std::string verb);

  /// Adds the options to the command; meaning, unit and range are those of the fields. Once.
  void declare(CLI::App& command);
  /// True where the command line has one of them.
  bool any() const;
  Choices choices(const Catalog& catalog) const;

  /// The request that the flags make: of `file` with what they change, else of nothing. Errors have the flag as path.
  Result<JsonNode> request(const Catalog& catalog, const JsonNode* file);

  /// " (--rate)" where a flag gave what is at the pointer.
  std::string given_by(std::string_view pointer) const;
  /// "--rate, --concurrency": the flags that give the field, or those in it; empty where there is none.
  std::string flags_of(std::string_view pointer) const;
  /// Fields that got a value though no word asked for it, as flags: "--preset azure-conversation-2023".
  const std::vector<std::string>& started() const { return started_; }
  /// Sentences on words that were taken for something else: a model's published name for its id.
  const std::vector<std::string>& taken() const { return taken_; }

 private:
  struct Row {
    std::string type;  ///< the form of request that has the field; empty where every form has it
    std::string flag;
    std::string field;                    ///< JSON Pointer
    std::vector<std::string> instead_of;  ///< pointers of what gives way to it
    std::string start;                    ///< value of a request without a file
    std::vector<std::string> unless;      ///< unless it has one of these
    RequestField shape = {};
    std::vector<std::string> given = {};  ///< values of a flag without a value
    CLI::Option* option = nullptr;
  };

  void add_option(CLI::App& command, Row& row);
  /// Which form the request has: as it says, else as the flags do, else the first.
  std::string form_of(const JsonNode& request) const;
  const Row* type_row() const;
  Result<JsonNode> model_of(const Catalog& catalog, const Row& row, const std::string& word);
  Result<JsonNode> value_of(const Catalog& catalog, const Row& row, const std::vector<std::string>& words);
  void put_model_files(const Row& row, const JsonNode& read, JsonNode& request);
  void put_at(JsonNode& request, const std::string& pointer, JsonNode value, const std::string& flag);
  void put_type(JsonNode& request, bool of_file);
  void start_fields(JsonNode& request);
  Result<std::string> put_path(JsonNode& request, const std::string& word);

  std::string verb_;
  std::deque<Row> rows_;
  std::vector<RequestField> fields_;
  CLI::Option* set_ = nullptr;
  bool declared_ = false;
  std::vector<std::pair<std::string, std::string>> origins_;  ///< pointer, flag
  std::string form_;                                          ///< of the request that was made
  std::vector<std::string> started_;
  std::vector<std::string> taken_;
};

}  // namespace podwright::cli
