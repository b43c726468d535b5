#include <set>
#include <string>

#include "equations/registry_check.h"
#include "perf/formulas_calendar.h"

TEST(Equations, OfTheCalendar) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kCalendarFormulas, "perf", ids);
}
