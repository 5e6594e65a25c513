// SPDX-License-Identifier: MIT
#include "load/pbrt/tokens.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "base/one_line.h"

namespace winnow {
namespace {

bool is_pbrt_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool ends_word(char c) {
  return is_pbrt_blank(c) || c == '"' || c == '[' || c == ']' || c == '#';
}

}  // namespace

std::string PbrtPlace::text() const {
  return fmt::format("{}:{}:{}", *file, line, column);
}

void fail_at(const PbrtPlace& place, const std::string& what) {
  throw Error(fmt::format("{}: {}", place.text(), what));
}

void PbrtTokens::skip_blanks() {
  while (next_ != end_) {
    if (*next_ == '\n') {
      ++line_;
      line_start_ = next_ + 1;
    } else if (*next_ == '#') {
      const void* newline = std::memchr(next_, '\n', size_t(end_ - next_));
      next_ = newline ? static_cast<const char*>(newline) : end_;
      continue;
    } else if (!is_pbrt_blank(*next_)) {
      return;
    }
    ++next_;
  }
}

PbrtPlace PbrtTokens::place() {
  if (peek()) return peeked_->place;
  return place_of(next_);
}

PbrtToken PbrtTokens::read_string(PbrtPlace place) {
  const char* start = ++next_;
  while (next_ != end_ && *next_ != '"' && *next_ != '\n') {
    if (*next_ == '\\' && next_ + 1 != end_) ++next_;
    ++next_;
  }
  if (next_ == end_ || *next_ == '\n')
    fail_at(place, fmt::format("the string {} has no end: expected \" in the same line",
                               in_quotes(std::string_view(start, size_t(next_ - start)))));
  const std::string_view text(start, size_t(next_ - start));
  ++next_;
  return {PbrtTokenKind::kString, text, place};
}

std::optional<PbrtToken> PbrtTokens::read() {
  skip_blanks();
  if (next_ == end_) return {};
  const PbrtPlace place = place_of(next_);
  const char* start = next_;
  if (*next_ == '"') return read_string(place);
  if (*next_ == '[' || *next_ == ']') {
    ++next_;
    return PbrtToken{
        *start == '[' ? PbrtTokenKind::kOpen : PbrtTokenKind::kClose, {start, 1}, place};
  }
  while (next_ != end_ && !ends_word(*next_)) ++next_;
  return PbrtToken{PbrtTokenKind::kWord, {start, size_t(next_ - start)}, place};
}

std::string pbrt_string(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char escaped = text[++i];
    constexpr std::string_view kEscapes = "bfnrt", kMeanings = "\b\f\n\r\t";
    const size_t known = kEscapes.find(escaped);
    plain += known == std::string_view::npos ? escaped : kMeanings[known];
  }
  return plain;
}

}  // namespace winnow
