// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/files.h"

namespace winnow {

/// An address at which a program listens.
struct Address {
  std::string host;   ///< name, or IPv4 or IPv6 address without brackets
  uint16_t port = 0;  ///< 0 for a listener: any free port
};

/// Returns "HOST:PORT", with brackets around an IPv6 address.
std::string address_text(const Address& address);

/// Returns whether `host` is an IPv4 or IPv6 address, not a name.
bool is_numeric_host(const std::string& host);

/// A TCP socket that closes itself. Never raises SIGPIPE.
class Socket {
 public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}

  bool is_open() const { return descriptor() >= 0; }
  int descriptor() const { return descriptor_.value(); }
  void close() { descriptor_.close(); }

  void end_sending() const;

  /// Wakes threads that wait at this socket. They may still use it.
  void abort() const;

  /// Sends all bytes. Returns false if the peer disconnects or receives nothing for `timeout`.
  bool send_all(std::string_view bytes, std::chrono::milliseconds timeout) const;

  /// Appends at most 16 KB. Returns false if the peer disconnects or sends nothing for `timeout`.
  bool receive(std::string& bytes, std::chrono::milliseconds timeout) const;

 private:
  FileDescriptor descriptor_;
};

/// Connects to a listening program. Throws Error with the reason, without the address.
Socket connect_to(const Address& address, std::chrono::milliseconds timeout);

/// Listens and replaces port 0 by the chosen one. Throws Error as connect_to() does.
Socket listen_at(Address& address);

/// Returns the next connection to a listening socket; none if there is none within `timeout`.
Socket accept_from(const Socket& listener, std::chrono::milliseconds timeout);

}  // namespace winnow
