#pragma once
/// The fields of the requests that a command asks, from their tables of fields.
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "catalog/catalog.h"

namespace podwright::cli {

/// What a value of a field is.
enum class FieldValue { number, count, numbers, flag, text, word, words, model, item, items, object };

struct RequestField {
  std::string pointer;  ///< of lists the first item: "/workloads/0/model"
  std::string form;     ///< the word that chooses the form that has it; empty where every form does
  FieldValue value;
  std::string key = {};  ///< the last of the pointer
  std::string help = {};
  Range range = {};
  std::vector<std::string> words = {};  ///< the legal ones
};

/// In the order of the tables. Of a command that asks several kinds, or types of a kind, that word is the form.
std::vector<RequestField> fields_of_command(const Catalog& catalog, std::string_view verb);

/// The field at the pointer in this form, else in another; null where there is none.
const RequestField* find_field(const std::vector<RequestField>& fields, std::string_view form,
                               std::string_view pointer);

}  // namespace podwright::cli
