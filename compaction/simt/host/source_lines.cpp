// SPDX-License-Identifier: MIT
#include "compaction/simt/host/source_lines.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace simt::host {

namespace {

/// Addresses of one file, the program or a shared library, relative to where it was loaded.
struct LoadedFile {
  std::vector<size_t> indices;  // indices in the result
  std::string arguments;
};

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return output;
  char buffer[4096];
  while (size_t size = std::fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, size);
  pclose(pipe);
  return output;
}

SourceLine parse_line(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || text.starts_with("??")) return {};
  return {text.substr(0, colon), uint32_t(std::strtoul(text.c_str() + colon + 1, nullptr, 10))};
}

bool is_of_a_kernel(const SourceLine& line) {
  if (line.line == 0) return false;
  for (const char* of_the_machine :
       {"compaction/simt/", "compaction/learn/judge/cuda_syntax.h", "/include/c++/"})
    if (line.file.find(of_the_machine) != std::string::npos) return false;
  return true;
}

/// The output has "0xADDRESS" followed by "FILE:LINE" from the innermost function outwards.
void read_lines(const std::string& output, const std::vector<size_t>& indices,
                std::vector<SourceLine>& lines) {
  std::istringstream in(output);
  std::string text;
  size_t next = 0;
  SourceLine* line = nullptr;
  while (std::getline(in, text)) {
    if (text.starts_with("0x")) {
      if (next == indices.size()) return;
      line = &lines[indices[next++]];
    } else if (line && !is_of_a_kernel(*line)) {
      SourceLine outer = parse_line(text);
      if (line->line == 0 || is_of_a_kernel(outer)) *line = std::move(outer);
    }
  }
}

std::string hex(uintptr_t address) {
  char text[2 + 2 * sizeof(address) + 1];
  std::snprintf(text, sizeof(text), "0x%zx", size_t(address));
  return text;
}

}  // namespace

std::vector<SourceLine> source_lines(const std::vector<uintptr_t>& addresses) {
  std::vector<SourceLine> lines(addresses.size());
  std::map<std::string, LoadedFile> files;
  for (size_t i = 0; i < addresses.size(); ++i) {
    Dl_info info{};
    const uintptr_t call = addresses[i] - 1;  // the address is after the call
    if (!dladdr(reinterpret_cast<void*>(call), &info) || !info.dli_fname) continue;
    // A program at a fixed address contains addresses; a relocatable one contains offsets.
    const uintptr_t base = reinterpret_cast<uintptr_t>(info.dli_fbase);
    constexpr uintptr_t kFixedBase = 0x400000;
    LoadedFile& file = files[info.dli_fname];
    file.indices.push_back(i);
    file.arguments += ' ' + hex(base == kFixedBase ? call : call - base);
  }
  for (const auto& [name, file] : files) {
    // The name of a running program may be relative to another directory.
    const bool is_program = name.find(".so") == std::string::npos;
    const std::string path = is_program ? "/proc/" + std::to_string(getpid()) + "/exe" : name;
    read_lines(output_of("addr2line -a -i -e '" + path + "'" + file.arguments + " 2>/dev/null"),
               file.indices, lines);
  }
  return lines;
}

}  // namespace simt::host
