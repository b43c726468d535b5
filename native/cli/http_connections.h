#pragma once
/// How many clients an HTTP server has at a time, and how long each may take, so that slow ones leave room for others.
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>

#include <chrono>
#include <list>
#include <memory>
#include <string>

namespace podwright::cli {

struct ConnectionLimits {
  std::size_t connections = 512;  ///< at a time; three quarters of them from one address
  double patience_s = 10;         ///< without a byte; and for a request or an answer, which get more as bytes move
  std::size_t bytes_held = 0;     ///< of requests that have not come in full, all of them together
};

/// Bytes that give a request or an answer one more second.
inline constexpr double kSlowestBytesPerS = 16384;

/// Closes connections that take too long and, where there are too many, those that have taken longest. One whose answer
/// is being worked out is left alone: that has a limit of its own.
class HttpConnections {
 public:
  /// Watches all connections that `server` accepts from now on. The server outlives it.
  HttpConnections(event_base* loop, evhttp* server, const ConnectionLimits& limits);
  HttpConnections(const HttpConnections&) = delete;
  HttpConnections& operator=(const HttpConnections&) = delete;
  ~HttpConnections();

  /// To be called for each request that has come in full.
  void works_on(evhttp_request* request);

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kWaiting, kReading, kWorking, kSending, kClosing };
  struct Connection;
  using Event = std::unique_ptr<event, decltype(&event_free)>;

  bufferevent* add();
  void enter(Connection& one, State state);
  void receive(Connection& one, std::size_t bytes);
  void send(Connection& one, const evbuffer_cb_info& change);
  void close(Connection& one);
  /// Closes the oldest of that address, or of all where it is empty; false where all are being worked on or closed.
  bool close_oldest(const std::string& address, bool is_reading);
  std::size_t count(const std::string& address) const;
  void settle();
  void sweep();
  void forget_ended();

  event_base* loop_;
  ConnectionLimits limits_;
  std::list<Connection> connections_;  ///< the newest last
  std::size_t bytes_held_ = 0;
  Event settled_;
  Event swept_;
};

}  // namespace podwright::cli
