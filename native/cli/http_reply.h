#pragma once
/// What all answers over HTTP have in common.
#include <event2/http.h>

#include <optional>
#include <string>

namespace podwright::cli {

void add_field(evhttp_request* request, const char* name, const std::string& value);

/// The field of that name in the request, its lines joined; absent where there is none.
std::optional<std::string> field_of(evhttp_request* request, const char* name);

/// Whether every name of a field is a word. Others take "Content-Length : 5" for a length, the library does not.
bool has_plain_names(evhttp_request* request);

/// Fields that keep pages of others from framing, embedding, opening or guessing at what is sent.
void add_guards(evhttp_request* request);

void reply_json(evhttp_request* request, int status, const char* reason, std::string text);

/// In the form of the engine's errors.
void refuse(evhttp_request* request, int status, const char* reason, const char* code, std::string message,
            std::string hint = "");

}  // namespace podwright::cli
