// SPDX-License-Identifier: MIT
#include "compaction/judge/source_line.h"

#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

// Set by the linker.
extern "C" char __executable_start, __data_start, _end;

namespace compaction::judge {

namespace {

constexpr std::string_view kMark = "{code ";

/// Where the program was loaded; 0 where it always is at one place.
uintptr_t load_address() {
  uintptr_t found = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        *static_cast<uintptr_t*>(result) = info->dlpi_addr;
        return 1;  // the program is the first one
      },
      &found);
  return found;
}

std::string own_path() {
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  return length > 0 ? std::string(path.data(), size_t(length)) : std::string();
}

std::string without_folder(const std::string& file) {
  return file.substr(file.rfind('/') + 1);
}

std::string source_line(uint32_t code) {
  // An address is that after a call; the call is one byte before.
  const uintptr_t in_memory = reinterpret_cast<uintptr_t>(&__executable_start) + code - 1;
  char address[32];
  snprintf(address, sizeof(address), "0x%zx", size_t(in_memory - load_address()));
  FILE* lines =
      popen(("addr2line -e '" + own_path() + "' " + address + " 2>/dev/null").c_str(), "r");
  std::array<char, 4096> line{};
  const bool is_read = lines && fgets(line.data(), int(line.size()), lines);
  if (lines) pclose(lines);
  std::string text = is_read ? line.data() : "";
  if (text.empty() || text[0] == '?') return std::string("code ") + address;
  return without_folder(text.substr(0, text.find_first_of(" \n")));
}

}  // namespace

uint32_t code_of(uintptr_t address) {
  return uint32_t(address - reinterpret_cast<uintptr_t>(&__executable_start));
}

std::string code_mark(uint32_t code) {
  return std::string(kMark) + std::to_string(code) + "}";
}

bool is_static(uintptr_t address) {
  return address >= reinterpret_cast<uintptr_t>(&__data_start) &&
         address < reinterpret_cast<uintptr_t>(&_end);
}

std::string with_source_lines(std::string text) {
  for (size_t start; (start = text.find(kMark)) != std::string::npos;) {
    const size_t end = text.find('}', start);
    const uint32_t code = uint32_t(strtoul(text.c_str() + start + kMark.size(), nullptr, 10));
    text.replace(start, end + 1 - start, source_line(code));
  }
  return text;
}

}  // namespace compaction::judge
