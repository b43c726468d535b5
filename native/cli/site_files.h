#pragma once
/// The files of a folder over HTTP: in the smallest form that the client takes, in parts, or not again.
#include <event2/http.h>

#include <filesystem>

namespace podwright::cli {

/// Replies to GET or HEAD with the file of `folder` that is asked for, or with "not found". Files whose names start
/// with a dot, and links that lead out of the folder, are not found either.
void send_file(evhttp_request* request, const std::filesystem::path& folder);

}  // namespace podwright::cli
