// SPDX-License-Identifier: MIT
#include "app/sequence/numbered_files.h"

#include <fmt/core.h>

#include <optional>
#include <vector>

#include "app/cli/option_values.h"
#include "base/error.h"

namespace winnow {
namespace {

/// Place of a number in a name.
struct NumberPlace {
  size_t begin = 0, length = 0;
  int digits = 1;  ///< minimum number of digits
};

/// Returns the place "%d" or "%0Nd" at `begin`, if there is one.
std::optional<NumberPlace> place_at(const std::string& name, size_t begin) {
  if (name.compare(begin, 2, "%d") == 0) return NumberPlace{begin, 2, 1};
  const bool has_digits = name.size() >= begin + 4 && name[begin] == '%' &&
                          name[begin + 1] == '0' && name[begin + 2] >= '1' &&
                          name[begin + 2] <= '9' && name[begin + 3] == 'd';
  if (!has_digits) return std::nullopt;
  return NumberPlace{begin, 4, name[begin + 2] - '0'};
}

}  // namespace

std::filesystem::path numbered_file(const std::filesystem::path& pattern, uint32_t number) {
  const std::string name = pattern.filename().string();
  std::optional<NumberPlace> found;
  for (size_t i = 0; i < name.size(); ++i)
    if (const std::optional<NumberPlace> place = place_at(name, i)) {
      if (found)
        throw UsageError(fmt::format("{}: has two places for the number of a frame; expected one",
                                     pattern.string()));
      found = place;
    }
  if (!found)
    return pattern.parent_path() /
           fmt::format("{}-{:04}{}", pattern.stem().string(), number, pattern.extension().string());
  return pattern.parent_path() /
         (name.substr(0, found->begin) + fmt::format("{:0{}}", number, found->digits) +
          name.substr(found->begin + found->length));
}

FrameRange parse_frames(const std::string& option, const std::string& text) {
  std::vector<uint32_t> numbers;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(':', begin), text.size());
    const bool is_step = numbers.size() == 2;
    numbers.push_back(
        uint32_t(parse_whole_number(option, text.substr(begin, end - begin), is_step, kMaxFrames)));
    begin = end + 1;
  }
  constexpr size_t kMaxParts = 3;  // A:B:STEP
  if (numbers.size() > kMaxParts || (numbers.size() > 1 && numbers[1] < numbers[0]))
    throw UsageError(
        fmt::format("{}: \"{}\" is not A:B or A:B:STEP with A up to B, as in 0:47", option, text));
  return {.first = numbers[0],
          .last = numbers.size() > 1 ? numbers[1] : numbers[0],
          .step = numbers.size() > 2 ? numbers[2] : 1};
}

}  // namespace winnow
