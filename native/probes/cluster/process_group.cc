#include "probes/cluster/process_group.h"

#include <algorithm>

#include "probes/backends.h"
#include "probes/elapsed.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace {

constexpr double kLonger = 5;  // the others wait longer than rank 0, so that its reason reaches them
constexpr std::size_t kIdBytes = 128;

std::string whole_seconds(double seconds) { return std::to_string(static_cast<int>(seconds + 0.5)) + " s"; }

/// What the ranks of a group need to join it.
struct GroupIds {
  std::vector<int> library;  ///< bytes of the backend's id
  MeetingPlace place;

  static void fields(auto& one, const auto& visit) { visit("library", one.library, "place", one.place); }
};

/// What rank 0 tells the others after a step.
struct Told {
  std::string why;  ///< the group is broken; empty else
  std::vector<StepReport> reports;

  static void fields(auto& one, const auto& visit) { visit("why", one.why, "reports", one.reports); }
};

}  // namespace

std::optional<MeetingPlace> ProcessGroup::open() {
  listener_ = std::make_unique<Listener>(0);
  if (!listener_->open()) return std::nullopt;
  return place_ = own_place(*listener_);
}

bool ProcessGroup::meet(const MeetingPlace& place) {
  const double seconds = seat_.patience_s;
  if (rank() != 0) {
    first_ = visit_first_rank([&] { return place; }, {rank(), ranks()}, seconds);
    if (first_.open()) return hear_first(seconds).has_value();
    why_ = name_of(0) + " was not reached within " + whole_seconds(seconds);
    return false;
  }
  members_ = receive_ranks(*listener_, {0, ranks(), place_.nonce}, seconds);
  for (const Member& member : members_)
    if (member.lost) why_ += (why_.empty() ? "" : ", ") + name_of(member.rank);
  if (!why_.empty()) why_ += " did not join within " + whole_seconds(seconds);
  return tell_all({}).has_value();
}

std::string ProcessGroup::make_ids(const PwBackend& backend, PwFault& fault) {
  if (backend.group_id == nullptr) {
    set_fault(fault, "not_supported", std::string("the backend ") + backend.name + " has no groups of processes");
    return "";
  }
  const auto place = open();
  if (!place) {
    set_fault(fault, "init_failed", "no port could be opened for a group of processes");
    return "";
  }
  char id[kIdBytes] = {};
  if (backend.group_id(id, &fault) != PW_OK) return "";
  return wire_text(GroupIds{{std::begin(id), std::end(id)}, *place});
}

bool ProcessGroup::join(const std::string& ids, const PwBackend& backend, void* session, PwFault& fault) {
  const auto read = read_wire<GroupIds>(ids);
  if (!read || read->library.size() != kIdBytes || backend.group_join == nullptr) {
    set_fault(fault, "not_supported", "the id of the group cannot be read");
    return false;
  }
  if (!meet(read->place)) {
    set_fault(fault, "rank_lost", why());
    return false;
  }
  char id[kIdBytes] = {};
  std::transform(read->library.begin(), read->library.end(), id, [](int byte) { return static_cast<char>(byte); });
  PwFault own{};
  const int code = backend.group_join(session, id, rank(), ranks(), &own);
  const auto told = tell({code, own.reason, own.detail, {}}, seat_.patience_s);
  if (!told) {
    set_fault(fault, code == PW_OK ? "rank_lost" : own.reason, code == PW_OK ? why() : own.detail);
    return false;
  }
  const auto worst = gravest(*told);
  if (!worst) return true;
  const StepReport& report = (*told)[*worst];
  set_fault(fault, report.reason, name_of(static_cast<int>(*worst)) + ": " + report.detail);
  return false;
}

std::optional<std::vector<StepReport>> ProcessGroup::tell(const StepReport& own, double seconds) {
  if (rank() != 0) {
    first_.send_text(wire_text(own));
    return hear_first(seconds);  // also where that failed: why rank 0 left may be on its way
  }
  std::vector<StepReport> reports = {own};
  const Deadline deadline(seconds);
  for (int rank = 1; rank < ranks() && why_.empty(); ++rank) {
    Connection& member = members_[static_cast<std::size_t>(rank)].connection;
    const auto text = member.receive_text(std::max(0.01, deadline.left()));
    if (!text)
      why_ = name_of(rank) + (deadline.left() > 0 ? " went away" : " sent nothing for " + whole_seconds(seconds));
    reports.push_back(read_wire<StepReport>(text.value_or(""))
                          .value_or(StepReport{PW_RENEW, "rank_lost", "what it sent cannot be read", {}}));
  }
  return tell_all(std::move(reports));
}

/// Of rank 0: the reports, or why there are none.
std::optional<std::vector<StepReport>> ProcessGroup::tell_all(std::vector<StepReport> reports) {
  const std::string text = wire_text(Told{why_, reports});
  for (Member& member : members_)
    if (member.connection.open()) member.connection.send_text(text);
  if (!why_.empty()) return std::nullopt;
  return reports;
}

std::optional<std::vector<StepReport>> ProcessGroup::hear_first(double seconds) {
  const auto text = first_.receive_text(seconds + kLonger);
  auto told = read_wire<Told>(text.value_or(""));
  why_ = told ? told->why : name_of(0) + " went away";
  if (!why_.empty()) return std::nullopt;
  return std::move(told->reports);
}

std::optional<std::size_t> gravest(const std::vector<StepReport>& reports) {
  std::optional<std::size_t> worst;
  for (std::size_t rank = 0; rank < reports.size(); ++rank)
    if (reports[rank].code != PW_OK && (!worst || reports[rank].code > reports[*worst].code)) worst = rank;
  return worst;
}

}  // namespace podwright::probes
