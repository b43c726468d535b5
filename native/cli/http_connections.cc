#include "cli/http_connections.h"

#include <malloc.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

namespace podwright::cli {
namespace {

/// Bytes of further requests that are read while one is answered.
constexpr std::size_t kReadAhead = 65536;

/// What counts as one client: an IPv4 address, or the network of an IPv6 address, of which a client has all.
std::string client_of(evutil_socket_t socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return "gone";
  if (peer.ss_family != AF_INET6) {
    const in_addr& v4 = reinterpret_cast<const sockaddr_in&>(peer).sin_addr;
    return {reinterpret_cast<const char*>(&v4), sizeof v4};
  }
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr;
  const char* bytes = reinterpret_cast<const char*>(&v6);
  return IN6_IS_ADDR_V4MAPPED(&v6) ? std::string(bytes + 12, 4) : std::string(bytes, 8);
}

/// libevent does not say that it let go of a connection, but then calls nothing more for it.
bool has_ended(const bufferevent* buffer) {
  bufferevent_event_cb called = nullptr;
  bufferevent_getcb(const_cast<bufferevent*>(buffer), nullptr, nullptr, &called, nullptr);
  return called == nullptr;
}

}  // namespace

struct HttpConnections::Connection {
  HttpConnections& all;
  bufferevent* buffer;
  std::string address{};  ///< empty until it is settled
  State state = State::kWaiting;
  Clock::time_point since = Clock::now();  ///< when the state began
  std::size_t moved = 0;                   ///< bytes since then
  Clock::time_point moved_last = since;
  evbuffer_cb_entry* on_input = nullptr;
  evbuffer_cb_entry* on_output = nullptr;

  bool may_be_closed() const { return state != State::kWorking && state != State::kClosing; }
  void let_go() {
    evbuffer_remove_cb_entry(bufferevent_get_input(buffer), on_input);
    evbuffer_remove_cb_entry(bufferevent_get_output(buffer), on_output);
    bufferevent_decref(buffer);
  }
};

HttpConnections::HttpConnections(event_base* loop, evhttp* server, const ConnectionLimits& limits)
    : loop_(loop), limits_(limits), settled_(nullptr, event_free), swept_(nullptr, event_free) {
  const auto settle = [](evutil_socket_t, short, void* all) { static_cast<HttpConnections*>(all)->settle(); };
  const auto sweep = [](evutil_socket_t, short, void* all) { static_cast<HttpConnections*>(all)->sweep(); };
  settled_.reset(evtimer_new(loop, settle, this));
  swept_.reset(event_new(loop, -1, EV_PERSIST, sweep, this));
  const auto often = static_cast<suseconds_t>(std::clamp(limits.patience_s / 10, 0.01, 0.5) * 1e6);
  const timeval interval{.tv_sec = 0, .tv_usec = often};
  event_add(swept_.get(), &interval);
  evhttp_set_bevcb(
      server, [](event_base*, void* all) { return static_cast<HttpConnections*>(all)->add(); }, this);
}

HttpConnections::~HttpConnections() {
  for (Connection& one : connections_) one.let_go();
}

/// Called while libevent accepts a connection. It gets its socket after that, so that it is settled later.
bufferevent* HttpConnections::add() {
  // The socket is closed with its last event: one of a descriptor that is taken anew would hide that of the new owner.
  bufferevent* buffer = bufferevent_socket_new(loop_, -1, BEV_OPT_CLOSE_ON_FREE);
  if (buffer == nullptr) return nullptr;
  bufferevent_incref(buffer);
  Connection& one = connections_.emplace_back(Connection{.all = *this, .buffer = buffer});
  const auto on_input = [](evbuffer*, const evbuffer_cb_info* change, void* of) {
    auto& read = *static_cast<Connection*>(of);
    if (change->n_added > 0) read.all.receive(read, change->n_added);
  };
  const auto on_output = [](evbuffer*, const evbuffer_cb_info* change, void* of) {
    auto& written = *static_cast<Connection*>(of);
    written.all.send(written, *change);
  };
  one.on_input = evbuffer_add_cb(bufferevent_get_input(buffer), on_input, &one);
  one.on_output = evbuffer_add_cb(bufferevent_get_output(buffer), on_output, &one);
  event_active(settled_.get(), EV_TIMEOUT, 1);
  return buffer;
}

void HttpConnections::enter(Connection& one, State state) {
  if (one.state == State::kReading) bytes_held_ -= one.moved;
  one.state = state;
  one.since = Clock::now();
  one.moved = 0;
  one.moved_last = one.since;
}

void HttpConnections::receive(Connection& one, std::size_t bytes) {
  if (has_ended(one.buffer)) {
    bufferevent_disable(one.buffer, EV_READ);
    event_active(settled_.get(), EV_TIMEOUT, 1);
    return;
  }
  if (one.state == State::kWaiting) enter(one, State::kReading);
  if (one.state != State::kReading) return;
  one.moved += bytes;
  one.moved_last = Clock::now();
  bytes_held_ += bytes;
  while (bytes_held_ > limits_.bytes_held && close_oldest("", true)) {
  }
}

void HttpConnections::works_on(evhttp_request* request) {
  bufferevent* buffer = evhttp_connection_get_bufferevent(evhttp_request_get_connection(request));
  const auto one = std::find_if(connections_.begin(), connections_.end(),
                                [&](const Connection& other) { return other.buffer == buffer; });
  if (one == connections_.end()) return;
  if (one->state != State::kClosing) enter(*one, State::kWorking);
  // What a client sends while it does not read its answer stays with the client.
  bufferevent_setwatermark(buffer, EV_READ, 0, kReadAhead);
}

void HttpConnections::send(Connection& one, const evbuffer_cb_info& change) {
  if (one.state == State::kClosing) return;
  if (change.n_added > 0 && one.state != State::kSending) enter(one, State::kSending);
  if (one.state != State::kSending) return;
  one.moved += change.n_deleted;
  if (change.n_deleted > 0) one.moved_last = Clock::now();
  if (change.orig_size + change.n_added > change.n_deleted) return;
  bufferevent_setwatermark(one.buffer, EV_READ, 0, 0);
  const bool has_next = evbuffer_get_length(bufferevent_get_input(one.buffer)) > 0;
  enter(one, has_next ? State::kReading : State::kWaiting);
}

/// libevent finds the connection closed, and lets go of it, when it looks at it the next time.
void HttpConnections::close(Connection& one) {
  const evutil_socket_t socket = bufferevent_getfd(one.buffer);
  if (one.state == State::kSending) {
    // The kernel does not keep what the client has not taken.
    const linger none{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  }
  enter(one, State::kClosing);
  shutdown(socket, SHUT_RDWR);
}

bool HttpConnections::close_oldest(const std::string& address, bool is_reading) {
  Connection* oldest = nullptr;
  for (Connection& one : connections_) {
    if (!one.may_be_closed() || has_ended(one.buffer)) continue;
    if ((!address.empty() && one.address != address) || (is_reading && one.state != State::kReading)) continue;
    if (oldest == nullptr || one.since < oldest->since) oldest = &one;
  }
  if (oldest != nullptr) close(*oldest);
  return oldest != nullptr;
}

std::size_t HttpConnections::count(const std::string& address) const {
  return static_cast<std::size_t>(std::count_if(connections_.begin(), connections_.end(), [&](const Connection& one) {
    return one.state != State::kClosing && (address.empty() || one.address == address);
  }));
}

/// Makes room for connections that are new.
void HttpConnections::settle() {
  forget_ended();
  for (auto one = connections_.rbegin(); one != connections_.rend() && one->address.empty(); ++one) {
    one->address = client_of(bufferevent_getfd(one->buffer));
    if (count(one->address) > std::max<std::size_t>(limits_.connections * 3 / 4, 1)) close_oldest(one->address, false);
  }
  while (count("") > limits_.connections && close_oldest("", false)) {
  }
}

void HttpConnections::sweep() {
  forget_ended();
  const Clock::time_point now = Clock::now();
  const auto passed = [now](Clock::time_point since) { return std::chrono::duration<double>(now - since).count(); };
  for (Connection& one : connections_) {
    const double allowed = limits_.patience_s + static_cast<double>(one.moved) / kSlowestBytesPerS;
    const bool is_late = passed(one.moved_last) > limits_.patience_s || passed(one.since) > allowed;
    if (is_late && one.may_be_closed()) close(one);
  }
}

void HttpConnections::forget_ended() {
  const bool had_some = !connections_.empty();
  for (auto one = connections_.begin(); one != connections_.end();) {
    if (!has_ended(one->buffer)) {
      ++one;
      continue;
    }
    enter(*one, State::kClosing);
    one->let_go();
    one = connections_.erase(one);
  }
  // After a rush, what it took goes back to the system.
  if (had_some && connections_.empty()) malloc_trim(0);
}

}  // namespace podwright::cli
