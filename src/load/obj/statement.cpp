// SPDX-License-Identifier: MIT
#include "load/obj/statement.h"

#include "base/error.h"

namespace winnow {
namespace {

bool is_statement_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

std::string_view trim_end(std::string_view text) {
  while (!text.empty() && is_statement_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

bool StatementReader::next() {
  while (next_ < text_.size()) {
    std::string_view line = next_line();
    first_line_ = line_count_;
    if (line.ends_with('\\')) line = join_lines(line);
    indent_ = size_t(std::find_if_not(line.begin(), line.end(), is_statement_blank) - line.begin());
    word_ = word_end_ = 0;
    if (indent_ == line.size() || line[indent_] == '#') continue;
    statement_ = line.substr(indent_);
    std::replace_if(statement_.begin(), statement_.end(), is_statement_blank, ' ');
    return true;
  }
  return false;
}

/// Returns `line`, which ends with a backslash, joined with the lines that continue it.
std::string_view StatementReader::join_lines(std::string_view line) {
  joined_.clear();
  while (line.ends_with('\\') && next_ < text_.size()) {
    joined_ += line.substr(0, line.size() - 1);
    joined_ += ' ';
    line = next_line();
  }
  joined_ += line.substr(0, line.find_last_not_of('\\') + 1);
  return trim_end(joined_);
}

/// Returns the next line, which "\n", "\r\n" or "\r" ends, without blanks at its end.
std::string_view StatementReader::next_line() {
  if (newline_ <= next_) newline_ = std::min(text_.find('\n', next_), text_.size());
  std::string_view line = text_.substr(next_, newline_ - next_);
  line = line.substr(0, line.find('\r'));
  const size_t end = next_ + line.size();
  next_ = end + (text_.substr(end, 2) == "\r\n" ? 2 : 1);
  ++line_count_;
  return trim_end(line);
}

std::string_view StatementReader::rest() const {
  const std::string_view statement = statement_;
  return statement.substr(std::min(statement.find_first_not_of(' ', word_end_), statement.size()));
}

std::string_view StatementReader::next_word() {
  word_ = std::min(statement_.find_first_not_of(' ', word_end_), statement_.size());
  word_end_ = std::min(statement_.find(' ', word_), statement_.size());
  return std::string_view(statement_).substr(word_, word_end_ - word_);
}

void StatementReader::fail_at(TextPosition position, const std::string& what) const {
  throw Error(fmt::format("{}:{}:{}: {}", file_, position.line, position.column, what));
}

void StatementReader::fail_expecting(const std::string& expected) const {
  const std::string_view word = std::string_view(statement_).substr(word_, word_end_ - word_);
  fail("expected {}, found {}", expected,
       word.empty() ? "the end of the line" : fmt::format("'{}'", one_line(word)));
}

std::vector<std::string_view> split_between_statements(std::string_view text, size_t part_bytes) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    size_t end = text.find('\n', std::max<size_t>(part_bytes, 1) - 1);
    while (end < text.size() && trim_end(text.substr(0, end)).ends_with('\\'))
      end = text.find('\n', end + 1);
    end = end < text.size() ? end + 1 : text.size();
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

std::streambuf::int_type StatementStream::underflow() {
  if (!next_()) return std::streambuf::traits_type::eof();
  line_ = statements_.statement();
  line_ += " \n";  // the space lets tinyobjloader recognize a keyword without a value
  setg(line_.data(), line_.data(), line_.data() + line_.size());
  return std::streambuf::traits_type::to_int_type(line_[0]);
}

}  // namespace winnow
