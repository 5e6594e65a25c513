// SPDX-License-Identifier: MIT
#include "app/cli/option_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/limits.h"
#include "image/tone_mapping.h"

namespace winnow {
namespace {

[[noreturn]] void fail(const std::string& option, const std::string& text,
                       const std::string& expected) {
  throw UsageError(fmt::format("{}: \"{}\" is not {}", option, text, expected));
}

/// Returns the number if it is all of `text`.
template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || rest != end) return std::nullopt;
  return number;
}

/// Returns a number above 0 and at most `max`.
template <class Number>
Number parse_positive(const std::string& option, const std::string& text, Number max,
                      const std::string& expected) {
  std::optional<Number> number = parse_number<Number>(text);
  if (!number || !(*number > 0 && *number <= max))
    fail(option, text, expected);  // NaN compares false
  return *number;
}

std::string without_spaces_around(const std::string& text) {
  const size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

constexpr std::string_view kIndexedGpu = "cuda:";

/// Returns K of "K" or "cuda:K".
std::optional<int> gpu_index(const std::string& text) {
  const bool has_prefix = text.rfind(kIndexedGpu, 0) == 0;
  const auto index = parse_number<int>(text.substr(has_prefix ? kIndexedGpu.size() : 0));
  return index && *index >= 0 ? index : std::nullopt;
}

std::optional<float> find_stops(const std::string& text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const std::optional<float> stops = parse_number<float>(plus ? text.substr(1) : text);
  return stops && std::abs(*stops) <= kMaxStops ? stops : std::nullopt;  // NaN compares false
}

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

uint64_t parse_whole_number(const std::string& option, const std::string& text, uint64_t min,
                            uint64_t max) {
  std::optional<uint64_t> number = parse_number<uint64_t>(text);
  if (!number || *number < min || *number > max)
    fail(option, text, fmt::format("a whole number from {} to {}", min, max));
  return *number;
}

std::string parse_path(const std::string& option, const std::string& text) {
  if (text == "-") fail(option, text, "the name of a file; ./- is a file of this name");
  return text;
}

double parse_seconds(const std::string& option, const std::string& text) {
  return parse_positive(option, text, 1e9, "a number of seconds above 0, at most 10^9");
}

double parse_moment(const std::string& option, const std::string& text) {
  const std::optional<double> seconds = parse_number<double>(text);
  if (!seconds || !std::isfinite(*seconds)) fail(option, text, "a number of seconds");
  return *seconds;
}

double parse_noise(const std::string& option, const std::string& text) {
  return parse_positive(option, text, 1.0, "a relative error above 0, at most 1, as in 0.05");
}

float parse_radiance(const std::string& option, const std::string& text) {
  return parse_positive(option, text, std::numeric_limits<float>::max(), "a radiance above 0");
}

Exposure parse_exposure(const std::string& option, const std::string& text) {
  if (text == "auto") return {.is_automatic = true};
  const std::optional<float> stops = find_stops(text);
  if (!stops)
    fail(option, text,
         fmt::format("auto or a number of stops from {} to {}, as in -1.5", -kMaxStops, kMaxStops));
  return {.stops = *stops};
}

FilterDescription parse_filter(const std::string& option, const std::string& text) {
  const size_t colon = text.find(':');
  FilterDescription filter;
  filter.type = parse_enum<FilterType>(option, text.substr(0, colon));
  filter.radius = default_filter_radius(filter.type);
  if (colon == std::string::npos) return filter;
  const std::optional<float> radius = parse_number<float>(text.substr(colon + 1));
  if (!radius || !(*radius > 0.0f && *radius <= kMaxFilterRadius))  // NaN compares false
    fail(option, text,
         fmt::format("NAME:RADIUS with a radius above 0, at most {} pixels", kMaxFilterRadius));
  filter.radius = *radius;
  return filter;
}

std::vector<float> parse_numbers(const std::string& option, const std::string& text,
                                 const char* names, size_t count) {
  std::vector<float> numbers;
  for (const std::string& part : split(text, ','))
    numbers.push_back(parse_number<float>(without_spaces_around(part)).value_or(NAN));
  if (numbers.size() != count ||
      !std::ranges::all_of(numbers, [](float n) { return std::isfinite(n); }))
    fail(option, text,
         count == 1 ? std::string(names) : fmt::format("{}, {} numbers", names, count));
  return numbers;
}

Size parse_size(const std::string& option, const std::string& text) {
  size_t cross = text.find_first_of("xX");
  if (cross != std::string::npos) {
    std::optional<uint32_t> width = parse_number<uint32_t>(text.substr(0, cross));
    std::optional<uint32_t> height = parse_number<uint32_t>(text.substr(cross + 1));
    auto is_valid = [](const std::optional<uint32_t>& side) {
      return side && *side >= 1 && *side <= kMaxImageSide;
    };
    if (is_valid(width) && is_valid(height)) return {*width, *height};
  }
  fail(option, text,
       fmt::format("WIDTHxHEIGHT, each from 1 to {}, as in 1920x1080", kMaxImageSide));
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
  return text;
}

size_t parse_choice(const std::string& option, const std::string& text,
                    const std::vector<std::string>& names) {
  for (size_t choice = 0; choice < names.size(); ++choice)
    if (names[choice] == text) return choice;
  std::optional<std::string> nearest = nearest_name(text, names);
  fail(option, text, alternatives(names) + (nearest ? "; did you mean " + *nearest + "?" : ""));
}

std::vector<size_t> parse_choices(const std::string& option, const std::string& text,
                                  const std::vector<std::string>& names) {
  std::vector<size_t> choices;
  for (const std::string& word : split(text, ',')) {
    const size_t choice = parse_choice(option, word, names);
    if (std::ranges::find(choices, choice) != choices.end())
      throw UsageError(fmt::format("{}: \"{}\" is given twice", option, word));
    choices.push_back(choice);
  }
  return choices;
}

DeviceRequest parse_device(const std::string& option, const std::string& text) {
  if (text == "auto") return {DeviceRequest::Kind::kAuto};
  if (text == "cpu") return {DeviceRequest::Kind::kCpu};
  if (text == "cuda") return {DeviceRequest::Kind::kCuda};
  if (text.rfind(kIndexedGpu, 0) == 0)
    if (const auto index = gpu_index(text)) return {DeviceRequest::Kind::kCuda, {*index}};
  fail(option, text, "auto, cpu, cuda or cuda:K with K the index of a GPU");
}

DeviceRequest parse_devices(const std::string& option, const std::string& text) {
  if (text == "all") return {DeviceRequest::Kind::kAllCuda};
  DeviceRequest request{DeviceRequest::Kind::kCuda};
  for (const std::string& word : split(text, ',')) {
    const std::optional<int> index = gpu_index(word);
    if (!index) fail(option, text, "all or a list of GPUs, as in 0,2 or cuda:0,cuda:2");
    if (std::ranges::find(request.indices, *index) != request.indices.end())
      throw UsageError(fmt::format("{}: GPU {} is given twice", option, *index));
    request.indices.push_back(*index);
  }
  return request;
}

}  // namespace winnow
