// SPDX-License-Identifier: MIT
#include "compaction/learn/see/page.h"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "compaction/learn/see/page_parts.h"

namespace compaction::see {

namespace {

using simt::host::Trace;

std::string escape_html(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

/// Returns a text as a literal of JavaScript that is valid in a <script> element.
std::string quote(const std::string& text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ' || c == '<') {
      out += "\\u00";
      out += kHex[(c >> 4) & 15];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string base64(const std::vector<uint8_t>& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    for (size_t j = 0; j < 3; ++j) word = word << 8 | (i + j < bytes.size() ? bytes[i + j] : 0);
    for (size_t j = 0; j < 4; ++j)
      out += i + j <= bytes.size() ? kDigits[word >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

/// Returns a path without the folders of the machine that compiled the file.
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

/// Returns the text of a source: from `text`, from where it was compiled, or from the library.
std::string source_text(const std::string& file, const PageText& text) {
  for (const SourceFile& given : text.sources)
    if (given.name == file) return given.text;
  const std::string source = read_file(file);
  return source.empty() ? read_file(COMPACTION_SOURCE_ROOT "/" + short_name(file)) : source;
}

/// Returns the sources that contain places of the trace: {"name": "text", ...}.
std::string sources_of(const Trace& trace, const PageText& text) {
  std::map<std::string, std::string> sources;
  for (const simt::host::SourceLine& place : trace.places)
    if (place.line > 0) sources.try_emplace(short_name(place.file), source_text(place.file, text));
  std::string out = "{";
  for (const auto& [name, source] : sources) {
    if (source.empty()) continue;
    if (out.size() > 1) out += ",\n";
    out += quote(name) + ": " + quote(source);
  }
  return out + "}";
}

/// Returns `text` with the names of the trace's files shortened.
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

/// Replaces each `{{name}}` of the page's frame. Does not search the filled-in text again.
std::string fill(const std::string& frame,
                 const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string out;
  size_t at = 0;
  for (size_t open; (open = frame.find("{{", at)) != std::string::npos;) {
    const size_t close = frame.find("}}", open);
    out += frame.substr(at, open - at);
    const std::string name = frame.substr(open + 2, close - open - 2);
    for (const auto& [key, value] : parts)
      if (key == name) out += value;
    at = close + 2;
  }
  return out + frame.substr(at);
}

}  // namespace

std::string page_of(const Trace& trace, const PageText& text) {
  const Trace portable = with_short_names(trace);
  return fill(kPageFrame, {{"title", escape_html(text.title)},
                           {"subtitle", escape_html(text.subtitle)},
                           {"about", escape_html(with_short_names(text.about, trace))},
                           {"style", kPageStyle},
                           {"sources", sources_of(trace, text)},
                           {"trace", base64(serialize(portable))},
                           {"replay", kPageReplay},
                           {"views", kPageViews},
                           {"explain", kPageExplain}});
}

void write_page(const Trace& trace, const PageText& text, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << page_of(trace, text);
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace compaction::see
