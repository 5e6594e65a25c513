// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/code_marks.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compaction/simt/host/source_lines.h"

namespace compaction::judge {

namespace {

constexpr std::string_view kMark = "{code ";

std::string name_of(const simt::host::SourceLine& line, uintptr_t code) {
  if (line.line == 0) return "code " + std::to_string(code);
  return line.file.substr(line.file.rfind('/') + 1) + ":" + std::to_string(line.line);
}

}  // namespace

std::string code_mark(const void* code) {
  return std::string(kMark) + std::to_string(reinterpret_cast<uintptr_t>(code)) + "}";
}

std::string with_source_lines(std::string text) {
  for (size_t start; (start = text.find(kMark)) != std::string::npos;) {
    const uintptr_t code = strtoull(text.c_str() + start + kMark.size(), nullptr, 10);
    const size_t end = text.find('}', start) + 1;
    text.replace(start, end - start, name_of(simt::host::source_lines({code})[0], code));
  }
  return text;
}

}  // namespace compaction::judge
