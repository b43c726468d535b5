#pragma once
/// Fields that the answers of both searches share; traced or not.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "api/answer_field.h"
#include "api/fields.h"
#include "sizing/candidates.h"
#include "sizing/launch_options.h"

namespace podwright {

/// Where the numbers of what a search found come from, for the trace: each stands at `list` and its index
/// ("/layouts/"), with the request's sources and, for the keys that the search chose, its page.
std::map<std::string, std::string> origins_of_found(const std::vector<Assumption>& assumptions, const std::string& list,
                                                    std::size_t count, std::span<const char* const> chosen);

/// What counts and shortfalls of rejected candidates are.
inline constexpr std::string_view kRejectedPage = "docs/method/search.md#rejected";

/// For each reason how many layouts it excluded, and the one that missed least.
template <class Table, class Tracer>
void describe_search_rejected(Table& v, Tracer& trace, const std::vector<sizing::Rejection>& rejected) {
  v.list({"rejected"}, rejected, [&](const sizing::Rejection& rejection) {
    const Infeasible& reason = rejection.reason;
    describe_message(v, reason.message, reason.code);
    v.number({"count"}, [&] { return trace.method("search.dropped", rejection.count, kRejectedPage); });
    v.text({"nearest", "Closest candidate"}, rejection.layout);
    if (const auto part = v.when(reason.shortfall != 0)) {
      v.number({"shortfall", "Short by"},
               [&] { return trace.method("search.shortfall_of_nearest", reason.shortfall, kRejectedPage); });
      v.text({"unit"}, reason.unit);
    }
  });
}

template <class Table>
void describe(Table& v, const sizing::LaunchArguments& launch) {
  v.text({"program"}, launch.program);
  v.text({"form"}, launch.form);
  v.texts({"environment"}, launch.environment);
  v.texts({"arguments"}, launch.arguments);
  v.texts({"cannot"}, launch.cannot);
}

}  // namespace podwright
