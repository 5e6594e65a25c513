// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <glm/common.hpp>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "base/one_line.h"
#include "image/srgb.h"
#include "load/mitsuba/texture.h"
#include "load/textures/texels.h"
#include "math/sampling.h"
#include "scene/spectrum.h"

namespace winnow {
namespace {

constexpr glm::vec3 kGrey(0.5f);

/// Use of a spectrum: for a surface under daylight, or for a light.
enum class SpectrumUse { kSurface, kLight };

SpectrumUse use_in(const MitsubaObject& object) {
  return object.tag() == "emitter" ? SpectrumUse::kLight : SpectrumUse::kSurface;
}

glm::vec3 linear_color(glm::vec3 srgb) {
  return {linear_from_srgb(srgb.r), linear_from_srgb(srgb.g), linear_from_srgb(srgb.b)};
}

/// Reads "#rrggbb".
glm::vec3 read_hexadecimal(const MitsubaObject& object, pugi::xml_node node,
                           std::string_view text) {
  constexpr size_t kLength = 7;
  constexpr int kSixteen = 16, kByteMask = 255;
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number, kSixteen);
  if (text.size() != kLength || error != std::errc() || end != text.data() + text.size())
    object.document().fail(node, fmt::format("expected #rrggbb, found {}", in_quotes(text)));
  return linear_color(glm::vec3(float(number >> 16 & kByteMask), float(number >> 8 & kByteMask),
                                float(number & kByteMask)) /
                      float(kByteMask));
}

glm::vec3 read_numbers(const MitsubaObject& object, pugi::xml_node node) {
  std::string_view text = node.attribute("value").value();
  std::vector<float> numbers = mitsuba_numbers(object.document(), node, text);
  if (numbers.size() == 1) return glm::vec3(numbers[0]);
  if (numbers.size() != 3)
    object.document().fail(node,
                           fmt::format("expected one or three numbers, found {}", in_quotes(text)));
  return {numbers[0], numbers[1], numbers[2]};
}

/// Converts a spectrum to a colour.
/// @param numbers  wavelength in nm, value, wavelength, ...
glm::vec3 color_of_spectrum(const MitsubaObject& object, pugi::xml_node node, SpectrumUse use,
                            const std::vector<float>& numbers) {
  if (numbers.empty() || numbers.size() % 2 != 0)
    object.document().fail(node, "expected pairs of a wavelength and a value");
  std::vector<SpectrumSample> samples;
  for (size_t i = 0; i < numbers.size(); i += 2) {
    if (!samples.empty() && numbers[i] <= samples.back().wavelength)
      object.document().fail(node, "expected wavelengths that increase");
    samples.push_back({numbers[i], numbers[i + 1]});
  }
  return use == SpectrumUse::kLight ? rgb_of_emission(samples) : rgb_of_reflectance(samples);
}

/// Reads "400:0.1, 500:0.2".
glm::vec3 read_wavelengths(const MitsubaObject& object, pugi::xml_node node, SpectrumUse use,
                           std::string text) {
  std::replace(text.begin(), text.end(), ':', ' ');
  return color_of_spectrum(object, node, use, mitsuba_numbers(object.document(), node, text));
}

/// Reads a text file with a wavelength and a value in each line; "#" begins a comment.
glm::vec3 read_spectrum_file(const MitsubaObject& object, pugi::xml_node node, SpectrumUse use) {
  const std::string name = node.attribute("filename").value();
  std::istringstream lines(read_file(object.document().find_file(node, name)));
  std::string numbers;
  for (std::string line; std::getline(lines, line);)
    numbers += line.substr(0, line.find('#')) + ' ';
  std::replace(numbers.begin(), numbers.end(), '\r', ' ');
  return color_of_spectrum(object, node, use, mitsuba_numbers(object.document(), node, numbers));
}

/// Reads a spectrum with the same value at all wavelengths. For a light, it has the hue of equal
/// energy, as in Mitsuba.
glm::vec3 read_flat_spectrum(const MitsubaObject& object, pugi::xml_node node, SpectrumUse use) {
  constexpr SpectrumSample kFlatSpectrum[] = {{1.0f, 1.0f}, {1e4f, 1.0f}};
  const glm::vec3 value = read_numbers(object, node);
  return use == SpectrumUse::kLight ? value * rgb_of_emission(kFlatSpectrum) : value;
}

/// Reads <spectrum type="regular"> or "irregular": lists of values and of their wavelengths.
glm::vec3 read_listed_spectrum(const MitsubaObject& spectrum, SpectrumUse use) {
  auto list = [&](const char* name) {
    return mitsuba_numbers(spectrum.document(), spectrum.node(), spectrum.text(name, ""));
  };
  const std::vector<float> values = list("values");
  std::vector<float> wavelengths = list("wavelengths");
  if (spectrum.type() == "regular" && !values.empty()) {
    constexpr float kFirst = 360.0f, kLast = 830.0f;  // nm
    const float first = spectrum.number("wavelength_min", kFirst),
                last = spectrum.number("wavelength_max", kLast);
    const float step = (last - first) / float(std::max<size_t>(values.size() - 1, 1));
    for (size_t i = 0; i < values.size(); ++i) wavelengths.push_back(first + float(i) * step);
  }
  if (values.size() != wavelengths.size())
    spectrum.fail(fmt::format("expected a wavelength for each value, found {} and {}",
                              wavelengths.size(), values.size()));
  std::vector<float> pairs;
  for (size_t i = 0; i < values.size(); ++i) {
    pairs.push_back(wavelengths[i]);
    pairs.push_back(values[i]);
  }
  return color_of_spectrum(spectrum, spectrum.node(), use, pairs);
}

/// Reads a black body. Mitsuba supports it only in its spectral modes.
glm::vec3 read_black_body(const MitsubaObject& spectrum) {
  constexpr float kDefaultTemperature = 5000.0f;  // K
  const float temperature = spectrum.number("temperature", kDefaultTemperature);
  if (!(temperature > 0.0f)) spectrum.fail("expected a temperature above 0 K");
  spectrum.warn("a black body gets the luminance of its scale");
  return std::max(spectrum.number("scale", 1.0f), 0.0f) * rgb_of_black_body(temperature);
}

/// Returns the mean colour of an image file; grey, with a warning, if the file is missing.
glm::vec3 mean_image_color(const MitsubaObject& object) {
  const std::string name = object.text("filename", "");
  std::filesystem::path file;
  try {
    file = object.document().find_file(object.node(), name);
  } catch (const Error&) {
    object.warn(fmt::format("the image {} is missing; grey 0.5 is used", in_quotes(name)));
    return kGrey;
  }
  const bool is_raw = object.boolean("raw", false);
  TextureImage image;
  try {
    image = read_texture_file(file, is_raw ? TexelMeaning::kData : TexelMeaning::kColor);
  } catch (const std::runtime_error& error) {
    object.warn(fmt::format("the image {} cannot be read ({}); grey 0.5 is used", in_quotes(name),
                            one_line(error.what(), 200)));
    return kGrey;
  }
  object.warn("a bitmap becomes its mean colour: this property cannot have a texture");
  return glm::vec3(mean_texel(image));
}

glm::vec3 read_color(const MitsubaObject& object, std::string_view name, glm::vec3 fallback,
                     SpectrumUse use, int depth);

/// Reads a <texture>, or a <spectrum> with a type, as one colour.
glm::vec3 read_texture_color(const MitsubaObject& texture, SpectrumUse use, int depth) {
  if (depth > kMaxTextureDepth) texture.fail("textures are nested too deeply");
  auto color = [&](const char* name, glm::vec3 fallback) {
    return read_color(texture, name, fallback, use, depth + 1);
  };
  const std::string type = texture.type();
  if (type == "bitmap") return mean_image_color(texture);
  if (type == "uniform") return color("value", glm::vec3(1.0f));
  if (type == "rawconstant") return color("value", glm::vec3(1.0f));
  if (type == "srgb") return color("color", glm::vec3(1.0f));
  if (type == "d65")
    return texture.number("scale", 1.0f) * color("color", color("value", glm::vec3(1.0f)));
  if (type == "regular" || type == "irregular") return read_listed_spectrum(texture, use);
  if (type == "blackbody") return read_black_body(texture);
  if (type == "checkerboard" || type == "gridtexture") {
    texture.warn(
        fmt::format("a {} becomes its mean colour: this property cannot have a texture", type));
    const bool is_checkerboard = type == "checkerboard";
    const glm::vec3 kLight(0.4f), kDark(0.2f);
    glm::vec3 a = color("color0", is_checkerboard ? kLight : kDark);
    glm::vec3 b = color("color1", is_checkerboard ? kDark : kLight);
    return is_checkerboard ? 0.5f * (a + b) : a;  // a grid consists mostly of the first colour
  }
  if (type == "scale") {
    std::vector<MitsubaObject> inner = texture.textures();
    glm::vec3 scale = color("scale", glm::vec3(1.0f));
    return inner.empty() ? scale : scale * read_texture_color(inner[0], use, depth + 1);
  }
  if (const auto attribute = read_mitsuba_mesh_attribute(texture)) {
    const auto& known = texture.document().mesh_colors;
    if (const auto mean = known.find(attribute->name); mean != known.end()) {
      texture.warn("a mesh_attribute becomes its mean colour: this property cannot vary by vertex");
      return attribute->scale * mean->second;
    }
  }
  texture.warn(fmt::format("a texture of the type {} becomes grey 0.5", in_quotes(type)));
  return kGrey;
}

glm::vec3 read_color(const MitsubaObject& object, std::string_view name, glm::vec3 fallback,
                     SpectrumUse use, int depth) {
  if (!object.has(name)) return fallback;
  const pugi::xml_node node = object.document().resolve(object.find(name));
  std::string_view tag = node.name(), value = node.attribute("value").value();
  glm::vec3 color = fallback;
  if (std::optional<MitsubaObject> texture = find_mitsuba_texture(object, name)) {
    color = read_texture_color(*texture, use, depth);
  } else if (!value.empty() && value[0] == '#') {
    color = read_hexadecimal(object, node, value);
  } else if (tag == "rgb" || tag == "float" || tag == "integer" || tag == "srgb") {
    color = read_numbers(object, node);
    if (tag == "srgb") color = linear_color(color);
  } else if (tag == "spectrum" && value.find(':') != std::string_view::npos) {
    color = read_wavelengths(object, node, use, std::string(value));
  } else if (tag == "spectrum" && !value.empty()) {
    color = read_flat_spectrum(object, node, use);
  } else if (tag == "spectrum" && node.attribute("filename")) {
    color = read_spectrum_file(object, node, use);
  } else {
    object.document().warn(
        node, fmt::format("a colour given as <{}> is ignored; the default is used", one_line(tag)));
  }
  return glm::max(color, glm::vec3(0.0f));
}

}  // namespace

glm::vec3 read_mitsuba_color(const MitsubaObject& object, std::string_view name,
                             glm::vec3 fallback) {
  return read_color(object, name, fallback, use_in(object), 0);
}

glm::vec3 read_mitsuba_reflectance(const MitsubaObject& object, std::string_view name,
                                   glm::vec3 fallback) {
  glm::vec3 color = read_mitsuba_color(object, name, fallback);
  if (color.r > 1.0f || color.g > 1.0f || color.b > 1.0f)
    object.document().warn(object.find(name), "a reflectance above 1 becomes 1");
  return glm::min(color, glm::vec3(1.0f));
}

float read_mitsuba_number(const MitsubaObject& object, std::string_view name, float fallback) {
  const std::string_view tag = object.find(name).name();
  if (!find_mitsuba_texture(object, name) && tag != "rgb" && tag != "srgb")
    return object.number(name, fallback);
  return luminance(read_color(object, name, glm::vec3(fallback), SpectrumUse::kSurface, 0));
}

}  // namespace winnow
