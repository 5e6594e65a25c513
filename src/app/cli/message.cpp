#include "app/cli/message.h"

#include <cstdio>

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

}  // namespace winnow
