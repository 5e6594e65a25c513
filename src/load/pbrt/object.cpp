// SPDX-License-Identifier: MIT
#include "load/pbrt/object.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "load/pbrt/pbrt_keys.h"
#include "load/text/number.h"
#include "math/sampling.h"
#include "scene/boundary.h"
#include "scene/optical_constants.h"
#include "scene/spectra/spectrum.h"

namespace winnow {
namespace {

/// Chromaticity of an illuminant. CIE 15:2018; ACES: SMPTE ST 2065-1.
struct Illuminant {
  std::string_view name;
  double x, y;
};
constexpr Illuminant kIlluminants[] = {
    {"stdillum-A", 0.44758, 0.40745},   {"stdillum-D50", 0.34567, 0.35851},
    {"stdillum-D65", 0.31272, 0.32903}, {"stdillum-F1", 0.3131, 0.3371},
    {"stdillum-F2", 0.3721, 0.3751},    {"stdillum-F3", 0.4091, 0.3941},
    {"stdillum-F4", 0.4402, 0.4031},    {"stdillum-F5", 0.3138, 0.3452},
    {"stdillum-F6", 0.3779, 0.3882},    {"stdillum-F7", 0.3129, 0.3292},
    {"stdillum-F8", 0.3458, 0.3586},    {"stdillum-F9", 0.3741, 0.3727},
    {"stdillum-F10", 0.3458, 0.3588},   {"stdillum-F11", 0.3805, 0.3769},
    {"stdillum-F12", 0.4370, 0.4042},   {"illum-acesD60", 0.32168, 0.33767},
};

/// Index at 587.6 nm and Abbe number of a glass. Schott, data sheets of optical glass.
struct Glass {
  std::string_view name;
  float ior, abbe;
};
constexpr Glass kGlasses[] = {
    {"glass-BK7", 1.5168f, 64.17f},    {"glass-BAF10", 1.67003f, 47.11f},
    {"glass-FK51A", 1.48656f, 84.47f}, {"glass-LASF9", 1.85025f, 32.17f},
    {"glass-F5", 1.6727f, 32.21f},     {"glass-F10", 1.72825f, 28.41f},
    {"glass-F11", 1.78472f, 25.76f},   {"glass-SF5", 1.6727f, 32.21f},
    {"glass-SF10", 1.72825f, 28.41f},  {"glass-SF11", 1.78472f, 25.76f},
};

/// Constants of a metal or an insulator of pbrt, whose spectra are not those of find_metal(). They
/// give the colour of the reflectance of the spectra at normal incidence under daylight, as far as
/// it is in the gamut of Rec.709. k are means over the bands of Rec.709.
struct SpectralMetal {
  std::string_view name;
  ComplexIor ior;
};
const SpectralMetal kSpectralMetals[] = {
    {"Ag", {{0.1077f, 0.1182f, 0.1608f}, {3.7276f, 3.2483f, 2.4997f}}},
    {"Al", {{1.2508f, 0.9144f, 0.6236f}, {7.2498f, 6.5520f, 5.5117f}}},
    {"Au", {{0.0025f, 0.4501f, 1.4353f}, {2.9779f, 2.4846f, 1.6772f}}},
    {"Cu", {{0.1176f, 0.9667f, 1.2524f}, {3.0465f, 2.6080f, 2.4029f}}},
    {"CuZn", {{0.2754f, 0.5178f, 1.2323f}, {3.2503f, 2.6526f, 1.8860f}}},
    {"MgO", {{1.7339f, 1.7409f, 1.7535f}, {0.0f, 0.0f, 0.0f}}},
    {"TiO2", {{2.8604f, 2.9569f, 3.1857f}, {0.0f, 0.0f, 0.0f}}},
};

/// Finds a row of kIlluminants, kGlasses or kSpectralMetals; null if there is none of this name.
template <class Row, size_t kRows>
const Row* find_row(const Row (&rows)[kRows], std::string_view name) {
  const Row* row = std::ranges::find(rows, name, &Row::name);
  return row == std::end(rows) ? nullptr : row;
}

/// Finds the constant of a metal by a name such as "metal-Cu-eta" or "spds/Cu.k.spd".
std::optional<glm::vec3> find_metal_constant(std::string name) {
  name = name.substr(name.find_last_of("/\\") + 1);
  if (name.ends_with(".spd")) name.resize(name.size() - 4);
  if (name.starts_with("metal-")) name = name.substr(6);
  const size_t split = name.find_first_of("-.");
  if (split == name.npos) return {};
  const std::optional<ComplexIor> metal = find_pbrt_metal(name.substr(0, split));
  const std::string constant = name.substr(split + 1);
  if (!metal || (constant != "eta" && constant != "k")) return {};
  return constant == "eta" ? metal->n : metal->k;
}

/// Converts measured values to a colour.
/// @param numbers  wavelength in nm, value, wavelength, ...
glm::vec3 color_of_measured(const PbrtParameter& parameter, std::span<const float> numbers,
                            PbrtSpectrumUse use) {
  std::vector<SpectrumSample> samples;
  bool is_valid = numbers.size() % 2 == 0;
  for (size_t i = 0; is_valid && i < numbers.size(); i += 2) {
    is_valid = std::isfinite(numbers[i] + numbers[i + 1]) &&
               (samples.empty() || numbers[i] > samples.back().wavelength);
    samples.push_back({numbers[i], numbers[i + 1]});
  }
  if (!is_valid || samples.empty())
    fail_at(parameter.place, fmt::format("expected wavelengths that increase, each with a finite "
                                         "value, for the parameter {}",
                                         in_quotes(parameter.name)));
  return use == PbrtSpectrumUse::kLight ? rgb_of_emission(samples) : rgb_of_reflectance(samples);
}

/// Reads the numbers of a text file; "#" begins a comment.
std::vector<float> numbers_of_file(const std::filesystem::path& file) {
  std::istringstream lines(read_file(file));
  std::vector<float> numbers;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      float number = 0.0f;
      if (read_number(word, number) != NumberKind::kFinite)
        throw Error(fmt::format("{}: expected numbers, found {}", file.string(), in_quotes(word)));
      numbers.push_back(number);
    }
  }
  return numbers;
}

/// Returns the colour of a spectrum by its name or file.
glm::vec3 color_of_name(const PbrtParameter& parameter, glm::vec3 fallback, PbrtSpectrumUse use,
                        PbrtContext& context) {
  const std::string& name = parameter.strings[0];
  if (const Illuminant* known = find_row(kIlluminants, name))
    return rgb_of_xyz({known->x / known->y, 1.0, (1.0 - known->x - known->y) / known->y});
  if (const Glass* known = find_row(kGlasses, name)) return glm::vec3(known->ior);
  if (const auto file = find_pbrt_file(context.folder, name, *parameter.place.file))
    return color_of_measured(parameter, numbers_of_file(*file), use);
  if (const auto constant = find_metal_constant(name)) return *constant;
  context.warn(parameter.place,
               fmt::format("the spectrum {} is unknown; the default is used", in_quotes(name)));
  return fallback;
}

/// Reads [temperature], or in version 3 [temperature scale ...], whose maximum is the scale.
glm::vec3 color_of_black_body(const PbrtParameter& parameter, bool is_old) {
  constexpr float kCoolest = 100.0f, kHottest = 1e9f;  // K
  const std::vector<float>& numbers = parameter.numbers;
  if (numbers.empty() || !(numbers[0] >= kCoolest && numbers[0] <= kHottest))
    fail_at(parameter.place, "expected a temperature from 100 to 1e9 K");
  if (numbers.size() == 1 && !is_old) return rgb_of_black_body(numbers[0]);
  const float scale = numbers.size() > 1 && std::isfinite(numbers[1]) ? numbers[1] : 1.0f;
  return scale * rgb_of_black_body_over_maximum(numbers[0]);
}

glm::vec3 color_of_numbers(const PbrtObject& object, const PbrtParameter& parameter,
                           PbrtSpectrumUse use) {
  const std::vector<float>& numbers = parameter.numbers;
  const bool is_grey = numbers.size() == 1;
  if (!is_grey && numbers.size() != 3)
    fail_at(parameter.place, fmt::format("expected three numbers for the parameter {}, found {}",
                                         in_quotes(parameter.name), numbers.size()));
  const glm::vec3 color =
      is_grey ? glm::vec3(numbers[0]) : glm::vec3(numbers[0], numbers[1], numbers[2]);
  if (!std::isfinite(color.x + color.y + color.z))
    fail_at(parameter.place,
            fmt::format("expected finite numbers for the parameter {}", in_quotes(parameter.name)));
  if (parameter.type == "xyz") return rgb_of_xyz(glm::dvec3(color));
  return is_grey ? color : object.color_space.of(use) * color;
}

}  // namespace

std::optional<ComplexIor> find_pbrt_metal(std::string_view name) {
  const SpectralMetal* known = find_row(kSpectralMetals, name);
  return known ? known->ior : find_metal(name);
}

glm::vec3 PbrtObject::color(std::string_view parameter_name, glm::vec3 fallback,
                            PbrtSpectrumUse use) const {
  constexpr float kMaxColor = 1e9f;
  const PbrtParameter* parameter = find(parameter_name);
  if (!parameter) return fallback;
  const bool is_spectrum = parameter->type == "spectrum";
  glm::vec3 color;
  if (is_spectrum && !parameter->strings.empty())
    color = color_of_name(*parameter, fallback, use, *context);
  else if (parameter->type == "blackbody")
    color = color_of_black_body(*parameter, context->is_old);
  else if (is_spectrum && parameter->numbers.size() > 1)
    color = color_of_measured(*parameter, parameter->numbers, use);
  else
    color = color_of_numbers(*this, *parameter, use);
  if (is_spectrum && use == PbrtSpectrumUse::kLight && !context->is_old) {
    const float found = luminance(color);
    color = found > 0.0f ? color * (1.0f / found) : glm::vec3(0.0f);
  }
  return glm::clamp(color, 0.0f, kMaxColor);
}

PbrtIor PbrtObject::ior(const char* ior_name, float fallback) const {
  constexpr float kAbbeOfOne = 20.0f;
  const char* parameter_name = !has(ior_name) && has("index") ? "index" : ior_name;
  const PbrtParameter* parameter = find(parameter_name);
  if (!parameter) return {fallback};
  if (parameter->type == "spectrum" && parameter->strings.size() == 1)
    if (const Glass* known = find_row(kGlasses, parameter->strings[0]))
      return {known->ior, kAbbeOfOne / known->abbe};
  if (parameter->type == "texture") {
    context->warn(
        parameter->place,
        fmt::format("a texture of an index of refraction is not used; it is {}", fallback));
    return {fallback};
  }
  const glm::vec3 given = color(parameter_name, glm::vec3(fallback));
  const float ior = given.x == given.y && given.y == given.z ? given.x : luminance(given);
  if (ior == 0.0f) return {1.0f};  // as in pbrt
  if (!(ior >= kMinIor && ior <= kMaxIor))
    context->warn(
        parameter->place,
        fmt::format("an index of refraction outside {} to {} is limited", kMinIor, kMaxIor));
  return {glm::clamp(ior, kMinIor, kMaxIor)};
}

float PbrtObject::ior_above_1() const {
  const float given = ior().ior;
  if (given < 1.0f) warn("an index of refraction below 1 of a principled surface becomes 1");
  return std::max(given, std::nextafter(1.0f, 2.0f));
}

std::optional<PbrtColorSpace> pbrt_color_space(std::string_view name) {
  // Columns from the chromaticities of each space.
  auto of_both = [](const glm::mat3& matrix) { return PbrtColorSpace{matrix, matrix}; };
  if (name == "srgb") return PbrtColorSpace{};
  if (name == "dci-p3")
    return of_both(
        {1.22494f, -0.04206f, -0.01964f, -0.22494f, 1.04206f, -0.07864f, 0.0f, 0.0f, 1.09827f});
  if (name == "rec2020")
    return of_both({1.66049f, -0.12455f, -0.01815f, -0.58764f, 1.13290f, -0.10058f, -0.07285f,
                    -0.00835f, 1.11873f});
  // Adapted to D65 by the Bradford method for surfaces.
  if (name == "aces2065-1")
    return PbrtColorSpace{{2.52169f, -0.27648f, -0.01538f, -1.13413f, 1.37272f, -0.15298f,
                           -0.38756f, -0.09624f, 1.16835f},
                          {2.55839f, -0.27799f, -0.01717f, -1.11947f, 1.36602f, -0.14853f,
                           -0.39181f, -0.09349f, 1.08102f}};
  return {};
}

const std::string& PbrtContext::limited(const std::string& what) {
  constexpr size_t kMaxKinds = 500;
  static const std::string kFurther = "there are further warnings";
  if (kinds.size() < kMaxKinds) kinds.insert(what);
  return kinds.contains(what) ? what : kFurther;
}

std::nullopt_t PbrtObject::leave_out(const std::string& why) const {
  warn(why);
  context->left_out.add(context->limited(why), [&] { return place.text(); });
  return std::nullopt;
}

void PbrtObject::warn_about_unused(std::string_view kind) const {
  const bool has_vowel = std::string_view("aio").find(kind.front()) != std::string_view::npos;
  const std::string of_type = type.empty() ? "" : " of the type " + in_quotes(type);
  for (const std::string& parameter : unused()) {
    const KnownKey* key = pbrt_keys().find(kind, type, parameter);
    if (key && key->use == KeyUse::kHarmless) continue;
    const bool has_reason = key && key->use == KeyUse::kIgnored;
    warn(fmt::format("the parameter {} of {} {}{} is not used{}", in_quotes(parameter),
                     has_vowel ? "an" : "a", kind, of_type,
                     has_reason ? fmt::format(": {}", key->why) : ""));
  }
}

std::optional<std::filesystem::path> PbrtObject::find_file(const std::string& file,
                                                           const std::string& consequence) const {
  const auto found = find_pbrt_file(context->folder, file, *place.file);
  if (!found)
    warn(
        fmt::format("the file {} does not exist; {}", one_line(file, kMaxPathLength), consequence));
  return found;
}

}  // namespace winnow
