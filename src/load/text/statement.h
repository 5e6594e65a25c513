#pragma once

#include <string>
#include <string_view>

#include "base/text_position.h"

namespace winnow {

/// Reads an OBJ or MTL text line by line, and each line word by word.
class StatementReader {
 public:
  /// Both must outlive the reader.
  StatementReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  /// Moves to the next line that holds a statement. False at the end of the text.
  /// A comment is none; a backslash at the end of a line joins it with the next.
  bool next_line();

  std::string_view line() const { return line_; }  ///< from the first word to the last
  std::string_view rest() const;                   ///< from the next word to the last

  /// The next word of the line; empty at its end.
  std::string_view next_word();

  /// Where the word starts that was read last.
  TextPosition position() const { return {first_line_, indent_ + word_ + 1}; }

  /// Throws Error about that word: "file:line:column: ...".
  [[noreturn]] void fail(const std::string& what) const { fail_at(position(), what); }
  [[noreturn]] void fail_at(TextPosition position, const std::string& what) const;

 private:
  std::string_view text_;
  const std::string& file_;
  size_t next_ = 0;         ///< where the next line starts in text_
  size_t line_number_ = 0;  ///< of the line that starts before next_
  size_t first_line_ = 0;   ///< of the statement
  size_t indent_ = 0;       ///< columns before the statement
  std::string_view line_;
  std::string joined_;  ///< holds a line that was written as several
  size_t word_ = 0;     ///< where the last word starts in line_
  size_t word_end_ = 0;
};

/// tinyobjloader ends the name of a material at a blank; these hide the blanks from it.
std::string hide_blanks(std::string_view name);
std::string show_blanks(std::string_view name);

/// What a word says where a number must stand.
enum class NumberKind { kFinite, kNotFinite, kNone };

/// Reads a decimal number. Spellings of infinity and NaN, the old "1.#IND" among them, are numbers
/// that are not finite; so are those that a float cannot hold.
NumberKind read_number(std::string_view word, float& number);

}  // namespace winnow
