// SPDX-License-Identifier: MIT
#include "load/obj/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/one_line.h"

namespace winnow {
namespace {

constexpr std::string_view kStatementBlanks = " \t\r\v\f";

std::string_view trim_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kStatementBlanks) + 1);
}

}  // namespace

bool StatementReader::next() {
  while (next_ < text_.size()) {
    std::string_view line = next_line();
    first_line_ = line_count_;
    std::string joined;
    if (line.ends_with('\\')) {
      while (line.ends_with('\\') && next_ < text_.size()) {
        joined += line.substr(0, line.size() - 1);
        joined += ' ';
        line = next_line();
      }
      joined += line.substr(0, line.find_last_not_of('\\') + 1);
      line = trim_end(joined);
    }
    indent_ = std::min(line.find_first_not_of(kStatementBlanks), line.size());
    word_ = word_end_ = 0;
    if (indent_ == line.size() || line[indent_] == '#') continue;
    statement_ = line.substr(indent_);
    for (char& c : statement_)
      if (kStatementBlanks.find(c) != std::string_view::npos) c = ' ';
    return true;
  }
  return false;
}

/// The next line without the blanks at its end; it ends with "\n", "\r\n" or "\r".
std::string_view StatementReader::next_line() {
  const size_t end = std::min(text_.find_first_of("\n\r", next_), text_.size());
  const std::string_view line = text_.substr(next_, end - next_);
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

void StatementReader::blank_out(std::string_view part) {
  std::fill_n(statement_.begin() + (part.data() - statement_.data()), part.size(), ' ');
}

void StatementReader::fail_at(TextPosition position, const std::string& what) const {
  throw Error(fmt::format("{}:{}:{}: {}", file_, position.line, position.column, what));
}

void StatementReader::fail_expecting(const std::string& expected) const {
  const std::string_view word = std::string_view(statement_).substr(word_, word_end_ - word_);
  fail(fmt::format("expected {}, found {}", expected,
                   word.empty() ? "the end of the line" : fmt::format("'{}'", one_line(word))));
}

std::streambuf::int_type StatementStream::underflow() {
  if (!next_()) return std::streambuf::traits_type::eof();
  line_ = statements_.statement();
  line_ += " \n";  // a keyword without a value is recognized by the space behind it
  setg(line_.data(), line_.data(), line_.data() + line_.size());
  return std::streambuf::traits_type::to_int_type(line_[0]);
}

}  // namespace winnow
