// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/rewrite.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace compaction::judge {

namespace {

/// Comments, white space and directives are tokens, too: all tokens joined are the source.
struct Token {
  enum class Kind { kSpace, kWord, kLiteral, kMark };
  Kind kind;
  std::string text;
  int line;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Returns the size of `text` up to the end of the first `end` from `from` on.
size_t size_through(std::string_view text, std::string_view end, size_t from) {
  const size_t found = text.find(end, from);
  return found == text.npos ? text.size() : found + end.size();
}

/// Returns the size of `text` before the first `end` from `from` on that follows no backslash.
size_t size_before(std::string_view text, char end, size_t from) {
  while (from < text.size() && text[from] != end) from += text[from] == '\\' ? 2 : 1;
  return std::min(from, text.size());
}

std::pair<Token::Kind, size_t> first_token(std::string_view text, bool is_line_start) {
  using enum Token::Kind;
  const char c = text[0];
  const auto size_of = [&](auto belongs) {
    return size_t(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
  };
  if (std::isspace(static_cast<unsigned char>(c))) return {kSpace, 1};
  if (text.starts_with("//") || (c == '#' && is_line_start))
    return {kSpace, size_before(text, '\n', 0)};
  if (text.starts_with("/*")) return {kSpace, size_through(text, "*/", 2)};
  const size_t open = text.starts_with("R\"") ? text.find('(') : text.npos;
  if (open != text.npos)
    return {kLiteral, size_through(text, ")" + std::string(text.substr(2, open - 2)) + "\"", open)};
  if (c == '"' || c == '\'') return {kLiteral, std::min(size_before(text, c, 1) + 1, text.size())};
  if (std::isdigit(static_cast<unsigned char>(c)))  // the quote in 1'000 opens no literal
    return {kLiteral, size_of([](char c) { return is_word(c) || c == '.' || c == '\''; })};
  if (is_word(c)) return {kWord, size_of(is_word)};
  return {kMark, text.starts_with("<<<") || text.starts_with(">>>") ? 3
                 : text.starts_with("::")                           ? 2
                                                                    : 1};
}

std::vector<Token> tokens_of(std::string_view source) {
  std::vector<Token> tokens;
  int line = 1;
  bool is_line_start = true;
  while (!source.empty()) {
    const auto [kind, size] = first_token(source, is_line_start);
    const std::string_view text = source.substr(0, size);
    is_line_start = kind == Token::Kind::kSpace && (is_line_start || text.back() == '\n');
    tokens.push_back({kind, std::string(text), line});
    line += int(std::count(text.begin(), text.end(), '\n'));
    source.remove_prefix(size);
  }
  return tokens;
}

[[noreturn]] void refuse(const Token& token, const char* reason) {
  throw RewriteError("line " + std::to_string(token.line) + ": " + reason);
}

class Rewriter {
 public:
  explicit Rewriter(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  std::string run() {
    for (Token& token : tokens_) drop_include(token);
    for (size_t i = 0; i < tokens_.size(); ++i) {
      track_braces(tokens_[i]);
      if (tokens_[i].text == "<<<") rewrite_launch(i);
      if (tokens_[i].text == "__shared__") rewrite_shared(i);
      if (tokens_[i].text == "__noinline__") tokens_[i].text = "";
    }
    std::string text;
    for (const Token& token : tokens_) text += token.text;
    return text;
  }

 private:
  static void drop_include(Token& token) {
    if (token.text[0] != '#' || token.text.find("include") == std::string::npos) return;
    for (const char* header : {"<cuda", "\"cuda", "device_launch_parameters", "<helper_cuda"})
      if (token.text.find(header) != std::string::npos) token.text = "";
  }

  /// A brace opens a function if the last mark before it is a closing parenthesis.
  void track_braces(const Token& token) {
    if (token.text == "{") braces_.push_back(last_mark_ == ")" || in_function());
    if (token.text == "}" && !braces_.empty()) braces_.pop_back();
    if (token.kind == Token::Kind::kMark) last_mark_ = token.text;
  }

  bool in_function() const {
    return std::find(braces_.begin(), braces_.end(), true) != braces_.end();
  }

  bool is_space(size_t i) const { return tokens_[i].kind == Token::Kind::kSpace; }

  /// Returns the last token before `i` that is not white space; `i` itself if there is none.
  size_t before(size_t i) const {
    for (size_t j = i; j-- > 0;)
      if (!is_space(j)) return j;
    return i;
  }

  /// The kernel's name, such as a::b<c>, ends before `i`. Returns `i` if there is no name.
  size_t start_of_name(size_t i) const {
    size_t first = before(i);
    if (tokens_[first].text == ">") {
      int depth = 0;
      do {
        depth += tokens_[first].text == ">" ? 1 : tokens_[first].text == "<" ? -1 : 0;
        if (depth > 0 && first == before(first)) return i;
        first = before(first);
      } while (depth > 0);
    }
    while (tokens_[first].kind == Token::Kind::kWord && tokens_[before(first)].text == "::") {
      const size_t scope = before(first);
      if (tokens_[before(scope)].kind != Token::Kind::kWord || before(scope) == scope) return scope;
      first = before(scope);
    }
    return first;
  }

  std::string text_of(size_t first, size_t end) const {
    std::string text;
    for (size_t i = first; i < end; ++i)
      text += is_space(i) && tokens_[i].text[0] != '\n' ? " " : tokens_[i].text;
    return text;
  }

  void rewrite_launch(size_t open) {
    const size_t first = start_of_name(open);
    size_t close = open;
    while (close < tokens_.size() && tokens_[close].text != ">>>") ++close;
    if (close == tokens_.size()) refuse(tokens_[open], "<<< has no >>>");
    if (first == open || tokens_[first].kind == Token::Kind::kLiteral)
      refuse(tokens_[open], "<<< has no kernel name before it");
    const std::string kernel = text_of(first, open);
    std::string name;
    for (char c : kernel)
      if (!std::isspace(static_cast<unsigned char>(c))) name += c == '"' || c == '\\' ? '_' : c;
    for (size_t i = first; i < open; ++i) tokens_[i].text = "";
    tokens_[first].text =
        "::compaction::judge::kernel_launch(\"" + name + "\", ::compaction::judge::LaunchShape(";
    tokens_[open].text = "";
    tokens_[close].text =
        "), [=](auto... judged_arguments) { " + kernel + "(judged_arguments...); })";
  }

  size_t start_of_statement(size_t i) const {
    size_t first = i;
    for (size_t j = i; j-- > 0;) {
      const std::string& text = tokens_[j].text;
      if (text == ";" || text == "{" || text == "}" || text == ":") break;
      if (!is_space(j)) first = j;
    }
    return first;
  }

  void rewrite_shared(size_t at) {
    const size_t first = start_of_statement(at);
    size_t end = at;
    while (end < tokens_.size() && tokens_[end].text != ";") ++end;
    if (end == tokens_.size()) refuse(tokens_[at], "no semicolon ends the __shared__ declaration");
    bool is_extern = false;
    for (size_t i = first; i < end; ++i) {
      is_extern |= tokens_[i].text == "extern";
      if (tokens_[i].text == "extern" || tokens_[i].text == "__shared__" ||
          tokens_[i].text == "static")
        tokens_[i].text = " ";
    }
    if (is_extern)
      rewrite_dynamic(first, end);
    else if (in_function())
      rewrite_static(first, end);
    else
      refuse(tokens_[at], "__shared__ outside of a function");
  }

  void rewrite_dynamic(size_t first, size_t end) {
    size_t bracket = first;
    while (bracket < end && tokens_[bracket].text != "[") ++bracket;
    if (bracket == end) refuse(tokens_[first], "extern __shared__ declares no array");
    const size_t name = before(bracket);
    const std::string type = without_alignment(text_of(first, name)), id = tokens_[name].text;
    replace(first, end,
            in_function() ? type + "* " + id + " = static_cast<" + type +
                                "*>(::compaction::judge::dynamic_shared())"
                          : "static const ::compaction::judge::DynamicShared<" + type + "> " + id);
  }

  static std::string without_alignment(std::string type) {
    for (const char* word : {"__align__", "alignas"}) {
      const size_t word_start = type.find(word);
      if (word_start != std::string::npos)
        type.erase(word_start, type.find(')', word_start) + 1 - word_start);
    }
    const size_t start = type.find_first_not_of(" \n"), end = type.find_last_not_of(" \n");
    return start == std::string::npos ? "" : type.substr(start, end + 1 - start);
  }

  /// Turns the variables of a declaration into members of a struct, and references to them.
  void rewrite_static(size_t first, size_t end) {
    const std::string type = "SharedOfLine" + std::to_string(tokens_[first].line) + "_" +
                             std::to_string(declarations_++);
    std::string text = "struct " + type + " { " + text_of(first, end) + "; };";
    for (const std::string& name : declared_names(first, end))
      text +=
          " auto& " + name + " = ::compaction::judge::shared_memory<" + type + ">()." + name + ";";
    text.pop_back();  // the statement's own semicolon follows
    replace(first, end, text);
  }

  std::vector<std::string> declared_names(size_t first, size_t end) const {
    std::vector<std::string> names;
    std::string last;
    int depth = 0;
    bool is_complete = false;
    for (size_t i = first; i < end; ++i) {
      const std::string& text = tokens_[i].text;
      if (text == "[") is_complete = true;
      if (text == "=") refuse(tokens_[i], "__shared__ variables cannot be initialized");
      if (text == "(" || text == "[" || text == "<") ++depth;
      if (text == ")" || text == "]" || text == ">") --depth;
      if (depth == 0 && tokens_[i].kind == Token::Kind::kWord && !is_complete) last = text;
      if (depth == 0 && text == ",") {
        names.push_back(last);
        is_complete = false;
      }
    }
    names.push_back(last);
    return names;
  }

  void replace(size_t first, size_t end, const std::string& text) {
    int lines = 0;
    for (size_t i = first; i < end; ++i) {
      lines += int(std::count(tokens_[i].text.begin(), tokens_[i].text.end(), '\n'));
      tokens_[i].text = "";
    }
    lines -= int(std::count(text.begin(), text.end(), '\n'));
    tokens_[first].text = text + std::string(size_t(std::max(lines, 0)), '\n');
  }

  std::vector<Token> tokens_;
  std::vector<bool> braces_;  // [open brace], whether it is in a function
  std::string last_mark_;
  int declarations_ = 0;
};

}  // namespace

bool is_cuda(const std::string& source) {
  for (const Token& token : tokens_of(source))
    if (token.text == "__global__" || token.text == "<<<") return true;
  return false;
}

std::string rewrite(const std::string& source) {
  return Rewriter(tokens_of(source)).run();
}

}  // namespace compaction::judge
