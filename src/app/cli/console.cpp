// SPDX-License-Identifier: MIT
#include "app/cli/console.h"

#include <atomic>
#include <cstdio>

namespace winnow {
namespace {

std::atomic<bool> messages_are_muted{false};

}  // namespace

void mute_messages(bool mute) {
  messages_are_muted = mute;
}

void print_message(std::string text) {
  if (messages_are_muted) return;
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7f;
  for (char& letter : text) {
    auto code = static_cast<unsigned char>(letter);
    if (code < kFirstPrintable || code == kDelete) letter = ' ';
  }
  text += '\n';
  std::fputs(text.c_str(), stderr);
}

void print_warning(const std::string& text) {
  print_message("warning: " + text);
}

std::string wrapped(std::string text, size_t columns) {
  for (size_t line = 0; line + columns < text.size();) {
    size_t space = text.rfind(' ', line + columns);
    if (space == std::string::npos || space <= line) break;
    text[space] = '\n';
    line = space + 1;
  }
  return text;
}

}  // namespace winnow
