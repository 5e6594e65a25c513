#include "load/text/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace winnow {
namespace {

constexpr std::string_view kStatementBlanks = " \t\r\v\f";
constexpr char kHiddenBlank = '\x1f';

std::string_view trim_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kStatementBlanks) + 1);
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

}  // namespace

bool StatementReader::next_line() {
  while (next_ < text_.size()) {
    auto take = [this] {
      size_t end = std::min(text_.find_first_of("\n\r", next_), text_.size());
      std::string_view line = text_.substr(next_, end - next_);
      next_ = end + (text_.substr(end, 2) == "\r\n" ? 2 : 1);
      ++line_number_;
      return trim_end(line);
    };
    std::string_view line = take();
    first_line_ = line_number_;
    if (!line.empty() && line.back() == '\\') {
      joined_.clear();
      while (!line.empty() && line.back() == '\\' && next_ < text_.size()) {
        joined_ += line.substr(0, line.size() - 1);
        joined_ += ' ';
        line = take();
      }
      joined_ += line.substr(0, line.find_last_not_of('\\') + 1);
      line = trim_end(joined_);
    }
    indent_ = std::min(line.find_first_not_of(kStatementBlanks), line.size());
    line_ = line.substr(indent_);
    word_ = word_end_ = 0;
    if (!line_.empty() && line_[0] != '#') return true;
  }
  return false;
}

std::string_view StatementReader::rest() const {
  return line_.substr(std::min(line_.find_first_not_of(kStatementBlanks, word_end_), line_.size()));
}

std::string_view StatementReader::next_word() {
  word_ = std::min(line_.find_first_not_of(kStatementBlanks, word_end_), line_.size());
  word_end_ = std::min(line_.find_first_of(kStatementBlanks, word_), line_.size());
  return line_.substr(word_, word_end_ - word_);
}

void StatementReader::fail_at(TextPosition position, const std::string& what) const {
  throw Error(fmt::format("{}:{}:{}: {}", file_, position.line, position.column, what));
}

std::string hide_blanks(std::string_view name) {
  std::string hidden(name);
  for (char& c : hidden)
    if (c == ' ' || c == '\t') c = kHiddenBlank;
  return hidden;
}

std::string show_blanks(std::string_view name) {
  std::string shown(name);
  std::replace(shown.begin(), shown.end(), kHiddenBlank, ' ');
  return shown;
}

NumberKind read_number(std::string_view word, float& number) {
  std::string_view digits = word;
  if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
  double value = 0.0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  bool whole = end == digits.data() + digits.size();
  if (whole && error == std::errc::result_out_of_range) {
    // Too large and too near to zero look the same here; a negative exponent tells them apart.
    bool tiny =
        digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    number = 0.0f;
    return tiny ? NumberKind::kFinite : NumberKind::kNotFinite;
  }
  if (whole && error == std::errc()) {
    number = static_cast<float>(value);
    return std::isfinite(number) ? NumberKind::kFinite : NumberKind::kNotFinite;
  }
  for (std::string_view spelling : {"#ind", "#inf", "#qnan", "#snan", "#nan", "nan", "inf"})
    if (contains_ignoring_case(word, spelling)) return NumberKind::kNotFinite;
  return NumberKind::kNone;
}

}  // namespace winnow
