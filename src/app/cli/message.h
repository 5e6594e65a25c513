#pragma once

#include <string>

namespace winnow {

/// Puts `text` on stderr as one line: control characters, such as those of a file's name, become
/// spaces.
void print_message(std::string text);

}  // namespace winnow
