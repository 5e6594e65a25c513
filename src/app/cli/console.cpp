// SPDX-License-Identifier: MIT
#include "app/cli/console.h"

#include <cstdio>
#include <set>

namespace winnow {

void print_message(std::string text) {
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7f;
  for (char& letter : text) {
    auto code = static_cast<unsigned char>(letter);
    if (code < kFirstPrintable || code == kDelete) letter = ' ';
  }
  text += '\n';
  std::fputs(text.c_str(), stderr);
}

void print_warnings(const HostScene& scene) {
  std::set<std::string> printed;
  for (const std::string& warning : scene.warnings)
    if (printed.insert(warning).second) print_message("warning: " + warning);
}

}  // namespace winnow
