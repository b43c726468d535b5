#include <emscripten/bind.h>

#include <string>

#include "api/answer.h"

namespace {

/// One request document in, one answer document out; every failure is an answer too.
std::string answer(const std::string& request) { return podwright::answer(request); }

}  // namespace

EMSCRIPTEN_BINDINGS(podwright) { emscripten::function("answer", &answer); }
