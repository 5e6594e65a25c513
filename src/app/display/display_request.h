// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "app/cli/option_table.h"
#include "app/display/socket.h"

namespace winnow {

/// A value of --display.
struct DisplayRequest {
  enum class Kind { kTev, kWeb };

  Kind kind = Kind::kWeb;
  Address address;
};

OptionRow display_option(std::optional<DisplayRequest>& display);

/// Parses tev, tev:HOST:PORT, web, web:PORT or web:HOST:PORT; an IPv6 address has brackets. Throws
/// UsageError, which names `option` and the expected form.
DisplayRequest parse_display(const std::string& option, const std::string& text);

}  // namespace winnow
