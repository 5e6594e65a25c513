// SPDX-License-Identifier: MIT
#include "compaction/learn/see/page.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "compaction/learn/see/page_parts.h"
#include "compaction/tools/html.h"

namespace compaction::see {

namespace {

using simt::host::Trace;

/// Returns a text as a literal of JavaScript that is valid in a <script> element.
std::string quote(const std::string& text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < ' ' || c == '<')
      out += std::string("\\u00") + kHex[(c >> 4) & 15] + kHex[c & 15];
    else
      out += c;
  }
  return out + "\"";
}

std::string short_name(const std::string& file) {
  constexpr const char* kRoot = "compaction/";
  const size_t root = file.rfind(kRoot);
  return root != std::string::npos ? file.substr(root) : file.substr(file.rfind('/') + 1);
}

std::string read_file(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Reads the source from where it was compiled, from the library, or from the headers that are
/// installed beside the program.
std::string source_text(const std::string& file) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string name = short_name(file);
  const std::string installed = (program.parent_path().parent_path() / "include" / name).string();
  for (const std::string& place : {file, COMPACTION_SOURCE_ROOT "/" + name, installed})
    if (std::string source = read_file(place); !source.empty()) return source;
  return "";
}

std::string sources_of(const Trace& trace) {
  std::map<std::string, std::string> sources;
  for (const simt::host::SourceLine& place : trace.places)
    if (place.line > 0) sources.try_emplace(short_name(place.file), source_text(place.file));
  std::string out = "{";
  for (const auto& [name, source] : sources) {
    if (source.empty()) continue;
    if (out.size() > 1) out += ",\n";
    out += quote(name) + ": " + quote(source);
  }
  return out + "}";
}

std::string with_short_names(std::string text, const Trace& trace) {
  for (const simt::host::SourceLine& place : trace.places)
    for (size_t at = 0; (at = text.find(place.file, at)) != std::string::npos && place.line > 0;) {
      const std::string name = short_name(place.file);
      text.replace(at, place.file.size(), name);
      at += name.size();
    }
  return text;
}

Trace with_short_names(Trace trace) {
  trace.failure.message = with_short_names(trace.failure.message, trace);
  for (simt::host::SourceLine& place : trace.places) place.file = short_name(place.file);
  for (simt::host::FailureSide& side : trace.failure.sides)
    side.line.file = short_name(side.line.file);
  return trace;
}

}  // namespace

void write_page(const Trace& trace, const PageText& text, const std::string& path) {
  const std::vector<uint8_t> bytes = serialize(with_short_names(trace));
  std::ofstream file(path, std::ios::binary);
  file << fill(kPageFrame,
               {{"title", escape_html(text.title)},
                {"subtitle", escape_html(text.subtitle)},
                {"about", escape_html(with_short_names(text.about, trace))},
                {"style", kPageStyle},
                {"sources", sources_of(trace)},
                {"trace", base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()})},
                {"replay", kPageReplay},
                {"views", kPageViews},
                {"explain", kPageExplain}});
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace compaction::see
