// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/display/socket.h"

namespace winnow {

/// A value of --display.
struct DisplayRequest {
  enum class Kind { kTev, kWeb };

  Kind kind = Kind::kWeb;
  Address address;
};

inline constexpr const char* kDisplayHelp =
    "show the image while it renders: tev, in the image viewer\n"
    "of that name (default: tev:localhost:14158), or web, on a\n"
    "page for a browser of this machine (default: web:8080),\n"
    "with stop, save, and a camera to move; web:HOST:PORT\n"
    "lets other machines in";

/// tev, tev:HOST:PORT, web, web:PORT or web:HOST:PORT; an IPv6 address has brackets. Throws
/// UsageError, which names `option` and what is expected.
DisplayRequest parse_display(const std::string& option, const std::string& text);

}  // namespace winnow
