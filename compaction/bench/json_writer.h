#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace compaction::bench {

/// Writes JSON text from front to back. Objects and arrays are functions that write their insides.
class JsonWriter {
 public:
  /// { ... }: `members` calls key() before each value.
  void object(auto members) { nest('{', '}', members); }
  /// [ ... ]
  void array(auto values) { nest('[', ']', values); }

  JsonWriter& key(std::string_view name) {
    separate();
    quote(name);
    text_ += ": ";
    after_key_ = true;
    return *this;
  }

  void value(std::string_view text) {
    separate();
    quote(text);
  }
  void value(std::integral auto number) { raw(std::to_string(number)); }
  /// Six digits, more than any timing has; what is not finite becomes null.
  void value(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", number);
    raw(std::isfinite(number) ? digits : "null");
  }
  void null() { raw("null"); }

  const std::string& text() const { return text_; }

 private:
  void raw(std::string_view token) {
    separate();
    text_ += token;
  }

  void separate() {
    if (!first_ && !after_key_) text_ += depth_ > kLinesDownTo ? ", " : ",";
    if (depth_ > 0 && depth_ <= kLinesDownTo && !after_key_) new_line();
    first_ = after_key_ = false;
  }

  void new_line() {
    text_ += '\n';
    text_.append(2 * size_t(depth_), ' ');
  }

  void nest(char open, char close, auto inside) {
    separate();
    text_ += open;
    ++depth_;
    first_ = true;
    inside();
    --depth_;
    if (!first_ && depth_ < kLinesDownTo) new_line();
    first_ = false;
    text_ += close;
  }

  void quote(std::string_view text) {
    constexpr unsigned char kFirstPrintable = 0x20;
    text_ += '"';
    for (char c : text) {
      if (c == '"' || c == '\\') text_ += '\\';
      if (static_cast<unsigned char>(c) < kFirstPrintable) {
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
        text_ += code;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  static constexpr int kLinesDownTo = 2;  // levels that put each value on a line of its own

  std::string text_;
  int depth_ = 0;
  bool first_ = true, after_key_ = false;
};

}  // namespace compaction::bench
