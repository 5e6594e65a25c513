// SPDX-License-Identifier: MIT
#include "load/pbrt/statements.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/names.h"
#include "load/text/number.h"

namespace winnow {
namespace {

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

/// Decompresses all members of a gzip file.
std::string decompress_gzip(std::string_view bytes, const std::string& file, uint64_t most) {
  constexpr int kGzip = 16 + MAX_WBITS;
  z_stream stream = {};
  if (inflateInit2(&stream, kGzip) != Z_OK)
    throw Error(fmt::format("{}: cannot be decompressed", file));
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, inflateEnd);
  constexpr size_t kFirstSize = 1 << 16, kMaxPart = std::numeric_limits<uInt>::max();
  std::string plain;
  size_t used = 0, filled = 0;
  while (used < bytes.size()) {
    if (filled == plain.size()) plain.resize(std::max(2 * plain.size(), kFirstSize));
    const size_t in = std::min(bytes.size() - used, kMaxPart),
                 out = std::min(plain.size() - filled, kMaxPart);
    // zlib does not change its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + used));
    stream.avail_in = uInt(in);
    stream.next_out = reinterpret_cast<Bytef*>(plain.data() + filled);
    stream.avail_out = uInt(out);
    const int status = inflate(&stream, Z_NO_FLUSH);
    used += in - stream.avail_in;
    filled += out - stream.avail_out;
    if (filled > most)
      throw Error(fmt::format("{}: expected at most {} bytes after decompression", file, most));
    if (status == Z_STREAM_END) {
      if (!is_gzip(bytes.substr(used))) break;
      inflateReset(&stream);
    } else if (status != Z_OK) {
      throw Error(fmt::format("{}: the compressed file is damaged", file));
    } else if (used == bytes.size() && stream.avail_out > 0) {
      throw Error(fmt::format("{}: the compressed file is cut off", file));
    }
  }
  plain.resize(filled);
  return plain;
}

const PbrtDirective* find_known(std::string_view name) {
  const auto known = std::ranges::find(PbrtDirective::all(), name, &PbrtDirective::name);
  return known == PbrtDirective::all().end() ? nullptr : &*known;
}

const PbrtDirective* find_directive(const PbrtToken& word) {
  if (const PbrtDirective* known = find_known(word.text)) return known;
  if (word.kind != PbrtTokenKind::kWord)
    fail_at(word.place,
            fmt::format("expected a directive, such as Shape, found {}", in_quotes(word.text)));
  std::vector<std::string> names;
  for (const PbrtDirective& directive : PbrtDirective::all()) names.emplace_back(directive.name);
  const std::optional<std::string> nearest = nearest_name(word.text, names);
  fail_at(word.place, fmt::format("the directive {} is unknown{}", in_quotes(word.text),
                                  nearest ? fmt::format("; did you mean {}?", *nearest) : ""));
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

void take_numbers(PbrtTokens& tokens, PbrtStatement& to) {
  const PbrtDirective& syntax = *to.directive;
  const bool is_list = tokens.peek() && tokens.peek()->kind == PbrtTokenKind::kOpen;
  if (is_list) tokens.take();
  for (int i = 0; i < syntax.numbers; ++i) to.numbers[size_t(i)] = take_number(tokens, syntax.name);
  if (!is_list) return;
  const PbrtPlace place = tokens.place();
  const std::optional<PbrtToken> end = tokens.take();
  if (!end || end->kind != PbrtTokenKind::kClose)
    fail_at(place,
            fmt::format("expected ] after the {} numbers of {}", syntax.numbers, syntax.name));
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

std::string read_maybe_compressed(const std::filesystem::path& file, uint64_t most) {
  std::string bytes = read_file(file);
  return is_gzip(bytes) ? decompress_gzip(bytes, file.string(), most) : bytes;
}

std::optional<std::filesystem::path> find_pbrt_file(const std::filesystem::path& folder,
                                                    const std::string& name,
                                                    const std::string& named_by) {
  std::string portable = name;
  if (portable.find('/') == std::string::npos)
    std::replace(portable.begin(), portable.end(), '\\', '/');
  std::error_code status;
  for (const auto& searched : {folder, std::filesystem::path(named_by).parent_path()}) {
    const std::filesystem::path file = searched / portable;
    if (!name.empty() && std::filesystem::is_regular_file(file, status)) return file;
  }
  return {};
}

PbrtStatements::PbrtStatements(const std::filesystem::path& file,
                               std::shared_ptr<const std::string> text)
    : folder_(file.parent_path()) {
  is_old_ = ends_world(*text);
  open(file, std::move(text), false);
}

void PbrtStatements::open(const std::filesystem::path& file,
                          std::shared_ptr<const std::string> text, bool is_import) {
  names_.push_back(file.string());
  files_.emplace_back(std::move(text), names_.back(), file, is_import);
}

void PbrtStatements::include(const PbrtStatement& statement) {
  const std::string& name = statement.strings[0];
  const auto file = find_pbrt_file(folder_, name, *statement.place.file);
  if (!file) fail_at(statement.place, fmt::format("the file {} does not exist", in_quotes(name)));
  std::error_code failure;  // if a file is gone by now, reading it fails
  for (const File& outer : files_)
    if (std::filesystem::equivalent(outer.path, *file, failure))
      fail_at(statement.place, fmt::format("the file {} includes itself", in_quotes(name)));
  if (files_.size() > kMaxIncludeDepth || ++included_ > kMaxIncludedFiles)
    fail_at(statement.place, fmt::format("expected at most {} nested and {} included files",
                                         kMaxIncludeDepth, kMaxIncludedFiles));
  open(*file, std::make_shared<const std::string>(read_maybe_compressed(*file)),
       statement.directive->name == "Import");
}

PbrtStatement PbrtStatements::read(const PbrtToken& word) {
  const PbrtDirective& syntax = *find_directive(word);
  PbrtTokens& tokens = files_.back().tokens;
  PbrtStatement statement;
  statement.directive = &syntax;
  statement.place = word.place;
  for (int i = 0; i < syntax.max_strings && (i < syntax.min_strings || has_string(tokens)); ++i)
    statement.strings.push_back(take_string(tokens, syntax.name));
  if (syntax.numbers > 0) take_numbers(tokens, statement);
  if (syntax.has_parameters)
    statement.parameters = syntax.name == "Option" ? PbrtParameters::read_option(tokens)
                                                   : PbrtParameters::read(tokens);
  return statement;
}

std::optional<PbrtStatement> PbrtStatements::next() {
  while (!files_.empty()) {
    const std::optional<PbrtToken> word = files_.back().tokens.take();
    if (!word) {
      const bool is_import = files_.back().is_import;
      PbrtStatement end;
      end.directive = find_known("AttributeEnd");
      end.place = files_.back().tokens.place();
      if (files_.size() == 1) return {};
      files_.pop_back();
      if (is_import) return end;
      continue;
    }
    PbrtStatement statement = read(*word);
    if (statement.directive->name != "Include" && statement.directive->name != "Import")
      return statement;
    include(statement);
    if (statement.directive->name == "Import") {
      statement.directive = find_known("AttributeBegin");
      return statement;
    }
  }
  return {};
}

}  // namespace winnow
