// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_position.h"

namespace winnow {

/// Reads an OBJ or MTL text statement by statement, and each statement word by word.
/// A statement is a line that is neither empty nor a comment, joined with the next line as long as
/// a backslash ends it. All blanks in it are spaces; there are none at its ends.
class StatementReader {
 public:
  /// @param text, file    must outlive the reader
  /// @param lines_before  lines of the file before `text`, if it is a part
  StatementReader(std::string_view text, const std::string& file, size_t lines_before = 0)
      : text_(text), file_(file), line_count_(lines_before) {}

  /// Moves to the next statement. Returns false at the end of the text.
  bool next();

  const std::string& statement() const { return statement_; }

  /// Returns the number of lines read so far, plus those before the text.
  size_t line_count() const { return line_count_; }

  /// Returns the statement from the next word on.
  std::string_view rest() const;

  /// Reads the next word; it is empty at the end of the statement.
  std::string_view next_word();

  void replace(std::string statement) { statement_ = std::move(statement); }

  /// Makes next_word() return the first word of the statement again.
  void restart() { word_ = word_end_ = 0; }

  /// Overwrites the last word that was read, from its character `first` on.
  void overwrite(size_t first, char c) {
    std::fill(statement_.begin() + word_ + first, statement_.begin() + word_end_, c);
  }

  /// Removes the last word that was read and all after it.
  void cut() { statement_.resize(word_end_ = word_); }

  /// Returns the position of the last word that was read.
  TextPosition position() const { return {first_line_, indent_ + word_ + 1}; }

  /// Throws Error about the last word: "file:line:column: ...".
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    fail_at(position(), fmt::format(what, std::forward<Args>(args)...));
  }

  /// Throws Error about the last word: "expected ..., found 'word'".
  [[noreturn]] void fail_expecting(const std::string& expected) const;

 private:
  [[noreturn]] void fail_at(TextPosition position, const std::string& what) const;
  std::string_view next_line();
  std::string_view join_lines(std::string_view line);

  std::string_view text_;
  const std::string& file_;
  size_t next_ = 0;        ///< start of the next line in `text_`
  size_t newline_ = 0;     ///< the first "\n" at or after `next_`, or the end of the text
  size_t line_count_ = 0;  ///< lines before `next_`
  size_t first_line_ = 0;  ///< line of the statement, from 1
  size_t indent_ = 0;      ///< columns before the statement
  size_t word_ = 0;        ///< start of the last word in `statement_`
  size_t word_end_ = 0;
  std::string statement_;
  std::string joined_;  ///< lines joined at backslashes
};

/// Returns the text without a UTF-8 byte order mark.
inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

/// Splits a text into parts of at least `part_bytes`, except the last one. Each ends with a "\n"
/// that ends a statement.
std::vector<std::string_view> split_between_statements(std::string_view text, size_t part_bytes);

/// Stream from which tinyobjloader reads the statements of a text, one line each.
/// tinyobjloader parses each line before it reads the next one, so `statements` is at the current
/// statement in its callbacks.
class StatementStream : private std::streambuf, public std::istream {
 public:
  /// @param next  moves `statements` to the next statement for tinyobjloader; false at the end.
  ///              Exceptions pass through the function of tinyobjloader that reads.
  StatementStream(const StatementReader& statements, std::function<bool()> next)
      : std::istream(static_cast<std::streambuf*>(this)),
        statements_(statements),
        next_(std::move(next)) {
    exceptions(std::ios::badbit);
  }

 private:
  std::streambuf::int_type underflow() override;

  const StatementReader& statements_;
  std::function<bool()> next_;
  std::string line_;
};

}  // namespace winnow
