// SPDX-License-Identifier: MIT
#include "load/pbrt/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/limits.h"
#include "base/nearest_name.h"
#include "base/one_line.h"
#include "load/text/number.h"

namespace winnow {
namespace {

/// Arguments that follow the first word of a statement.
struct Syntax {
  std::string_view directive;
  int min_strings = 0, max_strings = 0, numbers = 0;
  bool has_parameters = false;
};

constexpr Syntax kSyntax[] = {
    {"Accelerator", 1, 1, 0, true},
    {"ActiveTransform", 1, 1},
    {"AreaLightSource", 1, 1, 0, true},
    {"Attribute", 1, 1, 0, true},
    {"AttributeBegin"},
    {"AttributeEnd"},
    {"Camera", 1, 1, 0, true},
    {"ColorSpace", 1, 1},
    {"ConcatTransform", 0, 0, 16},
    {"CoordSysTransform", 1, 1},
    {"CoordinateSystem", 1, 1},
    {"Film", 1, 1, 0, true},
    {"Identity"},
    {"Import", 1, 1},
    {"Include", 1, 1},
    {"Integrator", 1, 1, 0, true},
    {"LightSource", 1, 1, 0, true},
    {"LookAt", 0, 0, 9},
    {"MakeNamedMaterial", 1, 1, 0, true},
    {"MakeNamedMedium", 1, 1, 0, true},
    {"Material", 1, 1, 0, true},
    {"MediumInterface", 1, 2},
    {"NamedMaterial", 1, 1},
    {"ObjectBegin", 1, 1},
    {"ObjectEnd"},
    {"ObjectInstance", 1, 1},
    {"Option", 0, 0, 0, true},
    {"PixelFilter", 1, 1, 0, true},
    {"Renderer", 1, 1, 0, true},
    {"ReverseOrientation"},
    {"Rotate", 0, 0, 4},
    {"Sampler", 1, 1, 0, true},
    {"Scale", 0, 0, 3},
    {"Shape", 1, 1, 0, true},
    {"SurfaceIntegrator", 1, 1, 0, true},
    {"Texture", 3, 3, 0, true},
    {"Transform", 0, 0, 16},
    {"TransformBegin"},
    {"TransformEnd"},
    {"TransformTimes", 0, 0, 2},
    {"Translate", 0, 0, 3},
    {"Volume", 1, 1, 0, true},
    {"VolumeIntegrator", 1, 1, 0, true},
    {"WorldBegin"},
    {"WorldEnd"},
};

const Syntax& find_syntax(const PbrtToken& word) {
  const auto* known = std::ranges::find(kSyntax, word.text, &Syntax::directive);
  if (known != std::end(kSyntax)) return *known;
  std::vector<std::string> names;
  for (const Syntax& syntax : kSyntax) names.emplace_back(syntax.directive);
  const std::optional<std::string> nearest = nearest_name(word.text, names);
  fail_at(word.place,
          word.kind == PbrtTokenKind::kWord
              ? fmt::format("the directive {} is unknown{}", in_quotes(word.text),
                            nearest ? fmt::format("; did you mean {}?", *nearest) : "")
              : fmt::format("expected a directive, such as Shape, found {}", in_quotes(word.text)));
}

std::string take_string(PbrtTokens& tokens, std::string_view directive) {
  const PbrtPlace place = tokens.place();
  std::optional<PbrtToken> token = tokens.take();
  // The values of ActiveTransform have no quotes.
  const bool is_string =
      token && (token->kind == PbrtTokenKind::kString ||
                (token->kind == PbrtTokenKind::kWord && directive == "ActiveTransform"));
  if (token && token->kind == PbrtTokenKind::kOpen) {  // some files have ["..."]
    std::string inner = take_string(tokens, directive);
    token = tokens.take();
    if (!token || token->kind != PbrtTokenKind::kClose) fail_at(place, "expected ]");
    return inner;
  }
  if (!is_string)
    fail_at(place, fmt::format("expected a string in double quotes after {}", directive));
  return pbrt_string(token->text);
}

float take_number(PbrtTokens& tokens, std::string_view directive) {
  const PbrtPlace place = tokens.place();
  const std::optional<PbrtToken> token = tokens.take();
  float number = 0.0f;
  if (!token || token->kind != PbrtTokenKind::kWord ||
      read_number(token->text, number) != NumberKind::kFinite)
    fail_at(place, fmt::format("expected a finite number after {}{}", directive,
                               token ? ", found " + in_quotes(token->text) : ""));
  return number;
}

void take_numbers(PbrtTokens& tokens, const Syntax& syntax, PbrtStatement& to) {
  const bool is_list = tokens.peek() && tokens.peek()->kind == PbrtTokenKind::kOpen;
  if (is_list) tokens.take();
  for (int i = 0; i < syntax.numbers; ++i)
    to.numbers[size_t(i)] = take_number(tokens, syntax.directive);
  if (!is_list) return;
  const PbrtPlace place = tokens.place();
  const std::optional<PbrtToken> end = tokens.take();
  if (!end || end->kind != PbrtTokenKind::kClose)
    fail_at(place,
            fmt::format("expected ] after the {} numbers of {}", syntax.numbers, syntax.directive));
}

bool has_string(PbrtTokens& tokens) {
  return tokens.peek() && tokens.peek()->kind == PbrtTokenKind::kString;
}

/// True if a line of `text` begins with WorldEnd.
bool ends_world(std::string_view text) {
  constexpr std::string_view kEnd = "WorldEnd";
  for (size_t at = text.rfind(kEnd); at != text.npos; at = text.rfind(kEnd, at - 1)) {
    const size_t line = text.rfind('\n', at) + 1;  // 0 for the first line
    if (text.substr(line, at - line).find('#') == text.npos) return true;
    if (at == 0) break;
  }
  return false;
}

}  // namespace

PbrtStatements::PbrtStatements(const std::filesystem::path& file) : folders_(file) {
  open(file, false);
  is_old_ = ends_world(files_.back().text);
}

void PbrtStatements::open(const std::filesystem::path& file, bool is_import) {
  names_.push_back(file.string());
  files_.emplace_back(read_maybe_compressed(file), names_.back(), file, is_import);
}

void PbrtStatements::include(const PbrtStatement& statement) {
  const std::string& name = statement.strings[0];
  const auto file = folders_.find(name, *statement.place.file);
  if (!file) fail_at(statement.place, fmt::format("the file {} does not exist", in_quotes(name)));
  std::error_code failure;  // if a file is gone by now, reading it fails
  for (const File& outer : files_)
    if (std::filesystem::equivalent(outer.path, *file, failure))
      fail_at(statement.place, fmt::format("the file {} includes itself", in_quotes(name)));
  if (files_.size() > kMaxIncludeDepth || ++included_ > kMaxIncludedFiles)
    fail_at(statement.place, fmt::format("expected at most {} nested and {} included files",
                                         kMaxIncludeDepth, kMaxIncludedFiles));
  open(*file, statement.directive == "Import");
}

PbrtStatement PbrtStatements::read(const PbrtToken& word) {
  const Syntax& syntax = find_syntax(word);
  PbrtTokens& tokens = files_.back().tokens;
  PbrtStatement statement;
  statement.directive = syntax.directive;
  statement.place = word.place;
  for (int i = 0; i < syntax.max_strings && (i < syntax.min_strings || has_string(tokens)); ++i)
    statement.strings.push_back(take_string(tokens, syntax.directive));
  if (syntax.numbers > 0) take_numbers(tokens, syntax, statement);
  if (syntax.has_parameters) statement.parameters = PbrtParameters::read(tokens);
  return statement;
}

std::optional<PbrtStatement> PbrtStatements::next() {
  while (!files_.empty()) {
    const std::optional<PbrtToken> word = files_.back().tokens.take();
    if (!word) {
      const bool is_import = files_.back().is_import;
      PbrtStatement end;
      end.directive = "AttributeEnd";
      end.place = files_.back().tokens.place();
      if (files_.size() == 1) return {};
      files_.pop_back();
      if (is_import) return end;
      continue;
    }
    PbrtStatement statement = read(*word);
    if (statement.directive != "Include" && statement.directive != "Import") return statement;
    include(statement);
    if (statement.directive == "Import") {
      statement.directive = "AttributeBegin";
      return statement;
    }
  }
  return {};
}

}  // namespace winnow
